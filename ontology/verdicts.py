"""Verdicts of curators on proposed cross-game concepts: a table that every build applies.

A curator's file has the columns `concept`, `hub`, `verdict`, `who` and `when`, separated by tabs; `rulestone mappings` prints it.
A verdict is `yes`, `no`, or the slug of another cross-game concept; a row without one has not been judged.
"""

import csv
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from corpus.address import concept_iri, concept_name
from corpus.errors import InputError
from corpus.messages import Message, message
from corpus.spreadsheet import unquote_cell
from corpus.store.home.checksums import TABLES_FOLDER
from corpus.store.home.given import GivenKind

FILE_NAME = "verdicts.tsv"
REQUIRED_COLUMNS = ("concept", "hub", "verdict", "who", "when")
INFORMATIVE_COLUMNS = ("name", "hub_name", "confidence", "rule")
"""Columns for the curator's information, which are ignored."""
YES, NO = "yes", "no"
_VERDICTS = message("{yes}, {no}, or a concept of all games, such as graveyard", yes=YES, no=NO)


class Verdict(NamedTuple):
    """A curator's verdict on the cross-game concept that is proposed for a concept; both are IRIs."""

    concept: str
    hub: str  # the proposed one
    verdict: str  # yes | no | the IRI of another cross-game concept
    who: str
    when: str  # ISO day
    file: str  # the name of the curator's file

    @property
    def accepted_hub(self) -> str | None:
        """The cross-game concept that the curator accepts; None for `no`."""
        return {YES: self.hub, NO: None}.get(self.verdict, self.verdict)


def saved_verdicts(bundle: Path) -> list[Verdict]:
    """Every verdict of a bundle, sorted."""
    file = bundle / TABLES_FOLDER / GivenKind.MAPPINGS / FILE_NAME
    if not file.is_file():
        return []
    rows = csv.DictReader(StringIO(file.read_text(encoding="utf-8")), dialect="excel-tab")
    return [Verdict(*(row.get(name) or "" for name in Verdict._fields)) for row in rows]


def verdicts_table(verdicts: Iterable[Verdict]) -> bytes:
    """Verdicts as the table that a bundle holds; empty without any."""
    if not (every := sorted(verdicts)):
        return b""
    text = StringIO()
    writer = csv.writer(text, "excel-tab")
    writer.writerow(Verdict._fields)
    writer.writerows(every)
    return text.getvalue().encode()


def read_verdicts(
    text: str, name: str, hubs: Collection[str], proposed: Mapping[str, str], concepts: Collection[str]
) -> list[Verdict]:
    """The verdicts in a curator's file.

    `hubs` are the cross-game concepts, `concepts` all concepts; `proposed` maps a concept to the cross-game concept that is
    proposed for it or was judged before. Raises InputError with the line of a row that cannot be used.
    """
    lines = _table_rows(text)
    _, head = next(lines, (0, []))
    columns = [column.strip().lower() for column in head]
    wrong = [column for column in REQUIRED_COLUMNS if column not in columns]
    wrong += [column for column in columns if column not in (*REQUIRED_COLUMNS, *INFORMATIVE_COLUMNS)]
    if wrong:
        raise InputError(
            "{file}: column {name!r} is missing or unknown; expected a table of rulestone mappings: {columns}",
            file=name,
            name=wrong[0][:40],
            columns=", ".join(REQUIRED_COLUMNS),
        )
    verdicts: dict[str, Verdict] = {}
    for line, cells in lines:
        row = dict(zip(columns, (unquote_cell(cell).strip() for cell in cells), strict=False))
        if row.get("verdict"):
            verdict = _VerdictRow(row, name, line, verdicts).verdict(hubs, proposed, concepts)
            verdicts[verdict.concept] = verdict
    return list(verdicts.values())


def _table_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table with their line numbers. Raises InputError for one that csv cannot read."""
    rows = csv.reader(StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)
    try:
        yield from ((rows.line_num, row) for row in rows)
    except csv.Error as fault:
        raise InputError("line {count}: not a table ({fault})", count=rows.line_num, fault=fault) from None


class _VerdictRow(NamedTuple):
    """A judged row of a curator's file."""

    cells: Mapping[str, str]
    file: str
    line: int
    earlier: Mapping[str, Verdict]

    def verdict(self, hubs: Collection[str], proposed: Mapping[str, str], concepts: Collection[str]) -> Verdict:
        """The verdict. Raises InputError."""
        concept, hub, verdict, who, when = (self.cells.get(column, "") for column in REQUIRED_COLUMNS)
        iri, hub_iri = concept_iri(concept), concept_iri(hub)
        if iri not in concepts:
            raise self._error("concept", concept, message("a concept, such as mtg/graveyard"))
        if iri in self.earlier:
            raise InputError(
                "{file}, line {line}: {concept} is judged twice; leave one row",
                file=self.file,
                line=self.line,
                concept=concept[:60],
            )
        if proposed.get(iri) != hub_iri:
            raise InputError(
                "{file}, line {line}: {hub} is not proposed for {concept} any more ({now}); "
                "print the table again: rulestone mappings",
                file=self.file,
                line=self.line,
                hub=hub[:60] or "?",
                concept=concept[:60],
                now=concept_name(proposed[iri]) if iri in proposed else "–",
            )
        folded = verdict.lower()
        chosen = folded if folded in (YES, NO) else concept_iri(verdict)
        if chosen not in (YES, NO) and chosen not in hubs:
            raise self._error("verdict", verdict, _VERDICTS)
        if not who or not who.isprintable():
            raise self._error("who", who, "a name")
        return Verdict(iri, hub_iri, chosen, who, self._day(when), self.file)

    def _day(self, day: str) -> str:
        try:
            return date.fromisoformat(day).isoformat() if day else datetime.now(UTC).date().isoformat()
        except ValueError:
            raise self._error("when", day, "2026-11-28") from None

    def _error(self, column: str, value: str, expected: str | Message) -> InputError:
        return InputError(
            "{file}, line {line}: {column} {given!r} cannot be used; expected {expected}",
            file=self.file,
            line=self.line,
            column=column,
            given=value[:60],
            expected=expected,
        )


def without_file(verdicts: Sequence[Verdict], name: str) -> Iterator[Verdict]:
    """The verdicts that are not from a curator's file of that name."""
    return (verdict for verdict in verdicts if verdict.file != name)
