"""All that is told of concepts, wherever it is read: from the store, or from the file that a bundle has for look-ups."""

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from corpus.store.engine import Solution, Store
from ontology.concepts.claims import Claim, claims_in
from ontology.concepts.mappings import mappings_in

if TYPE_CHECKING:
    from ontology.concepts.names import Names


class Concepts(Protocol):
    """The concepts of a bundle, which never changes."""

    @property
    def names(self) -> "Names":
        """What each is called."""
        ...

    def claims(self, concepts: Collection[str] | None = None) -> list[Claim]:
        """The claims about some concepts (None: about all), by address."""
        ...

    def mappings(self, concepts: Collection[str] | None = None) -> list[Solution]:
        """The mappings of some concepts (None: of all), by concept; the surest first, the denied last."""
        ...


class StoredConcepts:
    """The concepts as the store has them: every name is read when the first is asked for."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @cached_property
    def names(self) -> "Names":
        """See Concepts."""
        from ontology.concepts.names import gathered, listed_in  # they bring the stemmer: no look-up by number needs it

        return gathered(listed_in(self._store))

    def claims(self, concepts: Collection[str] | None = None) -> list[Claim]:
        """See Concepts."""
        return claims_in(self._store, concepts)

    def mappings(self, concepts: Collection[str] | None = None) -> list[Solution]:
        """See Concepts."""
        return mappings_in(self._store, concepts)
