"""The date of a ruling: ISO, 2025.03.08, 2025年3月8日, 令和7年3月8日, March 8, 2025, seconds since 1970."""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime

from corpus.words.text import narrow
from ingest.recognise.dates import iso

_ERAS = {"令和": 2018, "平成": 1988, "R": 2018, "H": 1988}
_ERA = re.compile(r"(令和|平成|R|H)\s?(\d{1,2}|元)\s?[年.]\s?(\d{1,2})\s?[月.]\s?(\d{1,2})\s?日?")
_PART = re.compile(r"((?:19|20)\d{2})(?:\s?[-/.年]\s?(0?[1-9]|1[0-2])\s?月?)?\s?年?")
_SECONDS = re.compile(r"\d{9,10}(?:\.\d+)?|\d{12,13}")
_SLASHES = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})")
_LONGEST = 40
"""Characters of a value that may be a date: a longer one is a sentence with a date in it."""


def day(words: str, *, day_first: bool = False) -> str | None:
    """A day, month or year in some words, as ISO; None for no date. `day_first` tells what 03/04/2025 is."""
    text = narrow(words).strip()
    if not text or len(text) > _LONGEST:
        return None
    if _SECONDS.fullmatch(text):
        return _since_1970(float(text))
    if era := _ERA.search(text):
        year = _ERAS[era[1]] + (1 if era[2] == "元" else int(era[2]))
        return _valid(year, int(era[3]), int(era[4]))
    if (slashes := _SLASHES.match(text)) and day_first:
        return _valid(int(slashes[3]), int(slashes[2]), int(slashes[1]))
    if slashes:
        return _valid(int(slashes[3]), int(slashes[1]), int(slashes[2])) or _valid(
            int(slashes[3]), int(slashes[2]), int(slashes[1])
        )
    if part := _PART.fullmatch(text):
        return part[1] if part[2] is None else f"{part[1]}-{int(part[2]):02}"
    return iso(text)


def is_day_first(values: Iterable[str]) -> bool:
    """Whether dates such as 25/03/2024 among some tell that the day comes first in all."""
    dates = [match for value in values if (match := _SLASHES.match(narrow(value).strip()))]
    return any(int(match[1]) > 12 for match in dates) and not any(int(match[2]) > 12 for match in dates)


def _since_1970(number: float) -> str | None:
    seconds = number / 1000 if number > 10**11 else number
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _valid(year: int, month: int, day_: int) -> str | None:
    try:
        return date(year, month, day_).isoformat()
    except ValueError:
        return None
