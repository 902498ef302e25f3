"""The table layout of a game's zones, and the ordinary moves of cards between them: `data/tables.toml`."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from corpus.address import EditionKey, concept_iri, rule_iri
from corpus.data_files import read_toml


class OrdinaryMove(NamedTuple):
    """A move of cards from zone to zone."""

    start: str
    end: str
    labels: Mapping[str, str]
    """Language → the players' name for it."""
    rule: str
    """The address of the rule that describes it."""
    number: str


class TableLayout(NamedTuple):
    """The table of a game."""

    rows: Sequence[Sequence[str | None]]
    """The zones of each row from left to right; None for an empty place."""
    moves: Sequence[OrdinaryMove]


@cache
def table_layouts() -> Mapping[str, TableLayout]:
    """Game → its table."""
    return {
        game: TableLayout(
            [[concept_iri(f"{game}/{zone}") if zone else None for zone in row] for row in table["rows"]],
            [_ordinary_move(game, **row) for row in table["moves"]],
        )
        for game, table in read_toml("ontology", "tables.toml").items()
    }


def _ordinary_move(game: str, to: str, rule: str, **others: str) -> OrdinaryMove:
    start = others.pop("from")
    name, edition, locator = rule.split(":")
    number = locator.rpartition("/")[2]
    address = rule_iri(EditionKey(game, name.removeprefix(f"{game}/"), edition), locator)
    return OrdinaryMove(concept_iri(f"{game}/{start}"), concept_iri(f"{game}/{to}"), others, address, number)
