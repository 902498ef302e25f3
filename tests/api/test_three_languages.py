"""Answers in Japanese and Chinese have no sentence that is English only: bodies are walked, string by string."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from corpus.store.home import Home
from rulestone import Library
from tests.support.commands import call
from tests.support.editions import EDITIONS, text
from tests.support.homes import books_alone
from tests.support.texts import ROOT

RULINGS = ROOT / "tests" / "support" / "rulings" / "ferrymen.ja.csv"
SENTENCE = re.compile(r"[A-Za-z][a-z’']+(?: [A-Za-z][A-Za-z’'-]*){4,}")
"""Five words in a row: names of games and cards are shorter."""
OWN = {"text", "texts", "quote", "exact", "before", "after", "use", "en", "query", "value", "highlights", "sources"}
"""Fields in a book's own words, of the question, or beside the same in other languages (`value` beside `value_labels`)."""


def strings(body: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:  # noqa: ANN401
    if isinstance(body, dict):
        for name, value in body.items():
            if name not in OWN:
                yield from strings(value, (*path, name))
    elif isinstance(body, list):
        for value in body:
            yield from strings(value, path)
    elif isinstance(body, str) and not body.startswith("http"):
        yield path, body


@pytest.fixture(scope="module")
def library(digest_home: Home) -> Library:
    return Library.open(digest_home.path)


@pytest.mark.parametrize("lang", ["ja", "zh"])
def test_no_answer_has_an_english_sentence(library: Library, lang: str) -> None:
    bodies = {
        "zones": library.zones(lang=lang),
        "topics": library.topics(lang=lang),
        "mulligan": library.concept("mulligan", lang=lang),
        "graveyard": library.concept("graveyard", lang=lang),
        "show": library.rules("mtg:400.7", lang=lang),
        "shown": library.rules("fow:3.9~2", lang=lang),
        "order": library.rules("mtg:400.5", lang=lang),
        "older": library.rules("ygo:places/1.1.9~3", lang=lang),
        "search": library.search({"ja": "誘発した能力の順番", "zh": "触发的顺序"}[lang], lang=lang),
        "term": library.term({"ja": "マリガン", "zh": "调度"}[lang], lang=lang),
        "moves": library.moves(lang=lang),
        "verify": library.verify("MTG CR 400.7 and dm 999.9 say “a new object without memory”.", lang=lang),
        "ask": library.ask({"ja": "墓地の順番は変えられるか", "zh": "坟墓场的顺序可以改变吗"}[lang], lang=lang),
        "abstained": library.ask("zzqx vlorp", lang=lang),
    }
    assert list(english(bodies)) == []


@pytest.fixture(scope="module")
def edition_library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The Game of Ferrymen in two editions, with rulings."""
    folder = tmp_path_factory.mktemp("played")
    with books_alone():
        for edition in EDITIONS[:2]:
            (folder / f"{edition}.txt").write_text(text(edition))
            options = ("--book", "cr", "--edition", edition, "--lang", "en")
            assert call(folder / "home", "add", folder / f"{edition}.txt", "--game", "ferry", *options).code == 0
        ruled = ("--game", "ferry", "--source", "desk", "--authority", "official")
        assert call(folder / "home", "add", RULINGS, *ruled).code == 0
        with Library.open(folder / "home", create=False) as library:
            yield library


@pytest.mark.parametrize("lang", ["ja", "zh"])
def test_no_answer_about_editions_and_rulings_has_one(edition_library: Library, lang: str) -> None:
    bodies: dict[str, Any] = {
        "changes": edition_library.changes("ferry/cr", EDITIONS[0], lang=lang),
        "feed": edition_library.feed(lang=lang),
        "rulings": edition_library.rulings(rule="ferry:101.1", lang=lang),
        "changed": edition_library.rulings(changed=True, lang=lang),
        "asked": edition_library.rulings(query={"ja": "綱を結ぶ", "zh": "绳子"}[lang], lang=lang),
        "verify": edition_library.verify(f"Ferry {EDITIONS[0]} 101.1, 101.2 and 999.9 say “two oars at once”.", lang=lang),
    }
    assert list(english(bodies)) == []
    assert bodies["changes"]["changes"] and bodies["rulings"]["total"] + bodies["asked"]["total"] > 0


def english(bodies: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Body, place and words of each sentence that is English only."""
    for name, body in bodies.items():
        for path, words in strings(body):
            if SENTENCE.search(words) and not re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", words):
                yield name, ".".join(path), words
