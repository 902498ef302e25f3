"""The titles of an edition's rules, and the titles that a text names beside a number: `4-19 "Overflow"`, カウンター（4.2）."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from corpus.model import HEADING_KINDS
from corpus.words.text import CJK
from corpus.words.tokens import singular

if TYPE_CHECKING:
    from corpus.contract import RuleRecord

_MARKS = ("“”", '""', "「」", "『』", "‘’", "''", "《》", "〈〉", "【】", "＜＞", "<>", "[]")
"""Opening and closing marks around a title."""
_MARKED = "|".join(
    rf"{opening}(?P<title_{place}>[^{opening}{closing}]{{1,80}}){closing}"
    for place, (opening, closing) in enumerate((re.escape(marks[0]), re.escape(marks[1])) for marks in _MARKS)
)
_BEHIND = re.compile(rf"[.．]?\s{{0,3}}[,，、:：]?\s{{0,3}}(?:{_MARKED})")
_BEFORE = re.compile(rf"(?:{_MARKED})\s{{0,2}}$")
_UNMARKED = re.compile(r"[.．]?\s{1,3}(?P<title>[^\d()（）\[\]“”\"「」.,;:。、；：]{2,60}?)\s?\\?[)）\]]")
"""A title without marks, in the bracket that the citation is in."""
_BRACKET_BEFORE = re.compile(r"\\?[(（\[【][^()（）\[\]【】\d.。;；]{0,40}$")
"""What stands before a citation that is the first one in a bracket: `(For details, refer to`."""
_RUN_IN = re.compile(
    r"(?:[<＜【\[「『“\"](?P<marked>[^<>＜＞【】\[\]「」『』“”\"\n]{2,40})[>＞】\]」』”\"]"
    r"|(?P<plain>[^\n.。:：–—]{2,40}?)\s?(?:[:：]|[–—]\s))"
)
"""A title at the beginning of a rule's text."""
_FOLLOWING = re.compile(r"[.．]\s{1,2}(?P<words>[A-Z][\w’'-]*(?: [\w’'-]+){0,8})")
_CONTEXT = 90
"""Number of characters before a number that may hold its title."""
_WORD = re.compile(r"\w+")
_TITLE_TOKEN = re.compile(rf"[{CJK}]|[^\W{CJK}]+")
_LAST_WORDS = re.compile(rf"[{CJK}\w'’-]+(?:[ \n][{CJK}\w'’-]+)*$")
_MAX_WORDS, _MAX_CJK, _MIN_CJK = 6, 20, 2
"""Lengths of a title that precedes a bracket: in words, else in CJK characters."""
_MIN_PART, _MIN_CJK_PART = 4, 2
"""Number of characters from which a part of a title is taken for the title."""
_MAX_TITLE = 60
"""Number of characters of a rule with parts that is taken for their title."""
_END_MARKS = ".。!?！？:：;；,，、"


def fold_title(title: str) -> str:
    """A title for comparison: its letters and digits only, in lower case, without the plural's s."""
    return "".join(map(singular, _WORD.findall(unicodedata.normalize("NFKC", title).lower())))


class NamedTitle(NamedTuple):
    """A title beside a number, and whether it stands behind it."""

    words: str
    is_behind: bool


def named_title(text: str, start: int, end: int) -> NamedTitle | None:
    """The title that stands in marks or brackets beside the number at `text[start:end]`; None if there is none."""
    before = text[max(0, start - _CONTEXT) : start]
    if behind := _BEHIND.match(text, end):
        return NamedTitle(_group(behind), is_behind=True)
    bracket = _BRACKET_BEFORE.search(before)
    if bracket and (plain_title := _UNMARKED.match(text, end)):
        return NamedTitle(plain_title["title"], is_behind=True)
    title = _BEFORE.search(before[: bracket.start()] if bracket else before)
    return NamedTitle(_group(title), is_behind=False) if title else None


def words_behind(text: str, end: int) -> Iterator[str]:
    """The first words behind the number that ends at `end`, the longest first, if they begin like a title: `107.5. Banishment`."""
    if following := _FOLLOWING.match(text, end):
        words = following["words"].split()
        yield from (" ".join(words[:length]) for length in range(min(len(words), _MAX_WORDS), 0, -1))


def words_before_bracket(text: str, start: int) -> Iterator[str]:
    """The words before the bracket that a number at `start` opens, the longest first; none elsewhere."""
    before = text[max(0, start - _CONTEXT) : start]
    bracket = _BRACKET_BEFORE.search(before)
    last = _LAST_WORDS.search(before[: bracket.start()].rstrip()) if bracket else None
    if last is None:
        return
    words = last[0].split()
    for first in range(max(0, len(words) - _MAX_WORDS), len(words)):
        yield " ".join(words[first:])
    if not words[-1].isascii():
        yield from (words[-1][-length:] for length in range(min(len(words[-1]) - 1, _MAX_CJK), _MIN_CJK - 1, -1))


def _group(match: re.Match[str]) -> str:
    return next(title for title in match.groupdict().values() if title)


class Titles:
    """The titles of the numbered rules of an edition in one language."""

    def __init__(self, records: "Sequence[RuleRecord]", lang: str) -> None:
        self._texts = {record["iri"]: _whole_text(record, lang) for record in records if lang in record["texts"]}
        self._folded_texts: dict[str, str] = {}
        self._parents = {record["iri"]: record["parent"] for record in records}
        self._own = {record["iri"]: frozenset(_titles_of(record, lang)) for record in records if lang in record["texts"]}
        self._bearers: dict[str, list[RuleRecord]] = {}
        self._parts: dict[str, list[str]] = {}
        for record in records:
            if record["parent"]:
                self._parts.setdefault(record["parent"], []).append(record["iri"])
            for title in self._own.get(record["iri"], ()) if record["number"] else ():
                self._bearers.setdefault(title, []).append(record)

    def _folded_text(self, iri: str) -> str:
        """The folded words of a rule, made on first use."""
        if iri not in self._folded_texts:
            self._folded_texts[iri] = fold_title(self._texts.get(iri, ""))
        return self._folded_texts[iri]

    def bearers(self, title: str) -> "Sequence[RuleRecord]":
        """The rules that have a title."""
        return self._bearers.get(fold_title(title), ())

    def own(self, iri: str) -> frozenset[str]:
        """The folded titles of a rule."""
        return self._own.get(iri, frozenset())

    def within(self, text: str) -> Iterator[str]:
        """The titles that a text contains as whole words (characters in Japanese and Chinese), the longest first."""
        titles: set[str] = set()
        tokens = _TITLE_TOKEN.findall(unicodedata.normalize("NFKC", text).lower())
        for first in range(len(tokens)):
            for last in range(first + 1, min(len(tokens), first + _MAX_CJK) + 1):
                title = "".join(map(singular, tokens[first:last]))
                if title in self._bearers and _is_long(title):
                    titles.add(" ".join(tokens[first:last]) if title.isascii() else title)
        yield from sorted(titles, key=lambda title: (-len(title), title))

    def has_title(self, iri: str, title: str) -> bool:
        """Whether a rule, one above it or a part of it has a title, or part of one."""
        plain = fold_title(title)
        return any(
            plain == own or (_is_long(min(plain, own, key=len)) and (plain in own or own in plain))
            for relative in self._relatives(iri)
            for own in self._own.get(relative, ())
        )

    def mentions(self, iri: str, words: str) -> bool:
        """Whether a rule, one above it or a part of it has some words."""
        plain = fold_title(words)
        return any(plain in self._folded_text(relative) for relative in self._relatives(iri))

    def are_related(self, iri: str, other: str) -> bool:
        """Whether a rule is another one, above it or a part of it."""
        return other in self._relatives(iri)

    def _relatives(self, iri: str) -> Iterator[str]:
        """A rule, its parts with theirs, and the rules above it."""
        pending = [iri]
        while pending:
            yield (part := pending.pop())
            pending += self._parts.get(part, ())
        above = self._parents.get(iri)
        while above:
            yield above
            above = self._parents.get(above)


def _is_long(title: str) -> bool:
    return len(title) >= (_MIN_PART if title.isascii() else _MIN_CJK_PART)


def _whole_text(record: "RuleRecord", lang: str) -> str:
    asides = (aside["text"] for aside in (*record["examples"], *record["notes"]) if aside["lang"] == lang)
    return " ".join((record["texts"][lang]["text"], *asides))


def _titles_of(record: "RuleRecord", lang: str) -> Iterator[str]:
    """The folded titles of a rule: a heading's, that of its parts, or one at the beginning of the text."""
    text = record["texts"][lang]["text"]
    is_title = bool(record["children"]) and len(text) <= _MAX_TITLE and not text.endswith(tuple(_END_MARKS))
    if record["kind"] in HEADING_KINDS or is_title:
        yield fold_title(text)
    if (run_in := _RUN_IN.match(text)) and len(text) > run_in.end():
        yield fold_title(run_in["marked"] or run_in["plain"])
