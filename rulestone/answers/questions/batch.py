"""Many questions at once, one JSON object a line: each line is answered, or told why not, by itself."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from corpus.errors import InputError
from corpus.messages import Message, message
from rulestone.limits import BATCH_BYTES, BATCH_LINES

if TYPE_CHECKING:
    from corpus.contract import BatchFault

_FIELDS = ("id", "query", "game", "lang")
Answering = Callable[[Mapping[str, str | None]], Mapping[str, object]]
"""From the fields of a question to what answers it, beside its `id`."""


def lines_of(data: bytes) -> list[tuple[int, bytes]]:
    """The lines of a batch that are not empty, with their numbers. Raises InputError for too much of it, or none."""
    if len(data) > BATCH_BYTES:
        raise InputError("the batch has more than {most} KiB; send it in parts", most=BATCH_BYTES >> 10)
    lines = [(count, line) for count, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    if not lines or len(lines) > BATCH_LINES:
        raise InputError(
            'the batch has {count} lines; give 1 to {most}, each a JSON object with "id" and "query"',
            count=len(lines),
            most=BATCH_LINES,
        )
    return lines


def answered(lines: Iterable[tuple[int, bytes]], answer: Answering, lang: str) -> Iterator[Mapping[str, object]]:
    """What answers each line, in order; `lang` is the language in which faults are told."""
    for count, line in lines:
        row, fault = _row(line)
        try:
            yield _fault(row, count, fault, lang) if fault else {"id": row["id"], **answer(row)}
        except InputError as error:
            yield _fault(row, count, error.message, lang)


def _row(line: bytes) -> tuple[Mapping[str, str | None], Message | None]:
    """The fields of a line, or why it is no question."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):  # RecursionError: brackets without end
        return {}, message("is not valid JSON")
    if not isinstance(row, dict):
        return {}, message("expected a JSON object")
    if unknown := [name for name in row if name not in _FIELDS]:
        told = ", ".join(name[:40] for name in unknown[:5])
        return row, message("knows no field {unknown}; it takes {known}", unknown=told, known=", ".join(_FIELDS))
    return row, _wrong(row)


def _wrong(row: Mapping[str, object]) -> Message | None:
    needed: Sequence[object] = [row.get("id"), row.get("query")]
    others = [row.get("game"), row.get("lang")]
    if all(isinstance(value, str) for value in needed) and all(isinstance(value, str | None) for value in others):
        return None
    return message('expected "id" and "query" as strings, "game" and "lang" as strings or null')


def _fault(row: Mapping[str, object], count: int, reason: Message, lang: str) -> "BatchFault":
    ident = row.get("id")
    return {"id": ident if isinstance(ident, str) else None, "line": count, "error": reason.said(lang)}
