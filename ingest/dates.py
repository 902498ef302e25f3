"""Dates in a text, in a file name and in a ruling: the day, month or year."""

import re
from calendar import month_abbr, month_name
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from functools import cache

from corpus.catalogue import catalogue
from corpus.ordinals import HAN, han_number
from corpus.words.text import remove_torn_spaces, to_half_width

_MONTHS = {name.lower(): number for names in (month_name, month_abbr) for number, name in enumerate(names) if name} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"(?P<iso>(?P<y1>\d{{4}})[-/.](?P<m1>\d{{1,2}})[-/.](?P<d1>\d{{1,2}}))"
    rf"|(?P<han>(?P<y2>\d{{4}}) ?年 ?(?P<m2>\d{{1,2}}) ?月 ?(?P<d2>\d{{1,2}}) ?日)"
    rf"|(?P<us>\b(?P<m3>{_MONTH})\.? (?P<d3>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y3>\d{{4}}))"
    rf"|(?P<uk>(?P<d4>\d{{1,2}})(?:st|nd|rd|th)? (?P<m4>{_MONTH})\.?,? (?P<y4>\d{{4}}))"
    rf"|(?P<slash>(?P<m5>\d{{1,2}})/(?P<d5>\d{{1,2}})/(?P<y5>(?:\d{{2}})?\d{{2}})(?!\d))"
    r"|(?P<dots>(?<![\d.])(?P<d7>\d{1,2})\.\s?(?P<m7>\d{1,2})\.\s?(?P<y7>(?:19|20)\d{2})(?![\d.]))"
    r"|(?P<plain>(?<!\d)(?P<y6>(?:19|20)\d{2})(?P<m6>[01]\d)(?P<d6>[0-3]\d)(?!\d))",
    re.I,
)
_FIRST_LINES = 12
_SEARCHED_LENGTH = 6000
"""Number of characters at both ends of a text that are searched: a date deep inside is an event, not the edition."""
_TITLE_LENGTH = 600
"""Number of characters of a title page, where a date beside a version is the edition's."""
_MONTH_ONLY = re.compile(
    rf"\b(?P<m1>{_MONTH})\.?,? (?P<y1>(?:19|20)\d{{2}})\b|(?P<y2>(?:19|20)\d{{2}}) ?年 ?(?P<m2>\d{{1,2}}) ?月(?! ?\d)"
    r"|(?<![\d.-])(?P<y3>20\d{2})[-/.](?P<m3>0[1-9]|1[0-2])(?![\d.-])",
    re.I,
)
_DATE_LINE = re.compile(
    r"[\W_]*(?:(?:as of|date|日期|日付|日)\W*)?(?P<date>\S.*?)(?:版|現在|现在|改訂|改定|修订|修訂)?[\W_]*", re.I
)
"""A line with only a date."""
_HAN_DATE = re.compile(rf"([〇零一二三四五六七八九]{{4}})年([{HAN}]{{1,3}})月([{HAN}]{{1,3}})日")


def _date_in_digits(date_: re.Match[str]) -> str:
    return "{}-{}-{}".format(*map(han_number, date_.groups()))


@cache
def _cue_pattern(kind: str) -> re.Pattern[str]:
    words = (re.escape(word).replace(r"\.", r"\s?\.") for word in catalogue().dates[kind])
    return re.compile("|".join(words), re.I)


def find_day(words: str) -> str | None:
    """The first date in a string as YYYY-MM-DD; the day comes before the month only if the other order is invalid."""
    text = _HAN_DATE.sub(_date_in_digits, to_half_width(words))
    for match in _DATE.finditer(text):
        groups = {name: text for name, text in match.groupdict().items() if text}
        year, month, day = (next(text for name, text in groups.items() if name[0] == part and len(name) == 2) for part in "ymd")
        number = _MONTHS.get(month.lower()) or int(month)
        for first, second in ((number, int(day)), (int(day), number)):
            if date_ := _valid_iso_date(int(year) + 2000 * (len(year) == 2), first, second):
                return date_
    era = _ERA.search(text)
    return _date_in_era(era) if era and era[1] in ("令和", "平成") else None  # R7.3.1 among other words is a number


def find_month(words: str) -> str | None:
    """The first month in a string as YYYY-MM."""
    match = _MONTH_ONLY.search(to_half_width(words))
    if match is None:
        return None
    year, month = (next(text for name, text in match.groupdict().items() if name[0] == part and text) for part in "ym")
    number = _MONTHS.get(month.lower()) or int(month)
    return f"{year}-{number:02}" if 1 <= number <= 12 else None


def stated_date(text: str) -> tuple[str, str] | None:
    """The date stated by a text, as YYYY-MM-DD or YYYY-MM, and the kind of the statement; None if it states none.

    The kinds are `effective`, `updated` and, on the first lines only, `version` and `printed` (a line with only a date): a version
    history at the end is ignored. A month counts only if no day is stated.
    """
    ends = [text[:_SEARCHED_LENGTH], text[-_SEARCHED_LENGTH:]] if len(text) > _SEARCHED_LENGTH else [text]
    places = (("effective", ends), ("updated", ends), ("version", [text[:_TITLE_LENGTH]]))
    for parse in (find_day, find_month):
        for kind, parts in places:
            for line in _join_torn_lines(parts):
                date_ = _cue_pattern(kind).search(line) and parse(line)
                if date_:
                    return date_, kind
        for line in list(filter(None, map(str.strip, _join_torn_lines([text[:_TITLE_LENGTH]]))))[:_FIRST_LINES]:
            if (date_ := parse(line)) and _is_alone(line):
                return date_, "printed"
    return None


def _is_alone(line: str) -> bool:
    """Whether a line is a date with no other words."""
    words = _DATE_LINE.fullmatch(line)
    return words is not None and any(form.fullmatch(words["date"]) for form in (_DATE, _ERA, _MONTH_ONLY, _HAN_DATE))


def date_in_file_name(name: str) -> str | None:
    """The date in a file name: `rules_20240301_march.txt`, `CR-2024-03-01.pdf`; a month if there is no day."""
    words = re.sub(r"(?<=\d)[_ ](?=\d)", "-", name.rsplit(".", 1)[0]).replace("_", " ")
    text = re.sub(r"(?<=[A-Za-z])-(?=\d)|(?<=\d)-(?=[A-Za-z])", " ", words)
    return find_day(text) or find_month(text)


def _join_torn_lines(lines: list[str]) -> Iterator[str]:
    """The lines, without the spaces that copying leaves inside Japanese words."""
    for end in lines:
        for line in re.split(r"[\r\n\f]+", to_half_width(end)):
            yield remove_torn_spaces(line, "ja")


_ERAS = {"令和": 2018, "平成": 1988, "R": 2018, "H": 1988}
_ERA = re.compile(r"(令和|平成|R|H)\s?(\d{1,2}|元)\s?[年.]\s?(\d{1,2})\s?[月.]\s?(\d{1,2})\s?日?")
_PARTIAL_DATE = re.compile(r"((?:19|20)\d{2})(?:\s?[-/.年]\s?(0?[1-9]|1[0-2])\s?月?)?\s?年?")
_UNIX_TIME = re.compile(r"\d{9,10}(?:\.\d+)?|\d{12,13}")
_SLASHED_DATE = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})")
_MAX_LENGTH = 40
"""Maximum length of a value that may be a date: a longer one is a sentence that contains a date."""


def parse_day(words: str, *, day_first: bool = False) -> str | None:
    """A day, month or year in a string, as ISO; None if there is no date. `day_first`: 03/04/2025 is 3 April."""
    text = to_half_width(words).strip()
    if not text or len(text) > _MAX_LENGTH:
        return None
    if _UNIX_TIME.fullmatch(text):
        return _since_1970(float(text))
    if era := _ERA.search(text):
        return _date_in_era(era)
    if (slashes := _SLASHED_DATE.match(text)) and day_first:
        return _valid_iso_date(int(slashes[3]), int(slashes[2]), int(slashes[1]))
    if slashes:
        return _valid_iso_date(int(slashes[3]), int(slashes[1]), int(slashes[2])) or _valid_iso_date(
            int(slashes[3]), int(slashes[2]), int(slashes[1])
        )
    if part := _PARTIAL_DATE.fullmatch(text):
        return part[1] if part[2] is None else f"{part[1]}-{int(part[2]):02}"
    return find_day(text)


def is_day_first(values: Iterable[str]) -> bool:
    """Whether the day comes first in all dates, as shown by 25/03/2024."""
    dates = [match for value in values if (match := _SLASHED_DATE.match(to_half_width(value).strip()))]
    return any(int(match[1]) > 12 for match in dates) and not any(int(match[2]) > 12 for match in dates)


def _date_in_era(era: re.Match[str]) -> str | None:
    return _valid_iso_date(_ERAS[era[1]] + (1 if era[2] == "元" else int(era[2])), int(era[3]), int(era[4]))


def _since_1970(number: float) -> str | None:
    seconds = number / 1000 if number > 10**11 else number
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _valid_iso_date(year: int, month: int, day_: int) -> str | None:
    try:
        return date(year, month, day_).isoformat()
    except ValueError:
        return None
