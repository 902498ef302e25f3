"""Collections of Milvus that hold the passages of a bundle: one for each leg of the rules and of the rulings.

`RULESTONE_INDEX` names the server, or with Milvus Lite a file, and `RULESTONE_INDEX_TOKEN` who asks. A collection bears the seal of
its bundle in its name and never changes once it is whole, so that the next bundle is written beside the one that is served. When it
was made stands in the name, too: Milvus Lite keeps no description.
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
from search.index.lexical import Scores

if TYPE_CHECKING:
    from pymilvus import MilvusClient

INDEX, TOKEN = "RULESTONE_INDEX", "RULESTONE_INDEX_TOKEN"
WORDS, NEAR, MEANT = LEGS = ("words", "near", "meant")
"""Terms as sparse vectors, static vectors, sentence vectors."""
MOST = 16_384
"""So many hits one search may have (https://milvus.io/docs/limitations.md)."""
SECONDS = 30.0
"""How long a request to a server may take; Milvus Lite, in this process, may take its time."""
AT_ONCE = 8
"""Requests under way for one question."""
FILE_COLLECTION = "rulestone"
"""What the collections in a file are called."""
_ADDRESS = re.compile(r"milvus(?:\+(?P<tls>https))?://(?P<host>[^/]+)/(?P<name>[A-Za-z_][A-Za-z0-9_]{0,99})")
_FILE = re.compile(r"milvus://(?P<file>/.+\.db)")
_SEAL = 16
"""Characters of a seal in a name."""


class Address(NamedTuple):
    """Where collections are: what the client of Milvus takes, and what their names begin with."""

    uri: str
    name: str


def address(given: str) -> Address:
    """Reads an address. Raises InputError for what is none."""
    if match := _ADDRESS.fullmatch(given):
        return Address(f"{'https' if match['tls'] else 'http'}://{match['host']}", match["name"])
    if match := _FILE.fullmatch(given):
        return Address(match["file"], FILE_COLLECTION)
    raise InputError(
        "{setting} is {given}; expected milvus://HOST:PORT/COLLECTION, or milvus:///FOLDER/FILE.db", setting=INDEX, given=given
    )


class Kept(NamedTuple):
    """A collection of ours that is there."""

    name: str
    seal: str  # of its bundle, as far as it stands in the name
    part: str
    leg: str
    made: int  # nanoseconds since 1970; 0: a draft


class Found(NamedTuple):
    """Passages that a search gives and how near each is, the passages ascending."""

    passages: NDArray[np.int64]
    scores: Scores


class Collections:
    """The collections at an address. Thread-safe."""

    def __init__(self, at: Address, token: str = "") -> None:
        """Raises EnvironmentFault where pymilvus is not installed or nobody answers."""
        self._at = at
        self.client = _client(at, token)

    @classmethod
    def named(cls) -> Self:
        """Those that the environment names. Raises InputError where it names none."""
        given = os.environ.get(INDEX)
        if not given:
            raise InputError("no index is named; set {setting} to milvus://HOST:PORT/COLLECTION", setting=INDEX)
        return cls(address(given), os.environ.get(TOKEN, ""))

    @property
    def is_file(self) -> bool:
        """Whether it is Milvus Lite."""
        return not self._at.uri.startswith("http")

    @property
    def at_once(self) -> int:
        """So many requests are answered at the same time: Milvus Lite is Python in this process, and does twice what two ask."""
        return 1 if self.is_file else AT_ONCE

    def name(self, seal: str, part: str, leg: str, *, draft: bool) -> str:
        """What the collection of a leg of a part of the bundle with a seal is called: a draft of it, or one that is whole now."""
        return f"{self._at.name}_{seal[:_SEAL]}_{part}_{leg}_{'draft' if draft else time.time_ns()}"

    def ours(self) -> list[Kept]:
        """The collections of ours, drafts too."""
        pattern = re.compile(rf"{self._at.name}_([0-9a-f]{{{_SEAL}}})_([a-z]+)_({'|'.join(LEGS)})_([0-9]+|draft)")
        with self.told():
            names = [pattern.fullmatch(name) for name in self.client.list_collections()]
        return [
            Kept(match[0], match[1], match[2], match[3], 0 if match[4] == "draft" else int(match[4])) for match in names if match
        ]

    def of(self, seal: str, part: str) -> dict[str, str]:
        """What the collections of a part of the bundle with a seal are called that are whole, by leg."""
        return {kept.leg: kept.name for kept in self.ours() if (kept.seal, kept.part) == (seal[:_SEAL], part) and kept.made}

    def loaded(self, seal: str, part: str, legs: Sequence[str]) -> dict[str, str]:
        """The same, ready to be searched. Raises EnvironmentFault where one of some legs is not there."""
        names = self.of(seal, part)
        if not all(leg in names for leg in legs):
            raise EnvironmentFault("the index at {address} holds another knowledge base; run: rulestone push", address=self._at.uri)
        with self.told():
            for leg in legs:  # in Milvus Lite each process has its own; on a server that is done already
                self.client.load_collection(names[leg])
        return names

    def search(self, collection: str, asked: Sequence[Any], wanted: str, limit: int) -> list[Found]:
        """What is nearest to each of some vectors among the passages for which an expression holds."""
        with self.told():
            every = self.client.search(
                collection,
                data=list(asked),
                anns_field="vector",
                filter=wanted,
                limit=min(limit, MOST),
                output_fields=["id"],
                timeout=None if self.is_file else SECONDS,
            )
        return [_found(hits.ids, hits.distances) for hits in every]

    @contextmanager
    def told(self) -> Iterator[None]:
        """Tells whatever Milvus refuses in one line. Raises EnvironmentFault."""
        from grpc import RpcError
        from pymilvus import MilvusException

        try:
            yield
        except (MilvusException, RpcError, OSError) as fault:
            raise _silent(self._at, fault) from fault

    def close(self) -> None:
        """Closes the connection."""
        self.client.close()


def _client(at: Address, token: str) -> "MilvusClient":
    try:
        from pymilvus import MilvusClient, MilvusException
    except ImportError as fault:
        raise EnvironmentFault("{setting} needs pymilvus; run: pip install 'rulestone[milvus]'", setting=INDEX) from fault
    logging.getLogger("pymilvus").setLevel(logging.CRITICAL)  # its errors are told by us, in one line
    try:
        return MilvusClient(uri=at.uri, token=token, timeout=SECONDS)
    except (MilvusException, OSError) as fault:
        raise _silent(at, fault) from fault


def _silent(at: Address, fault: Exception) -> EnvironmentFault:
    """What is said of a Milvus that does not answer, in one line."""
    details = getattr(fault, "details", None)  # of gRPC
    told = details() if callable(details) else getattr(fault, "message", fault)
    said = " ".join(str(told).split())[:200]
    return EnvironmentFault("the index at {address} does not answer: {fault}", address=at.uri, fault=said)


def _found(passages: Sequence[int], scores: Sequence[float]) -> Found:
    places = np.array(passages, dtype=np.int64)
    order = np.argsort(places)
    return Found(places[order], np.array(scores, dtype=np.float32)[order])
