"""Which edition a date or a name means, among those that are there."""

import re
from collections.abc import Iterable, Sequence

from corpus.address import EditionKey
from corpus.age import oldest_first

_ISO = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_WHOLE = 10


def is_date(named: str) -> bool:
    """Whether an edition is named by an ISO date, whole or in part."""
    return bool(_ISO.fullmatch(named))


def meant(named: str, keys: Iterable[EditionKey]) -> list[EditionKey]:
    """The editions that a name means, at most one of each book.

    A whole date and a slug name one edition: another one was not what the writer had before him. A year or month means the
    edition that was in force at its end.
    """
    books: dict[tuple[str, str], list[EditionKey]] = {}
    for key in keys:
        books.setdefault((key.game, key.book), []).append(key)
    return [edition for editions in books.values() if (edition := _meant(named, editions))]


def _meant(named: str, editions: Sequence[EditionKey]) -> EditionKey | None:
    if not is_date(named) or len(named) == _WHOLE:
        return next((key for key in editions if key.edition == named), None)
    in_force = [key for key in editions if _ISO.fullmatch(key.edition) and key.edition[: len(named)] <= named]
    return max(in_force, key=oldest_first, default=None)
