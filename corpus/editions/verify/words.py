"""A quotation beside the words of its rule: whether they are there, and what comes nearest where they are not."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from corpus.editions.verify.comparable import comparable
from corpus.editions.verify.passages import Wording, wordings
from corpus.editions.verify.quoting import place_in

if TYPE_CHECKING:
    from corpus.contract import RuleRecord

_KANA = re.compile("[\u3041-\u30ff]")
_HAN = re.compile("[\u3400-\u9fff]")
_LATIN = re.compile("[A-Za-z]")
_LONGEST, _WIDEST = 1500, 40_000
"""Characters of a quotation, and of a rule with its parts, that are compared for what comes nearest."""


class Verdict(StrEnum):
    """What becomes of a quotation."""

    VERIFIED = "verified"
    MISQUOTED = "misquoted"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class Place:
    """Where words stand: in the text (or, `own` false, in an example or note) of a rule in a language."""

    rule: str
    lang: str
    start: int
    end: int
    own: bool


@dataclass(frozen=True, slots=True)
class Quoted:
    """The verdict on a quotation; `alike` (0 to 1) is how near the nearest words come."""

    verdict: Verdict
    nearest: str | None = None
    place: Place | None = None
    alike: float = 0.0


def languages(words: str) -> frozenset[str]:
    """The languages that words can be in, by their script."""
    if _KANA.search(words):
        return frozenset({"ja"})
    if len(_HAN.findall(words)) * 3 >= len(_LATIN.findall(words)) and _HAN.search(words):
        return frozenset({"zh-Hans", "zh-Hant", "ja"})
    return frozenset({"en"})


def check(words: str, records: "Sequence[RuleRecord]") -> Quoted:
    """Holds quoted words against a rule and its parts (first the rule), in every language that these are loaded in."""
    loaded = list(wordings(records))
    for wording in loaded:
        if span := place_in(words, wording.whole):
            return Quoted(Verdict.VERIFIED, place=_place(wording, *span), alike=1.0)
    own = [wording for wording in loaded if wording.lang in languages(words)]
    if not own:
        return Quoted(Verdict.UNCHECKED)
    return max((_nearest(words, wording) for wording in own), key=lambda quoted: quoted.alike)


def _nearest(words: str, wording: Wording) -> Quoted:
    """The words of a rule that come nearest to some others."""
    from rapidfuzz.fuzz import partial_ratio_alignment

    whole, wanted = wording.whole, comparable(words).text[:_LONGEST]
    if not wanted or not whole.text:
        return Quoted(Verdict.MISQUOTED)
    alignment = partial_ratio_alignment(wanted, whole.text[:_WIDEST])
    if not alignment or alignment.dest_end <= alignment.dest_start:
        return Quoted(Verdict.MISQUOTED)
    start, end = _whole_words(whole.source, *whole.span(alignment.dest_start, alignment.dest_end))
    place = _place(wording, start, end)
    passage = wording.passage_at(start)
    nearest = passage.text[place.start : place.end]
    return Quoted(Verdict.MISQUOTED, nearest or None, place if nearest else None, alignment.score / 100)


def _whole_words(source: str, start: int, end: int) -> tuple[int, int]:
    """A stretch made to begin and end with a word."""
    while start > 0 and _LATIN.match(source[start - 1]) and _LATIN.match(source[start]):
        start -= 1
    while end < len(source) and _LATIN.match(source[end]) and _LATIN.match(source[end - 1]):
        end += 1
    return start, end


def _place(wording: Wording, start: int, end: int) -> Place:
    """A stretch of the whole as one of the passage that it begins in."""
    passage = wording.passage_at(start)
    inner = start - passage.start
    return Place(passage.rule, wording.lang, max(inner, 0), min(max(end - passage.start, 0), len(passage.text)), passage.own)
