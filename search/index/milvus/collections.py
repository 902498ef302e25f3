"""The collections of Milvus that hold the passages of a bundle: one for each signal, of the rules and of the rulings.

`RULESTONE_INDEX` is the address of the server, or of a file for Milvus Lite, and `RULESTONE_INDEX_TOKEN` the access token. The
name of a collection contains the seal of its bundle, and a complete collection never changes: the next bundle is written beside
the served one. The name also contains the time of creation, because Milvus Lite keeps no descriptions.
"""

import logging
import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from corpus.errors import EnvironmentFault, InputError
from search.index.passages import Scores

if TYPE_CHECKING:
    from pymilvus import MilvusClient

INDEX, TOKEN = "RULESTONE_INDEX", "RULESTONE_INDEX_TOKEN"
BM25, STATIC, DENSE = SIGNALS = ("bm25", "static", "dense")
"""Terms as sparse vectors, static vectors, sentence embeddings."""
MAX_HITS = 16_384
"""Maximum number of hits of one search (https://milvus.io/docs/limitations.md)."""
TIMEOUT_S = 30.0
"""Timeout of a request to a server; Milvus Lite, which runs in this process, has none."""
CONCURRENT_REQUESTS = 8
"""Number of concurrent requests for one question."""
FILE_PREFIX = "rulestone"
"""Prefix of the names of collections in a file."""
_SERVER_ADDRESS = re.compile(r"milvus(?:\+(?P<tls>https))?://(?P<host>[^/]+)/(?P<name>[A-Za-z_][A-Za-z0-9_]{0,99})")
_LITE_FILE = re.compile(r"milvus://(?P<file>/.+\.db)")
_SEAL_LENGTH = 16
"""Number of characters of the seal in a name."""


class MilvusAddress(NamedTuple):
    """The address of collections: the URI for the client, and the prefix of their names."""

    uri: str
    prefix: str


def parse_address(text: str) -> MilvusAddress:
    """Parses an address. Raises InputError."""
    if match := _SERVER_ADDRESS.fullmatch(text):
        return MilvusAddress(f"{'https' if match['tls'] else 'http'}://{match['host']}", match["name"])
    if match := _LITE_FILE.fullmatch(text):
        return MilvusAddress(match["file"], FILE_PREFIX)
    raise InputError(
        "{setting} is {given}; expected milvus://HOST:PORT/COLLECTION, or milvus:///FOLDER/FILE.db", setting=INDEX, given=text
    )


class StoredCollection(NamedTuple):
    """An existing collection of Rulestone."""

    name: str
    seal: str  # of its bundle, truncated
    index_name: str  # of its folder: search or rulings
    signal: str
    created: int  # nanoseconds since 1970; 0: a draft


class FoundPassages(NamedTuple):
    """The hits of a search: passages, ascending, and their scores."""

    passages: NDArray[np.int64]
    scores: Scores


class Collections:
    """The collections at an address. Thread-safe."""

    def __init__(self, address: MilvusAddress, token: str = "") -> None:
        """Raises EnvironmentFault if pymilvus is not installed or the server does not answer."""
        self._address = address
        self.client = _client(address, token)

    @classmethod
    def from_environment(cls) -> Self:
        """The collections at the address in RULESTONE_INDEX. Raises InputError if it is not set."""
        address = os.environ.get(INDEX)
        if not address:
            raise InputError("no index is configured; set {setting} to milvus://HOST:PORT/COLLECTION", setting=INDEX)
        return cls(parse_address(address), os.environ.get(TOKEN, ""))

    @property
    def is_file(self) -> bool:
        """Whether this is Milvus Lite."""
        return not self._address.uri.startswith("http")

    @property
    def concurrency(self) -> int:
        """Number of concurrent requests: Milvus Lite runs in this process, where more would gain nothing."""
        return 1 if self.is_file else CONCURRENT_REQUESTS

    def collection_name(self, seal: str, index: str, signal: str, *, draft: bool) -> str:
        """A name for the collection of a signal of an index of the bundle with a seal."""
        return f"{self._address.prefix}_{seal[:_SEAL_LENGTH]}_{index}_{signal}_{'draft' if draft else time.time_ns()}"

    def stored_collections(self) -> list[StoredCollection]:
        """All collections of Rulestone, including drafts."""
        pattern = re.compile(rf"{self._address.prefix}_([0-9a-f]{{{_SEAL_LENGTH}}})_([a-z]+)_({'|'.join(SIGNALS)})_([0-9]+|draft)")
        with self.convert_errors():
            names = [pattern.fullmatch(name) for name in self.client.list_collections()]
        return [
            StoredCollection(match[0], match[1], match[2], match[3], 0 if match[4] == "draft" else int(match[4]))
            for match in names
            if match
        ]

    def complete_collections(self, seal: str, index: str) -> dict[str, str]:
        """Signal → name of the complete collection for an index of the bundle with a seal."""
        own = (
            collection
            for collection in self.stored_collections()
            if (collection.seal, collection.index_name) == (seal[:_SEAL_LENGTH], index) and collection.created
        )
        return {collection.signal: collection.name for collection in own}

    def load(self, seal: str, index: str, signals: Sequence[str]) -> dict[str, str]:
        """The same, loaded for search. Raises EnvironmentFault if a collection is missing."""
        names = self.complete_collections(seal, index)
        if not all(signal in names for signal in signals):
            raise EnvironmentFault(
                "the index at {address} holds another knowledge base", address=self._address.uri, command="rulestone push"
            )
        with self.convert_errors():
            for signal in signals:  # a server has done this already, but Milvus Lite does it once per process
                self.client.load_collection(names[signal])
        return names

    def search(self, collection: str, vectors: Sequence[Any], expression: str, limit: int) -> list[FoundPassages]:
        """The nearest passages to each vector among those that satisfy an expression."""
        with self.convert_errors():
            every = self.client.search(
                collection,
                data=list(vectors),
                anns_field="vector",
                filter=expression,
                limit=min(limit, MAX_HITS),
                output_fields=["id"],
                timeout=None if self.is_file else TIMEOUT_S,
            )
        return [_sort_found(hits.ids, hits.distances) for hits in every]

    @contextmanager
    def convert_errors(self) -> Iterator[None]:
        """Turns the errors of Milvus into EnvironmentFault, in one line."""
        from grpc import RpcError
        from pymilvus import MilvusException

        try:
            yield
        except (MilvusException, RpcError, OSError) as fault:
            raise _no_answer(self._address, fault) from fault

    def close(self) -> None:
        """Closes the connection."""
        self.client.close()


def _client(address: MilvusAddress, token: str) -> "MilvusClient":
    try:
        from pymilvus import MilvusClient, MilvusException
    except ImportError as fault:
        raise EnvironmentFault("{setting} needs pymilvus; run: pip install 'rulestone[milvus]'", setting=INDEX) from fault
    logging.getLogger("pymilvus").setLevel(logging.CRITICAL)  # we report its errors in one line
    try:
        return MilvusClient(uri=address.uri, token=token, timeout=TIMEOUT_S)
    except (MilvusException, OSError) as fault:
        raise _no_answer(address, fault) from fault


def _no_answer(address: MilvusAddress, fault: Exception) -> EnvironmentFault:
    details = getattr(fault, "details", None)  # of gRPC
    text = details() if callable(details) else getattr(fault, "message", fault)
    line = " ".join(str(text).split())[:200]
    return EnvironmentFault("the index at {address} does not respond: {fault}", address=address.uri, fault=line)


def _sort_found(passages: Sequence[int], scores: Sequence[float]) -> FoundPassages:
    ids = np.array(passages, dtype=np.int64)
    order = np.argsort(ids)
    return FoundPassages(ids[order], np.array(scores, dtype=np.float32)[order])
