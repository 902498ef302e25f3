"""The date that a text states for itself: effective first, else last updated."""

import re
from calendar import month_abbr, month_name
from collections.abc import Iterator
from datetime import date
from functools import cache

from corpus.catalogue import catalogue
from corpus.words.text import heal, narrow

_MONTHS = {name.lower(): number for names in (month_name, month_abbr) for number, name in enumerate(names) if name} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"(?P<iso>(?P<y1>\d{{4}})[-/.](?P<m1>\d{{1,2}})[-/.](?P<d1>\d{{1,2}}))"
    rf"|(?P<han>(?P<y2>\d{{4}}) ?年 ?(?P<m2>\d{{1,2}}) ?月 ?(?P<d2>\d{{1,2}}) ?日)"
    rf"|(?P<us>\b(?P<m3>{_MONTH})\.? (?P<d3>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y3>\d{{4}}))"
    rf"|(?P<uk>(?P<d4>\d{{1,2}})(?:st|nd|rd|th)? (?P<m4>{_MONTH})\.?,? (?P<y4>\d{{4}}))"
    rf"|(?P<slash>(?P<m5>\d{{1,2}})/(?P<d5>\d{{1,2}})/(?P<y5>(?:\d{{2}})?\d{{2}})(?!\d))"
    r"|(?P<plain>(?<!\d)(?P<y6>(?:19|20)\d{2})(?P<m6>[01]\d)(?P<d6>[0-3]\d)(?!\d))",
    re.I,
)
_WHERE = 6000
"""Characters at both ends of a text that are searched: a date deep inside is an event, not the edition."""
_TITLE = 600
"""Characters of a title page, where a date beside a version is the edition's."""


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
                return date(int(year) + 2000 * (len(year) == 2), first, second).isoformat()
            except ValueError:
                continue
    return None


def stated(text: str) -> tuple[str, str] | None:
    """The date that the text states and the kind of the statement; None if it states none.

    The kinds are `effective`, `updated` and, on the first lines only, `version`: a history of versions at the end is none.
    """
    ends = [text[:_WHERE], text[-_WHERE:]] if len(text) > _WHERE else [text]
    for kind, parts in (("effective", ends), ("updated", ends), ("version", [text[:_TITLE]])):
        for line in _lines(parts):
            date_ = _cue(kind).search(line) and iso(line)
            if date_:
                return date_, kind
    return None


def _lines(ends: list[str]) -> Iterator[str]:
    """The lines, without the spaces that a copy leaves inside Japanese words."""
    for end in ends:
        for line in re.split(r"[\r\n\f]+", narrow(end)):
            yield heal(line, "ja")
