"""`compare` and `propose`: zones and topics side by side, each cell with the rule that proves it; zones found in texts."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from api import labels
from api.languages import gettext as _
from api.text.concepts import PropertyLabels, claim_value, property_name
from api.text.layout import iri_locator, table_lines, value_label, wrap
from corpus.languages import choose
from corpus.model import CORE_PROPERTIES

if TYPE_CHECKING:
    from corpus.contract import Claim, Proposals, ProposedClaim, ProposedZone, Support, Topic, TopicCell, Topics, Zone, Zones

_CLAIM_MARKS = {"disputed": "≠ ", "proposed": "~ "}
_VERIFIED_MARKS = {True: "", False: " ?", None: " ○"}
_NARROWEST, _WIDE, _COLUMN = 60, 160, 28
"""Minimum number of columns of the zone table, which also applies without a terminal; minimum number of columns of a game in the
topic table.
"""
_OTHER_LIMITS = ("hand-limit", "deck-maximum")
"""Limits that hold at one moment only and are no capacity."""
_MAX_DEFINING_RULES = 3
"""Maximum number of defining rules of a proposed zone."""


def zones_table(body: "Zones", properties: PropertyLabels, columns: int | None) -> Iterator[str]:
    """The zones as a table of at most `columns` columns (None: no terminal), grouped by cross-game concept.

    `properties` are the labels of properties by language. Zones that several games have come first; zones of which no rule states
    a property shown are only named below the table.
    """
    from rich.table import Table

    lang = body["lang"]
    table = Table(_("zone"), *(property_name(name, properties, lang) for name in CORE_PROPERTIES), pad_edge=False, expand=False)
    groups = sorted(_group_by_hub(body["zones"]), key=lambda group: len({zone["game"] for zone in group}) == 1)
    silent: list[str] = []
    for group in groups:
        rows = [(_zone_name(zone, lang), _zone_cells(zone, properties, lang)) for zone in group]
        if not any(cell for _name, cells in rows for cell in cells):
            silent += (name for name, _cells in rows)
            continue
        for place, (name, cells) in enumerate(rows, start=1):
            table.add_row(name, *cells, end_section=place == len(rows))
    yield from table_lines(table, max(columns or _WIDE, _NARROWEST))
    if silent:
        yield from wrap(_("no rule states any of this: {zones}", zones=", ".join(silent)), columns, rest="  ")
    yield _("≠ sources disagree · ~ proposed, not checked yet · ? the words were not found in the rule · ○ that text is not loaded")


def _zone_cells(zone: "Zone", properties: PropertyLabels, lang: str) -> list[str]:
    """The statements about a zone, a cell for each core property. The last also names the limits that are no capacity."""
    cells = [[_claim_text(claim, lang) for claim in zone["properties"][name]] for name in CORE_PROPERTIES]
    for name in _OTHER_LIMITS:
        label = property_name(name, properties, lang)
        cells[-1] += (f"{label}: {_claim_text(claim, lang)}" for claim in zone["properties"].get(name, ()))
    return ["\n".join(lines) for lines in cells]


def _group_by_hub(zones: "Iterable[Zone]") -> "list[list[Zone]]":
    """The zones of each cross-game concept, in the order of its first zone."""
    groups: dict[str, list[Zone]] = {}
    for zone in zones:
        groups.setdefault(zone["hub"] or (zone["proposed_hub"] or zone)["concept"], []).append(zone)
    return list(groups.values())


def _zone_name(zone: "Zone", lang: str) -> str:
    names = zone["labels"]
    name = f"{zone['game']} {names[choose(lang, names) or next(iter(names))][0]}"
    if hub := zone["proposed_hub"]:
        name += f"\n~ {hub['label']} ({value_label(labels.PROBABILITY_LABELS, labels.probability(hub['confidence']))})"
    return _("{name} (no zone)", name=name) if zone["kind"] == "not-a-zone" else name


def _claim_text(claim: "Claim", lang: str) -> str:
    """A value, with a mark if it is disputed or unproven, and the first rule that supports it."""
    status, support = _CLAIM_MARKS.get(claim["status"], ""), claim["supports"][0]
    return f"{status}{claim_value(claim, lang)}{_VERIFIED_MARKS[_any_verified(claim['supports'])]} {iri_locator(support['rule'])}"


def _any_verified(supports: "Iterable[Support]") -> bool | None:
    """True if the words of any support were found, None if no text is loaded, else False."""
    verdicts = {support["verified"] for support in supports}
    return True if True in verdicts else False if False in verdicts else None


def topics_table(body: "Topics", columns: int | None) -> Iterator[str]:
    """The topics group by group, at most `columns` wide (None: no terminal): as a table if it fits, else one by one."""
    wide = columns is not None and columns >= _COLUMN * (len(body["games"]) + 1) and len(body["topics"]) > 1
    for count, (group, topics) in enumerate(groupby(body["topics"], key=lambda topic: topic["group"])):
        yield from ["", group] if count else [group]
        yield from _topic_table_lines(list(topics), body["games"], columns or 0) if wide else _topic_list_lines(topics, columns)
    yield ""
    legend = _(
        "≈ no such rule, the nearest one · ? the words were not found in the rule · ○ that text is not loaded · ! not current"
    )
    yield from wrap(legend, columns, rest="  ")


def _topic_list_lines(topics: "Iterator[Topic]", columns: int | None) -> Iterator[str]:
    for topic in topics:
        yield ""
        yield from wrap(f"{topic['label']}: {topic['asks']}", columns, "  ", "    ")
        for cell in topic["cells"]:
            yield from wrap(f"{cell['game']}: {_topic_cell(cell)}", columns, "    ", "      ")
        for line in _similar_rules(topic):
            yield from wrap(line, columns, "    ", "      ")
        yield from wrap(f"= {topic['differs']}", columns, "    ", "      ")


def _topic_table_lines(topics: "list[Topic]", games: list[str], columns: int) -> Iterator[str]:
    from rich.table import Table

    table = Table("", *games, show_lines=True, pad_edge=False)
    for topic in topics:
        cells = {cell["game"]: _topic_cell(cell) for cell in topic["cells"]}
        head = "\n".join((topic["label"], topic["differs"], *_similar_rules(topic)))
        table.add_row(head, *(cells.get(game, "") for game in games))
    yield from table_lines(table, columns)


def _similar_rules(topic: "Topic") -> "Iterator[str]":
    """The similar rules of games without an answer; proposed ones with their probability."""
    for rule in topic["similar"]:
        if rule["status"] == "proposed":
            probability = value_label(labels.PROBABILITY_LABELS, labels.probability(rule["confidence"]))
            yield f"~ {rule['game']} {rule['locator']} ({value_label(labels.CLAIM_LABELS, 'proposed')}, {probability})"
        else:
            yield f"{rule['game']} {rule['locator']}"


def _topic_cell(cell: "TopicCell") -> str:
    """The statement of a game with its rule; a sign marks a statement from a merely nearest rule."""
    rule = cell["rule"]
    current = "" if rule["current"] or not rule["loaded"] else " !"
    return f"{'' if cell['found'] else '≈ '}{cell['says']} [{rule['locator']}{_VERIFIED_MARKS[cell['verified']]}{current}]"


def proposals_lines(body: "Proposals") -> Iterator[str]:
    """The lines of a `propose` body: a zone, and below it each claim with its rule and the quoted words."""
    for edition in body["editions"]:
        name = f"{edition['game']}/{edition['book']}/{edition['edition']}"
        claims = sum(len(zone["claims"]) for zone in edition["zones"])
        zones = len(edition["zones"])
        yield _("{edition}: {zones} zones, {claims} statements, all proposed", edition=name, zones=zones, claims=claims)
        for zone in edition["zones"]:
            yield from ("", _proposed_zone_lines(zone), *map(_proposed_claim_lines, zone["claims"]))


def _proposed_zone_lines(zone: "ProposedZone") -> str:
    names = " · ".join(dict.fromkeys(name for some in zone["labels"].values() for name in some))
    kind = "" if zone["kind"] == "zone" else f" ({value_label(labels.KIND_LABELS, zone['kind'])})"
    return f"{names}{kind}  [{', '.join(map(iri_locator, zone['defined_by'][:_MAX_DEFINING_RULES]))}]"


def _proposed_claim_lines(claim: "ProposedClaim") -> str:
    first = claim["supports"][0]
    line = f"  {claim['property']:<11}{claim['value']!s:<14}{iri_locator(first['rule'])}  “{first['quote']}”"
    return line + " (" + _("general rule") + ")" if claim["general"] else line
