"""The books of one bundle together with the ontology's facts about their concepts."""

from functools import cached_property
from typing import TYPE_CHECKING

from corpus.store.books import Books

if TYPE_CHECKING:
    from ontology.cards import CardStore
    from ontology.concepts.bundle import StoredConcepts
    from ontology.concepts.names import ConceptNames


class Knowledge(Books):
    """One bundle, opened for reading."""

    @cached_property
    def concepts(self) -> "StoredConcepts":
        """The names, claims and mappings of concepts, independent of dates."""
        if self.today is not self:
            return self.today.concepts
        from ontology.concepts.bundle import StoredConcepts  # its tokenizer takes longer to import than a look-up by number

        return StoredConcepts(self.documents)

    @cached_property
    def cards(self) -> "CardStore | None":
        """The cards; None if none were added."""
        if self.today is not self:
            return self.today.cards
        if not self.manifest.cards:
            return None
        from ontology.cards import CardStore  # so does its tokenizer

        return CardStore(self.documents)

    @property
    def names(self) -> "ConceptNames":
        """The names of every concept."""
        return self.concepts.names
