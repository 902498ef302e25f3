"""The limits of an untrusted query."""

from dataclasses import dataclass

from corpus.limits import limit


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one query."""

    seconds: float = limit(5, "seconds until its process is ended")
    memory: float = limit(512 * 2**20, "bytes beyond those of the process with the open store (Linux)")
    query: float = limit(64 * 2**10, "bytes of its text")
    rows: float = limit(10_000, "solutions or triples that are given; what is cut off is said")
    bytes: float = limit(8 * 2**20, "bytes of solutions or triples that are given; what is cut off is said")
    processes: float = limit(2, "queries that are answered at once; more wait")
    wait: float = limit(10, "seconds that a query waits for its turn")
    kept: float = limit(32 * 2**20, "bytes that a process may have grown by and be used again")


LIMITS = Limits()
