"""An alignment as a table that a person checks in a spreadsheet: one row a link, `yes` or `no` in its first column."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from corpus.address import EditionKey, is_slug
from corpus.errors import InputError
from corpus.reference import is_edition
from corpus.spreadsheet import quoted

COLUMNS = ("checked", "confidence", "old", "new", "old_words", "new_words")
_NEEDED = ("checked", "old", "new")
_SPACE = re.compile(r"\s+")


class Checked(StrEnum):
    """What a person said of a row; `unseen` rows are proposals still."""

    YES = "yes"
    NO = "no"
    UNSEEN = "?"


@dataclass(frozen=True, slots=True)
class Row:
    """A link by locators; `old` or `new` is None for a rule that has no partner."""

    checked: Checked
    old: str | None
    new: str | None
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Sheet:
    """A checked alignment of two editions."""

    old: EditionKey
    new: EditionKey
    rows: Sequence[Row]

    @property
    def name(self) -> str:
        """What its file is called."""
        return "+".join(f"{key.game}.{key.book}.{key.edition}" for key in (self.old, self.new)) + ".tsv"


def turned(sheet: Sheet) -> Sheet:
    """The same alignment from the other side."""
    return Sheet(sheet.new, sheet.old, [Row(row.checked, row.new, row.old, row.confidence) for row in sheet.rows])


def write(rows: Iterable[Mapping[str, str]]) -> str:
    """The table; words are on one line and never a formula."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, delimiter="\t", lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def kept(sheet: Sheet) -> str:
    """A checked alignment as a home keeps it: without the books' words."""
    return write(
        {
            "checked": row.checked.value,
            "confidence": f"{row.confidence:g}",
            "old": f"{sheet.old}/{row.old}" if row.old else "",
            "new": f"{sheet.new}/{row.new}" if row.new else "",
        }
        for row in sheet.rows
    )


def _cell(value: str) -> str:
    return quoted(_SPACE.sub(" ", value).strip())


def read(text: str, name: str) -> Sheet:
    """A table that was written by `write` and checked. Raises InputError with the line where it is none."""
    dialect = "\t" if "\t" in text.partition("\n")[0] else ","
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), delimiter=dialect)
    if missing := [column for column in _NEEDED if column not in (reader.fieldnames or ())]:
        raise InputError(
            "{file}: no column {missing}; expected a table that `rulestone align` wrote", file=name, missing=", ".join(missing)
        )
    lines = list(_lines(reader, name))
    editions = [list(dict.fromkeys(side[0] for _, _, *sides in lines if (side := sides[nth]))) for nth in (0, 1)]
    if [len(held) for held in editions] != [1, 1]:
        raise InputError("{file}: expected rules of one edition in each of the columns old and new", file=name)
    rows = [Row(checked, old[1] if old else None, new[1] if new else None, sure) for checked, sure, old, new in lines]
    return Sheet(editions[0][0], editions[1][0], rows)


_Rule = tuple[EditionKey, str]


def _lines(reader: "csv.DictReader[str]", name: str) -> Iterator[tuple[Checked, float, _Rule | None, _Rule | None]]:
    for row in reader:
        line = reader.line_num
        said = (row["checked"] or "").strip().lower() or Checked.UNSEEN.value
        if said not in tuple(Checked):
            raise InputError(
                "{file}, line {line}: checked is {value!r}; expected yes, no or ?", file=name, line=line, value=said[:40]
            )
        sure = (row.get("confidence") or "").strip()
        old, new = (_rule(row[side] or "", name, line) for side in ("old", "new"))
        if old or new:
            yield Checked(said), _share(sure, name, line), old, new


def _share(text: str, name: str, line: int) -> float:
    """A confidence; 1 where none is given."""
    if not text:
        return 1.0
    if re.fullmatch(r"[01](?:[.,]\d{1,6})?", text) and float(text.replace(",", ".")) <= 1:
        return float(text.replace(",", "."))
    raise InputError(
        "{file}, line {line}: confidence is {value!r}; expected a number from 0 to 1", file=name, line=line, value=text[:40]
    )


def _rule(text: str, name: str, line: int) -> _Rule | None:
    """`fow/cr/undated/3.1~2`; None for an empty cell."""
    plain = text.strip()
    if not plain:
        return None
    game, _, rest = plain.partition("/")
    book, _, rest = rest.partition("/")
    edition, _, locator = rest.partition("/")
    if not (is_slug(game) and is_slug(book) and is_edition(edition) and locator):
        raise InputError(
            "{file}, line {line}: {value!r} is no rule; expected game/book/edition/rule, e.g. mtg/cr/2025-02-07/400.7d",
            file=name,
            line=line,
            value=plain[:80],
        )
    return EditionKey(game, book, edition), locator
