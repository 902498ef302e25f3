"""What ships in a store of its own, without any book."""

from corpus.store.engine import Store
from ontology import shipped


def shipped_store() -> Store:
    """The shipped concepts, claims and mappings alone, in memory; a new store each time."""
    store = Store()
    for lines in shipped.graphs().values():
        store.load(lines)
    store.flush()
    return store
