"""The date of a text according to its front matter, its byline, its chat messages or `as of …`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from corpus.editions.citations.context import DateMention, date_form, dates, iso_date
from corpus.editions.citations.phrases import alternation, compile_pattern, phrase_list, phrase_pattern
from corpus.editions.citations.view import FRONT_MATTER
from corpus.words.sentences import SENTENCE_STOP
from corpus.words.text import to_half_width

_DATE_KEY = re.compile(
    r"^(?:date|published|publishdate|pubdate|created|updated|lastmod|modified|last_modified_at|日期|日付|更新)[\w-]{0,12}"
    r"[ \t]{0,3}[:=][ \t]{0,3}[\"']?(\d{4}[-/.]\d{1,2}[-/.]\d{1,2})",
    re.I | re.M,
)
_META_TAG = re.compile(
    r"<(?:meta|time)\b[^<>]{0,300}?(?:published|modified|updated|created|date|dc\.date|datetime|pubdate)[^<>]{0,300}>"
    r"|\"date(?:Published|Modified|Created)\"\s?:\s?\"[^\"]{0,40}\"",
    re.I,
)
_ISO_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_HEAD, _FOOT = 14, 4
"""Number of lines at the beginning and end of a text that may be its byline."""
_MAX_LINE_LENGTH = 110
"""Longest byline, in characters."""
_EDGE_CHARACTERS = re.compile(r"[\s|｜·‧•・—–\-/、,，:：()（）\[\]【】*_>#]*")
_RULE_NUMBER = re.compile(r"(?<!\d)\d{3}\.\d")
_MIN_TIMESTAMPS = 2
"""Number of time-stamped messages from which a text counts as a chat log."""


class TextDate(NamedTuple):
    """When a text was written: an ISO date, whole or in part, or two days; `edition`: the text names the edition."""

    first: str
    last: str | None = None
    edition: bool = False


def date_of_text(source: str) -> TextDate | None:
    """The date of a text, or the edition that it names; None without either."""
    text = to_half_width(source)
    edition_name = _named_edition(text)
    if edition_name:
        return TextDate(edition_name, edition=True)
    days = sorted({day for day in (_dates_in_metadata(text) or _chat_days(text) or _byline_dates(text)) if is_day(day)})
    if not days:
        return None
    return TextDate(days[0], days[-1] if len(days) > 1 else None)


_BARE_DATE = re.compile(r"(?:(?:back )?in|by|per|from|under|following|at|于|於|自|按照?|依照|根据|依据)?\s?(?:the\s)?", re.I)
"""Words that name no edition with a date behind them: in 2024."""


def edition_date_in(question: str) -> DateMention | None:
    """The date by which a question names its edition (2024年時点で, in the rules of 2024), with the words that lead to it.

    None if there are several, or if the question may not be about that edition: before the 2024 rules, the 2024 edition promo card.
    """
    text = to_half_width(question)
    mentions = {(mention.start, mention.end): mention for mention in dates(text) if is_day(mention.when)}
    of_editions = [mention for mention in mentions.values() if not _is_bare(text[mention.start : mention.end])]
    if len({mention.when for mention in of_editions}) != 1:
        return None
    longest = max(of_editions, key=lambda mention: mention.end - mention.start)
    return None if _is_of_something_else(text, longest) else _with_words_around(text, longest)


def _is_bare(words: str) -> bool:
    return bool(_BARE_DATE.fullmatch(_DATE.sub("", words, count=1)))


_DATE = compile_pattern(date_form())
_LEAD = compile_pattern(f"{phrase_pattern('question', 'lead')}$")
_RULES, _TRAIL = (compile_pattern(phrase_pattern("question", name)) for name in ("rules", "trail"))
_APART_BEFORE = compile_pattern(f"{phrase_pattern('question', 'apart_before')}$")
_APART_BEHIND = compile_pattern(phrase_pattern("question", "apart_behind"))
_CURRENT_RULES = compile_pattern(phrase_pattern("question", "current"))
_PRINTED = compile_pattern(phrase_pattern("question", "printed"))
_THINGS_BEFORE = compile_pattern(f"{phrase_pattern('question', 'things_before')}$")
_THINGS_BEHIND = compile_pattern(phrase_pattern("question", "things_behind"))
_GOES_ON = compile_pattern(phrase_pattern("question", "goes_on"))


def _is_of_something_else(text: str, mention: DateMention) -> bool:
    """Whether a date may be one end of a time, or that of a printed thing, or the question one about today's rules."""
    words = text[mention.start : mention.end]
    date = _DATE.search(words)
    places = (mention.start, mention.start + date.start() if date else mention.start)
    around = (text[: mention.start], text[mention.end :])
    if any(_APART_BEFORE.search(text[:place]) for place in places) or any(map(_CURRENT_RULES.search, around)):
        return True
    rules = _RULES.match(text, mention.end)
    if _APART_BEHIND.match(text, rules.end() if rules else mention.end):
        return True
    if rules or not _PRINTED.search(words):
        return False
    is_of_thing = _THINGS_BEFORE.search(text[: mention.start]) or _THINGS_BEHIND.match(text, mention.end)
    return bool(is_of_thing) or (words.isascii() and not _GOES_ON.match(text, mention.end))


def _with_words_around(text: str, mention: DateMention) -> DateMention:
    """A date with the words beside it that are no part of the question without it: in the …, …里的, …では."""
    rules = _RULES.match(text, mention.end)
    lead, trail = _LEAD.search(text[: mention.start]), _TRAIL.match(text, rules.end() if rules else mention.end)
    return mention._replace(start=lead.start() if lead else mention.start, end=trail.end() if trail else mention.end)


def is_day(date: str) -> bool:
    """Whether it is a valid date, complete or partial."""
    year, *rest = (int(part) for part in date.split("-"))
    return 1990 <= year <= 2100 and all(1 <= part <= most for part, most in zip(rest, (12, 31), strict=False))


_DOCUMENT_NAMES = tuple(compile_pattern(entry.replace("{date}", date_form())) for entry in phrase_list("written", "edition"))


def _named_edition(text: str) -> str | None:
    """The edition that a text declares as its own, in a sentence without citations."""
    for pattern in _DOCUMENT_NAMES:
        for match in pattern.finditer(text):
            start = max(text.rfind(end, 0, match.start()) for end in "\n。.") + 1
            stop = min((at for end in "\n。" if (at := text.find(end, match.end())) >= 0), default=len(text))
            if not _RULE_NUMBER.search(text, start, stop) and is_day(date := iso_date(match["date"])):
                return date
    return None


def _dates_in_metadata(text: str) -> list[str]:
    """The dates in the front matter or in the metadata of a page."""
    front = FRONT_MATTER.match(text)
    keys = _DATE_KEY.finditer(front[2]) if front else ()
    days = [_iso_from_match(day) for key in keys if (day := _ISO_DAY.search(key[1]))]
    if not days and "<" in text:
        days = [_iso_from_match(day) for tag in _META_TAG.finditer(text) for day in _ISO_DAY.finditer(tag[0])]
    return days


def _iso_from_match(match: re.Match[str]) -> str:
    return f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}"


_LABEL = compile_pattern(rf"(?<![a-z]){alternation(*phrase_list('written', 'label'))}[^\d\n]{{0,24}}$")
_DATE = compile_pattern(date_form())


def _byline_dates(text: str) -> list[str]:
    """The dates of a byline at the beginning or end of a text."""
    front = FRONT_MATTER.match(text)
    lines = [line.strip() for line in text[front.end() if front else 0 :].split("\n") if line.strip()]
    for some, labelled in ((lines[:_HEAD], False), (lines[-_FOOT:], True)):
        for line in some:
            if days := list(_dates_of(re.sub(r"<[^<>]{0,300}>", " ", line), labelled=labelled)):
                return days
    return []


def _dates_of(line: str, *, labelled: bool) -> Iterator[str]:
    """The dates of a line, if it is a byline; `labelled`: only dates after a word such as `updated`."""
    dates = list(_DATE.finditer(line[:400]))
    for match in dates:
        label = _LABEL.search(line[max(0, match.start() - 40) : match.start()])
        if label or (not labelled and len(dates) == 1 and _is_alone_on_line(line, match)):
            date = iso_date(match["date"])
            if date.count("-") == 2 or (label and date.count("-") == 1):
                yield date


def _is_alone_on_line(line: str, match: re.Match[str]) -> bool:
    """Whether a date stands alone in a short line."""
    if len(line) > _MAX_LINE_LENGTH or match["date"].isdigit() or _RULE_NUMBER.search(line):
        return False
    before, behind = line[: match.start()], line[match.end() :]
    apart = bool(_EDGE_CHARACTERS.fullmatch(before.rstrip()[-1:])) or line.startswith("#")
    return apart and not SENTENCE_STOP.search(before) and not SENTENCE_STOP.search(behind.rstrip("。.！!？?"))


_TIMESTAMP = re.compile(rf"^{phrase_pattern('chat', 'stamp')}", re.M)


def _chat_days(text: str) -> list[str]:
    """The days of a chat log's messages."""
    stamps = (re.sub(r"[年月]", "-", stamp[0]) for stamp in _TIMESTAMP.finditer(text))
    days = [_iso_from_match(day) for stamp in stamps if (day := _ISO_DAY.search(stamp))]
    return days if len(days) >= _MIN_TIMESTAMPS else []
