"""What ships, in one store for all tests of a process."""

from functools import cache

from corpus.store.engine import Store
from ontology.shipped import shipped_store


@cache
def known() -> Store:
    """The shipped graphs; nobody writes to this store."""
    return shipped_store()
