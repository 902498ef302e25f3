"""The reference data of extraction: tables compiled by hand, and the accepted claims of an annotated edition."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.measure import table_rows
from corpus.address import EditionKey, concept_name
from corpus.contract import Claim, Zone

FOLDER = Path(__file__).parent / "tables"
EXPECTED_PROPERTIES = ("visibility", "sharing", "ordering")
"""Properties with a target; capacity is only shown."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The values of one property of a zone in a text; several if the text is ambiguous."""

    values: frozenset[str]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A zone: all its names, its kind, its cells by property. Only zones are expected."""

    zone: str
    labels: tuple[str, ...]
    kind: str  # zone | sub-zone | composite | not-a-zone | unproved
    cells: dict[str, Cell]

    @property
    def is_expected(self) -> bool:
        """Whether extraction is expected to find it."""
        return self.kind in ("zone", "sub-zone", "composite")


def read_hand_table(path: Path) -> list[Row]:
    """The rows of a table."""
    rows: dict[str, Row] = {}
    for row in table_rows(path):
        if row["property"] == "zone":
            rows[row["zone"]] = Row(row["zone"], tuple(row["label"].split("|")), row["value"], {})
        else:
            rows[row["zone"]].cells[row["property"]] = Cell(frozenset(row["value"].split("|")), tuple(row["rules"].split()))
    return list(rows.values())


def accepted_claims(key: EditionKey) -> list[Row]:
    """The shipped claims that rest on an edition, as a table; zones that it does not mention are not expected."""
    from ontology.concepts.zones import zones
    from ontology.shipped import shipped_store

    return [_row(zone, key) for zone in zones(shipped_store(), "en", [key.game])["zones"]]


def _row(zone: Zone, key: EditionKey) -> Row:
    cells = dict(_cells(zone["properties"], f"{key.iri}/"))
    labels = tuple(label for names in zone["labels"].values() for label in names)
    kind = zone["kind"] if any(name in cells for name in EXPECTED_PROPERTIES) else "unproved"
    return Row(concept_name(zone["concept"]), labels, kind, cells)


def _cells(properties: dict[str, list[Claim]], edition: str) -> Iterator[tuple[str, Cell]]:
    for name, claims in properties.items():
        values_and_rules = [
            (
                str(claim["value"]),
                tuple(
                    support["rule"].removeprefix(edition) for support in claim["supports"] if support["rule"].startswith(edition)
                ),
            )
            for claim in claims
        ]
        values = [(value, rules) for value, rules in values_and_rules if rules]
        if values:
            yield name, Cell(frozenset(value for value, _ in values), tuple(rule for _, rules in values for rule in rules))
