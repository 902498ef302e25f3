"""The table of options: each is described once, for every interface, and used by one."""

import re
from pathlib import Path

import pytest

from rulestone import options
from rulestone.options import Option

OPTIONS = {name: value for name, value in vars(options).items() if isinstance(value, Option)}
SOURCES = "".join(path.read_text("utf-8") for path in (Path(__file__).parents[2] / "api").rglob("*.py"))


def test_no_option_is_described_twice() -> None:
    assert len({option.about for option in OPTIONS.values()}) == len(OPTIONS)


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_is_a_sentence_that_an_interface_shows(name: str) -> None:
    option = OPTIONS[name]
    assert option.about.endswith(".")
    assert re.search(rf"\boptions\.{name}\b", SOURCES)
    assert option.about not in SOURCES
    assert option.max_length is None or len(option.example or "") <= option.max_length
