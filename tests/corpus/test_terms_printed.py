"""Labels and glosses use the terms that the loaded books and translations print."""

import pytest

from bench.digest.glossed import all_readings
from bench.digest.terms import Term, differences, differing_terms, excused_differences, labels, printed_terms
from corpus.address import EditionKey
from corpus.digest import GLOSS_LANGUAGES, Gloss
from corpus.model import Kind, Node
from ingest.merge import Edition, MergedRule


@pytest.mark.real
def test_terms_are_those_that_the_books_print(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every difference has a reason in terms.tsv, and every reason a difference."""
    monkeypatch.delenv("RULESTONE_DIGEST")
    lines = differences(all_readings())
    assert {name: line for name, line in lines.items() if name not in excused_differences()} == {}
    assert set(excused_differences()) == set(lines)


def rule(locator: str, printed: tuple[str, str], said: tuple[str, str], kind: Kind = Kind.RULE) -> MergedRule:
    texts = {lang: Node(kind, locator, None, text, (), None) for lang, text in zip(("en", "zh-Hans"), printed, strict=True)}
    words = dict.fromkeys(GLOSS_LANGUAGES, "") | dict(zip(("en", "zh-Hans"), said, strict=True))
    return MergedRule(locator, texts=texts, gloss=Gloss(locator, kind.is_heading, words, {}), kind=kind)


def ferry(*said: str) -> Edition:
    """A book in two languages that calls a raft 筏子; its rules are glossed with some words in Chinese."""
    heading = rule("1", ("Rafts", "筏子"), ("Rafts", "筏子"), Kind.SECTION)
    rules = [rule(f"1.{at}", ("A rafts sinks.", "筏子沉没。"), ("The rafts sink.", words)) for at, words in enumerate(said)]
    return Edition(EditionKey("ferry", "cr", "2021"), "hundreds", "en", {each.locator: each for each in [heading, *rules]})


def test_a_heading_in_two_languages_is_a_term() -> None:
    assert printed_terms(ferry("筏子"), "zh-Hans") == {"rafts": {"筏子"}}


@pytest.mark.parametrize(
    ("said", "without"),
    [
        (("筏子沉了",) * 5, ()),
        (("木筏沉了",) * 4, ("1.0", "1.1", "1.2", "1.3")),
        (("筏子沉了",) * 2 + ("木筏沉了",) * 4, ("1.2", "1.3", "1.4", "1.5")),
        (("筏子沉了",) * 4 + ("木筏沉了",) * 4, ()),
    ],
)
def test_a_term_differs_where_most_glosses_call_it_something_else(said: tuple[str, ...], without: tuple[str, ...]) -> None:
    expected = [Term("rafts", ("筏子",), len(said) + 1, without)] if without else []
    assert list(differing_terms(ferry(*said), "zh-Hans")) == expected


def test_without_books_no_label_differs() -> None:
    assert list(labels([])) == []
