"""`rulestone ask` for people: the words that answer, each with its rule, then what differs."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from api.text.rule import DOT
from api.text.wrap import wrap
from corpus.words.text import printable

if TYPE_CHECKING:
    from corpus.contract import AnswerClaim, Ask, Phrased

_QUOTES = {"ja": "「」", "zh-Hans": "“”", "zh-Hant": "「」", "en": "“”"}


def pages(body: "Ask", width: int | None) -> Iterator[str]:
    """The lines of an `ask` body."""
    if body["abstained"]:
        yield from wrap(body["reason"] or "", width)
    if "phrased" in body:
        yield from _prose(body["phrased"], width)
    for count, claim in enumerate(body["claims"], 1):
        yield from ["", *_claim(claim, body["lang"], count, width)] if count > 1 else _claim(claim, body["lang"], count, width)
    if body["differences"]:
        yield ""
    for difference in body["differences"]:
        yield from wrap(difference["text"], width, "≠ ")


def _prose(said: "Phrased", width: int | None) -> Iterator[str]:
    """What a model said and could prove, how much it could not, or why it said nothing."""
    if said["text"]:
        yield from wrap(printable(said["text"]), width)
    if said["dropped"]:
        yield from wrap(f"({len(said['dropped'])} sentences of {printable(said['model'])} dropped: not proven)", width)
    if said["fault"]:
        yield from wrap(f"({said['fault']})", width)
    yield ""


def _claim(claim: "AnswerClaim", lang: str, count: int, width: int | None) -> Iterator[str]:
    opens, closes = tuple(_QUOTES[claim["lang"]])
    whose = f"{claim['authority']}{DOT}{claim['lang']}" if claim["authority"] else "gloss only"
    yield from wrap(f"{count}. {opens}{' '.join(claim['text'].split())}{closes}", width, rest="   ")
    if claim["gloss"] and claim["source"] == "rule" and claim["lang"] != lang:
        yield from wrap(claim["gloss"], width, "   gloss, unofficial: ", "   ")
    yield from wrap(DOT.join((claim["role"], claim["ref"], "current" if claim["current"] else "NOT CURRENT", whose)), width, "   ")
    if claim["note"]:
        yield from wrap(claim["note"], width, "   ")
