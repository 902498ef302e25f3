"""Finds the headings of a document that is not a numbered rulebook: tournament rules, penalty guides, manuals, regulations.

A line is a heading by its mark (Markdown, an underline), by its number (`2.1.`, `第3条`, `IV.`, `A-01`), or by its position: short,
not a sentence, with text below it. Headings in the table of contents, and recurring ones such as `Definition`, are more certain.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from corpus.catalogue import Grammar
from corpus.model import Kind
from corpus.ordinals import HAN, UNITS, han_number
from corpus.words.text import CJK, fold_text
from ingest.inline import accepted_candidates
from ingest.lines import Layout, Line
from ingest.number import NumberCandidate, is_listed
from ingest.number_format import Number
from ingest.split.block import cue_pattern, line_role

BULLET = re.compile(r"(?:[•‣∙·◦▪▫●○◯■□◆◇▶▷►▻➢➤✓✔❖★☆▼▽⚫❍\ue000-\uf8ff](?![●○■□▲△])|[*+\-–—➔o](?=[ \t])|・)[ \t]*")
"""A bullet; in Japanese and Chinese the first word may be glued to it."""
_MARKDOWN_HEADING = re.compile(r"(?P<hashes>#{1,6})[ \t]+(?=\S)|(?P<equals>={2,6})[ \t]*(?=[^=\s].*(?P=equals)[ \t]*$)", re.M)
"""The marks of a heading in Markdown, and in wiki text."""
_UNDERLINE = re.compile(r"(?:={3,}|-{3,}|~{3,}|\^{3,})$")
_BOLD = re.compile(r"(\*\*|__)(?=\S)[^*_]{1,100}\1[:：]?$")
_HEADING_MARK = re.compile(r"[■□◆◇●○◎▼▽▲△★☆▶❖][ \t]?(?=[^\s●○■□▲△])")
_BRACKETED = re.compile(r"(?:【[^】]{1,40}】|＜[^＞]{1,40}＞|〈[^〉]{1,40}〉|《[^》]{1,40}》|<[^<>]{1,40}>|\[[^\[\]]{1,40}\])$")
_NOT_A_HEADING = re.compile(r"【[^】]{1,12}】\s*\S|→|⇒|https?://|\S+@\S+$")
"""A line that starts with a label, an arrow or an address is text."""
_SENTENCE = re.compile(r"[.。!！;；,，、…:：(（「『“‘【]$")
_SENTENCE_STOP = re.compile(r"[.。!！?？][)）」』”\"]?$")
_QUESTION_END = re.compile(r"[?？]$|(?:ですか|ますか|せんか|でしょうか)。?$")
_QUESTION_MARK = re.compile(r"(?:Q\s?\d{0,3}\s?[.:、)]|Q\d{1,3}\s|[【\[]\s?Q\s?\d{0,3}\s?[】\]]|[問问]\s?\d{0,3}\s?[.:、])\s?\S")
_TWO_SENTENCES = re.compile(r"、|[a-z]{3}[.!?] [A-Z]")
_COLUMN_GAP = re.compile(r"\S(?:\t| {3})\s*\S")
_STOP_WITHIN_LINE = re.compile(r"[.。!！?？][)）」』”\"]?(?=.)")
_ANY_CJK = re.compile(f"[{CJK}]")
_LATIN = re.compile("[A-Z]")
_PAGE_REFERENCE = re.compile(r"(?<![\s.…·])[\s.…·]*\d{0,4}$")
"""Matches the leader and the page number at the end of an entry; without the look-behind, a run of spaces costs quadratic time."""
LONGEST_TITLE, _LONGEST_CJK, _MAX_WORDS = 90, 44, 14
"""Maximum number of characters, and of words in Latin script, in a title."""
_LONGEST_QUESTION, _QUESTION_LINES = 300, 5
"""Maximum number of characters, and of lines, in a question that is a heading."""
_MIN_RECURRENCES = 3
"""Minimum number of occurrences of a title that recurs in each section (`Definition`)."""
_MIN_RECURRENCE_SHARE = 0.2
"""Share of the numbered sections that have such a title."""
_MIN_RUN = 4
"""Number of consecutive title-like lines that form a list or table."""
_MIN_LISTED, _LONGEST_LISTING, _MAX_FRONT = 4, 1000, 120
"""Number of lines in a table of contents, and of lines before it."""
_TITLE_PAGE = 2
"""Number of lines at the start of a text that may contain its title."""
_CONTENTS_START_SHARE = 0.25
"""Share of a text within which its table of contents starts."""
_SHORT_LINE_SHARE = 0.85
"""Share of the wrap width left free by a line and the next word if the line break is intentional."""


class Heading(NamedTuple):
    """A heading on a line, its words from `start`. `depth` counts from 1 below the number above, or from the `top` level."""

    line: int
    start: int
    number: Number | None = None
    depth: int = 1
    top: bool = False
    kind: Kind = Kind.SECTION
    lines: int = 1


def is_deliberately_short(layout: Layout, line: Line, after: Line) -> bool:
    """Whether the break between two lines is intentional, because the next word would have fitted."""
    least = _SHORT_LINE_SHARE * layout.wrap
    if _SENTENCE_STOP.search(layout.text[line.end - 2 : line.end]):
        least = max(least, layout.full_width)
    return not layout.wrap or joined_length(layout, line, after) < least


def joined_length(layout: Layout, line: Line, after: Line) -> int:
    """The length of a line with the first word of the next one, in characters."""
    word = layout.text[after.start : after.end].split(" ", 1)[0]
    return line.end - line.start + (1 if _ANY_CJK.match(word) else 1 + len(word))


def is_title(words: str) -> bool:
    """Whether words are short enough for a title and not a sentence."""
    plain = words.strip("*_# ")
    if not plain or _SENTENCE.search(plain) or plain[0].islower() or not any(map(str.isalpha, plain)):
        return False
    if _ANY_CJK.search(plain):
        return len(plain.replace(" ", "")) <= _LONGEST_CJK and "。" not in plain
    return len(plain) <= LONGEST_TITLE and len(plain.split()) <= _MAX_WORDS


def is_markdown_heading(words: str) -> bool:
    """Whether a line has the marks of a Markdown heading."""
    return bool(_MARKDOWN_HEADING.match(words))


def is_part(words: str) -> bool:
    """Whether a line is the title of a part of a book: 第2部 Piers, Part II: Piers."""
    return bool(_PART.match(words))


def _is_capitals(words: str) -> bool:
    return words.upper() == words and len(_LATIN.findall(words)) > 3 and not _ANY_CJK.search(words)


def is_label(words: str) -> bool:
    """Whether a line such as `Examples:` only introduces the text below it."""
    return len(words) < 14 and words.endswith((":", "："))


# ── The table of contents ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class PrintedContents:
    """The lines of a table of contents, and the titles that it lists, folded."""

    lines: frozenset[int] = frozenset()
    titles: frozenset[str] = frozenset()


def find_contents(layout: Layout) -> PrintedContents:
    """The table of contents: lines with leaders, or a list without sentences whose first line recurs after it."""
    count = len(layout.lines)
    near = range(min(count, int(count * _CONTENTS_START_SHARE) + 1, _MAX_FRONT))
    contents_line = next(
        (i for i in near if cue_pattern("contents").match(layout.text, layout.lines[i].start, layout.lines[i].end)), None
    )
    lines = set(_title_list(layout, contents_line, near))
    listing_lines = [i for i in range(count) if is_listed(layout.text, layout.lines[i].start, layout.lines[i].end)]
    if len(listing_lines) >= _MIN_LISTED:
        listing_set = set(listing_lines)
        lines |= {
            i for i in range(listing_lines[0], listing_lines[-1] + 1) if i in listing_set or not _is_sentence(layout.words(i))
        }
        lines |= {contents_line} if contents_line is not None and contents_line < listing_lines[0] else set()
    return PrintedContents(frozenset(lines), frozenset(filter(None, (_listed_title(layout.words(i)) for i in lines))))


def _title_list(layout: Layout, heading_line: int | None, lines: range) -> range:
    places: defaultdict[str, list[int]] = defaultdict(list)
    for i in range(len(layout.lines)):
        if title := _listed_title(layout.words(i)):
            places[title].append(i)
    for first in lines[heading_line + 1 if heading_line is not None else 0 :]:
        title = _listed_title(layout.words(first))
        again = next((i for i in places.get(title, ()) if first + _MIN_LISTED < i < first + _LONGEST_LISTING), None)
        if again is not None and len(title) > 1:
            inside = [layout.words(i) for i in range(first, again)]
            title_count = sum(len(places.get(_listed_title(words), ())) > 1 for words in inside)
            if sum(map(_is_sentence, inside)) <= 0.1 * len(inside) and (
                heading_line is not None or title_count >= 0.3 * len(inside)
            ):
                return range(first if heading_line is None else heading_line, again)
        if heading_line is not None and first > heading_line + 3:
            break
    return range(0)


def _listed_title(words: str) -> str:
    return fold_text(_PAGE_REFERENCE.sub("", words).lstrip("#*-• ").rstrip("*"))


def _is_sentence(words: str) -> bool:
    return bool(re.search(r"[。！]$|^.{20,}[.!;；]$", words)) and not re.search(r"(?:\.\s?){3}$", words)


# ── Numbers of an outline: 第1章, Article 5, IV., B., A-01, 一、 ─────────────────────────────────────────────────────────────────

_UNIT_RANKS = {unit: rank for rank, units in enumerate(UNITS) for unit in units}
_OUTLINE_NUMBER = {
    "unit": rf"第\s?(?P<unit>\d{{1,4}}|[{HAN}]{{1,5}})\s?(?P<kind>[{''.join(_UNIT_RANKS)}])"
    rf"(?:[のノ之](?P<branch>\d{{1,2}}|[{HAN}]{{1,3}})(?=[\s(第]|$))?",
    "word": r"(?P<word>(?i:(?P<name>part|title|chapter|section|article)) (?P<count>\d{1,3}|[IVX]{1,5}))"
    r"(?=\s*[.:\u2013\u2014-]|\s+[A-Z(]|$)\s*[.:\u2013\u2014-]?",
    "code": r"(?P<code>[A-Z]{1,2}-?\d{1,3}(?:-\d{1,2})?)[.:]?(?=\s)",
    "roman": r"(?P<roman>[Ⅰ-Ⅻ]|[IVX]{1,5}(?=[.:、)]|\s{2}))[.:、)]?",
    "upper": rf"(?P<upper>[A-Z])(?:[.:、)](?=\s)|(?=\s{{1,4}}[{CJK}]))",
    "han": r"(?P<han>[一二三四五六七八九十]{1,3})(?:、|\.|\s(?=\S))",
    "bracketed": r"\((?P<bracketed>[一二三四五六七八九十]{1,3})\)",
    "plain": r"(?P<plain>\d{1,2})(?:[.、](?!\d)|(?=\s))",
}
_PART = re.compile(
    rf"第\s?(?:\d{{1,2}}|[{HAN}]{{1,3}}|[Ⅰ-Ⅻ]|[IVX]{{1,4}})\s?(?:部|編|编|篇)(?=\s|$)"
    r"|(?i:part) (?:\d{1,2}|[IVX]{1,4})(?=\s*[.:–—-]|\s+[A-Z]|$)"
)
_NUMBERED = re.compile(
    rf"(?:#{{1,6}}\s+)?(?:\*\*|__)?(?:{'|'.join(f'(?P<s_{name}>{form})' for name, form in _OUTLINE_NUMBER.items())})"
)
_PARTICLE = re.compile(r"(?:[のをがはにとや,、)）]|から|まで|及び|または|又は|による|的|和|与|至|规定|規定|第)")
_BELOW_ARTICLE_UNITS = ("unit5", "unit6")
"""Paragraphs (項) and items (号) of an article, the first of which often has no number."""
_TITLE_SHARE = 0.7
"""Share of titles among lines with one kind of number above which these numbers are headings."""


def number_rank(text: str) -> int:
    """The rank of an outline's number: 12, 十二, XII, B, A-02 (of codes the last digits)."""
    text = unicodedata.normalize("NFKC", text)
    if digits := re.search(r"\d+$", text):
        return int(digits[0])
    if text[0] in HAN:
        return han_number(text)
    return ord(text) - 64 if len(text) == 1 and text not in "IVX" else _roman_value(text)


def _roman_value(text: str) -> int:
    values = [{"I": 1, "V": 5, "X": 10}.get(letter, 0) for letter in text]
    return sum(-value if any(later > value for later in values[at + 1 : at + 2]) else value for at, value in enumerate(values))


class _Numbered(NamedTuple):
    """A line that starts with an outline number."""

    line: int
    style: str
    value: int
    start: int  # of the number
    after: int  # end of the number
    end: int  # start of the words
    name: str  # the number in the form of an address


def _outline_numbers(layout: Layout) -> list[_Numbered]:
    """The lines whose numbers are headings: most of the same kind are titles, and they increase."""
    numbers: list[_Numbered] = []
    for i, line in enumerate(layout.lines):
        match = _NUMBERED.match(layout.text, line.start, line.end)
        if match is None or (
            i and not line.gap and not layout.is_closed(i - 1) and not is_deliberately_short(layout, layout.lines[i - 1], line)
        ):
            continue
        style = next(name for name in _OUTLINE_NUMBER if match[f"s_{name}"])
        if style == "unit":
            if _PARTICLE.match(layout.text, match.end(), line.end) and not layout.text.startswith("(", match.end()):
                continue
            style += str(_UNIT_RANKS[match["kind"]])
            value = number_rank(match["unit"])
            name = f"第{value}{match['kind']}" + (f"の{number_rank(match['branch'])}" if match["branch"] else "")
            numbers.append(_Numbered(i, style, value, match.start("s_unit"), match.end("s_unit"), match.end(), name))
        else:
            start, after = match.span(style)
            kind = f"{style} {match['name'].lower()}" if match["name"] else style
            value = number_rank(match["count"] or match[style])
            numbers.append(_Numbered(i, kind, value, start, after, match.end(), _fold_printed(match[style])))
    styles = {each.style for each in numbers}
    return [
        each for style in sorted(styles) for each in _sequential_numbers(layout, [one for one in numbers if one.style == style])
    ]


def _sequential_numbers(layout: Layout, candidates: Sequence[_Numbered]) -> list[_Numbered]:
    """Those that start with 1 or follow another one; empty if most are not titles."""
    sequence: list[_Numbered] = []
    lowest = 2 if candidates[0].style in _BELOW_ARTICLE_UNITS else 1
    for each in candidates:
        if (
            each.value <= lowest
            or (sequence and 0 < each.value - sequence[-1].value <= 2)
            or (sequence and _is_branch(sequence[-1], each))
        ):
            sequence.append(each)
    titles = [each for each in sequence if _is_heading(layout, each)]
    unit = candidates[0].style.startswith("unit")
    if len(sequence) < 2 - unit or (not unit and len(titles) < _TITLE_SHARE * len(sequence)):
        return []
    return sequence if unit else titles


def _is_branch(previous: _Numbered, number: _Numbered) -> bool:
    """Whether a number is a branch of the previous one: 第3条の2 after 第3条."""
    follows = number.value == previous.value and number.name != previous.name
    return follows and number.name.startswith(previous.name.partition("の")[0] + "の")


def _is_heading(layout: Layout, number: _Numbered) -> bool:
    """Whether a numbered line is a title with text below it, not an entry of a list."""
    words = layout.text[number.end : layout.lines[number.line].end].lstrip(" \u3000.:：)").rstrip(" :：")
    below = layout.words(number.line + 1) if number.line + 1 < len(layout.lines) else ""
    match = _NUMBERED.match(below)
    kind, _, name = number.style.partition(" ")
    is_list = bool(match and match["s_" + kind.rstrip("0123456789")] and (match["name"] or "").lower() == name)
    return (is_title(words) or (not words and number.style.startswith("word"))) and bool(below) and not is_list


def outline_headings(layout: Layout) -> list[Heading]:
    """The headings with outline numbers, nested in order of first occurrence."""
    headings: list[Heading] = []
    open_: list[_Numbered] = []
    path: list[int] = []
    numbers = sorted(_outline_numbers(layout), key=lambda each: each.line)
    names = Counter((each.style, each.name) for each in numbers)
    restarting_styles = {style for (style, _), count in names.items() if count > 1}
    for each in numbers:
        depth = next((at for at, other in enumerate(open_) if other.style == each.style), None)
        if depth is None and each.style.startswith("unit"):
            depth = next(
                (at for at, other in enumerate(open_) if other.style >= each.style or not other.style.startswith("unit")), None
            )
        depth = len(open_) if depth is None else depth
        open_, path = [*open_[:depth], each], [*path[:depth], each.value]
        line = layout.lines[each.line]
        words = layout.text[each.end : line.end].strip(" :：")
        title = is_title(words) or not words
        surface = layout.text[each.start : each.after]
        number = Number(depth, tuple(path), surface, each.start, each.end, False, _number_label(open_, restarting_styles))
        kind = (Kind.SECTION if depth else Kind.CHAPTER) if title else Kind.RULE
        headings.append(Heading(each.line, each.end, number, kind=kind))
    return headings


def _fold_printed(surface: str) -> str:
    return "".join(unicodedata.normalize("NFKC", surface).lower().split())


def _number_label(open_chapters: Sequence[_Numbered], restarting_styles: set[str]) -> str:
    """The number in the form of an address, after that of the chapter if numbers restart in each chapter."""
    own = open_chapters[-1]
    alone = own.style == "code" or (own.style not in restarting_styles and own.style not in _BELOW_ARTICLE_UNITS)
    if alone or len(open_chapters) == 1:
        return own.name
    return _number_label(open_chapters[:-1], restarting_styles) + ("" if own.style.startswith("unit") else ".") + own.name


# ── Headings without a number ────────────────────────────────────────────────────────────────────────────────────────


class HeadingFinder:
    """Finds the headings of one text under one grammar: `sections` are numbered by its levels, an `outline` in any way."""

    def __init__(self, layout: Layout, grammar: Grammar, titles: frozenset[str]) -> None:
        self.layout = layout
        self.grammar = grammar
        self.titles = titles  # in the table of contents
        marks = ((i, _MARKDOWN_HEADING.match(layout.text, line.start)) for i, line in enumerate(layout.lines))
        self.hashes = {i: len(mark[0].strip()) for i, mark in marks if mark}
        self.underlined = set(self._underlined_headings())
        self.sections = len(layout.lines)  # numbered headings found so far
        self.is_markdown = len(self.hashes) + len(self.underlined) >= 2

    def headings(self) -> list[Heading]:
        """The headings, each on its own line, in text order."""
        if self.grammar.slug == "paragraphs":
            return []
        headings_by_line = {heading.line: heading for heading in self._numbered_headings()}
        self.sections = len(headings_by_line) or self.sections
        if self.is_markdown and len(headings_by_line.keys() & self.hashes.keys()) >= 0.5 * len(headings_by_line):
            headings_by_line = {line: heading for line, heading in headings_by_line.items() if line in self.hashes}
        plain = self._markup_headings(headings_by_line) if self.is_markdown else self._headings_by_position(headings_by_line)
        headings = sorted([*headings_by_line.values(), *plain], key=lambda heading: heading.line)
        return headings if self.is_markdown else self._without_title(headings)

    def _without_title(self, headings: list[Heading]) -> list[Heading]:
        """The headings of a plain text, without its title and other first-page lines that have no sentence below them."""
        while headings and headings[0].number is None:
            below = range(headings[0].line + 1, headings[1].line if len(headings) > 1 else len(self.layout.lines))
            is_first = headings[0].line < _TITLE_PAGE and any(heading.number for heading in headings)
            is_in_contents = fold_text(self.layout.words(headings[0].line)) in self.titles
            if any(_SENTENCE_STOP.search(self.layout.words(i)) for i in below) and (is_in_contents or not is_first):
                break
            if _is_chapter(headings):
                break
            headings = headings[1:]
        return headings

    def _numbered_headings(self) -> list[Heading]:
        if self.grammar.slug == "outline":
            return outline_headings(self.layout)
        if not self.grammar.levels:
            return []
        numbers = [each for each in accepted_candidates(self.layout, self.grammar) if not each.glued]
        lines = {each.line for each in numbers}
        return [*self._chapters_above(numbers), *(self._section_heading(each.number, each.line, lines) for each in numbers)]

    def _section_heading(self, number: Number, line: int, heading_lines: Set[int]) -> Heading:
        """A numbered heading; its title may stand on the next line."""
        words = self.layout.text[number.end : self.layout.lines[line].end].strip()
        title = is_title(words) or not words or number.level == 0
        below = self.layout.lines[line + 1 : line + 2] if not words and line + 1 not in heading_lines else ()
        lines = 2 if any(not after.gap and is_title(self.layout.words(line + 1)) for after in below) else 1
        kind = self.grammar.levels[number.level].kind if title else Kind.RULE
        return Heading(line, number.end, number, kind=kind, lines=lines)

    def _chapters_above(self, numbers: Sequence[NumberCandidate]) -> list[Heading]:
        """The chapters above numbered sections if their own numbers are written in another way: 第一章 or Part II above 2.1."""
        if self.is_markdown:
            numbers = [each for each in numbers if each.line in self.hashes]
        if not numbers or any(len(each.key) == 1 for each in numbers):
            return []
        lines = [each.line for each in numbers]
        chapters = [each for each in _outline_numbers(self.layout) if each.style.startswith(("unit", "word"))]
        if any(each.line > lines[-1] or numbers[bisect_left(lines, each.line)].key[0] != each.value for each in chapters):
            return []
        headings = []
        for each in chapters:
            surface = self.layout.text[each.start : each.after]
            number = Number(0, (each.value,), surface, each.start, each.after, dotted=False, label=str(each.value))
            headings.append(Heading(each.line, each.end, number, kind=Kind.CHAPTER))
        return headings

    def _underlined_headings(self) -> Iterator[int]:
        """Titles with a line of = or - below."""
        for i, (line, after) in enumerate(pairwise(self.layout.lines)):
            length = line.end - line.start
            near = not after.gap and abs(after.end - after.start - length) <= 0.7 * length + 4
            if near and _UNDERLINE.match(self.layout.words(i + 1)) and is_title(self.layout.words(i)):
                yield i

    def _markup_headings(self, headings_by_line: Mapping[int, Heading]) -> Iterator[Heading]:
        """Headings of Markdown; under a numbered one those that are deeper than it."""
        depths = {i: self._heading_depth(i) for i in (*self.hashes, *self.underlined)}
        highest = min((depths[i] for i in headings_by_line if i in depths), default=0)
        deepest = 1 + max([0, *depths.values()])
        depths |= {i: deepest for i in range(len(self.layout.lines)) if i not in depths and self._is_bold_question(i)}
        above = 0  # depth of the number above
        for i in sorted({*depths, *headings_by_line}):
            if i in headings_by_line:
                above = depths.get(i, above)
                continue
            line = self.layout.lines[i]
            match = _MARKDOWN_HEADING.match(self.layout.text, line.start, line.end)
            start = match.end() if match else line.start
            top = not headings_by_line or depths[i] <= highest or not above
            lines = self._question_length(i) or 1 if i not in self.hashes else 1
            yield Heading(i, start, None, depths[i] if top else max(1, depths[i] - above), top, lines=lines)

    def _is_bold_question(self, index: int) -> bool:
        """Whether a line of Markdown is a question in bold, or starts one with a mark."""
        words = self.layout.words(index)
        plain = words.strip("*_")
        bold = _BOLD.match(words) and (_QUESTION_MARK.match(plain) or _QUESTION_END.search(plain))
        return bool(bold or (_QUESTION_MARK.match(words) and self._question_length(index)))

    def _heading_depth(self, index: int) -> int:
        below = self.layout.words(index + 1)[:1] if index in self.underlined else ""
        return self.hashes.get(index) or ("=-~^".index(below) + 1)

    def _headings_by_position(self, headings_by_line: Mapping[int, Heading]) -> list[Heading]:
        """Headings of plain text by position. Before the first number they are chapters, after it parts of a section."""
        styles = {
            i: style
            for i in range(len(self.layout.lines))
            if i not in headings_by_line and (style := self._heading_style(i, headings_by_line))
        }
        for run in list(_style_runs(styles)):
            if len(run) >= (2 if styles[run[0]].startswith(("mark", "bracketed")) else _MIN_RUN):
                for i in run:
                    styles.pop(i)
        first = min(headings_by_line, default=len(self.layout.lines))
        chapters = {styles[i] for i in styles if i < first} - {"alone"}
        order = list(dict.fromkeys(styles[i] for i in sorted(styles)))
        headings = []
        for i, style in sorted(styles.items()):
            top = i < first or (style in chapters and fold_text(self.layout.words(i)) in self.titles) or self._is_appendix(i)
            depth = 1 + (order.index(style) if not headings_by_line else 0)
            lines = self._question_length(i) or 1
            headings.append(Heading(i, self.layout.lines[i].start, None, min(depth, 3), top or not headings_by_line, lines=lines))
        return headings

    def _is_appendix(self, index: int) -> bool:
        line = self.layout.lines[index]
        return bool(cue_pattern("appendix").match(self.layout.text, line.start, line.end))

    def _heading_style(self, index: int, headings_by_line: Mapping[int, Heading]) -> str | None:
        """The evidence that a line is a heading; None without any."""
        layout, words = self.layout, self.layout.words(index)
        line = layout.lines[index]
        if index + 1 >= len(layout.lines) or not self._begins_sentence(index, headings_by_line):
            return None
        if self._question_length(index):
            return "asks"
        if not is_title(words) or _COLUMN_GAP.search(words):
            return None
        if (line_role(layout, line) and not is_label(words)) or (_NOT_A_HEADING.match(words) and not _QUESTION_MARK.match(words)):
            return None
        if fold_text(words) in self.titles:
            return "listed"
        if self._is_appendix(index):
            return "appendix"
        if _HEADING_MARK.match(words) and self._heading_marks.get(words[0]):
            return f"mark {words[0]}"
        if _HEADING_MARK.match(words) or BULLET.match(words):
            return None
        if _QUESTION_END.search(words) or _QUESTION_MARK.match(words):
            return "asks" if line.gap or not layout.wrap else None
        looks = {"bracketed": _BRACKETED.match(words), "bold": _BOLD.match(words), "capitals": _is_capitals(words)}
        return next((style for style, applies in looks.items() if applies), None) or (
            None if headings_by_line and _NUMBERED.match(words) else self._look_by_position(index, words)
        )

    def _question_length(self, index: int) -> int:
        """The number of lines of a question that has a mark (`Q3.`), or is a sentence alone between blank lines; else 0."""
        lines, text = self.layout.lines[index : index + _QUESTION_LINES + 1], ""
        for count, (line, after) in enumerate(pairwise(lines), 1):
            words = self.layout.words(index + count - 1)
            text += words
            if len(text) > _LONGEST_QUESTION or (count > 1 and (line.gap or _QUESTION_MARK.match(words))):
                return 0
            if _SENTENCE_STOP.search(words):
                alone = lines[0].gap and after.gap and not _STOP_WITHIN_LINE.search(text)
                return count if _QUESTION_END.search(words) and (_QUESTION_MARK.match(text) or alone) else 0
        return 0

    def _look_by_position(self, index: int, words: str) -> str | None:
        """`alone` for a line in the position of a title: it recurs, or has a blank line above and text below; else None."""
        layout, line, below = self.layout, self.layout.lines[index], self.layout.lines[index + 1]
        if (not is_deliberately_short(layout, line, below) and not below.gap) or _TWO_SENTENCES.search(words):
            return None
        gap = line.gap and (index not in self._page_tops or below.gap or _SENTENCE_STOP.search(layout.words(index - 1)))
        return "alone" if fold_text(words) in self._recurring_titles or (gap and self._is_above_text(index)) else None

    def _begins_sentence(self, index: int, headings_by_line: Mapping[int, Heading]) -> bool:
        """Whether the sentence in the line above ends there."""
        line = self.layout.lines[index]
        if not index or line.gap or index - 1 in headings_by_line:
            return True
        return bool(_SENTENCE_STOP.search(self.layout.words(index - 1))) or is_deliberately_short(
            self.layout, self.layout.lines[index - 1], line
        )

    def _is_above_text(self, index: int) -> bool:
        """Whether text follows: a longer line, and a sentence or list near it."""
        below = [self.layout.words(i) for i in range(index + 1, min(index + 5, len(self.layout.lines)))]
        tests = (_SENTENCE.search, _QUESTION_END.search, BULLET.match, _NUMBERED.match)
        text = [line for line in below if any(test(line) for test in tests)]
        return bool(text) and (below[0] in text or len(below[0]) > 1.3 * len(self.layout.words(index)))

    @cached_property
    def _recurring_titles(self) -> set[str]:
        """Titles of parts of many sections: they recur below a blank line, or in a large share of the sections."""
        lines: defaultdict[str, list[int]] = defaultdict(list)
        for i in range(len(self.layout.lines)):
            if is_title(words := self.layout.words(i)):
                lines[fold_text(words)].append(i)
        often = [(title, places) for title, places in lines.items() if len(places) >= _MIN_RECURRENCES]
        apart = {title for title, places in often if 2 * sum(self.layout.lines[i].gap > 0 for i in places) >= len(places)}
        return apart | {title for title, places in often if len(places) >= _MIN_RECURRENCE_SHARE * self.sections}

    @cached_property
    def _page_tops(self) -> set[int]:
        return self.layout.page_tops()

    @cached_property
    def _heading_marks(self) -> dict[str, bool]:
        """For each mark, whether most lines with it are titles; otherwise the mark is a bullet."""
        marks: defaultdict[str, list[bool]] = defaultdict(list)
        for i, line in enumerate(self.layout.lines):
            if _HEADING_MARK.match(self.layout.text, line.start, line.end):
                below = self.layout.words(i + 1) if i + 1 < len(self.layout.lines) else ""
                marks[self.layout.text[line.start]].append(
                    is_title(self.layout.words(i)) and below[:1] != self.layout.text[line.start]
                )
        return {mark: sum(titles) >= _TITLE_SHARE * len(titles) for mark, titles in marks.items()}


def _is_chapter(headings: Sequence[Heading]) -> bool:
    """Whether the first heading has deeper ones below it, and others like it follow."""
    depth = headings[0].depth
    return len(headings) > 1 and headings[1].depth > depth and any(other.depth == depth for other in headings[2:])


def _style_runs(lines: Mapping[int, str]) -> Iterator[list[int]]:
    """Neighbouring lines of one style."""
    run: list[int] = []
    for i in sorted(lines):
        if run and (i != run[-1] + 1 or lines[i] != lines[run[-1]] or lines[i] == "listed"):
            yield run
            run = []
        run.append(i)
    if run:
        yield run
