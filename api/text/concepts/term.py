"""`rulestone term` for people: the term table, false friends, and every use with the words around it."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from api.text.concepts.concept import LEGEND, defined, listed, sorts, where
from api.text.rule import DOT
from api.text.wrap import cells, wrap
from corpus.languages import fallback

if TYPE_CHECKING:
    from corpus.contract import FalseFriend, Terms, Use, Uses

_WIDE, _NARROWEST, _USE = 120, 40, 110  # columns


def sheet(body: "Terms", width: int | None) -> Iterator[str]:
    """The lines of a `term` body."""
    if body["terms"]:
        yield from _table(body, width)
        yield from wrap(LEGEND, width, rest="  ")
    else:
        yield from wrap(f"no concept is called {body['label']!r}; the words stand here:", width)
    for term in body["terms"]:
        if term["defined_by"]:
            yield from [
                "",
                f"{term['label']}{DOT}{term['game'] or 'all games'}",
                *("  " + line for line in defined(term["defined_by"], width and width - 2)),
            ]
    for false_friend in body["false_friends"]:
        yield from ["", *_false_friend(false_friend, width)]
    for group in body["concordance"]:
        yield from ["", *_group(group, body, width)]
    if not body["concordance"]:
        yield from ["", "no loaded text or gloss uses it"]


def _table(body: "Terms", width: int | None) -> Iterator[str]:
    """What each game calls it, a language a row, the answer's first."""
    from rich.console import Console
    from rich.table import Column, Table

    names = (Column(name, overflow="fold") for name in ("names", "slang"))  # Japanese has no spaces to break at
    shown = Table("game", "lang", *names, pad_edge=False, expand=False)
    for term in body["terms"]:
        languages = [lang for lang in fallback(body["lang"]) if lang in term["labels"]]
        for lang in languages:
            called = map(listed, sorts(term["labels"][lang]))
            shown.add_row(term["game"] or "all" if lang == languages[0] else "", lang, *called, end_section=lang == languages[-1])
    console = Console(width=max(width or _WIDE, _NARROWEST), no_color=True, highlight=False, markup=False)
    with console.capture() as printed:
        console.print(shown)
    yield from (line.rstrip() for line in printed.get().splitlines())


def _false_friend(friend: "FalseFriend", width: int | None) -> Iterator[str]:
    other = friend["other"]
    yield from wrap(
        f"≠ false friends: {friend['label']} ({friend['game']}) is not {other['label']} ({other['game']})", width, rest="  "
    )
    rules = " ↔ ".join(where(rule["rule"]) for rule in (friend["own_rule"], friend["rule"]) if rule)
    for words in (rules, friend["comment"]):
        yield from wrap(words, width, "  ") if words else []


def _group(group: "Uses", body: "Terms", width: int | None) -> Iterator[str]:
    """The uses in one game and language: how many, then each with its rule, the term standing below itself."""
    shown = group["uses"]
    first, last = body["offset"] + 1, body["offset"] + len(shown)
    part = f", {first}–{last} shown" if shown and len(shown) < group["total"] else ""
    rules = "1 rule" if group["rules"] == 1 else f"{group['rules']} rules"
    uses = "1 use" if group["total"] == 1 else f"{group['total']} uses"
    head = f"{group['game']}{DOT}{group['lang']}{DOT}{uses} in {rules}, {group['current']} current{part}"
    yield from wrap(head, width, rest="  ")
    edition = ""
    for use in shown:
        stands = _stands(use)
        if stands != edition:
            edition = stands
            yield from wrap(stands, width, "  ", "    ")
        yield _line(use, shown, width)


def _stands(use: "Use") -> str:
    current = "" if use["current"] else f"{DOT}NOT CURRENT"
    return f"{use['game']} {use['book']} {use['edition']}{current}{DOT}{use['authority'] or 'our gloss'}"


def _line(use: "Use", uses: "Iterable[Use]", width: int | None) -> str:
    """One use in one line: its rule, and the term below the term of the line above."""
    lead = max(cells(place["locator"]) for place in uses)
    match = use["match"]
    room = max((width or _USE) - lead - 6 - cells(match), 8)
    before, after = _last(use["before"], room // 2), _first(use["after"], room - room // 2)
    blank = " " * (room // 2 - cells(before))
    return f"    {use['locator']:{lead}}  {blank}{before}{match}{after}".rstrip()


def _first(text: str, room: int) -> str:
    """As much of a text's beginning as fits some columns."""
    if cells(text) <= room:
        return text
    while text and cells(text) + 1 > room:
        text = text[:-1]
    return f"{text}…"


def _last(text: str, room: int) -> str:
    """As much of a text's end as fits some columns."""
    return _first(text[::-1], room)[::-1]
