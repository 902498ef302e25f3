"""The books of one bundle together with what the ontology says of their concepts."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from corpus.store.archive.archive import Archive
from corpus.store.books import Books
from corpus.store.engine import Store
from corpus.store.home.manifest import Manifest

if TYPE_CHECKING:
    from ontology.concepts.names import Names
    from ontology.concepts.stored import Concepts


class Knowledge(Books):
    """One bundle, opened for reading."""

    def __init__(
        self,
        store: Store,
        manifest: Manifest,
        archive: Archive | None = None,
        concepts: "Callable[[], Concepts] | None" = None,
    ) -> None:
        """`concepts` opens the file that a finished bundle has of them; without it they are read from the store."""
        super().__init__(store, manifest, archive)
        self._concepts = concepts

    @cached_property
    def concepts(self) -> "Concepts":
        """The claims, mappings and names of concepts, the same at every moment."""
        if self.whole is not self:
            return self.whole.concepts
        if self._concepts:
            return self._concepts()
        from ontology.concepts.stored import StoredConcepts

        return StoredConcepts(self.store)

    @property
    def names(self) -> "Names":
        """The names of every concept."""
        return self.concepts.names
