"""Changes since a text was written: the cited rules with today's numbers, and the text with these numbers."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from corpus.address import split_rule
from corpus.editions.citations.context import CitedNumber
from corpus.editions.citations.numbers import DASH, RANGE_WORDS
from corpus.editions.citations.phrases import compile_pattern
from corpus.editions.citations.view import View
from corpus.editions.verify.resolve import CitationStatus, RuleLookup
from corpus.editions.verify.verdict import CheckedCitation
from corpus.reference import fold_number
from corpus.words.text import to_half_width

if TYPE_CHECKING:
    from corpus.contract import CitedChange, NumberFix

_NUMBER_RANGE = compile_pattern(rf"(?P<first>[\w.\-]+?)(?P<between>\s?{RANGE_WORDS}\s?(?:第)?)(?P<last>[\w.]+)")
_FULL_WIDTH = {code - 0xFEE0: code for code in range(0xFF01, 0xFF5F)}


def changes_since(checked_citations: Sequence[CheckedCitation]) -> "list[CitedChange]":
    """The cited rules that have moved, were reworded or removed, or whose number was reused, each once, in text order."""
    rows: dict[str, CitedChange] = {}
    for place, citation in enumerate(checked_citations):
        record, today = citation.resolved.record, citation.today
        if record is None or today is None or not today.known or _is_same_number(record["locator"], citation):
            continue
        if record["iri"] in rows:
            rows[record["iri"]]["citations"].append(place)
            continue
        now = split_rule(today.iri).locator if today.iri else None
        rows[record["iri"]] = {
            "rule": record["iri"],
            "edition": record["edition"],
            "number": record["locator"],
            "kind": "removed" if now is None else "reused" if today.reused else "moved" if now != record["locator"] else "edited",
            "edited": None if now is None or today.same_words is None else not today.same_words,
            "only_references": today.only_references and not today.same_words,
            "now": today.iri,
            "number_now": now,
            "citations": [place],
        }
    return list(rows.values())


def _is_same_number(locator: str, citation: CheckedCitation) -> bool:
    """Whether a rule has the same place and words today."""
    today = citation.today
    assert today is not None
    here = today.iri is not None and split_rule(today.iri).locator == locator
    return here and not today.reused and today.same_words is not False


def number_fixes(lookup: RuleLookup, view: View, checked_citations: Sequence[CheckedCitation]) -> "Iterator[NumberFix]":
    """The numbers to update: those of rules that moved unchanged, if the text names no edition beside them.

    In a range every rule must have moved this way, and no other rule may be between them now.
    """
    by_item: dict[tuple[int, int], list[int]] = {}  # the span of a number, or of a range → its citations
    for place, citation in enumerate(checked_citations):
        by_item.setdefault((citation.resolved.item.start, citation.resolved.item.end), []).append(place)
    for places in by_item.values():
        citations = [checked_citations[place] for place in places]
        item = citations[0].resolved.item
        start, end = view.span(item.start, item.end)
        nows = [now for citation in citations if (now := _certain_rule_today(citation))]
        if len(nows) < len(citations) or citations[0].resolved.own or not _is_range(lookup, nows):
            continue
        surface = view.source[start:end]
        numbers = [split_rule(now).locator for now in nows]
        before = [citation.resolved.record["locator"] for citation in citations if citation.resolved.record]
        replacement = None if numbers == before else _renumber(surface, item, before, numbers)
        if replacement and replacement != surface:
            yield {"start": start, "end": end, "surface": surface, "replacement": replacement, "citations": places}


def _certain_rule_today(citation: CheckedCitation) -> str | None:
    """The rule today, if it is certainly the cited one; None if uncertain or misquoted."""
    record, today = citation.resolved.record, citation.today
    if record is None or citation.status in (CitationStatus.MISQUOTED, CitationStatus.UNCHECKED, CitationStatus.NOT_FOUND):
        return None
    if today is None:
        return record["iri"]
    return today.iri if today.known and (today.same_words or today.only_references) else None


def _is_range(lookup: RuleLookup, iris: Sequence[str]) -> bool:
    """Whether some rules of today are consecutive."""
    ends = lookup.rules([iris[0], iris[-1]])
    return len(iris) == 1 or (len(ends) == 2 and [rule["iri"] for rule in lookup.rules_between(*ends)] == list(iris))


def _renumber(surface: str, item: CitedNumber, before: Sequence[str], after: Sequence[str]) -> str | None:
    """A number or range with other numbers in its printed form; None for an abbreviated form."""
    if len(before) == 1:
        return _apply_style(surface, after[0]) if _fold_number(surface) == item.number else None
    ends = _NUMBER_RANGE.fullmatch(to_half_width(surface))
    if not ends or _fold_number(ends["first"]) != before[0]:
        return None
    first, last = surface[: ends.end("first")], surface[ends.start("last") :]
    between = surface[ends.end("first") : ends.start("last")]
    if _fold_number(last) == before[-1]:
        return f"{_apply_style(first, after[0])}{between}{_apply_style(last, after[-1])}"
    stem = _number_stem(after[0])
    if _number_stem(after[-1]) != stem or _number_stem(before[0]) + _fold_number(last) != before[-1]:
        return None
    return f"{_apply_style(first, after[0])}{between}{_apply_style(last, after[-1][len(stem) :])}"


def _number_stem(locator: str) -> str:
    """A number without its last part: 702.4 of 702.4b, 702. of 702.4."""
    return re.sub(r"(?:[a-z]+|\d+)$", "", locator)


def _fold_number(surface: str) -> str:
    return fold_number(DASH.sub("-", surface.replace("(", "").replace(")", "")))


def _apply_style(surface: str, locator: str) -> str:
    """A number in the style of another: full width, upper case, its dashes, its letter in brackets."""
    number = locator.upper() if surface != surface.lower() else locator
    if len(dashes := set(DASH.findall(surface))) == 1:
        number = number.replace("-", dashes.pop())
    if "(" in to_half_width(surface):
        number = re.sub(r"([A-Za-z]+)$", r"(\1)", number)
    return number.translate(_FULL_WIDTH) if surface and surface[0] in "０１２３４５６７８９" else number
