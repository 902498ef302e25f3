"""Writing a bundle's graph to a SPARQL server."""

from collections.abc import Iterator
from contextlib import closing

from ontology.store import checksums
from ontology.store.home import Home
from ontology.store.knowledge import Knowledge
from ontology.store.remote import RemoteStore

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


def _pieces(lines: list[str]) -> Iterator[bytes]:
    for first in range(0, len(lines), _PIECE):
        yield "\n".join(lines[first : first + _PIECE]).encode() + b"\n"
