"""A query with what belongs to it, and its answer, as they pass between two processes."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from corpus.media import NTRIPLES, TSV


@dataclass(frozen=True, slots=True)
class Question:
    """A query, the dataset that it is asked of, the media types that are welcome, the best first, and where it is cut off.

    A dataset that is given stands in the place of FROM and FROM NAMED (SPARQL 1.1 Protocol, section 2.1.4); where neither says
    anything, the default graph is the union of all named ones.
    """

    query: str
    media: tuple[str, ...] = (TSV, NTRIPLES)
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()
    rows: int | None = None
    size: int | None = None  # bytes

    def packed(self) -> bytes:
        """It as bytes."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def unpacked(cls, data: bytes) -> "Question":
        """It from those bytes."""
        given: dict[str, Any] = json.loads(data)
        for name in ("media", "default_graphs", "named_graphs"):
            given[name] = tuple(given[name])
        return cls(**given)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query gives, as it is handed on."""

    found: bool  # a solution, a triple, or `true`
    media: str
    rows: int | None = None  # solutions or triples that are given; None where nobody counted
    cut: str | None = None  # `rows` or `bytes` where there were more
    body: bytes = b""
