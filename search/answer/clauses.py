"""The clauses of a rule's text: what can stand as an answer, as spans of code points.

A clause is a sentence, an item of a list, or a part of a sentence before or behind a semicolon that says something by itself. What
stands in brackets or between quotation marks is never torn: a rule that quotes an ability is one clause with its quotation.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from corpus.words.text import CJK
from search.answer.phrases import Phrases, phrases

_PAIRS = {
    "(": ")",
    "（": "）",
    "[": "]",
    "［": "］",
    "【": "】",
    "「": "」",
    "『": "』",
    "“": "”",
    "《": "》",
    "〈": "〉",
    "{": "}",
}
_CLOSES = "".join(_PAIRS.values()) + "’'*_"
_ENDS = re.compile(rf"[。！？!?．.]+[{re.escape(_CLOSES)}]*|[；;]|\n+|(?=\n)")
_OPENS = re.compile(rf"\s+[\"“‘'(（\[【「『*_]*[A-Z0-9{CJK}]|\s*$")
_WRAPS = re.compile(r"\s*[a-z(),;]")
_STOPS = frozenset("。！？!?．.:：；;") | frozenset(_CLOSES)
_CLOSED = re.compile(rf"[{re.escape(_CLOSES)}]")
_HAN = re.compile(f"[{CJK}]")
_BLANKS, _BULLETS = re.compile(r"\s*"), re.compile(r"[(（・•\-–—\s]*")
_NEAR = 8
"""Characters before a place that are looked at."""
_SHORTEST = 2.5
"""Words (of Japanese and Chinese two characters are one) below which a clause is no answer."""
_WORD = re.compile(r"[^\W_]+")
_ASIDE = re.compile(r"[(（][^\n]*[)）][.。]?")
"""What stands in brackets as a whole."""
_MARKER = re.compile(r"[\W_]*(?:\d{1,3}|[A-Za-z]|[\u2460-\u2473])[\W_]*")
"""The number of an item in a list, alone."""


class Clause(NamedTuple):
    """A half-open range of a text; `leans`: it cannot be understood without the clause before it."""

    start: int
    end: int
    leans: bool = False


def clauses(text: str, lang: str) -> list[Clause]:
    """The clauses of a text in a language, in order: together they hold all of it but the spaces between them."""
    said = phrases(lang)
    starts = [0, *_ends(text, said), len(text)]
    spans = [_trimmed(text, *pair) for pair in pairwise(starts)]
    there = [(start, end) for start, end in spans if start < end]
    return [
        Clause(start, end, leans=place > 0 and _leans(text, start, said)) for place, (start, end) in enumerate(_joined(text, there))
    ]


def says_enough(text: str) -> bool:
    """Whether some words can be an answer: not a mere name or number."""
    latin = len(_WORD.findall(_HAN.sub(" ", text)))
    return latin + len(_HAN.findall(text)) / 2 >= _SHORTEST


def _ends(text: str, said: Phrases) -> Iterator[int]:
    """Where clauses end."""
    inside = _inside(text)
    for match in _ENDS.finditer(text):
        stop, end = match.start(), match.end()
        if match[0].startswith("\n") or not match[0]:
            if not _is_wrapped(text, stop, end):
                yield end
        elif match[0] in (";", "；"):
            if not inside[stop] and not _goes_on(text, end, said):
                yield end
        elif _is_stop(text, match, inside, said):
            yield end
            if text[end : end + 1] in ("(", "（"):
                yield _behind_brackets(end, inside)


def _is_wrapped(text: str, stop: int, end: int) -> bool:
    """Whether a line break stands within a sentence, as copies have it: no stop before it, no new beginning behind."""
    return bool(_WRAPS.match(text, end)) and text[max(0, stop - _NEAR) : stop].rstrip()[-1:] not in _STOPS


def _is_stop(text: str, match: re.Match[str], inside: Sequence[int], said: Phrases) -> bool:
    """Whether a stop with the marks behind it ends a sentence."""
    stop, end = match.start(), match.end()
    if end < len(text) and inside[end - 1] - bool(_CLOSED.match(text, end - 1)) > 0:
        return False  # within brackets that go on
    if inside[stop] and said.quoted.match(text, end):
        return False
    if text[end - 1] in "。！？．" or text[stop] in "。！？":
        return True
    if text[stop] == "." and said.abbreviations.search(text[max(0, stop - _NEAR) : stop + 1]):
        return False
    return bool(_OPENS.match(text, end))


def _behind_brackets(start: int, inside: Sequence[int]) -> int:
    """Where brackets end that open at a place; the place itself where nobody closes them."""
    while start < len(inside) and inside[start]:
        start += 1
    return start


def _goes_on(text: str, end: int, said: Phrases) -> bool:
    """Whether what stands behind a semicolon says nothing without what stands before, or takes some of it back."""
    at = _behind(_BLANKS, text, end)
    return bool(said.leans.match(text, at) or said.excepts.match(text, at)) or text[at : at + 1].islower()


def _behind(skipped: re.Pattern[str], text: str, start: int) -> int:
    match = skipped.match(text, start)
    return match.end() if match else start


def _inside(text: str) -> list[int]:
    """In how many pairs of brackets or quotation marks each character stands; their own marks are inside too."""
    changes = [0] * (len(text) + 1)
    opened: list[tuple[str, int]] = []
    waiting: Counter[str] = Counter()
    for place, mark in enumerate(text):
        if mark == "\n":
            opened.clear()
            waiting.clear()
        elif waiting[mark]:
            start = _closed(mark, opened, waiting)
            changes[start] += 1
            changes[place + 1] -= 1
        elif closing := _PAIRS.get(mark):
            opened.append((closing, place))
            waiting[closing] += 1
    return list(accumulate(changes[:-1]))


def _closed(mark: str, opened: list[tuple[str, int]], waiting: Counter[str]) -> int:
    """Where the pair opened that a mark closes; what was opened within it and never closed is forgotten."""
    while True:
        closing, start = opened.pop()
        waiting[closing] -= 1
        if closing == mark:
            return start


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch without the spaces around it."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))


def _joined(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """A lone mark and what stands in brackets go with what stands before them, the number of an item with what stands behind."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and (_belongs(text, joined[-1][1], start, end) or _MARKER.fullmatch(text, *joined[-1])):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _belongs(text: str, before: int, start: int, end: int) -> bool:
    """Whether a stretch says nothing without the one that ends before it, in the same line."""
    return not _WORD.search(text, start, end) or bool("\n" not in text[before:start] and _ASIDE.fullmatch(text, start, end))


def _leans(text: str, start: int, said: Phrases) -> bool:
    return bool(said.leans.match(text, _behind(_BULLETS, text, start)))
