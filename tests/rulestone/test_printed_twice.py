"""A number that an edition prints twice: both rules say so, and neither is thought to be missing elsewhere."""

import pytest

from api.text.rule import show_lines
from corpus.store.home import Home
from rulestone import Library
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import books_alone, put_editions

TWICE = HUNDREDS_EN.replace("101.2. An overloaded", "101.1. A ferry of straw holds none.\n101.2. An overloaded")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    home = Home(tmp_path_factory.mktemp("twice") / "home")
    with books_alone():
        put_editions(home.path, [(TWICE, "2020-01-01", "en"), (HUNDREDS_EN, "2021-05-03", "en")])
    return Library.open(home.path)


def test_each_names_the_other(library: Library) -> None:
    for number, other in (("101.1", "101.1.dup2"), ("101.1.dup2", "101.1")):
        body = library.rules(f"ferry/cr:2020-01-01:{number}")
        [rule] = body["rules"]
        assert [iri.rpartition("/")[2] for iri in rule["printed_again"]] == [other]
        assert f"rulestone show ferry/cr:2020-01-01:{other}" in "\n".join(show_lines(body, "en", None))


def test_a_rule_printed_once_is_not_missing(library: Library) -> None:
    [rule] = library.rules("ferry/cr:2020-01-01:101.1.dup2")["rules"]
    assert rule["successor"] is not None
    assert str(rule["successor"]["same_number"]).endswith("/2021-05-03/101.1")
    assert "has no 101.1" not in "\n".join(show_lines({"ref": "", "rules": [rule]}, "en", None))


def test_a_number_printed_once_says_nothing(library: Library) -> None:
    [rule] = library.rules("ferry/cr:2021-05-03:101.1")["rules"]
    assert "printed_again" not in rule
