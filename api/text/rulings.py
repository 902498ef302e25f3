"""Rulings for people: the question, the answer, who says so and when, and whether it still holds."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from api.text.rule import DOT
from api.text.wrap import wrap
from corpus.address import split_rule
from corpus.languages import choose

if TYPE_CHECKING:
    from corpus.contract import ChangedSince, RestsOn, Ruling, RulingBrief, Rulings


def pages(body: "Rulings", lang: str, width: int | None) -> Iterator[str]:
    """The lines of a `rulings` body."""
    for count, ruling in enumerate(body["rulings"]):
        yield from ["", *page(ruling, lang, width)] if count else page(ruling, lang, width)
    more = body["total"] - len(body["rulings"])
    if more > 0 or not body["total"]:
        yield f"{'' if body['total'] else 'no rulings'}{f'… {more} more' if body['total'] else ''}"


def page(ruling: "Ruling", lang: str, width: int | None) -> Iterator[str]:
    """The lines of one ruling."""
    shown = choose(lang, ruling["answer"]) or lang
    yield from wrap(heading(ruling, shown), width)
    yield from notices(ruling, width)
    if asked := ruling["question"].get(shown):
        yield from wrap(asked, width, "   Q: ", "      ")
    yield from wrap(ruling["answer"][shown], width, "   A: " if asked else "   ", "      " if asked else "   ")
    if ruling["rests_on"]:
        yield from wrap(f"rests on {', '.join(map(_ground, ruling['rests_on']))}", width, "   ", "     ")
    for version in ruling["older"]:
        yield f"   before: {version['iri']}"
    yield f"   {ruling['iri']}"


def heading(ruling: "Ruling", lang: str) -> str:
    """Game, source, date, cards, and whose words: the line no ruling is shown without."""
    whose = f"{ruling['authority']}{DOT}{lang}"
    facts = [f"{ruling['game']} ruling {ruling['id']}", ruling["source"], ruling["date"] or "no date", whose]
    return DOT.join([*facts, *([", ".join(ruling["cards"])] if ruling["cards"] else [])])


def notices(ruling: "Ruling", width: int | None) -> Iterator[str]:
    """What is to be known before a ruling is believed."""
    if ruling["version"]:
        yield "   AN OLDER ANSWER: another one has taken its place"
    if ruling["withdrawn"]:
        yield "   WITHDRAWN: its source no longer has it"
    yield from changes(ruling["changed_since"], width)


def changes(changed: "Iterable[ChangedSince]", width: int | None) -> Iterator[str]:
    """What became of the rules since."""
    for change in changed:
        now = f", now {_short(change['now'])}" if change["now"] else ""
        kind = change["kind"].replace("-", " and ")
        yield from wrap(f"CHANGED SINCE: {_short(change['rule'])} {kind} in {change['edition']}{now}", width, "   ", "     ")


def beside_rule(rulings: "Iterable[RulingBrief]", width: int | None) -> Iterator[str]:
    """The newest rulings that rest on a rule, a line each."""
    for ruling in rulings:
        sure = "" if ruling["how"] == "cited" else f" (proposed, {ruling['confidence'] or 0:.0%} sure)"
        changed = "CHANGED SINCE: " if ruling["changed"] else ""
        yield from wrap(
            f"{ruling['date'] or 'no date'} {ruling['source']} {ruling['id']}{sure}: {changed}{ruling['text']}", width, "  ", "    "
        )


def _ground(ground: "RestsOn") -> str:
    return _short(ground["rule"]) + ("" if ground["how"] == "cited" else f" (proposed, {ground['confidence'] or 0:.0%} sure)")


def _short(iri: str) -> str:
    key, locator = split_rule(iri)
    return f"{key.game} {key.book} {key.edition} {locator}"
