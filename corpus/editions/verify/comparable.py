"""A text as it is compared with another, character by character, and where each character stands in the text itself.

Marks of quotation and emphasis, an editor's square brackets, line breaks, spaces, width, case, and the form of a dash never tell
two wordings apart.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_DROPPED = frozenset('"“”„‟″‘‚‛′`´「」『』﹁﹂﹃﹄«»〝〟〞*_[]［］\\\u00ad\u200b\u200c\u200d\u2060\ufeff')
_APOSTROPHE = frozenset("'’")
_DASH = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d")
_LETTER = re.compile(r"[A-Za-zÀ-ɏ]")
_VOICED = frozenset("\u3099\u309a\uff9e\uff9f")


@dataclass(frozen=True, slots=True)
class Comparable:
    """The characters that count, and the place of each in `source`."""

    text: str
    places: tuple[int, ...]
    source: str

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]` stands in the source."""
        return self.places[start], self.places[end - 1] + 1


@lru_cache(maxsize=1 << 14)
def _plain(character: str) -> str:
    """A character (or one with a voicing mark) as it is compared."""
    if character in _DASH:
        return "-"
    return "".join(unicodedata.normalize("NFKC", character).lower().split())


def comparable(source: str) -> Comparable:
    """A text as it is compared."""
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(source):
        if character in _DROPPED or character in _VOICED or character.isspace():
            continue
        if character in _APOSTROPHE:
            plain = "'" if _is_inside(source, place) else ""
        else:
            plain = _plain(character + source[place + 1] if source[place + 1 : place + 2] in _VOICED else character)
        if plain == "-" and characters and characters[-1] == "-":
            continue
        characters.extend(plain)
        places.extend([place] * len(plain))
    return Comparable("".join(characters), tuple(places), source)


def _is_inside(source: str, place: int) -> bool:
    """Whether an apostrophe stands between two Latin letters."""
    return bool(_LETTER.match(source[place - 1 : place]) and _LETTER.match(source[place + 1 : place + 2]))


_JOINS = re.compile(r"[A-Za-z0-9À-ɏ]")
_INSIDE = frozenset("'’-\u2010\u2011")


def begins(source: str, place: int) -> bool:
    """Whether a word of Latin script or a number can begin at a place: not in the middle of one."""
    return not _continues(source, place, -1)


def ends(source: str, place: int) -> bool:
    """Whether one can end before a place."""
    return not _continues(source, place - 1, 1)


def _continues(source: str, place: int, step: int) -> bool:
    own, near, far = (source[at : at + 1] if at >= 0 else "" for at in (place, place + step, place + 2 * step))
    if not _JOINS.match(own):
        return False
    if _JOINS.match(near):
        return True
    if own.isdigit() and far.isdigit() and near in (".", ","):
        return True
    return near in _INSIDE and far.isalpha() and own.isalpha()
