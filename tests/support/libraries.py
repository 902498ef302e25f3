"""A library over knowledge that a test holds already, without a home folder on the disk."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.store.home import Home
from ontology.knowledge import Knowledge
from rulestone import Library


@dataclass(frozen=True)
class _Bundle:
    """As much of an open bundle as look-ups need."""

    knowledge: Knowledge

    def as_of_date(self, as_of: str | None) -> Knowledge:
        assert as_of is None
        return self.knowledge


class _Over(Library):
    def __init__(self, knowledge: Knowledge) -> None:
        super().__init__(Home(Path("nowhere")), create=False)
        self._held = _Bundle(knowledge)

    def _bundle(self) -> Any:  # noqa: ANN401
        return self._held


def library_over(knowledge: Knowledge) -> Library:
    """Answers look-ups from some knowledge."""
    return _Over(knowledge)
