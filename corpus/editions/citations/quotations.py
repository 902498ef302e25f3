"""Quotations in a text, and the citations to which they belong."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from corpus.editions.citations.context import CitedNumber, Quotation, Segments
from corpus.editions.citations.numbers import cue_end, number_end
from corpus.editions.citations.phrases import alternation, compile_pattern, phrase_list, phrase_pattern, whole_words
from corpus.model import Span

_LOOKAHEAD = 40
"""Maximum number of marks examined for the end of a quotation."""
_BLOCK_QUOTE = re.compile(r"^[ \t]{0,3}>", re.M)
_BLOCK_LINE = re.compile(r"[ \t]{0,3}>[^\n]*\n?")
_BLOCK_QUOTE_PREFIX = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+")
_APOSTROPHES = frozenset("'’‘")
_AFTER_CLOSING_MARK = re.compile(r"[)\]）】.,;:!?—–\n。、，]|\s*$")
_PAIRS = phrase_list("quotation", "pairs")
_CLOSERS = {opening: "".join(pair[1] for pair in _PAIRS if pair[0] == opening) for opening in {pair[0] for pair in _PAIRS}}
"""Opening mark → the marks that close it."""
_QUOTATION_MARK = re.compile(rf"[{re.escape(''.join(sorted(set(''.join(_PAIRS)))))}]|\n[ \t]*\n")
"""A mark, or the end of a paragraph."""


def quotations(text: str) -> list[Quotation]:
    """The quotations of a text in order, without overlaps."""
    blocks = list(_block_quotes(text))
    spans = [block.span for block in blocks]
    in_marks = list(_marked_quotations(text))
    outside = [other for other in in_marks if not any(span.start <= other.span.start < span.end for span in spans)]
    return sorted([*blocks, *outside], key=lambda quotation: quotation.span)


def outside_links(candidates: Sequence[Quotation], links: Sequence[Span]) -> list[Quotation]:
    """The quotations outside link texts, because link texts are titles."""
    ends = sorted(links)
    starts = [link.start for link in ends]

    def is_title(quotation: Quotation) -> bool:
        at = bisect_right(starts, quotation.span.start) - 1
        return at >= 0 and quotation.span.end <= ends[at].end

    return [quotation for quotation in candidates if not is_title(quotation)]


def _marked_quotations(text: str) -> Iterator[Quotation]:
    marks = list(_QUOTATION_MARK.finditer(text))
    end = at = 0
    while at < len(marks):
        mark = marks[at]
        at += 1
        if mark.start() < end or mark[0] not in _CLOSERS or not _may_open(text, mark):
            continue
        closed = _closing_position(text, marks, at - 1, _CLOSERS[mark[0]])
        if closed is not None:
            end = closed + 1
            yield Quotation(Span(mark.start(), end), mark.end(), closed, mark[0])


def _may_open(text: str, match: re.Match[str]) -> bool:
    """Whether a mark can open a quotation: an apostrophe in or after a word cannot."""
    before, behind = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    if match[0] in _APOSTROPHES:
        return not before.isalnum() and behind.isalnum()
    return bool(behind.strip()) and (match[0] != '"' or not before.isdigit())


def _closing_position(text: str, marks: list[re.Match[str]], index: int, closers: str) -> int | None:
    """The position of the mark that closes the one at `index`, in its paragraph; for nested marks of one kind, the outermost."""
    opening, depth, first = marks[index][0], 0, None
    straight = opening in closers
    for mark in marks[index + 1 : index + 1 + _LOOKAHEAD]:
        if mark[0].startswith("\n"):
            break
        if opening in _APOSTROPHES:
            first = mark.start() if _may_close_apostrophe(text, mark, closers, first) else first
        elif mark[0] in closers and not (straight and _is_nested(text, mark)):
            first = mark.start() if first is None else first
            if depth == 0:
                return mark.start()
            depth -= 1
        elif mark[0] == opening:
            depth += 1
    return first


def _is_nested(text: str, match: re.Match[str]) -> bool:
    """Whether a straight mark inside a quotation opens another one: it precedes a word and does not follow one."""
    before, behind = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return behind.isalnum() and (before.isspace() or before in '"([（“‘')


def _may_close_apostrophe(text: str, match: re.Match[str], closers: str, first: int | None) -> bool:
    """Whether an apostrophe may close a quotation: it is not inside a word, and is the last one before a stop, else the first."""
    behind = text[match.end() : match.end() + 1]
    if match[0] not in closers or behind.isalnum():
        return False
    return first is None or bool(_AFTER_CLOSING_MARK.match(text, match.end()))


def _block_quotes(text: str) -> Iterator[Quotation]:
    """Markdown's block quotes."""
    end = 0
    for line in _BLOCK_QUOTE.finditer(text):
        if line.start() < end:
            continue
        start = end = line.start()
        while part := _BLOCK_LINE.match(text, end):
            end = part.end()
            if part.end() == len(text) and not part[0].endswith("\n"):
                break
        leader = _BLOCK_QUOTE_PREFIX.match(text, start)
        first = leader.end() if leader else start
        yield Quotation(Span(start, end), first, max(first, start + len(text[start:end].rstrip())), ">")


_SAYS_PHRASE = compile_pattern(phrase_pattern("quotation", "says"))


def after_says(text: str, end: int) -> Quotation | None:
    """The words after a citation and `says:`, up to the end of the line; None if they have quotation marks."""
    match = _SAYS_PHRASE.match(text, end)
    if not match:
        return None
    start, words = match.end(), _to_line_end(text, match.end())
    if not words or words[0] in _CLOSERS or words[0] == ">":
        return None
    return Quotation(Span(start, start + len(words)), start, start + len(words))


_MAX_QUOTATION_LENGTH = 4000
"""Characters of a line that can be a rule's words: twice the length of the longest rule."""


def _to_line_end(text: str, start: int) -> str:
    stop = text.find("\n", start, start + _MAX_QUOTATION_LENGTH)
    return text[start : stop if stop >= 0 else start + _MAX_QUOTATION_LENGTH].rstrip()


_MAX_DISTANCE = 240
"""Maximum number of characters between a citation and its quotation."""
_BRACKETED = re.compile(r"[(\[（［【〔][^()\[\]（）［］【】〔〕\n]{0,80}[)\]）］】〕]")
_OPENING_AFTER = re.compile(r"\s{0,3}[,.;。、]?\s{0,3}(?:[(\[（［【〔]|[—–―-]{1,2}|~|\n\s{0,3}[—–―-])")
_CLOSING_OR_LINE_END = re.compile(r"[)\]）】〕\n]")
_NEAR_SAYING = 30
"""Maximum number of characters between a quotation and the rule number after it: “…” is what rule 603.3 says."""
_LETTER = re.compile(r"[^\W_]")
_AFTER_NUMBER = re.compile(r"[\s*_`.:：。)）\]]{0,6}")
_ATTRIBUTION_IN_BRACKETS = re.compile(r"\s{0,3}[(（\[［【〔][^()（）\[\]\n]{0,24}$")
_SIGNATURE = re.compile(r"[\n>\s]*[—–―-]{1,2}\s?[^\n]{0,60}$")


class Attribution(IntEnum):
    """The certainty that a quotation belongs to a citation."""

    BEHIND = 1  # without marks, up to the end of the line, after the number and a colon
    LINE = 2  # the same, if the number starts its line or sentence
    NEAR = 3  # somewhere near it
    BESIDE = 4  # no separator between them
    SAID = 5  # a verb of saying between them


@dataclass(frozen=True, slots=True)
class AttributedQuotation:
    """A quotation and the index of its citation."""

    quotation: Quotation
    mention: int
    tie: Attribution


_SAYING_VERB = whole_words(phrase_list("quotation", "saying"))
_PERSON = compile_pattern(rf"(?<![^\W_]){alternation(*phrase_list('quotation', 'people'))}[\s,:：，]{{0,3}}$")
"""A speaker directly before words, which are then the speaker's and not a rule's."""
_RESUMED_SENTENCE = compile_pattern(
    rf"[.。!！?？\n]\s{{0,3}}{alternation(*phrase_list('quotation', 'pronoun'))}[^.。!！?？\n]{{0,20}}"
    rf"{alternation(*phrase_list('quotation', 'saying'))}[^.。!！?？\n]{{0,20}}$"
)
"""The start of a new sentence that refers to the citation before it and quotes it."""


def attribute_quotations(
    text: str, items: Sequence[CitedNumber], quotations: Sequence[Quotation], sentences: Segments, paragraphs: Segments
) -> list[AttributedQuotation]:
    """The quotations that belong to a citation; `items` in text order."""
    beside = _Attributor(text, items, sentences, paragraphs)
    own = [each for each in quotations if not _RENDERING.search(text[max(0, each.span.start - 16) : each.span.start])]
    attributions = [attribution for quotation in own if (attribution := beside.find_citation(quotation))]
    mentions_with_words = {attribution.mention for attribution in attributions}
    for place, item in enumerate(items):
        end = number_end(text, item.end)
        following_words = None if place in mentions_with_words else after_says(text, end)
        if following_words and not _overlaps(following_words, quotations):
            attributions.append(AttributedQuotation(following_words, place, Attribution.SAID))
        following = items[place + 1].start if place + 1 < len(items) else len(text)
        rest = None if following_words or _is_quoted(item, quotations) else _rest_of_line(text, end, following)
        if not rest:
            continue
        is_head = _LINE_HEAD.search(text[max(0, item.start - _LEAD) : item.start]) or not text[: item.start].strip()
        if is_head or rest.marks != " ":
            attributions.append(AttributedQuotation(rest, place, Attribution.LINE if is_head else Attribution.BEHIND))
    return attributions


_REFERRING = compile_pattern(alternation(*phrase_list("quotation", "referring")))
"""Words that mark a bracket as part of the rule, not as an attribution."""
_RENDERING = compile_pattern(rf"{alternation(*phrase_list('quotation', 'rendering'))}[\s:：,，]{{0,3}}$")
"""Words that introduce a paraphrase of a rule."""
_LINE_HEAD = compile_pattern(rf"(?:^|[\n。！？!?])(?:{phrase_pattern('line', 'lead')})$")
_SEPARATING = compile_pattern(phrase_pattern("line", "apart"))


def _rest_of_line(text: str, end: int, following: int) -> Quotation | None:
    """The words between a number and the end of its line, if a dash, colon, stop or space separates them."""
    gap = _SEPARATING.match(text, end)
    if not gap or text[max(0, text.rfind("\n", 0, end)) : end].lstrip("\n ").startswith("|"):
        return None
    start, words = gap.end(), _to_line_end(text, gap.end())
    if not words or following < start + _CLOSE or _SAYING_VERB.match(words):
        return None
    return Quotation(Span(start, start + len(words)), start, start + len(words), "" if gap[0].strip("*_`\\])） \t\u3000") else " ")


_LEAD, _CLOSE = 60, 6
"""Maximum number of characters before a number at the start of a line, and from it to the next number of a list."""


def _overlaps(words: Quotation, quotations: Sequence[Quotation]) -> bool:
    """Whether one of the non-overlapping quotations overlaps a span."""
    at = bisect_left(quotations, words.end, key=lambda other: other.span.start)
    return at > 0 and quotations[at - 1].span.end > words.start


def _is_quoted(item: CitedNumber, quotations: Sequence[Quotation]) -> bool:
    """Whether a citation is inside one of the non-overlapping quotations."""
    at = bisect_right(quotations, item.start, key=lambda other: other.span.start) - 1
    return at >= 0 and quotations[at].span.end > item.start


class _Attributor:
    """The citations around a position."""

    def __init__(self, text: str, items: Sequence[CitedNumber], sentences: Segments, paragraphs: Segments) -> None:
        self.text, self.items, self.sentences, self.paragraphs = text, items, sentences, paragraphs
        self.starts = [item.start for item in items]
        self.behind_of: set[int] = set()

    def find_citation(self, quotation: Quotation) -> AttributedQuotation | None:
        """The citation to which a quotation belongs."""
        inside, before, behind = self._citation_inside(quotation), self._citation_before(quotation), self._citation_after(quotation)
        near = max((neighbour.tie for neighbour in (before, behind) if neighbour), default=Attribution.NEAR)
        if inside and (quotation.marks == ">" or near == Attribution.NEAR):
            return inside
        is_bracketed = behind and self._has_opening_bracket(quotation.span.end, self.items[behind.mention].start)
        if behind and behind.tie > Attribution.NEAR and (is_bracketed or not before or before.mention in self.behind_of):
            self.behind_of.add(behind.mention)
            return behind
        if before and (before.tie > Attribution.NEAR or not behind or behind.tie == Attribution.NEAR):
            return before
        if behind:
            self.behind_of.add(behind.mention)
        return behind

    def _citation_inside(self, quotation: Quotation) -> AttributedQuotation | None:
        """A number at the start of the words, or an attribution at the end of a block quote."""
        at = bisect_left(self.starts, quotation.start)
        if at < len(self.items) and self.items[at].end <= quotation.end:
            item = self.items[at]
            is_first = not _LETTER.search(self.text, quotation.start, cue_end(self.text, item.start))
            if is_first or self._starts_with_number(quotation.start, item):
                gap = _AFTER_NUMBER.match(self.text, item.end)
                start = gap.end() if gap else item.end
                if start < quotation.end:
                    return AttributedQuotation(replace(quotation, start=start), at, Attribution.BESIDE)
        last = bisect_left(self.starts, quotation.end) - 1
        if quotation.marks == ">" and last >= 0 and self.items[last].start > quotation.start:
            before = self.text[quotation.start : self.items[last].start]
            signature = _SIGNATURE.search(before)
            if signature and "\n" in signature[0]:
                return AttributedQuotation(replace(quotation, end=quotation.start + signature.start()), last, Attribution.SAID)
            bracket = _ATTRIBUTION_IN_BRACKETS.search(before)
            ends = not _LETTER.search(self.text, number_end(self.text, self.items[last].end), quotation.end)
            if bracket and ends and not _REFERRING.search(bracket[0]):
                return AttributedQuotation(replace(quotation, end=quotation.start + bracket.start()), last, Attribution.SAID)
        return None

    def _starts_with_number(self, start: int, item: CitedNumber) -> bool:
        """Whether the number at the start of a quotation has at most a word such as `rule` before it and a full stop after it."""
        words = self.text[start : item.start]
        return len(words) < 12 and len(words.split()) <= 2 and self.text[item.end : item.end + 1] in '.:「『“"\n'

    def _citation_before(self, quotation: Quotation) -> AttributedQuotation | None:
        at = bisect_left(self.starts, quotation.span.start) - 1
        if at < 0:
            return None
        start, end = number_end(self.text, self.items[at].end), quotation.span.start
        if self.items[at].end > end or end - start > _MAX_DISTANCE or not self._is_in_same_paragraph(start, end, quotation):
            return None
        gap = _BRACKETED.sub(" ", self.text[start:end])
        whole = quotation.marks == ">" or self.sentences.are_together(max(start - 1, 0), end)
        if (whole and _SAYING_VERB.search(gap) and not _PERSON.search(gap)) or _RESUMED_SENTENCE.search(gap):
            return AttributedQuotation(quotation, at, Attribution.SAID)
        return AttributedQuotation(quotation, at, Attribution.BESIDE if whole and self._is_nearly_empty(gap) else Attribution.NEAR)

    def _citation_after(self, quotation: Quotation) -> AttributedQuotation | None:
        at = bisect_left(self.starts, quotation.span.end)
        if at == len(self.items):
            return None
        start, end = quotation.span.end, self.items[at].start
        if end - start > _MAX_DISTANCE or not self._is_in_same_paragraph(start, end, quotation):
            return None
        gap = self.text[start : cue_end(self.text, end)]
        is_bracketed = self._has_opening_bracket(start, end)
        whole = is_bracketed or self.sentences.are_together(start, end)
        saying_verb = _SAYING_VERB.search(gap) or (
            len(gap) < _NEAR_SAYING and _SAYING_VERB.match(self.text[self.items[at].end :][:12].lstrip())
        )
        if whole and len(gap) < 60 and (is_bracketed or saying_verb):
            return AttributedQuotation(quotation, at, Attribution.BESIDE)
        return AttributedQuotation(quotation, at, Attribution.BESIDE if whole and self._is_nearly_empty(gap) else Attribution.NEAR)

    def _has_opening_bracket(self, end: int, start: int) -> bool:
        """Whether a bracket or dash directly after the words leads to a citation and is not closed before it."""
        gap = self.text[end:start]
        opening = _OPENING_AFTER.match(gap)
        return bool(opening) and not _CLOSING_OR_LINE_END.search(gap, opening.end() if opening else 0)

    def _is_in_same_paragraph(self, start: int, end: int, quotation: Quotation) -> bool:
        """Whether citation and words are in one paragraph; a block quote may be the next one."""
        if self.paragraphs.are_together(max(start - 1, 0), min(end, len(self.text) - 1)):
            return True
        return quotation.marks == ">" and self.text.count("\n", start, end) <= 2 and (end - start) <= _MAX_DISTANCE

    @staticmethod
    def _is_nearly_empty(gap: str) -> bool:
        """Whether almost no words separate them."""
        return len(_LETTER.findall(gap)) <= 6
