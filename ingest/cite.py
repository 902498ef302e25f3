"""Words of a rule that name other rules: found, ranges expanded, resolved inside the same edition.

A number is a citation when a cue leads it in (rule, see, 参照, 规则 …), when it stands in a list or range that a
cue leads in, or when it has the full form of a rule number of this book and exists there. `52.3 %` and a card's
power are neither.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from corpus.catalogue import Grammar, catalogue
from corpus.model import Aside, Citation, Kind, Node
from corpus.reference import folded_number
from corpus.words.text import narrow
from ingest.number.number_format import Key, key_of, number_pattern

_DIGIT = re.compile("[0-9]+")
_ANY_DIGIT = re.compile("[0-9０-９]+")
_BEFORE = 28  # characters in front of a number that can hold a cue
_LONGEST_CUE = 10  # characters
_TITLE = 12  # characters of a heading's title that tell it
_NOT_BEFORE = "+-−×x*$¥€#/.:·"
_THOUSANDS = re.compile(r"(?<![\d.])\d{1,3},$")
_SUFFIX = re.compile(r"(?P<letter>[a-z]{1,2})(?![a-z])|(?P<digits>\d{1,3})(?![\d.])")


class _Mention(NamedTuple):
    """A number in a text that may be a citation."""

    start: int
    end: int
    wanted: str
    level: int
    key: Key


def cited(nodes: Sequence[Node], grammar: Grammar, *, narrow_texts: bool = False) -> tuple[Node, ...]:
    """The nodes with the citations in their texts, examples and notes, resolved among themselves; `narrow_texts` as in Citer."""
    if not grammar.levels:
        return tuple(nodes)
    titles = {node.locator: node.text for node in nodes if node.number and ".dup" not in node.locator}
    citer = Citer(grammar, titles, narrow_texts=narrow_texts)
    return tuple(_cited(node, citer) for node in nodes)


def _cited(node: Node, citer: "Citer") -> Node:
    if node.examples or node.notes:
        examples, notes = (tuple(_beside(aside, citer) for aside in asides) for asides in (node.examples, node.notes))
        node = node._replace(examples=examples, notes=notes)
    cites = citer.citations(node.text)
    return node._replace(cites=cites) if cites else node


def _beside(aside: Aside, citer: "Citer") -> Aside:
    cites = citer.citations(aside.text)
    return replace(aside, cites=cites) if cites or aside.cites else aside


class Citer:
    """Finds citations in the texts of one edition.

    `titles` maps the locators of its numbered nodes, in document order, to their texts; `narrow_texts` promises that
    the texts have no full-width digits.
    """

    def __init__(self, grammar: Grammar, titles: Mapping[str, str], *, narrow_texts: bool = False) -> None:
        self.narrow_texts = narrow_texts
        self.grammar = grammar
        self.titles = titles
        self.places = {address: place for place, address in enumerate(titles)}
        self.addresses = list(titles)
        self.number = _number(grammar)
        self.short = _short_levels(grammar)

    def citations(self, text: str) -> tuple[Citation, ...]:
        """The citations of a rule's text, in the order of the text."""
        if not self.grammar.levels:
            return ()
        digit = _DIGIT if self.narrow_texts else _ANY_DIGIT
        first = digit.search(text)
        if first is None:
            return ()
        return tuple(self._find(text if self.narrow_texts else narrow(text), text, digit.finditer(text, first.start())))

    def _find(self, text: str, shown: str, digits: Iterable[re.Match[str]]) -> Iterator[Citation]:
        end = 0
        for digit in digits:
            if digit.start() < end:
                continue
            mention = self._mention(text, digit.start())
            if mention is None:
                continue
            cued = _is_cued(text, mention)
            if cued or self._stands_alone(text, mention):
                for citation in self._chain(text, shown, mention, cued):
                    yield citation
                    end = citation.end

    def _mention(self, text: str, start: int) -> _Mention | None:
        if start and ((text[start - 1].isascii() and text[start - 1].isalnum()) or text[start - 1] == "."):
            return None
        match = self.number.match(text, start)
        if not match:
            return None
        printed = match[0].rstrip()
        group = match.lastgroup or "l0"
        return _Mention(start, start + len(printed), folded_number(printed), int(group[1:]), key_of(printed, self.grammar))

    def _stands_alone(self, text: str, mention: _Mention) -> bool:
        """Whether a number without a cue can only be a citation: the full form of a rule's number, which exists."""
        before = text[mention.start - 1 : mention.start].strip()
        if (before and before in _NOT_BEFORE) or _unit().match(text, mention.end):
            return False
        if before == "," and _THOUSANDS.search(text[max(0, mention.start - 6) : mention.start]):
            return False
        bracketed = before in ("(", "[") and text[mention.end : mention.end + 1] in (")", "]")
        if mention.level in self.short:
            return mention.wanted in self.places and ((bracketed and mention.level > 0) or self._titled(text, mention))
        return mention.wanted in self.places or (len(mention.key) > 3 and mention.wanted[-1].isalpha())

    def _titled(self, text: str, mention: _Mention) -> bool:
        """Whether the heading's own title stands behind the number, as in `6-6. End Phase`."""
        title = self.titles[mention.wanted][:_TITLE]
        return len(title) > 2 and text[mention.end :].lstrip(". ").startswith(title)

    def _chain(self, text: str, shown: str, first: _Mention, cued: bool) -> Iterator[Citation]:
        """A citation and what a list or range adds to it."""
        mention: _Mention | None = first
        while mention:
            last = self._range_end(text, mention)
            end = last.end if last else mention.end
            surface = shown[mention.start : end]
            for wanted in self._between(mention, last) if last else (mention.wanted,):
                yield Citation(mention.start, end, surface, wanted, wanted if wanted in self.places else None)
            joint = _joint().match(text, end)
            mention = self._mention(text, joint.end()) if joint else None
            if mention and not (cued or self._stands_alone(text, mention)):
                return
            if mention and (
                (mention.wanted not in self.places and mention.level in self.short) or _unit().match(text, mention.end)
            ):
                return

    def _range_end(self, text: str, mention: _Mention) -> _Mention | None:
        """The second end of `400.7a–d`, `400.7a–400.7d` or `509.1b至c`."""
        dash = _range().match(text, mention.end)
        if not dash:
            return None
        whole = self._mention(text, dash.end())
        if whole and len(whole.key) == len(mention.key):
            return whole
        suffix = _SUFFIX.match(text, dash.end())
        if not suffix:
            return None
        base = mention.wanted.rstrip("abcdefghijklmnopqrstuvwxyz") if suffix["letter"] else re.sub(r"\d+$", "", mention.wanted)
        if base == mention.wanted:
            return None
        wanted = base + suffix[0]
        return _Mention(dash.end(), suffix.end(), wanted, mention.level, key_of(wanted, self.grammar))

    def _between(self, first: _Mention, last: _Mention) -> Sequence[str]:
        """The locators of a range that this edition has, on one level; both ends as asked where one is missing."""
        start, end = self.places.get(first.wanted), self.places.get(last.wanted)
        if start is None or end is None or end < start:
            return (first.wanted, last.wanted)
        depth = len(first.key)
        return [address for address in self.addresses[start : end + 1] if len(key_of(address, self.grammar)) == depth]


def _short_levels(grammar: Grammar) -> frozenset[int]:
    """Levels whose numbers look like plain numbers or decimals: they need a cue."""
    shorts = {"9", "900", "999", "9.9", "9-9"}
    return frozenset(
        index for index, level in enumerate(grammar.levels) if level.kind is not Kind.RULE or level.formats[0] in shorts
    )


@cache
def _number(grammar: Grammar) -> re.Pattern[str]:
    if not grammar.levels:
        return re.compile(r"(?!)")
    dash = r"|-\d" if "-" in grammar.levels[-1].formats[0].replace("a-", "a") else ""  # 400-402 is a range elsewhere
    return re.compile(rf"(?:{number_pattern(grammar)})(?!\d|\.\d{dash}|,\d{{3}}(?![\d.]))")


@cache
def _words(kind: str) -> str:
    return "|".join(sorted(catalogue().citations[kind], key=len, reverse=True))


@cache
def _cue() -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z])(?:{_words('cue')})$", re.I)


_BEHIND_CUE = " \t\n:#([【"


@cache
def _ordinal() -> tuple[re.Pattern[str], re.Pattern[str]]:
    before, after = catalogue().citations["ordinal"]
    return re.compile(rf"{before}\s?$"), re.compile(rf"\s?{after}")


@cache
def _joint() -> re.Pattern[str]:
    return re.compile(
        rf"\s{{0,2}}(?:[,;]\s{{0,2}})?(?:{_words('join')})(?![A-Za-z])\s{{0,2}}(?:(?:{_words('cue')})\s{{0,2}})?", re.I
    )


@cache
def _range() -> re.Pattern[str]:
    return re.compile(rf"\.?\s?(?:{_words('range')})\s?(?=[\da-z])")


@cache
def _unit() -> re.Pattern[str]:
    return re.compile(rf"\s?(?:{_words('unit')})(?![A-Za-z])")


def _is_cued(text: str, mention: _Mention) -> bool:
    front = text[max(0, mention.start - _BEFORE) : mention.start]
    before, after = _ordinal()
    if not front.isascii() and before.search(front, max(0, len(front) - 2)):
        return bool(after.match(text, mention.end))
    words = front.rstrip(_BEHIND_CUE)
    return bool(_cue().search(words, max(0, len(words) - _LONGEST_CUE))) and not _unit().match(text, mention.end)
