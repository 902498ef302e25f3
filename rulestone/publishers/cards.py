"""Files of cards and rulings from their publishers: lists of addresses, compressed files, and rulings without names of cards."""

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from corpus.messages import message
from corpus.store.home.disk import os_faults
from rulestone.publishers.download import PublisherFault

CARDS_BYTES = 512 << 20
"""Maximum number of bytes of a file of cards, as it is sent."""
UNPACKED_BYTES = 1 << 30
"""Maximum number of bytes of a file of cards after it is unpacked; Scryfall's oracle cards have about 170 MB."""
_GZIP = b"\x1f\x8b"
"""The first bytes of a gzip file."""
_CHUNK = 1 << 18


def strings_in_json(data: bytes, url: str) -> list[str]:
    """All strings in a JSON document, such as the addresses in a list of files. Raises PublisherFault for other data."""
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


PACKED = ".gz"
"""Suffix of a gzip file."""


def unpacked(file: Path, url: str, kind: str) -> Path:
    """The unpacked copy beside a gzip file, with the suffix of its kind; a file that is not compressed gets that name.

    Its own name may lack `.gz`. A part of the file is in memory at a time. Raises PublisherFault for a damaged file and for one
    that unpacks to more than `UNPACKED_BYTES`.
    """
    name = file.name.removesuffix(PACKED)
    plain = file.with_name(name if name.endswith(f".{kind}") else f"{name}.{kind}")
    with os_faults(message("write {file}", file=plain)):
        with file.open("rb") as stream:
            is_packed = stream.read(len(_GZIP)) == _GZIP
        if not is_packed:
            return file.rename(plain)
        packed = file.rename(file.with_name(f"{file.name}.packed"))
        with plain.open("wb") as target:
            for piece in _inflated(packed, url):
                target.write(piece)
        return plain


def _inflated(file: Path, url: str) -> Iterator[bytes]:
    """The unpacked pieces of a gzip file."""
    size = 0
    try:
        with gzip.open(file) as packed:
            while piece := packed.read(_CHUNK):
                size += len(piece)
                if size > UNPACKED_BYTES:
                    raise PublisherFault(
                        "{url} unpacks to more than {most} MB, which is the limit", url=url, most=UNPACKED_BYTES >> 20
                    )
                yield piece
    except (EOFError, gzip.BadGzipFile, zlib.error) as fault:
        raise PublisherFault("{url} is damaged: it cannot be unpacked", url=url) from fault


CARD_NAMES, _CARD_ID = "card_names", "oracle_id"
"""Fields of a ruling: the names that are added here, and the number of its card at Scryfall."""


def add_card_names(file: Path, names: Mapping[str, Sequence[str]], url: str) -> None:
    """Adds the names of its card to each ruling of a file in JSON Lines, by the number of the card; other rulings stay as they are.

    A line is in memory at a time. Raises PublisherFault for another file.
    """
    new_file = file.with_name(f"{file.name}.named")
    with (
        os_faults(message("write {file}", file=new_file)),
        file.open("rb") as source,
        new_file.open("w", encoding="utf-8") as target,
    ):
        while line := source.readline(_LINE_BYTES):
            if not line.strip():
                continue
            try:
                ruling = json.loads(line)
                ruling.update({CARD_NAMES: list(card_names)} if (card_names := names.get(ruling[_CARD_ID])) else {})
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
                raise PublisherFault("{url} has a line that is no ruling: the file has changed", url=url) from fault
            target.write(f"{json.dumps(ruling, ensure_ascii=False)}\n")
        new_file.replace(file)


_LINE_BYTES = 1 << 20
"""Maximum number of bytes of a ruling; a longer line is no JSON by itself."""
