"""Text: folding for comparison, repair for reading, excerpts."""

import re
import unicodedata
from functools import cache
from hashlib import sha256
from itertools import chain

CJK = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff65-\uff9f"
"""Character class body: kana and Han."""
CJK_MARKS = "\u3001-\u3004\u3008-\u3020\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff64"

# Character by character, so that offsets stay the same: full-width ASCII, and the spaces of text copied from PDFs.
_HALF_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SPACES = dict.fromkeys(chain((0x00A0, 0x3000, 0x202F, 0x205F), range(0x2000, 0x200B)), 0x20)
_NARROW = {chr(wide): chr(plain) for wide, plain in (_HALF_WIDTH | _SPACES).items()}
_FREQUENT_WIDE = "\uff0c\uff1a\uff08\uff09\uff1b\u3000"
"""Wide punctuation that is frequent in Chinese and Japanese; in a long text str.replace is faster for it than a pattern."""
_LONG_TEXT = 1_000

# Typography that never distinguishes two rules.
_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u300c\u300d\u300e\u300f", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)


def printable_line(line: str) -> str:
    """A line with `\ufffd` in place of each character that could control a terminal or change its text direction."""
    return "".join(character if character.isprintable() else "\ufffd" for character in line)


def to_half_width(text: str) -> str:
    """The text with full-width ASCII and unusual spaces replaced by plain ones; offsets stay the same."""
    # ten times as fast as str.translate, which looks up every character
    if text.isascii():
        return text
    for wide in _FREQUENT_WIDE if len(text) > _LONG_TEXT else "":
        text = text.replace(wide, _NARROW[wide])
    return _wide_pattern().sub(lambda wide: _NARROW[wide[0]], text)


@cache
def _wide_pattern() -> re.Pattern[str]:
    return re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000\uff01-\uff5e]")


def fold_text(text: str) -> str:
    """The text for comparison: NFKC, no spaces, lower case, plain quotes and dashes."""
    return "".join(unicodedata.normalize("NFKC", text).translate(_TYPOGRAPHY).lower().split())


def fold_hash(text: str) -> str:
    """SHA-256 (64 hex) of the folded text: equal for two copies of the same words."""
    return sha256(fold_text(text).encode()).hexdigest()


# Patterns are compiled on first use, since a look-up needs none of them.
@cache
def _quoted_name() -> re.Pattern[str]:
    """Quoted names, whose spaces are kept: 《虹速 ザ・ヴェルデ》."""
    return re.compile("(《[^《》\n]*》|「[^「」\n]*」|『[^『』\n]*』)")


@cache
def _unprinted_space(lang: str) -> re.Pattern[str]:
    """Spaces that are not printed: in Japanese on either side of a character, in Chinese between two characters."""
    both = f"(?<=[{CJK}{CJK_MARKS}])[ \u00a0\u3000]+(?=[{CJK}{CJK_MARKS}])"
    if lang != "ja":
        return re.compile(both)
    return re.compile(f"(?<=[{CJK}{CJK_MARKS}])[ \u00a0\u3000]+(?=\\S)|(?<=\\S)[ \u00a0\u3000]+(?=[{CJK}{CJK_MARKS}])")


@cache
def _torn_dot_pattern() -> re.Pattern[str]:
    """`1 .2.3`."""
    return re.compile(r"(?<=\d) \.(?=\d)")


def remove_torn_spaces(text: str, lang: str) -> str:
    """The text without the spaces that copying from a PDF leaves inside Japanese and Chinese words.

    Japanese prints no spaces outside names, so every space beside a kana or Han character is removed; Chinese keeps spaces beside
    Latin words. English is returned unchanged.
    """
    if lang == "en" or (" " not in text and "\u3000" not in text and "\u00a0" not in text):
        return text
    space = _unprinted_space("ja" if lang == "ja" else "zh")
    parts = _quoted_name().split(text)
    parts[::2] = (space.sub("", part) for part in parts[::2])
    text_without_gaps = _torn_dot_pattern().sub(".", "".join(parts))
    return re.sub(f"(?<=[{CJK}{CJK_MARKS}]) +(?=[《「『])|(?<=[》」』]) +(?=[{CJK}{CJK_MARKS}])", "", text_without_gaps)


_UNIT = re.compile(f"\\s+|[{CJK}{CJK_MARKS}]|[^\\s{CJK}{CJK_MARKS}]+")
_CHARACTER, _WORD, _BUDGET = 2, 5, 40
"""Costs of a CJK character and of a Latin word, and the budget of one side: 20 characters or 8 words."""
_WINDOW = 400  # characters; more than 8 words have


def context_around(text: str, start: int, end: int) -> tuple[str, str]:
    """The words before and after `text[start:end]`, at most 20 CJK characters or 8 other words on each side.

    `…` marks where the text continues; line breaks become spaces.
    """
    head, tail = text[max(start - _WINDOW, 0) : start], text[end : end + _WINDOW]
    before = _units_within_budget(_UNIT.findall(head)[::-1])
    after = _units_within_budget(_UNIT.findall(tail))
    before_text, after_text = "".join(before[::-1]), "".join(after)
    more_before, more_after = (
        len(before_text) < start and text[: start - len(before_text)].strip(),
        text[end + len(after_text) :].strip(),
    )
    before_text, after_text = re.sub(r"\s+", " ", before_text), re.sub(r"\s+", " ", after_text)
    return (
        f"…{before_text.lstrip()}" if more_before else before_text.lstrip(),
        f"{after_text.rstrip()}…" if more_after else after_text.rstrip(),
    )


def _units_within_budget(units: list[str]) -> list[str]:
    """The first units within the budget."""
    budget = _BUDGET
    for count, unit in enumerate(units):
        is_cjk = len(unit) == 1 and not unit.isascii()
        budget -= 0 if unit.isspace() else _CHARACTER if is_cjk else _WORD
        if budget < 0:
            return units[:count]
    return units
