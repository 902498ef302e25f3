"""`rulestone grounds` for people: the table that a curator fills in, and what became of it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from corpus.address import path_of
from corpus.spreadsheet import quoted
from corpus.words.text import printable

if TYPE_CHECKING:
    from corpus.contract import JudgementsAdded, WeakGrounds


def table(body: "WeakGrounds") -> Iterator[str]:
    """A line of column names and a line for each proposal, separated by tabs."""
    yield "\t".join(("ruling", "rule", "verdict", "who", "confidence", "question", "words"))
    for ground in body["grounds"]:
        rule = path_of(ground["rule"]) if ground["rule"] else ""
        confidence = "" if ground["confidence"] is None else f"{ground['confidence']:.2f}"
        yield "\t".join((path_of(ground["ruling"]), rule, "", "", confidence, _cell(ground["question"]), _cell(ground["words"])))


def _cell(words: str) -> str:
    return quoted(printable(" ".join(words.split())))


def added(body: "JudgementsAdded") -> Iterator[str]:
    """A line for the file."""
    file = body["added"]
    known = " (known already)" if file["status"] == "known" else ""
    yield f"{printable(file['file'])}: {file['judgements']} judgements{known}"
