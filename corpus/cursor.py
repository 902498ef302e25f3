"""Cursors: a place in the answer to a request, which no other request accepts.

`5.3fa09c` is the place after five entries, `2-14.3fa09c` the place after two entries and fourteen parts of the third. The digits
after the dot depend on the request, so that a cursor from elsewhere is refused instead of skipping entries that were never shown.
"""

import re
from hashlib import blake2b

from corpus.errors import InputError

MAX_LENGTH = 40
"""Maximum number of characters of a cursor."""
_CHECK_BYTES = 3
_CURSOR = re.compile(r"([0-9]{1,9}(?:-[0-9]{1,9})?)\.([0-9a-f]{6})")


def make_cursor(place: tuple[int, ...], *request: object) -> str:
    """The cursor of a place, a number of entries and perhaps one of parts, in the answer to a request."""
    return f"{'-'.join(map(str, place))}.{_check(request)}"


def parse_cursor(cursor: str | None, *request: object) -> tuple[int, int]:
    """The number of entries and of parts of the next one that a cursor skips; none of both without one and for `0`.

    Raises InputError for a cursor of another request.
    """
    if cursor in (None, "", "0"):
        return 0, 0
    match = _CURSOR.fullmatch(str(cursor))
    if match is None or match[2] != _check(request):
        raise InputError(
            "cursor {given!r}: expected the cursor of the previous answer to the same request", given=str(cursor)[:MAX_LENGTH]
        )
    entries, _, parts = match[1].partition("-")
    return int(entries), int(parts or 0)


def _check(request: tuple[object, ...]) -> str:
    return blake2b(repr(request).encode(errors="replace"), digest_size=_CHECK_BYTES).hexdigest()
