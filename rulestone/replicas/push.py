"""Writing a bundle's graph to a SPARQL server, and its index to Milvus."""

from collections.abc import Iterator
from contextlib import closing

from ontology.store.home import Home, checksums
from ontology.store.knowledge import Knowledge
from ontology.store.remote import RemoteStore
from search.index.index import FOLDER
from search.index.milvus.collections import Collections
from search.index.milvus.publish import forget, publish
from search.rulings.index import FOLDER as RULINGS
from search.searcher import Searcher

_PIECE = 20_000


def push(home: Home) -> int:
    """Replaces what the server that RULESTONE_STORE names has of ours by the current bundle's graph; gives how many quads.

    Raises InputError where none is named, NotFoundError without a bundle, EnvironmentFault where the server refuses.
    """
    with home.reading() as bundle, closing(RemoteStore.named()) as store:
        checksums.check_folder(bundle, checksums.STORE)
        lines = list(Knowledge.open(bundle).quads())
        store.replace(_pieces(lines), checksums.sealed_with(bundle))
        return len(lines)


def push_index(home: Home) -> int:
    """Writes the current bundle's index to Milvus as RULESTONE_INDEX names it; gives how many passages that are.

    What is there of the bundle before stays for whoever still answers from that, older ones go. Raises InputError where none is
    named, NotFoundError without a bundle, EnvironmentFault where Milvus refuses.
    """
    with home.reading() as bundle, closing(Collections.named()) as collections:
        for folder in (FOLDER, RULINGS):
            checksums.check_folder(bundle, folder)
        searcher, seal = Searcher(bundle, Knowledge.open(bundle)), checksums.sealed_with(bundle)
        forget(collections, seal)
        written = publish(collections, seal, bundle / FOLDER, searcher.index.facts, encoded=searcher.index.is_encoded)
        if searcher.rulings:
            index = searcher.rulings.index
            written += publish(collections, seal, bundle / RULINGS, index.facts, encoded=index.is_encoded)
        return written


def _pieces(lines: list[str]) -> Iterator[bytes]:
    for first in range(0, len(lines), _PIECE):
        yield "\n".join(lines[first : first + _PIECE]).encode() + b"\n"
