"""The only tokenizer, for index, queries, concepts and highlights, in three scripts.

Segmenters split the terms that matter (山札 → 山 + 札), so Japanese and Chinese are split into single characters and pairs of them,
Latin script into stemmed words. Simplified, traditional and Japanese forms of a character count as one.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, count, repeat
from typing import NamedTuple

from corpus.words.text import CJK, to_half_width

_WORD = re.compile(
    "(?P<cjk>[" + CJK + "]+)"
    r"|(?P<number>\d+(?:[.\-]\d+)*(?:[a-z]{1,2}(?![a-z]))?)"
    r"|(?P<latin>[a-z\u00aa-\u024f\u0300-\u1fff\ufb00-\ufb06]+)(?:['’]s(?![a-z]))?",
    re.IGNORECASE,
)
_PLAIN_LATIN = re.compile("[\0-\x7f\u2010-\u2027]*")
"""A text whose only letters are a to z."""
_LATIN = re.compile(r"([A-Za-z]+)(?:['’][Ss](?![A-Za-z]))?|\d+(?:[.\-]\d+)*(?:[A-Za-z]{1,2}(?![A-Za-z]))?")
"""Equivalent to `_WORD` for such a text, in two thirds of the time."""
_CHARACTER = re.compile("[\uff66-\uff9f][\uff9e\uff9f]?|.[\u3099\u309a]?")
"""One character of a run; a half-width kana and its mark are one character, and so is a kana with a combining mark (NFD)."""
_MARKED_KANA = re.compile("[\uff66-\uff9f\u3099\u309a]")
"""Kana that may be written with a mark of its own."""
_NAME_JOINT = re.compile(r"[ \t&/'’\-‐–・･=＝]+|\n")
"""Characters inside a name: Spell & Trap Zone, face-down, サイキック・クリーチャー, a line break."""
_LONGEST_CACHED = 64
"""Number of letters of the longest word whose stem is cached; a question may have longer ones."""
_PLURALS = (
    *(("ies", "y"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss")),
    *(("ss", "ss"), ("us", "us"), ("is", "is"), ("s", "")),
)
"""English plural endings, the longest first, and the singular ending."""
_WITHOUT_SIMPLIFIED_FORM = dict(zip("闘鬭挙擧叙敍渋澁郷鄕", "斗斗举举叙叙涩涩乡乡", strict=True))
"""Japanese forms that OpenCC converts to a traditional form without a simplified one."""
_HAN = (range(0x3400, 0x4DC0), range(0x4E00, 0xA000))
"""The blocks of Han characters."""


class Token(NamedTuple):
    """One word, number or CJK character: its normal form, and its place in the text."""

    norm: str
    start: int
    end: int
    cjk: bool = False
    opens: bool = False  # punctuation precedes it, so that no phrase continues into it


def stem(word: str) -> str:
    """The stem of an English word: exiled, exiles and exile have the same stem (Snowball stemmer)."""
    return _cached_stem(word) if len(word) <= _LONGEST_CACHED else _stem_word()(without_accents(word))


@lru_cache(maxsize=1 << 16)
def _cached_stem(word: str) -> str:
    return _stem_word()(without_accents(word))


@cache
def _stem_word() -> Callable[[str], str]:
    from Stemmer import Stemmer

    stem_word: Callable[[str], str] = Stemmer("english").stemWord
    return stem_word


@lru_cache(maxsize=1 << 14)
def singular(word: str) -> str:
    """The singular of an English noun: of libraries, library; ordered stays ordered."""
    plain = without_accents(word)
    for ending, instead in _PLURALS:
        if plain.endswith(ending) and len(plain) > 3:
            return plain[: -len(ending)] + instead
    return plain


def without_accents(word: str) -> str:
    """A word in lower case and without accents."""
    plain = unicodedata.normalize("NFKD", word.lower())
    return "".join(character for character in plain if not unicodedata.combining(character))


def words(text: str, form: Callable[[str], str] = stem) -> list[Token]:
    """The tokens of a text in order; `form` normalises words in Latin script.

    Characters other than letters and digits separate tokens.
    """
    plain = to_half_width(text)
    return list(_latin_tokens(plain, form)) if _PLAIN_LATIN.fullmatch(plain) else _mixed_tokens(plain, form)


def name_form(name: str) -> tuple[str, ...]:
    """The words of a name, normalised for the comparison of names; empty without letters and digits."""
    return tuple(token.norm for token in words(name, singular))


def _latin_tokens(plain: str, form: Callable[[str], str]) -> Iterator[Token]:
    """The tokens of a text whose only letters are a to z."""
    last = 0
    for match in _LATIN.finditer(plain):
        start, end = match.span()
        near = start == last or (start == last + 1 and plain[last] == " ")
        opens = not near and not _NAME_JOINT.fullmatch(plain, last, start)
        last = end
        latin = match[1]
        if latin is None:
            yield _TOKEN((match[0].lower(), start, end, False, opens))
        else:
            yield _TOKEN((form(latin), start, start + len(latin), False, opens))


def _mixed_tokens(plain: str, form: Callable[[str], str]) -> list[Token]:
    tokens: list[Token] = []
    last = 0
    for match in _WORD.finditer(plain):
        start, end = match.span()
        kind = match.lastgroup
        norm = form(match["latin"]) if kind == "latin" else match[0]
        if not norm:
            continue  # accents without a letter
        opens = start > last and not (start == last + 1 and plain[last] == " ") and not _NAME_JOINT.fullmatch(plain, last, start)
        last = end
        if kind == "cjk":
            tokens += _characters(norm, start, opens)
        elif kind == "number":
            tokens.append(Token(norm.lower(), start, end, False, opens))
        else:
            tokens.append(Token(norm, start, match.end("latin"), False, opens))
    return tokens


def _characters(characters: str, offset: int, is_at_start: bool) -> Iterable[Token]:
    """The characters of a CJK run that begins at an offset."""
    plain = characters.translate(_PLAIN)
    if len(plain) != len(characters) or _MARKED_KANA.search(characters):
        return _uneven_characters(characters, offset, is_at_start)
    flags = chain((is_at_start,), repeat(False))
    return map(
        _TOKEN, zip(plain, count(offset), range(offset + 1, offset + 1 + len(characters)), repeat(True), flags, strict=False)
    )


def _uneven_characters(characters: str, offset: int, is_at_start: bool) -> Iterator[Token]:
    """The same for a run in which normal forms and characters differ in number."""
    for character in _CHARACTER.findall(characters) if _MARKED_KANA.search(characters) else characters:
        end = offset + len(character)
        yield Token(_plain_form(character), offset, end, True, is_at_start)
        offset, is_at_start = end, False


@cache
def _plain_form(character: str) -> str:
    plain = unicodedata.normalize("NFKC", character)
    return _variants().get(plain, plain)


class _Plain(dict[int, str]):
    """Code point → the normal form of the character, computed on first use."""

    def __missing__(self, code: int) -> str:
        return self.setdefault(code, _plain_form(chr(code)))


_PLAIN = _Plain()
_TOKEN = partial(tuple.__new__, Token)  # much faster than Token(…), of which millions are created


def _opencc_forms(*tables: str) -> dict[str, str]:
    """Form of a character → the form that OpenCC converts it to by these tables, one after the other."""
    from opencc import OpenCC

    forms = [chr(code) for block in _HAN for code in block]
    converted_text = "\n".join(forms)
    for table in tables:
        converted_text = OpenCC(table).convert(converted_text)
    return {form: other for form, other in zip(forms, converted_text.split("\n"), strict=True) if len(other) == 1 and other != form}


@cache
def _variants() -> dict[str, str]:
    """Traditional or Japanese form of a character → the simplified one."""
    return _opencc_forms("jp2t", "t2s") | _WITHOUT_SIMPLIFIED_FORM


@cache
def _simplified() -> dict[int, str]:
    """Code point of a traditional form → the simplified one."""
    return {ord(form): simple for form, simple in _opencc_forms("t2s").items()}


def to_simplified(text: str) -> str:
    """A Chinese text in simplified characters, place by place."""
    return text if text.isascii() else text.translate(_simplified())


def is_traditional(text: str) -> bool:
    """Whether a Chinese text is written in traditional characters, judged by the characters that differ between the scripts."""
    table = _simplified()
    simple = frozenset(table.values())
    traditional = sum(ord(character) in table for character in text)
    return traditional > sum(character in simple and ord(character) not in table for character in text)


@cache
def all_forms() -> Mapping[str, tuple[str, ...]]:
    """Normal form → all forms, for every character that has several."""
    forms: dict[str, list[str]] = {}
    for form, plain in _variants().items():
        forms.setdefault(plain, [plain]).append(form)
    return {plain: tuple(dict.fromkeys(some)) for plain, some in forms.items()}


def terms(tokens: Sequence[Token]) -> list[str]:
    """The index terms: words, numbers with their ancestors (400.7d also as 400.7 and 400), characters and pairs of them."""
    index_terms: list[str] = []
    before, runs_on = "", -1  # the previous character, and the offset at which its run would continue
    for norm, start, end, cjk, _ in tokens:
        if cjk:
            if start == runs_on:
                index_terms.append(before + norm)
            index_terms.append(norm)
            before, runs_on = norm, end
        else:
            index_terms.append(norm)
            runs_on = -1
            if norm[0].isdigit():
                index_terms += parent_numbers(norm)
    return index_terms


def parent_numbers(number: str) -> Iterator[str]:
    """The numbers above a rule number: 400.7d → 400.7, 400."""
    bare = number.rstrip("abcdefghijklmnopqrstuvwxyz")
    if bare != number:
        yield bare
    while match := re.fullmatch(r"(.+)[.\-]\d+", bare):
        bare = match[1]
        yield bare
