"""Finds citations in rules, expands ranges, and resolves the targets inside the same edition.

A number is a citation if a cue introduces it (rule, see, 参照, 规则 …) or its list or range, or if it has the full form of a rule
number of this book and exists there. `52.3 %` and a card's power are not citations.
"""

import re
import string
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from corpus.catalogue import Grammar
from corpus.editions.citations.find import is_of_other_text
from corpus.editions.citations.phrases import alternation, citation_words
from corpus.model import Aside, Citation, Kind, Node
from corpus.ordinals import Ordinal, Path, fold_path, is_within, path_in, paths_in
from corpus.reference import fold_number
from corpus.words.text import to_half_width
from ingest.number import shared_prefix_length
from ingest.number_format import Key, number_key, number_pattern

_TEXT_SEPARATOR = "\0"
"""Separates texts that are searched together: no pattern crosses it."""
_FIRST_DIGIT = b" 0"
_CONTEXT_LENGTH = 28  # characters before a number that may contain a cue
_MAX_CUE_LENGTH = 10  # characters
_MAX_LIST_LENGTH = 60  # members of a list that words behind the last one make citations
_DIRECTLY_BEFORE = 6  # number of characters that contain nearly every cue, the text after it, and the start of its word
_TITLE_WORDS = 12  # characters of a heading's title that are compared
_NOT_BEFORE = "+-−×x*$¥€#/.:·"
_BEHIND_CUE = " \t\n:#([【"
_WORD = frozenset(string.ascii_letters + string.digits + ".")
_JOINED_CHARACTERS = _WORD | (set(_NOT_BEFORE) - set(_BEHIND_CUE))
"""After these, a number is not a citation unless it ends a list or range."""
_CHARACTER_CLASSES = bytes(
    48 if chr(code) in string.digits else 97 if chr(code) in _JOINED_CHARACTERS else 32 for code in range(256)
)
"""The class of a character at the start of a number: a digit (0), a character that joins it to the preceding text (a), or any
other.
"""
_DOTS_AND_SPACES = re.compile("[. ]*")
_NUMBER_WORDS = re.compile(r"(?i:\b(?:part|title|chapter|section|article)) (?:\d{1,3}|[IVX]{1,5})\b(?!\.\d)")
_KANA = re.compile("[\u3041-\u30fa]")
_THOUSANDS = re.compile(r"(?<![\d.])\d{1,3},$")
_SUFFIX = re.compile(r"(?P<letter>[a-z]{1,2})(?![a-z])|(?P<digits>\d{1,3})(?![\d.])")
_JOIN, _CUE = (alternation(*citation_words(kind)) for kind in ("join", "cue"))
_CUE_BEFORE = re.compile(rf"(?<![A-Za-z]){_CUE}$", re.I)
_WEAK_CUE_BEFORE = re.compile(rf"(?<![A-Za-z]){alternation(*citation_words('weak_cue'))}$", re.I)
_TITLE_BEHIND = r"(?:「[^「」\n]{1,40}」|『[^『』\n]{1,40}』|“[^“”\n]{1,40}”)"
_CUE_BEHIND = re.compile(rf"\.?\s?{_TITLE_BEHIND}?\s?{alternation(*citation_words('cue_behind'))}")
_JOINT = re.compile(rf"\s{{0,2}}(?:[,;]\s{{0,2}})?{_JOIN}(?![A-Za-z])\s{{0,2}}(?:{_CUE}\s{{0,2}})?", re.I)
_RANGE = re.compile(rf"\.?\s?{alternation(*citation_words('range'))}\s?(?=[\da-z])")
_CONTINUATION = re.compile(rf"{_RANGE.pattern}|(?i:{_JOINT.pattern})(?=\d)")
"""Matches the possible continuation of a list or range after a number."""
_UNIT = re.compile(rf"\s?{alternation(*citation_words('unit'))}(?![A-Za-z])")
_ORDINAL_BEFORE, _ORDINAL_AFTER = citation_words("ordinal")
_ORDINAL_START, _ORDINAL_END = re.compile(rf"{_ORDINAL_BEFORE}\s?$"), re.compile(rf"\s?{_ORDINAL_AFTER}")


class _PrintedTarget(NamedTuple):
    """The target of a printed number."""

    locator: str
    level: int
    key: Key
    length: int  # printed characters, without trailing spaces


class _NumberMention(NamedTuple):
    """A number in a text that may be a citation."""

    start: int
    end: int
    locator: str
    level: int
    key: Key


_Cite = tuple[int, int, str]
"""The span of a citation in the text, and its target locator."""


def with_citations(nodes: Sequence[Node], grammar: Grammar, *, narrow_texts: bool = False) -> tuple[Node, ...]:
    """The nodes with the citations in their texts, examples and notes, resolved against each other; `narrow_texts` as in Citer."""
    if grammar.slug == "outline":
        articles = ArticleCiter(nodes)
        citations = iter([articles.citations(text, node.locator) for node in nodes for text in _texts(node)])
        return tuple([_node_with_citations(node, citations) for node in nodes])
    if not grammar.levels:
        return tuple(nodes)
    titles = {node.locator: node.text for node in nodes if node.number and ".dup" not in node.locator}
    citer = Citer(grammar, titles, narrow_texts=narrow_texts)
    cites = iter(citer.citations_in_texts([text for node in nodes for text in _texts(node)]))
    return tuple([_node_with_citations(node, cites) for node in nodes])


def _texts(node: Node) -> Sequence[str]:
    """A node's text, and those of its examples and notes."""
    return [node.text, *(aside.text for aside in (*node.examples, *node.notes))] if node.examples or node.notes else (node.text,)


def _node_with_citations(node: Node, cites: Iterator[tuple[Citation, ...]]) -> Node:
    """A node with the citations of its texts, taken from the iterator."""
    own = next(cites)
    if node.examples or node.notes:
        examples, notes = (
            tuple(_aside_with_citations(aside, next(cites)) for aside in asides) for asides in (node.examples, node.notes)
        )
        node = node._replace(examples=examples, notes=notes)
    return node._replace(cites=own) if own else node


def _aside_with_citations(aside: Aside, cites: tuple[Citation, ...]) -> Aside:
    return aside._replace(cites=cites) if cites or aside.cites else aside


def _first_digits(text: str) -> Iterator[int]:
    """The starts of possible numbers, which do not continue a word or number.

    The search runs on one byte per character, which is five times as fast.
    """
    kinds = b" " + text.encode("latin-1", "replace").translate(_CHARACTER_CLASSES)
    *between, _ = kinds.split(_FIRST_DIGIT)  # twice as fast as finding them one by one
    width = len(_FIRST_DIGIT)
    return (end - width for end in accumulate(len(part) + width for part in between))


class Citer:
    """Finds citations in the texts of one edition.

    `titles` maps the locators of its numbered nodes, in document order, to their texts; `narrow_texts` guarantees that the texts
    have no full-width digits.
    """

    def __init__(self, grammar: Grammar, titles: Mapping[str, str], *, narrow_texts: bool = False) -> None:
        self.narrow_texts = narrow_texts
        self.grammar = grammar
        self.titles = titles
        self.places = {address: place for place, address in enumerate(titles)}
        self.addresses = list(titles)
        self.number = _number_pattern(grammar)
        self.short = _short_levels(grammar)
        self.targets: dict[str, _PrintedTarget] = {}  # by the printed number
        self.cues: set[str] = set()  # characters directly before a number that hold a cue

    def citations(self, text: str) -> tuple[Citation, ...]:
        """The citations of a rule's text, in the order of the text."""
        return self.citations_in_texts([text])[0]

    def citations_in_texts(self, texts: Sequence[str]) -> list[tuple[Citation, ...]]:
        """The citations of each text; the texts are searched together."""
        if not self.grammar.levels:
            return [()] * len(texts)
        cites: dict[int, list[Citation]] = {}
        joined_text = _TEXT_SEPARATOR.join(texts)
        starts = list(accumulate((len(text) + len(_TEXT_SEPARATOR) for text in texts), initial=0))
        for start, end, locator in self._find(joined_text if self.narrow_texts else to_half_width(joined_text)):
            place = bisect_right(starts, start) - 1
            before = starts[place]
            target = locator if locator in self.places else None
            cite = Citation(start - before, end - before, joined_text[start:end], locator, target)
            cites.setdefault(place, []).append(cite)
        return [tuple(cites.get(place, ())) for place in range(len(texts))]

    def _find(self, text: str) -> Iterator[_Cite]:
        end, goes_on = 0, _CONTINUATION.match
        for start in _first_digits(text):
            if start < end:
                continue
            mention = self._number_at(text, start)
            if mention is None:
                continue
            has_cue = self._has_cue_before(text, mention) or self._has_cue_behind(text, mention)
            if has_cue or self._stands_alone(text, mention):
                for cite in self._expand_list(text, mention, has_cue) if goes_on(text, mention.end) else (mention[:3],):
                    yield cite
                    end = cite[1]

    def _mention(self, text: str, start: int) -> _NumberMention | None:
        """The number that starts at a position."""
        return None if start and text[start - 1] in _WORD else self._number_at(text, start)

    def _number_at(self, text: str, start: int) -> _NumberMention | None:
        match = self.number.match(text, start)
        if not match:
            return None
        locator, level, key, length = self.targets.get(match[0]) or self._cached_lookup(match)
        return _NumberMention(start, start + length, locator, level, key)

    def _cached_lookup(self, match: re.Match[str]) -> _PrintedTarget:
        surface = match[0].rstrip()
        group = match.lastgroup or "l0"
        printed_target = _PrintedTarget(fold_number(surface), int(group[1:]), number_key(surface, self.grammar), len(surface))
        self.targets[match[0]] = printed_target
        return printed_target

    def _has_cue_before(self, text: str, mention: _NumberMention) -> bool:
        """Whether a cue introduces a number and no unit makes it a quantity."""
        start = mention.start
        near = text[max(0, start - _DIRECTLY_BEFORE) : start]
        if not near.isascii() and _ORDINAL_START.search(near, max(0, len(near) - 2)):
            return bool(_ORDINAL_END.match(text, mention.end))
        return (near in self.cues or self._has_cue(text, start, near)) and not _UNIT.match(text, mention.end)

    def _has_cue(self, text: str, start: int, preceding: str) -> bool:
        """Whether the words before a number end in a cue; cached by the characters before it."""
        first = max(0, start - _CONTEXT_LENGTH)
        words = text[first:start].rstrip(_BEHIND_CUE)
        cue = _CUE_BEFORE.search(words, max(0, len(words) - _MAX_CUE_LENGTH))
        if cue and first + cue.start() > start - len(preceding):
            self.cues.add(preceding)
        return cue is not None

    def _has_cue_behind(self, text: str, mention: _NumberMention) -> bool:
        """Whether words behind a number, or behind the last one of its list or range, make it a citation: 2.1〜2.3を参照."""
        last: _NumberMention | None = mention
        for _ in range(_MAX_LIST_LENGTH):
            if last is None:
                break
            end = (self._range_end(text, last) or last).end
            if _CUE_BEHIND.match(text, end):
                return True
            joint = _JOINT.match(text, end)
            last = self._mention(text, joint.end()) if joint else None
        return False

    def _stands_alone(self, text: str, mention: _NumberMention) -> bool:
        """Whether a number without a cue can only be a citation: it is the full form of an existing rule's number."""
        start, end, locator, level, key = mention
        before = text[start - 1 : start].strip()
        if level in self.short:
            is_bracketed = level > 0 and before in ("(", "[") and text[end : end + 1] in (")", "]")
            words = text[max(0, start - _CONTEXT_LENGTH) : start].rstrip(_BEHIND_CUE)
            has_cue = not locator.isdigit() and _WEAK_CUE_BEFORE.search(words) is not None
            stands = locator in self.places and (is_bracketed or has_cue or self._is_followed_by_title(text, mention))
        else:
            stands = locator in self.places or (len(key) > 3 and locator[-1].isalpha())
        if not stands or (before and before in _NOT_BEFORE) or _UNIT.match(text, end):
            return False
        return not (before == "," and _THOUSANDS.search(text[max(0, start - 6) : start]))

    def _is_followed_by_title(self, text: str, mention: _NumberMention) -> bool:
        """Whether the heading's title follows the number, as in `6-6. End Phase`."""
        title = self.titles[mention.locator][:_TITLE_WORDS]
        behind = _DOTS_AND_SPACES.match(text, mention.end)
        return len(title) > 2 and behind is not None and text.startswith(title, behind.end())

    def _expand_list(self, text: str, first: _NumberMention, has_cue: bool) -> Iterator[_Cite]:
        """A citation with the other members of its list or range."""
        mention: _NumberMention | None = first
        while mention:
            last = self._range_end(text, mention)
            end = last.end if last else mention.end
            for locator in self._locators_between(mention, last) if last else (mention.locator,):
                yield mention.start, end, locator
            joint = _JOINT.match(text, end)
            mention = self._mention(text, joint.end()) if joint else None
            if mention and not (has_cue or self._stands_alone(text, mention)):
                return
            is_short = mention and mention.locator not in self.places and mention.level in self.short
            if mention and (is_short or _UNIT.match(text, mention.end)):
                return

    def _range_end(self, text: str, mention: _NumberMention) -> _NumberMention | None:
        """The second end of `400.7a–d`, `400.7a–400.7d` or `509.1b至c`."""
        dash = _RANGE.match(text, mention.end)
        if not dash:
            return None
        whole = self._mention(text, dash.end())
        if whole and len(whole.key) == len(mention.key):
            return whole
        suffix = _SUFFIX.match(text, dash.end())
        if not suffix:
            return None
        base = mention.locator.rstrip("abcdefghijklmnopqrstuvwxyz") if suffix["letter"] else re.sub(r"\d+$", "", mention.locator)
        if base == mention.locator:
            return None
        locator = base + suffix[0]
        return _NumberMention(dash.end(), suffix.end(), locator, mention.level, number_key(locator, self.grammar))

    def _locators_between(self, first: _NumberMention, last: _NumberMention) -> Sequence[str]:
        """The locators of a range in this edition, on one level; only the two printed ends if one of them is missing."""
        start, end = self.places.get(first.locator), self.places.get(last.locator)
        if start is None or end is None or end < start:
            return (first.locator, last.locator)
        depth = len(first.key)
        return [address for address in self.addresses[start : end + 1] if len(number_key(address, self.grammar)) == depth]


def _short_levels(grammar: Grammar) -> frozenset[int]:
    """Levels whose numbers look like plain numbers or decimals and therefore need a cue."""
    shorts = {"9", "900", "999", "9.9", "9-9"}
    return frozenset(
        index for index, level in enumerate(grammar.levels) if level.kind is not Kind.RULE or level.formats[0] in shorts
    )


@cache
def _number_pattern(grammar: Grammar) -> re.Pattern[str]:
    if not grammar.levels:
        return re.compile(r"(?!)")
    dash = r"|-\d" if "-" in grammar.levels[-1].formats[0].replace("a-", "a") else ""  # 400-402 is a range elsewhere
    return re.compile(rf"(?:{number_pattern(grammar)})(?!\d|\.\d{dash}|,\d{{3}}(?![\d.]))")


class ArticleCiter:
    """Finds the citations of articles in the texts of one edition."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._parents = {node.locator: node.parent for node in nodes}
        self._kinds = {node.locator: node.kind for node in nodes}
        self._whole = {node.locator: self._locator_path(node.locator) for node in nodes}
        self._ending: dict[Ordinal, list[str]] = {}
        for locator, whole in self._whole.items():
            if whole and path_in(locator):
                self._ending.setdefault(whole[-1], []).append(locator)

    def citations(self, text: str, locator: str) -> tuple[Citation, ...]:
        """The citations in a text of the rule with a locator, in the order of the text."""
        return tuple(self._found_citations(text, self._whole[locator]))

    def _found_citations(self, text: str, citing_path: Path) -> Iterator[Citation]:
        plain = to_half_width(text)
        for match in _NUMBER_WORDS.finditer(plain):
            if (locator := fold_number(match[0])) in self._kinds:
                yield Citation(*match.span(), text[match.start() : match.end()], locator, locator)
        for path in paths_in(plain):
            if is_of_other_text(plain, path.start):
                continue
            target = self._nearest_rule(path.path, citing_path) or self._first_paragraph(
                path.path, citing_path, "項" if _KANA.search(text) else "款"
            )
            if target or any(step.unit == "条" for step in path.path):
                surface = text[path.start : path.end]
                yield Citation(path.start, path.end, surface, fold_path(path.path), target)

    def _nearest_rule(self, path: Path, citing_path: Path) -> str | None:
        """The rule that a path cites; of several, the only one that shares the most steps with the citing rule."""
        near: dict[int, list[str]] = {}
        for locator in self._ending.get(path[-1], ()):
            if is_within(path, self._whole[locator]):
                near.setdefault(shared_prefix_length(self._whole[locator], citing_path), []).append(locator)
        best = near[max(near)] if near else []
        return best[0] if len(best) == 1 else None

    def _first_paragraph(self, path: Path, citing_path: Path, unit: str) -> str | None:
        """The first paragraph of an article, which has no number: 第3条第1項, in Chinese 第三条第一款."""
        article = self._nearest_rule(path[:-1], citing_path) if path[1:] and (path[-1].unit, path[-1].value) == (unit, 1) else None
        first = f"{article}~1"
        return first if article and self._kinds[article].is_heading and self._kinds.get(first) is Kind.RULE else article

    def _locator_path(self, locator: str | None) -> Path:
        """The last steps of the locators of a rule and of its ancestors, the outermost first."""
        steps: list[Ordinal] = []
        while locator:
            steps[:0] = path_in(locator)[-1:]
            locator = self._parents.get(locator)
        return tuple(steps)
