"""PDF files that are small and unfold to more than a rulebook: told before pages of them are read."""

import re
import zlib

from corpus.errors import InputError
from ingest.read import limits

_STREAM = re.compile(rb"(?<!end)stream\r?\n")
_STEP = 2**20


def refuse_unfolding(data: bytes, name: str) -> None:
    """Raises InputError where a compressed stream unfolds to more than `limits.LIMITS` allows."""
    end = 0
    for match in _STREAM.finditer(data):
        if match.start() < end:  # the word, within what is compressed
            continue
        size, end = _unfolded(data, match.end())
        if size > limits.LIMITS.unfolded:
            raise InputError(
                "{file}: a stream of the PDF unfolds to more than {most:,.0f} bytes; give the rules as a plain text file",
                file=name,
                most=limits.LIMITS.unfolded,
            )


def _unfolded(data: bytes, start: int) -> tuple[int, int]:
    """The bytes that a stream unfolds to, as far as they are allowed, and where it ends; 0 where it is not deflated."""
    unfolding, size, place = zlib.decompressobj(), 0, start
    try:
        while not unfolding.eof and size <= limits.LIMITS.unfolded and place < len(data):
            part = unfolding.decompress(data[place : place + _STEP // 1024], _STEP)
            size += len(part)
            place += _STEP // 1024 - len(unfolding.unconsumed_tail)
    except zlib.error:
        return size, start
    return size, place - len(unfolding.unused_data)


def refuse_many(pages: int, name: str) -> None:
    """Raises InputError for more pages than `limits.LIMITS` allows."""
    if pages > limits.LIMITS.pages:
        raise InputError(
            "{file}: the PDF has {pages:,} pages, at most {most:,.0f} are read; split it into one file per book",
            file=name,
            pages=pages,
            most=limits.LIMITS.pages,
        )
