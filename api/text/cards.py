"""`rulestone cards` for people: a card with its names, its words and the rules behind them; and what became of a file."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from api.text.rule import DOT
from api.text.wrap import wrap
from corpus.words.text import printable

if TYPE_CHECKING:
    from corpus.contract import Card, Cards, CardsAdded


def added(body: "CardsAdded") -> Iterator[str]:
    """A line for the file, and how many cards there are now."""
    file = body["added"]
    known = " (known already)" if file["status"] == "known" else ""
    what = f"{file['cards']} cards of {', '.join(file['games'])} in {', '.join(file['langs'])}"
    yield f"{printable(file['file'])}: {what}{known}{DOT}{body['total']} in all"


def pages(body: "Cards", width: int | None) -> Iterator[str]:
    """The lines of a look-up."""
    for count, card in enumerate(body["cards"]):
        yield from ["", *_card(card, width)] if count else _card(card, width)


def _card(card: "Card", width: int | None) -> Iterator[str]:
    yield from wrap(DOT.join((card["game"], *(f"{names[0]} ({lang})" for lang, names in card["names"].items()))), width)
    for lang, names in card["names"].items():
        if names[1:]:
            yield from wrap(f"{lang}: {DOT.join(names[1:])}", width, "   also ")
    for lang, text in card["texts"].items():
        for line in text.split("\n"):
            yield from wrap(line, width, f"   {lang}: ", "      ")
    for concept in card["concepts"]:
        rules = ", ".join(rule.rpartition("/id/")[2] for rule in concept["defined_by"])
        yield from wrap(f"{concept['label']}{f': {rules}' if rules else ''}", width, "   → ", "     ")
