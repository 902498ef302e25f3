"""Tables that one can turn and narrow to what differs: rows and columns with heads, and cells between them."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar


class Compared(Protocol):
    """What stands in a cell, as far as comparing goes."""

    @property
    def values(self) -> Hashable:
        """What it comes to; what is empty says nothing."""


C = TypeVar("C", bound=Compared)


@dataclass(frozen=True, slots=True)
class Head:
    """What a row or a column is about."""

    key: str
    kind: str  # zone | game | property | topic | differs
    label: str
    lang: str


@dataclass(frozen=True, slots=True)
class Table(Generic[C]):
    """Cells by row and column."""

    rows: Sequence[Head]
    columns: Sequence[Head]
    cells: Mapping[tuple[str, str], C]

    def turned(self) -> "Table[C]":
        """Rows as columns."""
        return Table(self.columns, self.rows, {(column, row): cell for (row, column), cell in self.cells.items()})

    def differing(self) -> "Table[C]":
        """Only the rows in which cells that say something do not say the same."""
        return Table([row for row in self.rows if len(self._said(row)) > 1], self.columns, self.cells)

    def _said(self, row: Head) -> set[Hashable]:
        cells = (self.cells.get((row.key, column.key)) for column in self.columns)
        return {cell.values for cell in cells if cell and cell.values}
