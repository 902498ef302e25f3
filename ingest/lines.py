"""The layout of a text: separates page furniture, measures the wrap width, and joins wrapped lines."""

import itertools
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from corpus.reference import games_in_title, is_kind_of_book
from corpus.words.text import CJK, to_half_width

CLOSED_ENDING = re.compile(r"[.。!?！？:：;；)）」』》】\]”\"’]$")
"""Matches the last character of a sentence, title or list entry."""
FULL_LINE_SHARE = 0.7
"""Share of the wrap width above which a line may have been wrapped."""
_SHORT_LINE_SHARE = 0.45
"""Share of the wrap width below which a line break counts as intentional."""
_CJK_END = re.compile(f"[{CJK}\u3001-\u303f\uff01-\uff60]$")
_KANA_OR_HAN = re.compile("[\u3041-\u30ff\u3400-\u9fff]")
_HIRAGANA = re.compile("[\u3041-\u3096]")
_CONTINUES = re.compile("[ーぁぃぅぇぉっゃゅょんァィゥェォッャュョンを]|[はがに][、ぁ-ん]|です|ます|でし|まし")
"""Characters that start no sentence, name or list entry."""
_BEGUN_SENTENCE = re.compile("[。、][^。、]*$|[はがをにでとてものやへ、]$")
"""The end of a line inside a sentence: after a comma or another sentence, or at a particle."""
_CJK_START = re.compile(f"[{CJK}\u3001-\u303f\uff01-\uff60]")
_SENTENCE_END = re.compile(r"[.。!?！？:：;；][)）」』》】\]”\"’]{0,4}$")
_QUOTED_END = re.compile(r"[)）」』》】\]”\"’]$")
_LISTED = re.compile(r"[a-z]{1,4}[.)]")
"""The letter or Roman numeral of a list entry."""
_PARTICLE = re.compile("を|[にのがは](?![いうえおげこじずんわ])")
"""A particle that continues a sentence after a quotation; not the beginning of は＋じめ or の＋こり."""
_NEVER_FIRST = re.compile("[、。，]|を")
"""Characters that no sentence, name or list entry begins with."""
_OPENED_END = re.compile("[‘“「『（(【]$")
_BRACKETS = {"(": 1, "（": 1, "「": 1, "『": 1, "【": 1, ")": -1, "）": -1, "」": -1, "』": -1, "】": -1}
_BULLET = re.compile("[•・·◦▪●\uf06c\uf06e\uf077\uf0a7\uf0b7\uf0d8]")
_LONE_BULLET = re.compile("\n?[•·◦▪●\uf06c\uf06e\uf077\uf0a7\uf0b7\uf0d8]")
"""A line with nothing but a bullet, also of a symbol font."""


class Line(NamedTuple):
    """The text of one line without the spaces around it."""

    start: int
    end: int
    indent: int
    gap: int  # blank lines before it


def non_blank_lines(text: str) -> list[Line]:
    """The non-blank lines."""
    lines: list[Line] = []
    start = gap = 0
    only_feeds = True  # whether the blank lines are form feeds
    for raw in text.splitlines(keepends=True):
        words = raw.strip()
        if words:
            indent = len(raw) - len(raw.lstrip()) if raw[0].isspace() else 0
            if gap and only_feeds and lines and not is_line_closed(text, lines[-1]):
                gap = 0  # the sentence continues on the next page
            lines.append(Line(start + indent, start + indent + len(words), indent, gap))
            gap, only_feeds = 0, True
        else:
            gap += 1
            only_feeds = only_feeds and "\f" in raw
        start += len(raw)
    return lines


def is_line_closed(text: str, line: Line) -> bool:
    """Whether a line ends like a sentence, title or list entry."""
    return bool(CLOSED_ENDING.match(text, line.end - 1, line.end))


def join_lines(text: str, lines: Sequence[Line], wrap: int) -> str:
    """The lines as reading text: wrapped lines are joined, intentional line breaks stay."""
    if len(lines) == 1:
        return text[lines[0].start : lines[0].end]
    parts = [text[lines[0].start : lines[0].end]]
    depths = _bracket_depths(text, lines)
    column = False
    for (before, line), depth in zip(itertools.pairwise(lines), depths, strict=False):
        words = text[line.start : line.end]
        if _LONE_BULLET.fullmatch(parts[-1]):
            if _LONE_BULLET.fullmatch("\n" + words):
                column = True  # bullets that the copy tore off their entries
            elif column:
                parts[-1], column = "\n" + words, False
            else:
                parts.append(" " + words)
            continue
        joint = _line_joint(parts[-1], words, before, line, wrap)
        if wrap and depth and joint == "\n" and not (line.gap or _BULLET.match(words)):
            joint = "" if _CJK_END.search(parts[-1]) or _CJK_START.match(words) else " "
        if not joint and is_broken_word(text, parts[-1], words):
            parts[-1] = parts[-1][:-1]
        parts.append(joint + words)
    return "".join(parts)


def _bracket_depths(text: str, lines: Sequence[Line]) -> list[int]:
    """The number of open brackets at the end of each line; 0 everywhere if the brackets of the lines do not match."""
    depths = list[int]()
    depth = 0
    for line in lines:
        depth += sum(_BRACKETS.get(character, 0) for character in text[line.start : line.end])
        if depth < 0:
            break
        depths.append(depth)
    return [0] * len(lines) if depth else depths


def is_torn(line: str, after: str) -> bool:
    """Whether a line of Japanese was broken in the middle of a sentence, even if it is short compared with others on its page."""
    if not _KANA_OR_HAN.match(after) or not _HIRAGANA.search(line) or CLOSED_ENDING.search(line):
        return False
    return bool(_CONTINUES.match(after) or _BEGUN_SENTENCE.search(line))


def _line_joint(before: str, after: str, line: Line, next_line: Line, wrap: int) -> str:
    length = line.end - line.start
    if not next_line.gap and is_torn(before[-length:], after):
        return ""
    if after[0].islower() and not CLOSED_ENDING.search(before):
        return "" if before.endswith("-") else " "  # in the middle of a sentence, whatever the text between
    if after[0].islower() and not _SENTENCE_END.search(before[-6:]) and not _LISTED.match(after):
        return " "  # in the middle of a sentence, after a quotation or a bracket
    if not next_line.gap and (_OPENED_END.search(before) or _NEVER_FIRST.match(after)):
        return ""
    if (
        not next_line.gap
        and wrap
        and _QUOTED_END.search(before)
        and not _SENTENCE_END.search(before[-6:])
        and _PARTICLE.match(after)
    ):
        return ""
    if _OPEN_WORD.search(before[-_LONGEST_OPEN_WORD:]):
        return " "
    short = length < _SHORT_LINE_SHARE * wrap or (length < FULL_LINE_SHARE * wrap and CLOSED_ENDING.search(before))
    if next_line.gap or not wrap or short:
        return "\n"
    if before.endswith("-") or (_CJK_END.search(before) or _CJK_START.match(after)):
        return ""
    return " "


_OPEN_WORD = re.compile(r"[ \t](?:an?|the|of|or|and|with|from|into|by|your|their|its|called|is|are|if|when)$")
"""A word at the end of a line that no sentence, title or list entry ends with."""
_LONGEST_OPEN_WORD = 7  # characters, with the space before it
_HYPHENATED_END = re.compile(r"([A-Za-z][a-z]+)-$")
_HYPHENATED_REST = re.compile(r"[a-z]{2,}")
_LONGEST_WORD = 40
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
_DIVIDED_WORD = re.compile(r"[A-Za-z]+-[ \t]{0,9}\r?\n[ \t]{0,99}[a-z]+")


def is_broken_word(text: str, before: str, after: str) -> bool:
    """Whether the hyphen at the end of a line only breaks a word: `play-` and `er`, not `double-` and `sided`.

    Judged by the rest of the text: it has the whole word, or neither the form with the hyphen nor both parts as words.
    """
    first, second = _HYPHENATED_END.search(before[-_LONGEST_WORD:]), _HYPHENATED_REST.match(after)
    if not first or not second:
        return False
    head, rest = first[1], second[0]
    words_in_lines = _words_inside_lines(text)
    if f"{head}-{rest}" in words_in_lines:
        return False
    return (
        f"{head}{rest}" in words_in_lines
        or f"{head.lower()}{rest}" in words_in_lines
        or not (head in words_in_lines and rest in words_in_lines)
    )


@lru_cache(maxsize=1)
def _words_inside_lines(text: str) -> frozenset[str]:
    """The words of a text that no line break divides."""
    return frozenset(_WORD.findall(_DIVIDED_WORD.sub(" ", text)))


_PAGE_NUMBER = re.compile(r"(?:#{1,3} )?[-–— ]{0,2}(\d{1,4})[-–— ]{0,2}$")
_PAGE_BREAK = re.compile(r"[-=_*~\[<]{2,12} ?(?:page|ページ|页|頁)? ?(?:\d{1,4})? ?[-=_*~\]>]{2,12}$", re.I)
"""A line that a program wrote between two pages: `---PAGE---`."""
_GLUED_PAGE_NUMBER = re.compile(r"[ \t](\d{1,4})$")
_TIGHT_PAGE_NUMBER = re.compile(r"(?<!\.\.)(?<![\d\s+/#×\-–—])(\d{1,4})$")
"""A page number without a space before it: `memory7`."""
_MIN_TIGHT_PAGES, _MIN_PAGE_LINES, _MAX_PAGE_LINES = 8, 0.75, 1.35
"""Number of pages with such a number, and the lines of a page as shares of the median."""
_GLUED_LINK = re.compile(r"[\"”』」][)）]( ?\d{1,2}(?:-\d{1,2}){0,6}-?)$")
"""The target of a link that a copy left behind a citation: `(see 4-2 "Ferries")4-2`."""
_REST_OF_LINK = re.compile(r"\d{1,3}(?:-\d{1,2}){0,6}$")
_MIN_LINKS = 8
_LONGEST_NUMBER = 8  # characters of a page number and its dashes
_DIGITS = re.compile(r"\d{1,4}")
_PART_OF_NUMBER = re.compile(r"(?<=\d[.-])\d|\d{1,4}[.-]\d")
"""A part of a rule's number, which is no page number: `see 1.1.3`."""
_MAX_HEADER_LENGTH = 120  # characters of a header
_MAX_POSITIONS = 4  # numbers of a header, one of which may be the page's
_MIN_RECURRENCES = 4  # pages
_MAX_DISTANCE = 6  # lines of a header or footer
_MIN_DISTANCE = 6  # lines between two pages, on average
_NO_HEADER = re.compile(r"[#*•|]|\d+[.\-:)]|(?:chapter|section|part|rule|step|level|example) ?\d|第 ?\d+ ?[章部编編篇条條]", re.I)
"""Other text with increasing numbers: headings, rules, list entries, table rows."""
_HEADER_WITH_LEADING_NUMBER = re.compile(r"\d{1,4}(?: ?[|｜·•] ?| )\S{3}")
"""A header that begins with the page number: `12 | Tournament Rules`."""
_SCRAP = re.compile(r"(?![ivx]+$)[a-z]{2,12}$")
_LEGEND_NUMBER = re.compile(r"\d{1,2}(?: \d{1,2})*$")
"""The numbers on a picture, which its legend explains."""
_ENDED = re.compile(r"[.。!?！？)）」』】”\"’]")
"""The last character of a finished sentence, unlike that of one that introduces a list or table."""
_MIN_LEGEND, _MIN_LEGEND_NUMBERS, _MAX_LABEL_SHARE = 4, 2, 0.5
"""Minimum number of lines of a legend and of its lines of numbers; maximum length of a line as a share of the usual width."""
_NUMBER_IN_SENTENCE = re.compile(r"(?<=[a-z,] )\d{1,3}(?= [a-z])")
_MIN_IN_SENTENCES = 2  # one may be a quantity that happens to be the number of its page
_FORM_FEED = re.compile("\f")
_EDGE_HEADER = re.compile(r"(?:(\d{1,4})[ |·]{1,3})?[^\d.。!?,;:、，：；]{2,60}?(?:[ |·]{1,3}(\d{1,4}))?$")
"""A header at the edge of a page, with the page number before or after its words."""
_MIN_HEADER = 4  # characters
_MIN_INTERRUPTING_SHARE = 0.25  # of the places of a header without a page number
Numbered = Sequence[tuple[int, int]]
"""Lines with a number: (line index, number)."""


def without_furniture(text: str, lines: list[Line]) -> tuple[list[Line], list[tuple[int, int]]]:
    """The lines without page furniture, and the furniture.

    Page numbers are alone on a line, in a header, or glued to the end of a page's last line.
    """
    numbers, glued_numbers = _page_numbers(text, lines)
    numbers |= _headers_with_numbers(text, lines) | _headers_at_page_edges(text, lines)
    furniture_lines = numbers.keys() | _headers_near_numbers(text, lines, numbers) | _interrupting_headers(text, lines)
    furniture_lines |= _page_breaks(text, lines)
    furniture_lines |= _picture_legends(text, lines, furniture_lines)
    links = _glued_links(text, lines)
    furniture_lines |= {i + 1 for i in links if text[lines[i].end - 1] == "-" and _is_rest_of_link(text, lines, i + 1)}
    if not numbers:
        glued_numbers = glued_numbers | _tight_page_numbers(text, lines)
    pages = numbers | {i: int(text[start : lines[i].end]) for i, start in glued_numbers.items()}
    inside = _page_numbers_in_sentences(text, lines, pages)
    if not furniture_lines and not glued_numbers and not links:
        return lines, []
    furniture: list[tuple[int, int]] = []
    rest: list[Line] = []
    is_after_page_break = False
    for i, line in enumerate(lines):
        if i in furniture_lines:
            furniture.append((line.start, line.end))
            is_after_page_break = True
            continue
        if is_after_page_break and rest and is_line_closed(text, rest[-1]) and _is_scrap(text, lines, i):
            furniture.append((line.start, line.end))
            continue
        if number := inside.get(i):
            furniture.append((number.start(), number.end()))
            rest.append(line._replace(end=number.start() - 1))
            line = line._replace(start=number.end() + 1, gap=0)
        if i in glued_numbers:
            furniture.append((glued_numbers[i], line.end))
            line = line._replace(end=line.start + len(text[line.start : glued_numbers[i]].rstrip()))
        elif i in links:
            furniture.append((links[i], line.end))
            line = line._replace(end=links[i])
        if is_after_page_break and rest and not is_line_closed(text, rest[-1]):
            line = line._replace(gap=0)  # the sentence continues after the page break
        rest.append(line)
        is_after_page_break = i in glued_numbers
    return rest, furniture


def _is_scrap(text: str, lines: Sequence[Line], index: int) -> bool:
    """Whether a line is a single word between blank lines that a copy tore out of a sentence elsewhere on the page.

    After the end of a sentence it continues nothing; the Roman numeral of a list is none.
    """
    line = lines[index]
    alone = line.gap > 0 and (index + 1 == len(lines) or lines[index + 1].gap > 0)
    return alone and bool(_SCRAP.match(text, line.start, line.end))


def _page_numbers(text: str, lines: Sequence[Line]) -> tuple[dict[int, int], dict[int, int]]:
    """Page numbers alone on a line: {line index: page}, and those glued to the last line of a page: {line index: their start}."""
    short = ((i, line) for i, line in enumerate(lines) if line.end - line.start <= _LONGEST_NUMBER)
    matches = ((i, _PAGE_NUMBER.match(text, line.start, line.end)) for i, line in short)
    lone = [(i, int(match[1])) for i, match in matches if match]
    run = _increasing_run(lone)
    headings = [(i, page) for i, page in lone if text[lines[i].start] == "#"]
    if len(headings) >= 2 and len(headings) > len(run):  # most numbers of this copy's pages are glued
        ends = {i: match for i in range(len(lines) - 1) if lines[i + 1].gap >= 2 and (match := _page_number_at_end(text, lines[i]))}
        both = _increasing_run(sorted([*headings, *((i, int(match[1])) for i, match in ends.items())]))
        if both:
            return dict(headings), {i: match.start(1) for i, match in ends.items() if i in both}
    return run, _glued_page_numbers(text, lines, run) if run else {}


def _page_number_at_end(text: str, line: Line) -> re.Match[str] | None:
    return _GLUED_PAGE_NUMBER.search(text, max(line.end - 5, line.start), line.end)


def _increasing_run(numbers: Numbered) -> dict[int, int]:
    """The longest increasing run of page numbers: {line index: page}."""
    best: list[tuple[int, int]] = []
    tails: list[int] = []
    back: dict[int, int] = {}
    ends: list[int] = []
    for position, (_, number) in enumerate(numbers):  # longest increasing subsequence, O(n log n)
        place = bisect_left(tails, number)
        back[position] = ends[place - 1] if place else -1
        tails[place : place + 1] = [number]
        ends[place : place + 1] = [position]
    at = ends[-1] if ends else -1
    while at >= 0:
        best.append(numbers[at])
        at = back[at]
    best.reverse()
    steps = [after[1] - before[1] for before, after in itertools.pairwise(best)]
    counting = len(best) >= 3 and sum(step <= 3 for step in steps) >= 0.8 * len(steps)
    return dict(best) if counting else {}


def _glued_page_numbers(text: str, lines: Sequence[Line], numbers: Mapping[int, int]) -> dict[int, int]:
    """Pages whose number is glued to the end of their last line: {line index: start of the number}."""
    pages = sorted(numbers.items())
    number_starts: dict[int, int] = {}
    for (before, low), (after, high) in zip([(0, 0), *pages], [*pages, (len(lines), pages[-1][1] + 2)], strict=True):
        for i in range(before, after) if high - low > 1 else ():
            match = _page_number_at_end(text, lines[i])
            last = i + 1 == len(lines) or lines[i + 1].gap >= 2
            if match and last and low < int(match[1]) < high:
                number_starts[i] = match.start(1)
                low = int(match[1])
    return number_starts


def _tight_page_numbers(text: str, lines: Sequence[Line]) -> dict[int, int]:
    """Page numbers glued without a space to the last words of pages of one length: {line index: start of the number}."""
    matches = ((i, _TIGHT_PAGE_NUMBER.search(text, max(line.end - 5, line.start), line.end)) for i, line in enumerate(lines))
    matches_by_line = {i: match for i, match in matches if match}
    run = sorted(_increasing_run([(i, int(match[1])) for i, match in matches_by_line.items()]).items())
    if len(run) < _MIN_TIGHT_PAGES or sum(b - a for (_, a), (_, b) in itertools.pairwise(run)) > 1.2 * len(run):
        return {}
    lengths = sorted((j - i) / (b - a) for (i, a), (j, b) in itertools.pairwise(run))
    usual = lengths[len(lengths) // 2]
    low, high = _MIN_PAGE_LINES * usual, _MAX_PAGE_LINES * usual
    alike = sum(low <= length <= high for length in lengths)
    if alike < 0.9 * len(lengths) or usual < _MIN_DISTANCE:
        return {}
    number_starts = {i: matches_by_line[i].start(1) for i, _ in run}
    for (i, before), (j, after) in itertools.pairwise(run):
        page = str(before + 1)
        near = [k for k in range(i + 1, j) if abs(2 * k - i - j) < 0.25 * usual and text.endswith(page, 0, lines[k].end)]
        if after - before == 2 and near:  # behind a digit: `7-342` is 7-3 on page 42
            middle = min(near, key=lambda k: abs(2 * k - i - j))
            number_starts[middle] = lines[middle].end - len(page)
    return number_starts


def _page_numbers_in_sentences(text: str, lines: Sequence[Line], pages: Mapping[int, int]) -> dict[int, re.Match[str]]:
    """Page numbers between two words of a sentence: {line index: the number}. `pages` are the others: {line index: page}.

    Only if there are several, and each is between the numbers of the pages before and after it; else some are quantities.
    """
    matches = ((i, _NUMBER_IN_SENTENCE.search(text, line.start, line.end)) for i, line in enumerate(lines) if pages)
    last = max(pages.values(), default=0)
    numbers = {i: match for i, match in matches if match and int(match[0]) < last}
    others = sorted(pages.items())
    for i, match in numbers.items():
        at = bisect_left(others, (i,))
        before, after = (others[at - 1] if at else (0, 0)), (others[at] if at < len(others) else (0, 0))
        if (before[1] + 1, after[1] - 1) != (int(match[0]), int(match[0])):
            return {}
    return numbers if len(numbers) >= _MIN_IN_SENTENCES else {}


def _picture_legends(text: str, lines: Sequence[Line], furniture_lines: Collection[int]) -> set[int]:
    """The labels and numbers of pictures at the ends of pages, between a sentence and the page's footer.

    Only with a caption in capitals below a label: a table or a list has its title, if any, in its first line.
    """
    width = sorted(line.end - line.start for line in lines)[int(len(lines) * 0.95)] if furniture_lines else 0
    legend_lines: set[int] = set()
    first = len(lines)
    for footer in sorted(furniture_lines, reverse=True):
        if footer > first:  # among the labels above a later footer
            continue
        first = footer
        while first and _is_label(text, lines[first - 1], width):
            first -= 1
        labels = {i: text[lines[i].start : lines[i].end] for i in range(first, footer)}
        number_lines = sum(bool(_LEGEND_NUMBER.match(label)) for i, label in labels.items() if i not in furniture_lines)
        has_caption = any(label.isupper() and " " in label for i, label in labels.items() if i > first)
        follows_sentence = first > 0 and bool(_ENDED.match(text, lines[first - 1].end - 1))
        if follows_sentence and has_caption and len(labels) >= _MIN_LEGEND and number_lines >= _MIN_LEGEND_NUMBERS:
            legend_lines.update(labels)
    return legend_lines


def _is_label(text: str, line: Line, width: int) -> bool:
    """Whether a line may be a label or number of a picture: short, and neither the end of a sentence nor a numbered rule."""
    words = text[line.start : line.end]
    short = len(words) <= _MAX_LABEL_SHARE * width
    return short and not (words[0].islower() or CLOSED_ENDING.search(words) or _NO_HEADER.match(words))


def _glued_links(text: str, lines: Sequence[Line]) -> dict[int, int]:
    """Targets of links at the end of lines, if there are several: {line index: start of the target}."""
    last = ((i, _GLUED_LINK.search(text, max(line.end - 24, line.start), line.end)) for i, line in enumerate(lines))
    links = {i: match.start(1) for i, match in last if match}
    return links if len(links) >= _MIN_LINKS else {}


def _is_rest_of_link(text: str, lines: Sequence[Line], index: int) -> bool:
    return index < len(lines) and bool(_REST_OF_LINK.match(text, lines[index].start, lines[index].end))


def _headers_with_numbers(text: str, lines: Sequence[Line]) -> dict[int, int]:
    """Lines such as `Complete Rules 12`, `Page 3 of 40`, `=== 第 5 页 ===` that contain the page number: {line index: page}."""
    alike: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for index, line in enumerate(lines):
        last = text[line.end - 1]
        first = _HEADER_WITH_LEADING_NUMBER.match(text, line.start, line.end)
        if not (last.isdigit() or last in "=-—–)]ジ页頁" or first) or line.end - line.start > _MAX_HEADER_LENGTH:
            continue
        words = text[line.start : line.end]
        if _NO_HEADER.match(words) and not first:
            continue
        for place, match in enumerate(itertools.islice(_DIGITS.finditer(words), _MAX_POSITIONS)):
            if not _PART_OF_NUMBER.match(words, match.start()):
                alike[f"{place} {_DIGITS.sub('#', words)}"].append((index, int(match[0])))
    pages: dict[int, int] = {}
    for numbers_of_header in alike.values():
        if len(numbers_of_header) >= _MIN_RECURRENCES and numbers_of_header[-1][0] - numbers_of_header[0][0] >= max(
            _MIN_DISTANCE * len(numbers_of_header), len(lines) // 2
        ):
            run = _increasing_run(numbers_of_header)
            pages |= run if len(run) >= 0.8 * len(numbers_of_header) else {}
    return pages


def _headers_at_page_edges(text: str, lines: Sequence[Line]) -> dict[int, int]:
    """Headers of several wordings at form feeds, as the titles of chapters, whose page numbers are one run: {line index: page}."""
    starts = [line.start for line in lines]
    feeds = [bisect_left(starts, match.start()) for match in _FORM_FEED.finditer(text)]
    edges = sorted({i for feed in feeds for i in (feed - 1, feed) if 0 <= i < len(lines)})
    matches = ((i, _EDGE_HEADER.match(text, lines[i].start, lines[i].end)) for i in edges)
    page_numbers = [(i, int(match[1] or match[2])) for i, match in matches if match and (match[1] or match[2])]
    run = _increasing_run(page_numbers)
    return run if len(run) >= max(_MIN_RECURRENCES, 0.8 * len(page_numbers), 0.5 * len(feeds)) else {}


def _page_breaks(text: str, lines: Sequence[Line]) -> set[int]:
    """The lines of programs between two pages, if the same one occurs at least twice."""
    breaks = {i: text[line.start : line.end] for i, line in enumerate(lines) if _PAGE_BREAK.match(text, line.start, line.end)}
    count = Counter(breaks.values())
    return {i for i, words in breaks.items() if count[words] > 1 and any(map(str.isalpha, words))}


def _headers_near_numbers(text: str, lines: Sequence[Line], numbers: Mapping[int, int]) -> set[int]:
    """The lines beside page numbers that recur on every page."""
    often = max(_MIN_RECURRENCES, len(numbers) // 3)
    beside = {j for i in numbers for j in range(max(0, i - _MAX_DISTANCE), min(len(lines), i + _MAX_DISTANCE + 1))} - numbers.keys()
    words = {j: text[lines[j].start : lines[j].end] for j in beside if not _is_end_of_sentence(text, lines[j])}
    count = Counter(words.values())
    around = (range(i + side, i + side * (_MAX_DISTANCE + 1), side) for i in numbers for side in (-1, 1))
    return {j for near in around for j in itertools.takewhile(lambda j: count[words.get(j, "")] >= often, near)}


def _is_end_of_sentence(text: str, line: Line) -> bool:
    return text[line.end - 1] == "。" or (text[line.start].islower() and text[line.end - 1] in ".!?")


def _interrupting_headers(text: str, lines: Sequence[Line]) -> set[int]:
    """The lines that recur throughout a text and often interrupt a sentence: headers without a page number."""
    width = sorted(line.end - line.start for line in lines)[int(len(lines) * 0.95)] if lines else 0
    places: defaultdict[str, list[int]] = defaultdict(list)
    for i, line in enumerate(lines):
        sentence = text[line.start].islower() or "。" in text[line.start : line.end]
        if _MIN_HEADER <= line.end - line.start <= min(_MAX_HEADER_LENGTH, _FULL_LINE_SHARE * width) and not sentence:
            places[text[line.start : line.end]].append(i)
    headers: set[int] = set()
    for same in places.values():
        if len(same) < _MIN_RECURRENCES or same[-1] - same[0] < max(_MIN_DISTANCE * (len(same) - 1), len(lines) // 2):
            continue
        inside = [i for i in same if 0 < i < len(lines) - 1 and _continues_sentence(text, lines[i - 1], lines[i + 1], width)]
        sentences = {text[lines[i - 1].start : lines[i - 1].end] for i in inside}
        if len(sentences) >= max(2, _MIN_INTERRUPTING_SHARE * len(same)):
            headers.update(same)
    return headers


def _continues_sentence(text: str, previous: Line, following: Line, width: int) -> bool:
    """Whether a sentence continues from one line in another; in Japanese and Chinese only from a full line."""
    length = previous.end - previous.start
    if is_line_closed(text, previous) or length > _MAX_WRAPPED:
        return False
    if text[following.start].islower():
        return length >= _OPEN_LINE_SHARE * width
    return length >= _FULL_LINE_SHARE * width and bool(
        _CJK_END.search(text[previous.end - 1]) and _CJK_START.match(text[following.start])
    )


_FULL_LINE_SHARE = 0.9
"""Share of the width from which a line is full."""
_OPEN_LINE_SHARE = 0.6
"""Share of the wrap width from which a line may continue in the next one."""
_MAX_WRAPPED = 240
"""Characters; copies with longer lines are not hard-wrapped."""


_MIN_WRAPPED_LINES, _MIN_FULL = 8, 0.6
"""Number of lines that end inside a sentence, and the share of them that is nearly as long as the longest, in a wrapped copy."""
_LONGER, _MAX_LONGER_SHARE = 1.2, 0.15
"""A line is longer than the wrap width from 1.2 widths on; maximum share of such lines in a wrapped copy."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The lines of a text, those among them that are page furniture, and the wrap width (0: not hard-wrapped).

    A line that ends with a sentence and is shorter than `full_width` was not wrapped; 0: unknown.
    """

    raw: str
    text: str  # narrow: the same offsets, plain digits, dots and spaces
    lines: tuple[Line, ...]
    furniture: tuple[tuple[int, int], ...]
    wrap: int
    full_width: int = 0

    def words(self, index: int) -> str:
        """The text of a line."""
        line = self.lines[index]
        return self.text[line.start : line.end]

    def is_closed(self, index: int) -> bool:
        """Whether a line ends like a sentence, title or list entry."""
        return is_line_closed(self.text, self.lines[index])

    def is_full(self, index: int) -> bool:
        """Whether a line of a hard-wrapped copy is long enough to have been wrapped."""
        line = self.lines[index]
        return bool(self.wrap) and line.end - line.start >= _OPEN_LINE_SHARE * self.wrap

    def page_tops(self) -> set[int]:
        """The lines below page furniture, whose blank lines are those of the page."""
        starts = [line.start for line in self.lines]
        return {bisect_left(starts, end) for _, end in self.furniture}

    def is_open(self, index: int) -> bool:
        """Whether a line of a hard-wrapped copy continues in the next one."""
        return self.is_full(index) and not self.is_closed(index)


def make_layout(raw: str) -> Layout:
    """The layout of a text."""
    text = to_half_width(raw)
    lines, furniture = without_furniture(text, non_blank_lines(text))
    return Layout(raw, text, tuple(lines), tuple(furniture), _wrap_width(text, lines))


def _goes_on(first: str) -> bool:
    """Whether a character can continue a sentence: a small letter, or one of Japanese or Chinese."""
    return first.islower() or bool(_CJK_START.match(first))


def _wrap_width(text: str, lines: Sequence[Line]) -> int:
    """The width at which the copy was wrapped: most lines that end inside a sentence are nearly as long as the longest of them.

    0 if these are few, or shorter than many other lines: titles and entries of lists are not wrapped lines.
    """
    lengths = [
        line.end - line.start
        for line, after in itertools.pairwise(lines)
        if not after.gap and _goes_on(text[after.start]) and not is_line_closed(text, line)
    ]
    if len(lengths) < _MIN_WRAPPED_LINES:
        return 0
    width = sorted(lengths)[int(len(lengths) * 0.95)]
    full = sum(length >= FULL_LINE_SHARE * width for length in lengths)
    is_wrapped = full >= _MIN_FULL * len(lengths) and are_within_width(lines, width)
    return width if width <= _MAX_WRAPPED and is_wrapped else 0


def are_within_width(lines: Sequence[Line], width: int) -> bool:
    """Whether only few lines are longer than a wrap width: lines of titles are shorter than paragraphs that are not wrapped."""
    return sum(line.end - line.start > _LONGER * width for line in lines) <= _MAX_LONGER_SHARE * len(lines)


_FIRST_LINES = 5
"""Number of lines that may contain the title of a book."""


def title_in(layout: Layout) -> str:
    """The first line of a file that has letters, without heading marks, and the kind of book if the next line is only that."""
    lines = (layout.raw[line.start : line.end].strip("#*= ") for line in layout.lines[:_FIRST_LINES])
    first, second, *_ = *(line for line in lines if any(map(str.isalpha, line))), "", ""
    return f"{first} {second}" if is_kind_of_book(second) and not games_in_title(first) and not is_kind_of_book(first) else first
