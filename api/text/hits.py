"""`rulestone search` for people: each hit with its edition, its words and its counterparts."""

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from api.text.past import past
from api.text.rule import DOT, superseded, warnings
from api.text.wrap import wrap

if TYPE_CHECKING:
    from corpus.contract import Hit, Search, Span

_EXCERPT = 420
"""Characters of a rule that are shown for one hit."""


def pages(body: "Search", width: int | None) -> Iterator[str]:
    """The lines of a `search` body."""
    if body["abstained"]:
        yield from wrap(body["reason"] or "", width)
        return
    if fixed := body["understood"]["corrected"]:
        yield from wrap("searched for " + ", ".join(f"{right} (typed {wrong})" for wrong, right in fixed.items()), width)
    for count, hit in enumerate(body["hits"], body["offset"] + 1):
        yield from ["", *_hit(hit, count, width)] if count > 1 else _hit(hit, count, width)


def _hit(hit: "Hit", count: int, width: int | None) -> Iterator[str]:
    if "ruling" in hit:
        from api.text.rulings import heading, notices

        yield from wrap(f"{count}. {heading(hit['ruling'], hit['lang'])}", width)
        yield from notices(hit["ruling"], width)
        yield from wrap(_marked(hit, width), width, "   ")
        return
    yield from wrap(_address(hit, count), width)
    for warning in filter(None, (superseded(hit), *warnings(hit))):
        yield from wrap(warning, width, "   ")
    yield from past(hit, width, "   ")
    if hit["heading"]:
        yield from wrap(" › ".join(hit["heading"]), width, "   ")
    if hit["text"]:
        yield from wrap(_marked(hit, width), width, "   ")
    if hit["gloss"]:
        yield from wrap(hit["gloss"], width, "   gloss, unofficial: " if hit["text"] else "   ", "   ")
    if same := hit["same_rule"]:
        yield from wrap(_excerpt(same["text"], hit), width, f"   {same['lang']}, {same['edition']}: ", "   ")
    if hit["why"]["children"]:
        yield from wrap(_parts(hit), width, "   ↳ ", "     ")
    nearest = {other["game"]: other for other in reversed(hit["counterparts"])}  # the surest of each game
    for other in reversed(nearest.values()):
        yield from wrap(f"{other['game']} {other['locator']}: {other['comment']}", width, "   ≈ ", "     ")


def _address(hit: "Hit", count: int) -> str:
    current = "current" if hit["current"] else "NOT CURRENT"
    whose = f"{hit['authority']}{DOT}{hit['lang']}" if hit["authority"] else "gloss only"
    number = (hit["number"] or hit["locator"]).rstrip(".")
    return DOT.join((f"{count}. {hit['game']} {hit['book']} {hit['edition']}", number, current, whose))


def _marked(hit: "Hit", width: int | None) -> str:
    """The rule's words, what answers the query in bold on a terminal."""
    text = _excerpt(hit["text"], hit)
    if width is None or "NO_COLOR" in os.environ:
        return text
    return as_marks(text, [span for span in hit["highlights"] if span["end"] <= _EXCERPT], "\x1b[1m", "\x1b[0m")


def as_marks(text: str, spans: "Iterable[Span]", before: str, after: str) -> str:
    """A text with its spans between two marks."""
    parts, at = [], 0
    for span in spans:
        parts += [text[at : span["start"]], before, text[span["start"] : span["end"]], after]
        at = span["end"]
    return "".join((*parts, text[at:]))


def _excerpt(text: str, hit: "Hit") -> str:
    """A text; of a long one the beginning, and how to read the rest."""
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}… ({_show(hit)})"


def _parts(hit: "Hit") -> str:
    """The rules that complete a hit, and where to read them."""
    named = ", ".join((ref["number"] or ref["locator"]).rstrip(".") for ref in hit["why"]["children"])
    more = ", …" if hit["why"]["parts"] > len(hit["why"]["children"]) else ""
    return f"{named}{more} ({_show(hit)})"


def _show(hit: "Hit") -> str:
    if "ruling" in hit:
        return f"rulestone show {hit['iri']}"
    return f"rulestone show {hit['game']}:{hit['locator']}"
