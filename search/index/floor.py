"""What judges and players say in their questions: verbs, quantities, idioms, slang, in three languages.

`search/data/floor.tsv` has a row for each idea and language. `floor/…` is an idea that only search knows; any other name is a
concept of the ontology, and its words are further ways to ask for it. Japanese verbs stand there in their dictionary form, with ・
before the ending where only that ending changes (捨て・る); their stems are worked out.
"""

import csv
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

COLUMNS = ("concept", "lang", "means", "words", "verbs")
STEM = "・"
_BETWEEN = "; "
_STEMS = {
    "う": "わいえおっ",
    "く": "かきけこい",
    "ぐ": "がぎげごい",
    "す": "さしせそ",
    "つ": "たちてとっ",
    "ぬ": "なにねのん",
    "ぶ": "ばびべぼん",
    "む": "まみめもん",
    "る": "らりれろっ",
}
"""Ending of a verb of the first group → what stands in its place before other endings (school grammar's 五段, 音便 last)."""
_DO = "する"


class Idea(NamedTuple):
    """An idea and its words in one language."""

    concept: str  # floor/rearrange, or the name of a cross-game concept
    lang: str
    means: str  # "" for a concept of the ontology, which has a definition there
    words: tuple[str, ...]  # with the stems of verbs


@cache
def ideas() -> tuple[Idea, ...]:
    """Every idea in every language, as the file has them."""
    lines = files("search").joinpath("data/floor.tsv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(Idea(row["concept"], row["lang"], row["means"], tuple(dict.fromkeys(_words(row)))) for row in rows)


def _words(row: dict[str, str]) -> Iterator[str]:
    yield from _listed(row["words"])
    for verb in _listed(row["verbs"]):
        yield verb.replace(STEM, "")
        yield from stems(verb)


def _listed(cell: str) -> list[str]:
    return cell.split(_BETWEEN) if cell else []


def stems(verb: str) -> list[str]:
    """What a Japanese verb begins with before other endings: 引く gives 引か, 引き … 引い; 捨て・る gives 捨て."""
    if STEM in verb:
        return [verb.split(STEM)[0]]
    if verb.endswith(_DO):
        return [verb.removesuffix(_DO) + stem for stem in "しさせ"]
    return [verb[:-1] + stem for stem in _STEMS[verb[-1]]]


def has_address(name: str) -> bool:
    """Whether a concept token stands for a concept of the ontology, which has an address; an idea of the floor has none."""
    return not name.startswith("floor/")
