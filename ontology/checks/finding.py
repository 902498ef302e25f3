"""One line of `rulestone check`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.messages import SOURCE, Message

if TYPE_CHECKING:
    from corpus import contract

INFORMATION = frozenset(["disputed", "weak-grounds"])
"""Kinds that tell what is so and ask nobody to do anything."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be, or that one should know."""

    kind: str
    subject: str  # IRI
    message: Message  # what was found, what was expected, what to do

    @property
    def is_information(self) -> bool:
        """Whether nothing is wrong."""
        return self.kind in INFORMATION

    def body(self, lang: str = SOURCE) -> "contract.Finding":
        """The finding as JSON has it, told in a language."""
        return {"kind": self.kind, "subject": self.subject, "message": self.message.said(lang)}
