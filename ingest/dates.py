"""The date that a text states for itself: effective first, else last updated."""

import re
from calendar import month_abbr, month_name
from collections.abc import Iterator
from datetime import date
from functools import cache

from corpus.catalogue import catalogue
from corpus.text import narrow

_MONTHS = {name.lower(): number for names in (month_name, month_abbr) for number, name in enumerate(names) if name} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"(?P<iso>(?P<y1>\d{{4}})[-/.](?P<m1>\d{{1,2}})[-/.](?P<d1>\d{{1,2}}))"
    rf"|(?P<han>(?P<y2>\d{{4}}) ?年 ?(?P<m2>\d{{1,2}}) ?月 ?(?P<d2>\d{{1,2}}) ?日)"
    rf"|(?P<us>\b(?P<m3>{_MONTH})\.? (?P<d3>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y3>\d{{4}}))"
    rf"|(?P<uk>(?P<d4>\d{{1,2}})(?:st|nd|rd|th)? (?P<m4>{_MONTH})\.?,? (?P<y4>\d{{4}}))"
    rf"|(?P<slash>(?P<m5>\d{{1,2}})/(?P<d5>\d{{1,2}})/(?P<y5>\d{{4}}))",
    re.I,
)
_WHERE = 6000
"""Characters at both ends of a text that are searched: a date deep inside is an event, not the edition."""


@cache
def _cue(kind: str) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(word) for word in catalogue().dates[kind]), re.I)


def iso(words: str) -> str | None:
    """The first date in some words as YYYY-MM-DD; day before month only where the other order is no date."""
    for match in _DATE.finditer(narrow(words)):
        groups = {name: text for name, text in match.groupdict().items() if text}
        year, month, day = (next(text for name, text in groups.items() if name[0] == part and len(name) == 2) for part in "ymd")
        number = _MONTHS.get(month.lower()) or int(month)
        for first, second in ((number, int(day)), (int(day), number)):
            try:
                return date(int(year), first, second).isoformat()
            except ValueError:
                continue
    return None


def stated(text: str) -> tuple[str, str] | None:
    """The date that the text states and the kind of the statement (`effective`, `updated`); None if it states none."""
    ends = [narrow(text[:_WHERE]), narrow(text[-_WHERE:])] if len(text) > _WHERE else [narrow(text)]
    for kind in ("effective", "updated"):
        for line in _lines(ends):
            found = _cue(kind).search(line) and iso(line)
            if found:
                return found, kind
    return None


def _lines(ends: list[str]) -> Iterator[str]:
    for end in ends:
        yield from re.split(r"[\r\n\f]+", end)
