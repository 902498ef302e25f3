"""Proposals compared with a table: correct, wrong and missing ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bench.extraction.tables import EXPECTED_PROPERTIES, Row
from bench.measure import Counts
from corpus.words.text import fold_text
from ingest.extract import ExtractedZone, Proposals

_AREA_WORDS = ("zone", "area", "ゾーン", "領域", "エリア", "区域", "区")


@dataclass(slots=True)
class Score:
    """Counts of one book; `notes` has a line for each missing, contradicting and invented claim."""

    name: str
    right: int = 0
    wrong: int = 0
    missed: int = 0
    zones: int = 0
    zones_missed: int = 0
    zones_invented: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def of_claims(self) -> Counts:
        """The proposed claims and those of the table."""
        return Counts(self.right, self.right + self.wrong, self.right + self.missed)

    @property
    def of_zones(self) -> Counts:
        """The proposed zones and those of the table."""
        return Counts(self.zones, self.zones + self.zones_invented, self.zones + self.zones_missed)

    def figures_line(self) -> str:
        """The figures on one line."""
        claims, zones = self.of_claims, self.of_zones
        return (
            f"{self.name:<28} precision {claims.precision:.3f} ({claims.right}/{claims.given})"
            f"  recall {claims.recall:.3f} ({claims.right}/{claims.wanted})"
            f"  zones {zones.recall:.3f} ({zones.right}/{zones.wanted}), {self.zones_invented} invented, F1 {zones.f1:.3f}"
        )


def pooled_score(scores: Iterable[Score], name: str) -> Score:
    """The counts of several books together."""
    whole = Score(name)
    for result in scores:
        for count in ("right", "wrong", "missed", "zones", "zones_missed", "zones_invented"):
            setattr(whole, count, getattr(whole, count) + getattr(result, count))
    return whole


def score(name: str, table: Sequence[Row], proposals: Proposals, properties: Sequence[str] = EXPECTED_PROPERTIES) -> Score:
    """The score of one book in some properties."""
    tally = Score(name)
    rows_of_zones = _matched_rows(table, proposals.zones)
    claims = {(claim.zone, claim.property): claim for claim in proposals.claims if claim.property in properties}
    for row in table:
        zones = [zone for zone in proposals.zones if rows_of_zones.get(zone.slug) is row]
        if row.is_expected:
            tally.zones += bool(zones)
            tally.zones_missed += not zones
            if not zones:
                tally.notes.append(f"zone missed: {row.labels[0]}")
        for name_ in properties:
            proposed_claims = [claims[zone.slug, name_] for zone in zones if (zone.slug, name_) in claims]
            _count_row(tally, row, name_, [(claim.value, claim.supports[0].locator) for claim in proposed_claims])
    for zone in proposals.zones:
        if zone.slug not in rows_of_zones:
            mine = [claim for claim in claims.values() if claim.zone == zone.slug]
            tally.zones_invented += 1
            tally.wrong += len(mine)
            tally.notes.append(f"zone invented: {zone.labels[0][1]} ({', '.join(zone.defining_locators[:2])}), {len(mine)} claims")
    return tally


def _count_row(tally: Score, row: Row, name: str, proposed: Sequence[tuple[str, str]]) -> None:
    cell = row.cells.get(name)
    values = "|".join(sorted(cell.values)) if cell else "nothing"
    for value, rule in proposed:
        if cell and value in cell.values:
            tally.right += 1
        else:
            tally.wrong += 1
            tally.notes.append(f"contradiction: {row.labels[0]}: {name} {value} ({rule}), table: {values}")
    if cell and row.is_expected and not any(value in cell.values for value, _ in proposed):
        tally.missed += 1
    if not proposed and cell and row.is_expected:
        tally.notes.append(f"missed: {row.labels[0]}: {name} {values} ({', '.join(cell.rules[:3])})")


def _matched_rows(table: Sequence[Row], zones: Sequence[ExtractedZone]) -> dict[str, Row]:
    """Slug of a proposed zone → its row, by any label; if none matches, by a label without the word for zone."""
    rows: dict[str, Row] = {}
    for keys in (lambda label: {fold_text(label)}, _keys):
        rows_by_label = {key: row for row in reversed(table) for label in row.labels for key in keys(label)}
        for zone in zones:
            row = next(
                (rows_by_label[key] for _, label in zone.labels for key in sorted(keys(label)) if key in rows_by_label), None
            )
            if row and zone.slug not in rows and not any(other_row is row for other_row in rows.values()):
                rows[zone.slug] = row
    return rows


def _keys(label: str) -> set[str]:
    whole = fold_text(label)
    short = {whole.removesuffix(area) for area in _AREA_WORDS if len(whole) > len(area) + (len(area) > 1)}
    return {key for key in {whole, *short} if key}
