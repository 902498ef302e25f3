"""One line of `rulestone check`."""

from dataclasses import dataclass

INFORMATION = frozenset(["disputed"])
"""Kinds that tell what is so and ask nobody to do anything."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be, or that one should know."""

    kind: str
    subject: str  # IRI
    message: str  # one line: what was found, what was expected, what to do

    @property
    def is_information(self) -> bool:
        """Whether nothing is wrong."""
        return self.kind in INFORMATION
