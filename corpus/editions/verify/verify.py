"""From a text to the verdicts on all that it cites."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from corpus.editions.citations.beside import Attributed
from corpus.editions.citations.find import find
from corpus.editions.citations.mention import Quotation
from corpus.editions.verify.resolve import resolve
from corpus.editions.verify.shelf import Shelf
from corpus.editions.verify.verdict import Checked, Judge
from corpus.store.books import Books

if TYPE_CHECKING:
    from corpus.contract import VerifiedCitation, VerifiedQuotation, Verify
    from corpus.editions.verify.words import Quoted


def verify(knowledge: Books, text: str, game: str | None, as_of: str | None, lang: str) -> "Verify":
    """What a text cites, and whether it holds; offsets are code points of the text.

    `game` is what citations are of where their sentence names no game, `as_of` the edition they are from where they name none,
    `lang` the language of notes.
    """
    shelf = Shelf(knowledge)
    judge = Judge(shelf, knowledge.threads, text)
    citations_read = find(text, shelf.numbering, game)
    beside: dict[int, list[Attributed]] = {}
    for tie in citations_read.attributed:
        beside.setdefault(tie.mention, []).append(tie)
    checked = [
        judge.judged(resolved, beside.get(place, ()))
        for place, mention in enumerate(citations_read.mentions)
        for resolved in resolve(shelf, mention, as_of)
    ]
    kept = _outside(checked)
    return {"lang": lang, "as_of": as_of, "citations": [_body(text, cited, lang) for cited in kept]}


def _outside(checked: Sequence[Checked]) -> Iterator[Checked]:
    """The citations that do not stand inside the words of another one's checked quotation."""
    quotations = sorted((cited.quotation.start, cited.quotation.end) for cited in checked if cited.quotation)
    at, end = 0, 0
    for cited in checked:
        item = cited.resolved.item
        while at < len(quotations) and quotations[at][0] <= item.start:
            end = max(end, quotations[at][1])
            at += 1
        if item.start >= end:
            yield cited


def _body(text: str, checked: Checked, lang: str) -> "VerifiedCitation":
    resolved = checked.resolved
    item, record = resolved.item, resolved.record
    return {
        "start": item.start,
        "end": item.end,
        "surface": text[item.start : item.end],
        "status": checked.status.value,
        "rule": record["iri"] if record else None,
        "edition": resolved.edition,
        "now": checked.now,
        "quote": _quote(text, checked.quotation, checked.quoted) if checked.quotation and checked.quoted else None,
        "candidates": [candidate["iri"] for candidate in resolved.candidates],
        "note": checked.note.said(lang) if checked.note else None,
    }


def _quote(text: str, quotation: Quotation, quoted: "Quoted") -> "VerifiedQuotation":
    place = quoted.place
    return {
        "start": quotation.start,
        "end": quotation.end,
        "text": text[quotation.start : quotation.end],
        "status": quoted.verdict.value,
        "nearest": quoted.nearest,
        "place": {"rule": place.rule, "lang": place.lang, "start": place.start, "end": place.end, "own": place.own}
        if place
        else None,
    }
