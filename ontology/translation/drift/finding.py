"""Findings: the kind of drift, its place in both texts, its certainty, and its effect on rulings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from corpus.data_files import read_toml
from corpus.messages import Message

Span = tuple[int, int]
"""Half-open range of code points in a part of a rule."""


@dataclass(frozen=True, slots=True)
class DriftPlace:
    """Spans in a part of a rule in one language; no spans stand for the whole part."""

    iri: str
    part: str  # TEXT, HEADWORD, EXAMPLE or NOTE
    nth: int  # among the parts of its kind, from 1
    text: str
    spans: Sequence[Span] = ()


@dataclass(frozen=True, slots=True)
class RenderingPlaces:
    """Words that render a term, and the parts whose translations have them: rule, part, number among the parts of its kind."""

    words: str
    parts: Sequence[tuple[str, str, int]]

    @property
    def rules(self) -> list[str]:
        """The addresses of the rules, each once."""
        return list(dict.fromkeys(iri for iri, _, _ in self.parts))


@dataclass(frozen=True, slots=True)
class DriftFinding:
    """One difference. `expected` are words that would render the source, if known.

    `renderings`, of a term that is rendered in several ways, are in descending order of frequency.
    """

    kind: str
    message: Message
    source: DriftPlace | None
    target: DriftPlace | None
    confidence: float = 1.0
    about: str = ""  # operator, concept (IRI), figures
    expected: Sequence[str] = ()
    renderings: Sequence[RenderingPlaces] = ()

    @property
    def rank(self) -> float:
        """The weight of its kind times the confidence, from 0 to 1."""
        return round(weights()[self.kind] * self.confidence, 3)


@cache
def weights() -> Mapping[str, float]:
    """Kind → its effect on rulings, from 0 to 1 (`ontology/data/drift/kinds.toml`)."""
    return {name: float(row["weight"]) for name, row in read_toml("ontology", "drift/kinds.toml").items()}
