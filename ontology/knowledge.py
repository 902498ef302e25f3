"""The books of one bundle together with the ontology's facts about their concepts."""

from functools import cached_property
from typing import TYPE_CHECKING

from corpus.store.books import Books

if TYPE_CHECKING:
    from ontology.cards import Cards
    from ontology.concepts.bundle import Concepts
    from ontology.concepts.names import Names


class Knowledge(Books):
    """One bundle, opened for reading."""

    @cached_property
    def concepts(self) -> "Concepts":
        """The names, claims and mappings of concepts, independent of dates."""
        if self.whole is not self:
            return self.whole.concepts
        from ontology.concepts.bundle import Concepts  # its tokenizer takes longer to import than a look-up by number

        return Concepts(self.documents)

    @cached_property
    def cards(self) -> "Cards | None":
        """The cards; None if none were added."""
        if self.whole is not self:
            return self.whole.cards
        if not self.manifest.cards:
            return None
        from ontology.cards import Cards  # so does its tokenizer

        return Cards(self.documents)

    @property
    def names(self) -> "Names":
        """The names of every concept."""
        return self.concepts.names
