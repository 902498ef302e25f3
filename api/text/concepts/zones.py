"""`rulestone compare zones` for people: the zones side by side, each cell with the rule that proves it."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from api.text.rule import short
from corpus.comparison import CORE
from corpus.languages import choose

if TYPE_CHECKING:
    from corpus.contract import Claim, Support, Zone, Zones

_STATUS = {"disputed": "≠ ", "proposed": "~ "}
_NARROWEST, _WIDE = 60, 160  # columns


def table(body: "Zones", columns: int | None) -> Iterator[str]:
    """The zones, those of one cross-game concept together, as lines of a table at most `columns` wide (None: no terminal)."""
    from rich.console import Console
    from rich.table import Table

    shown = Table("zone", *CORE, show_lines=False, pad_edge=False, expand=False)
    for group in _groups(body["zones"]):
        for place, zone in enumerate(group):
            last = place + 1 == len(group)
            shown.add_row(_name(zone, body["lang"]), *(_cell(zone, name, body["lang"]) for name in CORE), end_section=last)
    console = Console(width=max(columns or _WIDE, _NARROWEST), no_color=True, highlight=False)
    with console.capture() as printed:
        console.print(shown)
    yield from (line.rstrip() for line in printed.get().splitlines())
    yield "≠ sources disagree · ~ proposed, not checked yet · ? the words were not found in the rule · ○ that text is not loaded"


def _groups(zones: "Iterable[Zone]") -> "list[list[Zone]]":
    """Zones of one cross-game concept stand together, in the order in which these first come."""
    groups: dict[str, list[Zone]] = {}
    for zone in zones:
        groups.setdefault(zone["hub"] or zone["concept"], []).append(zone)
    return list(groups.values())


def _name(zone: "Zone", lang: str) -> str:
    labels = zone["labels"]
    none = " (no zone)" if zone["kind"] == "not-a-zone" else ""
    return f"{zone['game']} {labels[choose(lang, labels) or next(iter(labels))][0]}{none}"


def _cell(zone: "Zone", name: str, lang: str) -> str:
    return "\n".join(_claim(claim, lang) for claim in zone["properties"][name])


def _claim(claim: "Claim", lang: str) -> str:
    """A value, whether it is disputed or unproved, and the first rule that supports it."""
    support = claim["supports"][0]
    mark = {True: "", False: " ?", None: " ○"}[_best(claim["supports"])]
    status = _STATUS.get(claim["status"], "")
    return f"{status}{said(claim, lang)}{mark} {short(support['rule'])}"


def said(claim: "Claim", lang: str) -> str:
    """The value of a claim in words of a language."""
    words = claim["value_labels"]
    return words[choose(lang, words) or next(iter(words))]


def _best(supports: "Iterable[Support]") -> bool | None:
    """True if the words of any support were found, None if no text is loaded, else False."""
    verdicts = {support["verified"] for support in supports}
    return True if True in verdicts else False if False in verdicts else None
