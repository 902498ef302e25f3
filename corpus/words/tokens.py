"""The words of a text for matching, across three scripts: one tokenizer for index, query, concept marking and highlights.

General segmenters tear apart the very terms that matter (山札 → 山 + 札), so Japanese and Chinese are split into single characters
and pairs of them, Latin script into stemmed words. Simplified, traditional and Japanese forms of a character fold together.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, count, repeat
from typing import NamedTuple

import Stemmer

from corpus.words.text import CJK, narrow

_WORD = re.compile(
    "(?P<cjk>[" + CJK + "]+)"
    r"|(?P<number>\d+(?:[.\-]\d+)*(?:[a-z]{1,2}(?![a-z]))?)"
    r"|(?P<latin>[a-z\u00aa-\u024f\u0370-\u1fff]+)(?:['’]s(?![a-z]))?",
    re.IGNORECASE,
)
_PLAIN_LATIN = re.compile("[\0-\x7f\u2010-\u2027]*")
"""A text without any letter but a to z."""
_LATIN = re.compile(r"([A-Za-z]+)(?:['’][Ss](?![A-Za-z]))?|\d+(?:[.\-]\d+)*(?:[A-Za-z]{1,2}(?![A-Za-z]))?")
"""Matches in such a text what `_WORD` matches, in two thirds of the time: no letter is looked up in another case."""
_CHARACTER = re.compile("[\uff66-\uff9f][\uff9e\uff9f]?|.")
"""One character of a run; a half-width kana with its mark is one."""
_HALF = re.compile("[\uff66-\uff9f]")
_JOINT = re.compile(r"[ \t&/'’\-‐–・･=＝]+|\n")
"""What may stand inside a name: Spell & Trap Zone, face-down, サイキック・クリーチャー, a name broken over two lines."""
_PLURALS = (
    *(("ies", "y"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss")),
    *(("ss", "ss"), ("us", "us"), ("is", "is"), ("s", "")),
)
"""English endings, the longest first, and what stands in the singular."""
_TWICE_REMOVED = dict(zip("闘鬭挙擧叙敍渋澁郷鄕", "斗斗举举叙叙涩涩乡乡", strict=True))
"""Japanese forms that OpenCC turns into an old form which it then has no simplified one of."""
_HAN = [chr(code) for block in (range(0x3400, 0x4DC0), range(0x4E00, 0xA000)) for code in block]


class Token(NamedTuple):
    """One word, number or CJK character: its form for matching, and where it stands in the text."""

    norm: str
    start: int
    end: int
    cjk: bool = False
    opens: bool = False  # a stop, a bracket or the like stands before it: no phrase runs on into it


@cache
def stem(word: str) -> str:
    """An English word for searching: exiled, exiles and exile are one (the Snowball stemmer)."""
    return str(_stemmer().stemWord(_bare(word)))


def singular(word: str) -> str:
    """An English noun for recognising a name: libraries and library are one, ordered and order are not."""
    return _singular(word)


def bare(word: str) -> str:
    """A word as a name has it: in lower case and without accents, but with its ending."""
    return _bare(word)


def words(text: str, form: Callable[[str], str] = stem) -> list[Token]:
    """The words of a text in order, those of Latin script in the given form; whatever is not a letter or digit separates them."""
    plain = narrow(text)
    return list(_latin(plain, form)) if _PLAIN_LATIN.fullmatch(plain) else _any(plain, form)


def _latin(plain: str, form: Callable[[str], str]) -> Iterator[Token]:
    """The words of a text without any letter but a to z."""
    last = 0
    for match in _LATIN.finditer(plain):
        start, end = match.span()
        near = start == last or (start == last + 1 and plain[last] == " ")
        opens = not near and not _JOINT.fullmatch(plain, last, start)
        last = end
        latin = match[1]
        if latin is None:
            yield _TOKEN((match[0].lower(), start, end, False, opens))
        else:
            yield _TOKEN((form(latin), start, start + len(latin), False, opens))


def _any(plain: str, form: Callable[[str], str]) -> list[Token]:
    tokens: list[Token] = []
    last = 0
    for match in _WORD.finditer(plain):
        start, end = match.span()
        kind = match.lastgroup
        norm = form(match["latin"]) if kind == "latin" else match[0]
        if not norm:
            continue  # accents alone, without a letter to stand on
        opens = start > last and not (start == last + 1 and plain[last] == " ") and not _JOINT.fullmatch(plain, last, start)
        last = end
        if kind == "cjk":
            tokens += _characters(norm, start, opens)
        elif kind == "number":
            tokens.append(Token(norm.lower(), start, end, False, opens))
        else:
            tokens.append(Token(norm, start, match.end("latin"), False, opens))
    return tokens


def _characters(run: str, at: int, opens: bool) -> Iterable[Token]:
    """The characters of a run that begins at an offset."""
    plain = run.translate(_PLAIN)
    if len(plain) != len(run) or _HALF.search(run):
        return _uneven(run, at, opens)
    flags = chain((opens,), repeat(False))
    return map(_TOKEN, zip(plain, count(at), range(at + 1, at + 1 + len(run)), repeat(True), flags, strict=False))


def _uneven(run: str, at: int, opens: bool) -> Iterator[Token]:
    """The same of a run where one character for matching is not one of the text."""
    for character in _CHARACTER.findall(run) if _HALF.search(run) else run:
        end = at + len(character)
        yield Token(_plain(character), at, end, True, opens)
        at, opens = end, False


@cache
def _plain(character: str) -> str:
    plain = unicodedata.normalize("NFKC", character)
    return _variants().get(plain, plain)


class _Plain(dict[int, str]):
    """Code point → the character for matching; worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        return self.setdefault(code, _plain(chr(code)))


_PLAIN = _Plain()
_TOKEN = partial(tuple.__new__, Token)  # a named tuple is made much faster from another tuple than by its name: millions are made


@cache
def _variants() -> dict[str, str]:
    """Traditional and Japanese forms of a character → the simplified one (OpenCC's tables)."""
    from opencc import OpenCC

    every = "\n".join(_HAN)
    plain = OpenCC("t2s").convert(OpenCC("jp2t").convert(every)).split("\n")
    return {form: simple for form, simple in zip(_HAN, plain, strict=True) if len(simple) == 1 and simple != form} | _TWICE_REMOVED


def forms_of(character: str) -> tuple[str, ...]:
    """All forms of a character that count as one with it: 战 is also 戰 and 戦."""
    return _forms().get(character, (character,))


def all_forms() -> Mapping[str, Sequence[str]]:
    """Every character that has several forms, by the one that they are compared in."""
    return _forms()


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    forms: dict[str, list[str]] = {}
    for form, plain in _variants().items():
        forms.setdefault(plain, [plain]).append(form)
    return {plain: tuple(dict.fromkeys(some)) for plain, some in forms.items()}


@cache
def _singular(word: str) -> str:
    bare = _bare(word)
    for ending, instead in _PLURALS:
        if bare.endswith(ending) and len(bare) > 3:
            return bare[: -len(ending)] + instead
    return bare


def _bare(word: str) -> str:
    """Lower case, without accents."""
    plain = unicodedata.normalize("NFKD", word.lower())
    return "".join(character for character in plain if not unicodedata.combining(character))


@cache
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english")


def terms(tokens: Sequence[Token]) -> list[str]:
    """What is indexed: words, numbers with their ancestors (400.7d also as 400.7 and 400), characters and pairs of characters."""
    indexed: list[str] = []
    before, runs_on = "", -1  # the character before, and where the next one of its run would begin
    for norm, start, end, cjk, _ in tokens:
        if cjk:
            if start == runs_on:
                indexed.append(before + norm)
            indexed.append(norm)
            before, runs_on = norm, end
        else:
            indexed.append(norm)
            runs_on = -1
            if norm[0].isdigit():
                indexed += ancestors(norm)
    return indexed


def ancestors(number: str) -> Iterator[str]:
    """The numbers above a rule number: 400.7d → 400.7, 400."""
    bare = number.rstrip("abcdefghijklmnopqrstuvwxyz")
    if bare != number:
        yield bare
    while match := re.fullmatch(r"(.+)[.\-]\d+", bare):
        bare = match[1]
        yield bare
