"""Files of cards from their publishers: lists of addresses, and compressed files."""

import json
import zlib
from collections.abc import Iterator
from pathlib import Path

from corpus.messages import message
from corpus.store.home.disk import os_faults
from rulestone.publishers.download import PublisherFault

CARDS_BYTES = 512 << 20
"""Maximum number of bytes of a file of cards, as it is sent."""
UNPACKED_BYTES = 1 << 30
"""Maximum number of bytes of a file of cards after it is unpacked; Scryfall's oracle cards have about 170 MB."""
_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 18
_GZIP_WINDOW = 16 + zlib.MAX_WBITS


def addresses_in_list(data: bytes, url: str) -> list[str]:
    """All strings in a JSON document, among which are the addresses of files. Raises PublisherFault for other data."""
    try:
        return list(_strings(json.loads(data)))
    except (ValueError, RecursionError) as fault:
        raise PublisherFault("{url} is no list of files: it has changed, or a log-in page was returned", url=url) from fault


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


def unpacked(file: Path, url: str) -> Path:
    """The unpacked copy beside a gzip file, without its suffix `.gz`; the file under that name if it is not compressed after all.

    A part of the file is in memory at a time. Raises PublisherFault for a damaged file and for one that unpacks to more than
    `UNPACKED_BYTES`.
    """
    plain = file.with_suffix("")
    with os_faults(message("write {file}", file=plain)):
        with file.open("rb") as packed:
            if packed.read(len(_GZIP)) == _GZIP:
                packed.seek(0)
                with plain.open("wb") as opened:
                    for piece in _inflated(iter(lambda: packed.read(_CHUNK), b""), url):
                        opened.write(piece)
                return plain
        return file.rename(plain)


def _inflated(chunks: Iterator[bytes], url: str) -> Iterator[bytes]:
    """The unpacked pieces of gzip data, which may have several members."""
    done, member = 0, zlib.decompressobj(_GZIP_WINDOW)
    try:
        for chunk in chunks:
            left = chunk
            while left:
                if member.eof:
                    member = zlib.decompressobj(_GZIP_WINDOW)
                piece = member.decompress(left, _CHUNK)
                done += len(piece)
                if done > UNPACKED_BYTES:
                    raise PublisherFault(
                        "{url} unpacks to more than {most} MB, which is the limit", url=url, most=UNPACKED_BYTES >> 20
                    )
                yield piece
                left = member.unused_data if member.eof else member.unconsumed_tail
    except zlib.error as fault:
        raise PublisherFault("{url} is damaged: it cannot be unpacked", url=url) from fault
    yield member.flush()
    if not member.eof:
        raise PublisherFault("{url} is damaged: it cannot be unpacked", url=url)
