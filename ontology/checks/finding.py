"""One line of `rulestone check`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.messages import SOURCE_LANGUAGE, Message

if TYPE_CHECKING:
    from corpus import contract

INFORMATION_KINDS = frozenset(["disputed", "weak-grounds"])
"""Kinds that inform and need no action."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem or an item of information."""

    kind: str
    subject: str  # IRI
    message: Message  # the finding, the expectation, the remedy

    @property
    def is_information(self) -> bool:
        """Whether it needs no action."""
        return self.kind in INFORMATION_KINDS

    def body(self, lang: str = SOURCE_LANGUAGE) -> "contract.Finding":
        """The finding as JSON, in a language."""
        return {"kind": self.kind, "subject": self.subject, "message": self.message.in_language(lang)}
