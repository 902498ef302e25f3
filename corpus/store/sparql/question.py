"""A query with its options and limits, and its answer, and the frames in which two processes exchange them."""

import json
import struct
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import BinaryIO

from corpus.limits import limit_field
from corpus.media import NTRIPLES, TSV


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """The limits of one query."""

    seconds: float = limit_field(5, "seconds until its process is ended")
    memory: float = limit_field(512 * 2**20, "bytes beyond those of the process with the open store (Linux)")
    query: float = limit_field(64 * 2**10, "bytes of its text")
    rows: float = limit_field(10_000, "solutions or triples in a result; truncation is reported")
    bytes: float = limit_field(8 * 2**20, "bytes of solutions or triples in a result; truncation is reported")
    processes: float = limit_field(2, "queries that are answered at once; more wait")
    wait: float = limit_field(10, "seconds that a query waits for its turn")
    writing_seconds: float = limit_field(600, "seconds until the process that writes the store with all editions is ended")
    writing_memory: float = limit_field(4 * 2**30, "bytes of memory of that process (Linux)")
    kept: float = limit_field(32 * 2**20, "bytes that a process may have grown by and be used again")


SPARQL_LIMITS = QueryLimits()


@dataclass(frozen=True, slots=True)
class SparqlQuestion:
    """A query, its dataset, the accepted media types (the best first), and the limits of its result.

    A given dataset overrides FROM and FROM NAMED (SPARQL 1.1 Protocol, section 2.1.4); without either, the default graph is the
    union of all named graphs.
    """

    query: str
    media: Sequence[str] = (TSV, NTRIPLES)
    default_graphs: Sequence[str] = ()
    named_graphs: Sequence[str] = ()
    rows: int | None = None
    size: int | None = None  # bytes

    def to_bytes(self) -> bytes:
        """The query as bytes."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> "SparqlQuestion":
        """The query from these bytes."""
        return cls(**json.loads(data))


@dataclass(frozen=True, slots=True)
class SparqlAnswer:
    """The result of a query."""

    found: bool  # a solution, a triple, or `true`
    media: str
    rows: int | None = None  # number of solutions or triples; None if not counted
    truncated_by: str | None = None  # `rows` or `bytes` if the result was truncated
    body: bytes = b""


_FRAME_HEADER = struct.Struct(">cI")
READY, QUESTION, DATA, END, FAULT = b"R", b"Q", b"D", b"E", b"F"
_MAX_FRAME_BYTES = 1 << 16


def send_frame(stream: BinaryIO, kind: bytes, data: bytes) -> None:
    """One frame; long DATA is split over several."""
    pieces = [data[start : start + _MAX_FRAME_BYTES] for start in range(0, len(data), _MAX_FRAME_BYTES)] if kind == DATA else [data]
    for piece in pieces:
        stream.write(_FRAME_HEADER.pack(kind, len(piece)) + piece)
        stream.flush()


def receive_frame(stream: BinaryIO) -> tuple[bytes, bytes] | None:
    """The next frame; None at the end of the stream."""
    head = stream.read(_FRAME_HEADER.size)
    if len(head) < _FRAME_HEADER.size:
        return None
    kind, length = _FRAME_HEADER.unpack(head)
    data = stream.read(length)
    return (kind, data) if len(data) == length else None
