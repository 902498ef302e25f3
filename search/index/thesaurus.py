"""The query-expansion thesaurus: verbs, quantities, idioms and slang of judges and players, in three languages.

`search/data/thesaurus.tsv` has a row for each idea and language. `floor/…` is an idea that only the thesaurus has; any other name
is a concept of the ontology, and the words are further names for it. Japanese verbs are in their dictionary form; ・ marks the end
of an invariable stem (捨て・る), and the stems of other verbs are derived.
"""

import csv
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from search.settings import DATA

THESAURUS_FILE = DATA / "thesaurus.tsv"
COLUMNS = ("concept", "lang", "means", "words", "verbs")
STEM_END = "・"
_SEPARATOR = "; "
_CONCEPT_PREFIX = "floor/"
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
"""Ending of a godan verb → its replacements before other endings, the euphonic form (音便) last."""
_SURU_VERB = "する"


class ThesaurusEntry(NamedTuple):
    """An idea and its words in one language."""

    concept: str  # floor/rearrange, or the name of a cross-game concept
    lang: str
    means: str  # "" for a concept of the ontology, which has a definition there
    words: tuple[str, ...]  # with the stems of verbs


@cache
def thesaurus_entries() -> tuple[ThesaurusEntry, ...]:
    """Every idea in every language, in the order of the file."""
    rows = csv.DictReader(THESAURUS_FILE.read_text(encoding="utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(ThesaurusEntry(row["concept"], row["lang"], row["means"], tuple(dict.fromkeys(_words(row)))) for row in rows)


def _words(row: dict[str, str]) -> Iterator[str]:
    yield from _split(row["words"])
    for verb in _split(row["verbs"]):
        yield verb.replace(STEM_END, "")
        yield from verb_stems(verb)


def _split(cell: str) -> list[str]:
    return cell.split(_SEPARATOR) if cell else []


def verb_stems(verb: str) -> list[str]:
    """The stems of a Japanese verb before other endings: 引く gives 引か, 引き … 引い; 捨て・る gives 捨て."""
    if STEM_END in verb:
        return [verb.split(STEM_END)[0]]
    if verb.endswith(_SURU_VERB):
        return [verb.removesuffix(_SURU_VERB) + stem for stem in "しさせ"]
    return [verb[:-1] + stem for stem in _STEMS[verb[-1]]]


def is_in_ontology(concept: str) -> bool:
    """Whether a concept belongs to the ontology, and so has an IRI, instead of being an idea of the thesaurus."""
    return not concept.startswith(_CONCEPT_PREFIX)
