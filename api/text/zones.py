"""`rulestone compare zones` for people: the zones side by side, each cell with the rule that proves it."""

from collections.abc import Iterable, Iterator
from typing import Any

from api.languages import choose
from corpus.address import split_rule
from ontology.answers.properties import CORE

Body = dict[str, Any]
_STATUS = {"disputed": "≠ ", "proposed": "~ "}
_NARROWEST, _WIDE = 60, 160  # columns


def table(body: Body, columns: int | None) -> Iterator[str]:
    """The zones, those that share an idea together, as lines of a table at most `columns` wide (None: no terminal)."""
    from rich.console import Console
    from rich.table import Table

    shown = Table("zone", *CORE, show_lines=False, pad_edge=False, expand=False)
    for group in _groups(body["zones"]):
        for place, zone in enumerate(group):
            last = place + 1 == len(group)
            shown.add_row(_name(zone, body["lang"]), *(_cell(zone, name) for name in CORE), end_section=last)
    console = Console(width=max(columns or _WIDE, _NARROWEST), no_color=True, highlight=False)
    with console.capture() as printed:
        console.print(shown)
    yield from (line.rstrip() for line in printed.get().splitlines())
    yield "≠ sources disagree · ~ proposed, not checked yet · ? the words were not found in the rule · ○ that text is not loaded"


def _groups(zones: Iterable[Body]) -> list[list[Body]]:
    """Zones of one cross-game idea stand together, in the order in which the ideas first come."""
    groups: dict[str, list[Body]] = {}
    for zone in zones:
        groups.setdefault(zone["hub"] or zone["concept"], []).append(zone)
    return list(groups.values())


def _name(zone: Body, lang: str) -> str:
    labels = zone["labels"]
    none = " (no zone)" if zone["kind"] == "not-a-zone" else ""
    return f"{zone['game']} {labels[choose(lang, labels) or next(iter(labels))][0]}{none}"


def _cell(zone: Body, name: str) -> str:
    return "\n".join(_claim(claim) for claim in zone["properties"][name])


def _claim(claim: Body) -> str:
    """A value, whether it is disputed or unproved, and the first rule that supports it."""
    support = claim["supports"][0]
    mark = {True: "", False: " ?", None: " ○"}[_best(claim["supports"])]
    status = _STATUS.get(claim["status"], "")
    return f"{status}{claim['value']}{mark} {_locator(support['rule'])}"


def _best(supports: Iterable[Body]) -> bool | None:
    """True if the words of any support were found, None if no text is loaded, else False."""
    verdicts = {support["verified"] for support in supports}
    return True if True in verdicts else False if False in verdicts else None


def _locator(rule: str) -> str:
    """Game, book and edition left out: the row names the game, `--json` the rest."""
    return split_rule(rule).locator
