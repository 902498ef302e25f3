"""What changed for those who keep a copy of the export."""

from typing import Annotated

from typing_extensions import TypedDict

from corpus.contract.rules import RuleRecord
from corpus.contract.rulings import Ruling
from corpus.contract.schema import Schema
from corpus.contract.words import Count, Iri

DeltaChange = Annotated[
    str, Schema(name="delta_change", enum=("added", "changed", "removed"), description="What became of a line of the export.")
]


class DeltaLine(TypedDict):
    """A line of the export that is not as it was: as it is now, null where it is gone."""

    change: DeltaChange
    iri: Iri
    line: RuleRecord | Ruling | None


class DeltaEnd(TypedDict):
    """The last line: the mark of what the export holds now, and how many lines of each kind stood before it."""

    mark: Annotated[str, Schema(pattern="^[0-9a-f]{16}$")]
    added: Count
    changed: Count
    removed: Count
