"""A query with its options, and its answer, as they are sent between two processes."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from corpus.media import NTRIPLES, TSV


@dataclass(frozen=True, slots=True)
class Question:
    """A query, its dataset, the accepted media types (the best first), and the limits of its result.

    A given dataset overrides FROM and FROM NAMED (SPARQL 1.1 Protocol, section 2.1.4); without either, the default graph is the
    union of all named graphs.
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
        """The query from these bytes."""
        given: dict[str, Any] = json.loads(data)
        for name in ("media", "default_graphs", "named_graphs"):
            given[name] = tuple(given[name])
        return cls(**given)


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a query."""

    found: bool  # a solution, a triple, or `true`
    media: str
    rows: int | None = None  # number of solutions or triples; None if not counted
    cut: str | None = None  # `rows` or `bytes` if the result was truncated
    body: bytes = b""
