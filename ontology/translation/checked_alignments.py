"""Alignments that a person has checked: the table to fill in, its copy in a bundle, and the derived steps and mappings.

The table has one row for each link, with `yes` or `no` in its first column. Between editions of one book, the links are steps of
threads; between two books, counterparts.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from corpus.address import EditionKey, is_slug
from corpus.errors import InputError
from corpus.messages import message
from corpus.reference import is_edition
from corpus.spreadsheet import quote_cell
from corpus.store.home.checksums import TABLES_FOLDER
from corpus.store.home.given import GivenKind
from corpus.store.threads.rule import StoredRule
from corpus.store.threads.step import Step, StepKind, kind_of
from ontology import sssom

SHEET_COLUMNS = ("checked", "confidence", "old", "new", "old_words", "new_words")
_REQUIRED = ("checked", "old", "new")
_WHITESPACE = re.compile(r"\s+")
_MAPPING_COMMENT = message("a person has checked that these two rules correspond")


class CheckedVerdict(StrEnum):
    """A person's judgement of a row; `UNSEEN` rows are still proposals."""

    YES = "yes"
    NO = "no"
    UNSEEN = "?"


@dataclass(frozen=True, slots=True)
class AlignmentRow:
    """A link by locators; `old` or `new` is None for a rule without a partner."""

    checked: CheckedVerdict
    old: str | None
    new: str | None
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class AlignmentSheet:
    """A checked alignment of two editions."""

    old: EditionKey
    new: EditionKey
    rows: Sequence[AlignmentRow]

    @property
    def name(self) -> str:
        """The name of its file."""
        return "+".join(f"{key.game}.{key.book}.{key.edition}" for key in (self.old, self.new)) + ".tsv"

    def swapped(self) -> "AlignmentSheet":
        """The same alignment with the two editions swapped."""
        return AlignmentSheet(
            self.new, self.old, [AlignmentRow(row.checked, row.new, row.old, row.confidence) for row in self.rows]
        )


def write_sheet(rows: Iterable[Mapping[str, str]]) -> str:
    """The table as TSV; each cell is on one line and cannot be taken for a formula by a spreadsheet."""
    out = io.StringIO()
    writer = csv.DictWriter(out, SHEET_COLUMNS, delimiter="\t", lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows({name: quote_cell(_WHITESPACE.sub(" ", value).strip()) for name, value in row.items()} for row in rows)
    return out.getvalue()


def read_sheet(text: str, name: str) -> AlignmentSheet:
    """A checked table that `write_sheet` wrote. Raises InputError with the line for any other table."""
    dialect = "\t" if "\t" in text.partition("\n")[0] else ","
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), delimiter=dialect)
    if missing := [column for column in _REQUIRED if column not in (reader.fieldnames or ())]:
        raise InputError(
            "{file}: no column {missing}; expected a table that `rulestone align` wrote", file=name, missing=", ".join(missing)
        )
    lines = list(_sheet_lines(reader, name))
    editions = [list(dict.fromkeys(side[0] for _, _, *sides in lines if (side := sides[nth]))) for nth in (0, 1)]
    if [len(side) for side in editions] != [1, 1]:
        raise InputError("{file}: expected rules of one edition in each of the columns old and new", file=name)
    rows = [
        AlignmentRow(verdict, old[1] if old else None, new[1] if new else None, confidence)
        for verdict, confidence, old, new in lines
    ]
    return AlignmentSheet(editions[0][0], editions[1][0], rows)


_Rule = tuple[EditionKey, str]


def _sheet_lines(reader: "csv.DictReader[str]", name: str) -> Iterator[tuple[CheckedVerdict, float, _Rule | None, _Rule | None]]:
    for row in reader:
        line = reader.line_num
        verdict = (row["checked"] or "").strip().lower() or CheckedVerdict.UNSEEN.value
        if verdict not in tuple(CheckedVerdict):
            raise InputError(
                "{file}, line {line}: checked is {value!r}; expected yes, no or ?", file=name, line=line, value=verdict[:40]
            )
        confidence = (row.get("confidence") or "").strip()
        old, new = (_rule(row[side] or "", name, line) for side in ("old", "new"))
        if old or new:
            yield CheckedVerdict(verdict), _confidence(confidence, name, line), old, new


def _confidence(text: str, name: str, line: int) -> float:
    """A number from 0 to 1; 1 for an empty cell."""
    if not text:
        return 1.0
    if re.fullmatch(r"[01](?:[.,]\d{1,6})?", text) and float(text.replace(",", ".")) <= 1:
        return float(text.replace(",", "."))
    raise InputError(
        "{file}, line {line}: confidence is {value!r}; expected a number from 0 to 1", file=name, line=line, value=text[:40]
    )


def _rule(text: str, name: str, line: int) -> _Rule | None:
    """The edition and locator of `fow/cr/undated/3.1~2`; None for an empty cell."""
    path = text.strip()
    if not path:
        return None
    game, _, rest = path.partition("/")
    book, _, rest = rest.partition("/")
    edition, _, locator = rest.partition("/")
    if not (is_slug(game) and is_slug(book) and is_edition(edition) and locator):
        raise InputError(
            "{file}, line {line}: {value!r} is not a rule; expected game/book/edition/rule, e.g. mtg/cr/2025-02-07/400.7d",
            file=name,
            line=line,
            value=path[:80],
        )
    return EditionKey(game, book, edition), locator


def saved_alignments(bundle: Path) -> Sequence[AlignmentSheet]:
    """Every checked alignment of a bundle, sorted by name."""
    folder = bundle / TABLES_FOLDER / GivenKind.ALIGNMENT
    return [read_sheet(file.read_text(encoding="utf-8"), file.name) for file in sorted(folder.glob("*.tsv"))]


def without_words(sheet: AlignmentSheet) -> str:
    """A checked alignment as a bundle holds it: TSV without the words of the books."""
    return write_sheet(
        {
            "checked": row.checked.value,
            "confidence": f"{row.confidence:g}",
            "old": f"{sheet.old}/{row.old}" if row.old else "",
            "new": f"{sheet.new}/{row.new}" if row.new else "",
        }
        for row in sheet.rows
    )


def alignment_of(sheets: Sequence[AlignmentSheet], old: EditionKey, new: EditionKey) -> AlignmentSheet | None:
    """The checked alignment of two editions, from the perspective of the first; None if there is none."""
    for sheet in sheets:
        if (sheet.old, sheet.new) == (old, new):
            return sheet
        if (sheet.new, sheet.old) == (old, new):
            return sheet.swapped()
    return None


def thread_steps(sheet: AlignmentSheet, old: Iterable[StoredRule], new: Iterable[StoredRule]) -> list[Step]:
    """The steps of each rule, by locators: accepted rows are certain steps, unseen ones proposals, refused ones none."""
    old_locators, new_locators = ({rule.locator for rule in rules} for rules in (old, new))
    old_ends, new_ends = {*old_locators, None}, {*new_locators, None}
    rows = [row for row in sheet.rows if row.checked is not CheckedVerdict.NO and row.old in old_ends and row.new in new_ends]
    accepted_rows = [row for row in rows if row.checked is CheckedVerdict.YES]
    decided_rules = {row.old for row in accepted_rows if row.old}, {row.new for row in accepted_rows if row.new}
    proposed_rows = (row for row in rows if row.checked is CheckedVerdict.UNSEEN and row.old and row.new)
    used_rows = [
        *accepted_rows,
        *(row for row in proposed_rows if row.old not in decided_rules[0] and row.new not in decided_rules[1]),
    ]
    parts = Counter(row.old for row in used_rows), Counter(row.new for row in used_rows)
    return [_step(row, split=parts[0][row.old] > 1, merged=parts[1][row.new] > 1) for row in used_rows]


def _step(row: AlignmentRow, *, split: bool, merged: bool) -> Step:
    if row.old is None or row.new is None:
        return Step(StepKind.ADDED if row.old is None else StepKind.REMOVED, row.old, row.new, 0.0)
    kind = kind_of(row.old, row.new, edited=True)
    if row.old and split:
        kind = StepKind.SPLIT
    elif merged:
        kind = StepKind.MERGED
    return Step(kind, row.old, row.new, min(row.confidence, 0.99), proposed=row.checked is CheckedVerdict.UNSEEN)


def sheet_mappings(sheet: AlignmentSheet) -> Iterator[sssom.MappingRow]:
    """The accepted links of a checked alignment as mappings between rules."""
    for row in sheet.rows:
        if row.checked is CheckedVerdict.YES and row.old and row.new:
            yield dict.fromkeys(sssom.COLUMNS, "") | {
                "subject_id": f"rule:{sheet.old}/{row.old}",
                "subject_label": row.old,
                "predicate_id": "skos:closeMatch",
                "object_id": f"rule:{sheet.new}/{row.new}",
                "object_label": row.new,
                "mapping_justification": "semapv:ManualMappingCuration",
                "confidence": f"{max(row.confidence, 0.01):g}",
                **{column: _MAPPING_COMMENT.in_language(lang) for lang, column in sssom.COMMENT_COLUMNS.items()},
            }
