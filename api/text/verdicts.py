"""`rulestone verify` for people: a line for each citation as compilers write it, and what a quotation should have said."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from api.text.wrap import wrap
from corpus.words.text import printable

if TYPE_CHECKING:
    from corpus.contract import VerifiedCitation, Verify

_ID = "/id/"


def lines(body: "Verify", text: str, name: str, width: int | None) -> Iterator[str]:
    """The lines of a `verify` body: `file:line:column: status surface rule`."""
    starts = line_starts(text)
    for citation in body["citations"]:
        line, column = place(starts, citation["start"])
        yield from wrap(f"{printable(name)}:{line}:{column}: {_told(citation)}", width, rest="    ")
        quote = citation["quote"]
        if quote and quote["status"] != "verified":
            yield from wrap(" ".join(quote["text"].split()), width, "    - ")
            if quote["nearest"]:
                yield from wrap(" ".join(quote["nearest"].split()), width, "    + ")
    counted = Counter(citation["status"] for citation in body["citations"])
    yield f"{sum(counted.values())} citations" + "".join(f" · {count} {status}" for status, count in sorted(counted.items()))


def gated(body: "Verify") -> Iterator[str]:
    """The text of a strict `verify` body with what is not proven marked, and the verdict."""
    gate = body["gate"]
    wrong = sum(not sentence["proven"] for sentence in gate["sentences"])
    yield gate["marked"].rstrip("\n")
    yield f"{gate['verdict']} · {len(gate['sentences'])} sentences cite · {wrong} not proven"


def line_starts(text: str) -> list[int]:
    """Where each line of a text begins."""
    return [0, *(at + 1 for at, character in enumerate(text) if character == "\n")]


def place(starts: list[int], offset: int) -> tuple[int, int]:
    """Line and column of an offset, both from 1; a column is a code point."""
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1


def _told(citation: "VerifiedCitation") -> str:
    rule = f" ({citation['rule'].partition(_ID)[2]})" if citation["rule"] else ""
    note = f": {citation['note']}" if citation["note"] else ""
    return f"{citation['status']} {citation['surface']}{rule}{note}"
