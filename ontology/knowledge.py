"""The books of one bundle together with what the ontology says of their concepts."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from corpus.store.books import Books
from corpus.store.documents import Documents
from corpus.store.engine import Store
from corpus.store.home.manifest import Manifest

if TYPE_CHECKING:
    from ontology.concepts.bundle import Concepts
    from ontology.concepts.names import Names


class Knowledge(Books):
    """One bundle, opened for reading."""

    def __init__(
        self,
        store: Store,
        manifest: Manifest,
        documents: Documents | None = None,
        concepts: "Callable[[], Concepts] | None" = None,
    ) -> None:
        """`concepts` opens the files of a finished bundle; without it concepts are read from the store."""
        super().__init__(store, manifest, documents)
        self._concepts = concepts

    @cached_property
    def concepts(self) -> "Concepts":
        """The names, claims and mappings of concepts, whatever date is asked about."""
        if self.whole is not self:
            return self.whole.concepts
        if self._concepts:
            return self._concepts()
        from ontology.concepts.bundle import StoredConcepts  # its tokenizer takes longer to import than a look-up by number

        return StoredConcepts(self.store)

    @property
    def names(self) -> "Names":
        """The names of every concept."""
        return self.concepts.names
