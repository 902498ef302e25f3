"""Sentences for users: values are put in, another language is taken where the catalogue has it."""

import pytest

from corpus import messages
from corpus.errors import InputError, RulestoneError
from corpus.messages import Message, message


def test_an_error_says_its_values() -> None:
    error = InputError("there is no file {file}; expected {what}", file="pier.txt", what="a rulebook")
    assert str(error) == "there is no file pier.txt; expected a rulebook"
    assert isinstance(error, RulestoneError)


@pytest.mark.parametrize("text", ["a {brace} of nobody", "100 % {", "two\nlines"])
def test_without_values_a_sentence_stands_as_it_is(text: str) -> None:
    assert str(InputError(text)) == " ".join(text.split())


def test_another_language_is_told_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"ja": {"no {thing}": "{thing}がない", "a ferry": "渡し船"}}
    monkeypatch.setattr(messages, "_translations", lambda lang: known.get(lang, {}))
    said = message("no {thing}", thing=Message("a ferry"))
    assert (said.in_language("ja"), said.in_language("zh-Hans"), str(said)) == ("渡し船がない", "no a ferry", "no a ferry")
