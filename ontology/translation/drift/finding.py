"""What is found: which kind, where in both texts, how sure, and how much it would change a ruling."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from corpus.messages import Message

Span = tuple[int, int]
"""Code points of a part of a rule, half open."""
TEXT, HEADWORD, EXAMPLE, NOTE = PARTS = ("text", "headword", "example", "note")


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a rule in one language, and the words in it that are meant; no spans where the whole part is."""

    iri: str
    part: str  # one of PARTS
    nth: int  # among the parts of its kind, from 1
    text: str
    spans: Sequence[Span] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that differs. `expected` are words that would render the source, where they are known."""

    kind: str
    said: Message
    source: Place | None
    target: Place | None
    confidence: float = 1.0
    about: str = ""  # operator, concept (IRI), figure
    expected: Sequence[str] = field(default=())

    @property
    def rank(self) -> float:
        """How much it would change a ruling, times how sure it is, from 0 to 1."""
        return round(weights()[self.kind] * self.confidence, 3)


@cache
def weights() -> Mapping[str, float]:
    """Kind → how much it changes rulings, from 0 to 1 (`ontology/data/drift/kinds.toml`)."""
    rows = tomllib.loads(files("ontology").joinpath("data/drift/kinds.toml").read_text(encoding="utf-8"))
    return {name: float(row["weight"]) for name, row in rows.items()}
