"""What `rulestone check` reports: dangling citations, broken shapes, violated rules of the graph."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be."""

    kind: str  # dangling-citation | shape | violation
    subject: str  # IRI
    message: str  # one line: what was found, what was expected


def findings(knowledge: "Knowledge") -> Iterator[Finding]:
    """Everything that is wrong with a bundle, in a stable order."""
    yield from ()
