"""Where words of a rule stand in the file that it came from: line, column and offset, as SARIF counts them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from api.text.verdicts import line_starts, place

if TYPE_CHECKING:
    from corpus.contract import DriftPlace, Source

Reads = Callable[["Source"], str | None]
"""From a source to the words of its file; None where they are not kept."""
Json = dict[str, Any]


class Regions:
    """The files of a body, each read once."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._files: dict[str, tuple[str, list[int]] | None] = {}

    def of(self, where: "DriftPlace") -> Json | None:
        """The region of the words that are meant; of the whole rule where they cannot be told; None where no file is named."""
        source = where["file"]
        if source is None:
            return None
        whole = source["start"], source["end"]
        if (file := self._file(source)) is None:
            return _offsets(*whole)
        text, starts = file
        first, last = _inside(text, whole, where) or whole
        line, column = place(starts, first)
        end_line, end_column = place(starts, last)
        lines = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
        return {**lines, **_offsets(first, last), "snippet": {"text": text[first:last]}}

    def _file(self, source: "Source") -> tuple[str, list[int]] | None:
        if source["sha256"] not in self._files:
            text = self._reads(source)
            self._files[source["sha256"]] = None if text is None else (text, line_starts(text))
        return self._files[source["sha256"]]


def _offsets(start: int, end: int) -> Json:
    return {"charOffset": start, "charLength": end - start}


def _inside(text: str, whole: tuple[int, int], where: "DriftPlace") -> tuple[int, int] | None:
    """Where the first words meant, else the part, stand in the file, whose lines may break and be indented otherwise."""
    letters = [at for at in range(*whole) if not text[at].isspace()]
    plain = "".join(text[at] for at in letters)
    part = "".join(where["text"].split())
    at = plain.find(part)
    if not part or at < 0 or plain.find(part, at + 1) >= 0:
        return None
    first, last = where["spans"][0] if where["spans"] else (0, len(where["text"]))
    start = at + len("".join(where["text"][:first].split()))
    length = len("".join(where["text"][first:last].split()))
    return (letters[start], letters[start + length - 1] + 1) if length else None
