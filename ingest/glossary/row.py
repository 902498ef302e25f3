"""What a glossary says: rows of terms that mean one thing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

STATUSES = ("preferred", "admitted", "deprecated")


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """A name and whether it is to be used."""

    text: str
    status: str  # one of STATUSES


@dataclass(frozen=True, slots=True)
class GlossaryRow:
    """Terms of several languages for one thing; `line` is where in the file, `concept` (IRI or `game/slug`) what it is, if told."""

    line: int
    terms: Mapping[str, Sequence[GlossaryTerm]]
    concept: str = ""
    note: str = ""
