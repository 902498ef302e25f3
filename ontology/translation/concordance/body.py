"""A concordance as it is answered."""

from typing import TYPE_CHECKING

from corpus.paging import Page
from corpus.words.excerpt import around
from ontology.knowledge import Knowledge
from ontology.translation.concordance.beside import beside
from ontology.translation.concordance.find import Found, Places

if TYPE_CHECKING:
    from corpus.contract import Beside, ConcordanceLine, FormCount, PlaceCount

FORMS = 50
"""Forms that are counted; a regular expression may find thousands."""


def lines(knowledge: Knowledge, occurrences: Places, page: Page, wanted: str | None) -> "list[ConcordanceLine]":
    """A page of lines, each with the language beside it that is wanted (None: any)."""
    return [_line(knowledge, occurrence, wanted) for occurrence in occurrences.page(page.offset, page.limit)]


def forms(occurrences: Places) -> "list[FormCount]":
    """The forms that stand there most often."""
    return [{"form": form, "count": count} for form, count in occurrences.forms().most_common(FORMS)]


def places(occurrences: Places) -> "list[PlaceCount]":
    """How often it stands where, in the order of the lines."""
    return [
        {"game": key.game, "book": key.book, "edition": key.edition, "lang": lang, "part": part, "count": count}
        for (key, lang, part), count in occurrences.places().items()
    ]


def _line(knowledge: Knowledge, occurrence: Found, wanted: str | None) -> "ConcordanceLine":
    passage, lang, text, (start, end) = occurrence.line.passage, occurrence.line.lang, occurrence.line.words, occurrence.span
    before, after = around(text, start, end)
    return {
        "rule": passage.rule,
        "game": passage.key.game,
        "book": passage.key.book,
        "edition": passage.key.edition,
        "locator": passage.locator,
        "part": passage.part,
        "place": passage.place,
        "current": passage.current,
        "lang": lang,
        "authority": passage.authority[lang],
        "before": before,
        "match": " ".join(text[start:end].split()),
        "after": after,
        "start": start,
        "end": end,
        "beside": _beside(knowledge, occurrence, wanted),
    }


def _beside(knowledge: Knowledge, occurrence: Found, wanted: str | None) -> "Beside | None":
    other = beside(knowledge, occurrence, wanted)
    if other is None:
        return None
    return {
        "lang": other.lang,
        "text": other.text,
        "authority": other.authority,
        "confidence": other.confidence,
        "counterparts": [
            {"start": counterpart.span.start, "end": counterpart.span.end, "how": counterpart.how, "concept": counterpart.concept}
            for counterpart in other.counterparts
        ],
    }
