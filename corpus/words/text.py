"""One fold for matching, one repair for reading."""

import re
import unicodedata
from functools import cache
from hashlib import sha256
from itertools import chain

CJK = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
"""Character class body: kana and Han."""
CJK_MARKS = "\u3001-\u3004\u3008-\u3020\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"

# One character to one character, so that offsets hold: full-width ASCII and the spaces that copies of PDFs are full of.
_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SPACES = dict.fromkeys(chain((0x00A0, 0x3000, 0x202F, 0x205F), range(0x2000, 0x200B)), 0x20)
_NARROW = {chr(wide): chr(plain) for wide, plain in (_WIDTH | _SPACES).items()}
_OFTEN = "\uff0c\uff1a\uff08\uff09\uff1b\u3000"
"""Wide marks and the space that stand by the thousand in Chinese and Japanese: in a long text each is replaced by itself."""
_LONG = 1_000

# Typography that never tells two rules apart.
_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u300c\u300d\u300e\u300f", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)


def printable(line: str) -> str:
    """A line without characters that could steer a terminal or turn its direction; each of them becomes `\ufffd`."""
    return "".join(character if character.isprintable() else "\ufffd" for character in line)


def narrow(text: str) -> str:
    """The text with full-width ASCII and exotic spaces made plain, character by character: every offset holds."""
    # a tenth of the time of str.translate, which looks up every character; few are wide, also in Chinese
    if text.isascii():
        return text
    for wide in _OFTEN if len(text) > _LONG else "":
        text = text.replace(wide, _NARROW[wide])
    return _wide().sub(_narrowed, text)


@cache
def _wide() -> re.Pattern[str]:
    return re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000\uff01-\uff5e]")


def _narrowed(wide: re.Match[str]) -> str:
    return _NARROW[wide[0]]


def fold(text: str) -> str:
    """The text for comparing: NFKC, no spaces, lower case, plain quotes and dashes."""
    return "".join(unicodedata.normalize("NFKC", text).translate(_TYPOGRAPHY).lower().split())


def fold_digest(text: str) -> str:
    """SHA-256 (64 hex) of the folded text: equal for two copies of the same words."""
    return sha256(fold(text).encode()).hexdigest()


# Patterns are compiled when a text is first healed: a look-up heals none, and would wait for them at every start.
@cache
def _named() -> re.Pattern[str]:
    """Names keep their spaces: 《虹速 ザ・ヴェルデ》 is printed so."""
    return re.compile("(《[^《》\n]*》|「[^「」\n]*」|『[^『』\n]*』)")


@cache
def _space(lang: str) -> re.Pattern[str]:
    """Spaces that a language does not print: Japanese on either side of a character, Chinese between two of them."""
    both = f"(?<=[{CJK}{CJK_MARKS}])[ \u00a0\u3000]+(?=[{CJK}{CJK_MARKS}])"
    if lang != "ja":
        return re.compile(both)
    return re.compile(f"(?<=[{CJK}{CJK_MARKS}])[ \u00a0\u3000]+(?=\\S)|(?<=\\S)[ \u00a0\u3000]+(?=[{CJK}{CJK_MARKS}])")


@cache
def _torn_dot() -> re.Pattern[str]:
    """`1 .2.3`."""
    return re.compile(r"(?<=\d) \.(?=\d)")


def heal(text: str, lang: str) -> str:
    """Reading text without the spaces that a PDF copy leaves inside Japanese and Chinese words.

    Japanese prints no spaces outside names, so each one beside a kana or Han character goes; Chinese keeps those beside
    Latin words. English is returned as it is.
    """
    if lang == "en" or (" " not in text and "\u3000" not in text and "\u00a0" not in text):
        return text
    space = _space("ja" if lang == "ja" else "zh")
    parts = _named().split(text)
    parts[::2] = (space.sub("", part) for part in parts[::2])
    healed = _torn_dot().sub(".", "".join(parts))
    return re.sub(f"(?<=[{CJK}{CJK_MARKS}]) +(?=[《「『])|(?<=[》」』]) +(?=[{CJK}{CJK_MARKS}])", "", healed)
