"""The editions that a text names: dates, whole or in part, beside a citation or in its sentence."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from corpus.editions.citations.phrases import any_of, compiled, listed, single

_WINDOW = 70
_YEAR = re.compile(r"(?:19|20)\d\d")
"""What every date has: most texts have none, and are not searched for one."""
_NUMERIC = re.compile(
    r"(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?|(\d{4})年(?:\s?(\d{1,2})月(?:\s?(\d{1,2})日)?)?|(\d{4})(\d{2})(\d{2})|(\d{4})"
)


class Dated(NamedTuple):
    """A date that a text names an edition by."""

    start: int
    end: int
    when: str


@cache
def _date() -> str:
    month, year, day = any_of(*listed("edition", "months")), r"(?:19|20)\d\d", r"\d{1,2}(?:st|nd|rd|th)?"
    forms = (
        rf"{year}-\d\d-\d\d",
        rf"{year}/\d{{1,2}}/\d{{1,2}}",
        rf"{year}[-/]\d{{1,2}}",
        rf"{month}\.?\s{day},?\s{year}",
        rf"{day}\s(?:of\s)?{month}\.?,?\s{year}",
        rf"{month}\.?,?\s(?:of\s)?{year}",
        rf"{year}年(?:\s?\d{{1,2}}月(?:\s?\d{{1,2}}日)?)?",
        rf"{year}\d{{4}}",
        year,
    )
    return rf"(?<![\d.])(?P<date>{'|'.join(forms)})(?![\d]|[.\-/]\d)"


@cache
def _patterns(kind: str, ending: str = "") -> tuple[re.Pattern[str], ...]:
    return tuple(compiled(entry.replace("{date}", _date()) + ending) for entry in listed("edition", kind))


@cache
def _before() -> tuple[re.Pattern[str], ...]:
    return _patterns("before", rf"(?:{single('game', 'between')})*+$")


def iso(date: str) -> str:
    """A date as the text has it → `2022`, `2022-06` or `2022-06-10`."""
    month = next(
        (place for place, name in enumerate(listed("edition", "months"), 1) if compiled(rf"\b{name}\b").search(date)), None
    )
    if month:
        year = date[-4:]
        day = re.search(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", date)
        return f"{year}-{month:02}" + (f"-{int(day[1]):02}" if day else "")
    match = _NUMERIC.search(date)
    numbers = [int(number) for number in match.groups() if number] if match else []
    return "-".join(f"{number:02}" for number in numbers)


def behind(text: str, end: int) -> Dated | None:
    """The date right behind a citation: 613.7 (2021)."""
    match = next((hit for pattern in _patterns("behind") if (hit := pattern.match(text, end))), None)
    return Dated(match.start(), match.end(), iso(match["date"])) if match else None


def before(text: str, start: int) -> Dated | None:
    """The date that leads a citation in: 2022年6月版の規則701.17."""
    window = max(0, start - _WINDOW)
    match = next((hit for pattern in _before() if (hit := pattern.search(text[window:start]))), None)
    return Dated(window + match.start(), window + match.end(), iso(match["date"])) if match else None


def phrases(text: str) -> Iterator[Dated]:
    """The dates that a text names an edition by, for every citation of their sentence."""
    if not _YEAR.search(text):
        return
    for pattern in _patterns("sentence"):
        for match in pattern.finditer(text):
            yield Dated(match.start(), match.end(), iso(match["date"]))
