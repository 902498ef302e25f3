"""Decides which numbers at line starts open a rule, and which end a wrapped citation or belong to a list or the contents.

Nothing is renumbered and no next number is computed: books skip letters, repeat numbers and print them out of
order. A candidate is judged by whether it can follow the previous numbers, and by the end of the line above.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from itertools import chain, pairwise
from typing import NamedTuple

from corpus.catalogue import Grammar, catalogue
from corpus.editions.citations.phrases import citation_words
from corpus.model import Kind
from ingest.lines import Layout
from ingest.number_format import (
    Key,
    Number,
    anywhere_pattern,
    bare_opening_pattern,
    closes_numbers,
    dotted_number,
    inline_pattern,
    opening_pattern,
    parse_number,
)

_MAX_GAP = 3
"""Maximum gap between siblings: letters skip l and o, deleted rules leave gaps."""
_SENTENCE_END = '.。!?！？)）」』”":：'
_ENDED = "".join(rf"(?<=[{_SENTENCE_END}]{spaces})|" for spaces in (" ", "  ")) + "(?<=   )"
# a number may be in bold; other uses of an asterisk are decided later
_SPACE_THEN_NUMBER = re.compile(r" (?=[0-9*])")
_END_THEN_NUMBER = re.compile(rf" (?=[0-9*])(?:{_ENDED})")
_MARK_THEN_NUMBER = re.compile(rf"[。！？）」』： ](?=[0-9*])(?:(?<! )|{_ENDED})")
_PARTICLE = re.compile(r"[ ]?(?:の|を|が(?![ちっ])|に(?!ん)|は(?![じいっ])|から|より|および|、|,|的|中|和|或|与|至|到)")
_MIN_LISTED, _MAX_LISTED = 3, 0.8  # rules in a table of contents, and the share of them that recur
_LONGEST_CHAPTER, _LONGEST_ENTRY = 60, 3
"""Maximum number of characters in the line of a chapter, and of lines in an entry of a list."""
_NO_TITLE_END = ".。!！;；,，、:："
_USUAL = 0.8
"""Share of the numbers with a final dot above which it is usual."""
_MIN_LEVEL, _MIN_LEVEL_SHARE = 5, 0.05
"""Number of numbers of one level, and their share of all, from which their own usage counts."""
_LOOKAHEAD = 40  # candidates of lookahead
_CUES = "|".join((*chain(*map(citation_words, ("cue", "join", "range"))), "under", "per", "in", "of", "by", "with", "[(（]"))
_CUE_ABOVE = re.compile(rf"(?:^|[\s(（\d\u3040-\u9fff])(?:{_CUES})$", re.I)
_LEADER = re.compile(catalogue().cues["leader"])
_TOC_LEADERS = ("..", ". .", "……", "\t")  # part of every leader; this test is fifty times as fast as the expression
_CONTEXT_ABOVE = 160  # characters of the line above that are examined


class NumberCandidate(NamedTuple):
    """A number that may open a rule, its line, and whether it is inside the line."""

    number: Number
    line: int
    above: int | None  # the line above if it may continue in this one: same paragraph, no heading
    follows_open_words: bool  # whether that line continues, or words that introduce a citation precede it in its line
    lower: bool  # whether the words after the number start in lower case
    glued: bool = False

    @property
    def key(self) -> Key:
        """The key of its number."""
        return self.number.key

    @property
    def is_clean(self) -> bool:
        """Whether nothing in its line indicates otherwise."""
        return not (self.follows_open_words or self.lower)


def introduces_citation(words: str) -> bool:
    """Whether words end with an introduction to a citation: see, rule, and, an open bracket."""
    return bool(_CUE_ABOVE.search(words))


def is_followed_by_particle(text: str, end: int) -> bool:
    """Whether the text after a number continues a Japanese or Chinese sentence."""
    return bool(_PARTICLE.match(text, end))


def has_leaders(text: str) -> bool:
    """Whether a text can have a table of contents with leaders at all."""
    return any(leader in text for leader in _TOC_LEADERS)


def is_listed(text: str, start: int, end: int) -> bool:
    """Whether a line ends with the leaders and page number of a table of contents."""
    last = text[end - 1]
    if last not in "0123456789….．" or (last == "." and text[end - 2] not in ". "):
        return False
    tail = text[max(start, end - 60) : end]
    return any(leader in tail for leader in _TOC_LEADERS) and bool(_LEADER.search(tail))


def shared_prefix_length(key: Sequence[object], other: Sequence[object]) -> int:
    """The number of leading components that two keys or paths have in common."""
    for depth, (left, right) in enumerate(zip(key, other, strict=False)):
        if left != right:
            return depth
    return min(len(key), len(other))


def _is_next(last: Key, key: Key) -> bool:
    """Whether a key is a near sibling of the last one, a fast case of `may_follow`."""
    return len(key) == len(last) and 0 < key[-1] - last[-1] <= _MAX_GAP and key[:-1] == last[:-1]


class NumberJudge:
    """Judges the candidates of one text under one grammar."""

    def __init__(self, layout: Layout, grammar: Grammar) -> None:
        self.layout = layout
        self.grammar = grammar
        self.is_heading = [level.kind.is_heading for level in grammar.levels]
        self.is_rule = [level.kind is Kind.RULE for level in grammar.levels[:-1]] + [True]
        self.has_chapters = grammar.levels[0].formats[0] == "9" and len(grammar.levels) > 1
        self.candidates = self._without_bracketed(list(self._line_starts()))
        self.usual_dot = self._usually_dotted()
        self.level_counts = Counter(each.number.level for each in self.candidates)
        self.is_dotted = 2 * sum(each.number.dotted for each in self.candidates) > len(self.candidates)
        self.candidates = self._with_numerals_as_words(self.candidates)
        self.chapters = self._chapters_between_sections()
        self.places: dict[str, list[int]] = defaultdict(list)
        for candidate in self.candidates:
            if candidate.is_clean:
                self.places[candidate.number.label].append(candidate.line)

    def accepted_candidates(self) -> list[NumberCandidate]:
        """The candidates that open a rule, in text order, from the start of the body."""
        body = self.candidates[self._body_candidates() :]
        if not body:
            return []
        inside = list(self._candidates_in_lines(body[0].line))
        candidates = sorted((*body, *inside), key=lambda candidate: candidate.number.start) if inside else body
        accepted: list[NumberCandidate] = []
        last: Key = ()
        chapters: set[Key] = set()
        for at, candidate in enumerate(candidates):
            if candidate.number.key not in chapters and self._opens_rule(candidate, last, candidates, at):
                accepted.append(candidate)
                last = candidate.number.key
                if not candidate.number.level and self.has_chapters:
                    chapters.add(last)
        return accepted

    def _line_starts(self) -> Iterator[NumberCandidate]:
        text = self.layout.text
        closed = closes_numbers(text)
        with_mark, plain = (pattern(self.grammar, closed=closed).match for pattern in (opening_pattern, bare_opening_pattern))
        has_contents = has_leaders(text)
        heading = -1  # the last line that opens with a heading's number
        for index, line in enumerate(self.layout.lines):
            start, end = line.start, line.end
            hit = (plain if text[start].isdigit() else with_mark)(text, start, end)
            if hit and not (has_contents and is_listed(text, start, end)):
                number = parse_number(hit, self.grammar)
                above = None if line.gap or not index or index - 1 == heading else index - 1
                if (
                    has_contents
                    and above is not None
                    and is_listed(text, self.layout.lines[above].start, self.layout.lines[above].end)
                ):
                    above = None
                follows_open_words = above is not None and self.layout.is_open(above)
                words = hit.end()
                lower = text[words : min(words + 3, end)].strip()[:1].islower()
                yield NumberCandidate(number, index, above, follows_open_words, lower)
                if self.is_heading[number.level]:
                    heading = index

    def _without_bracketed(self, candidates: list[NumberCandidate]) -> list[NumberCandidate]:
        """Numbers in brackets are citations or list entries, unless the book prints most of its numbers in brackets."""
        text, lines = self.layout.text, self.layout.lines
        behind = [each for each in candidates if each.number.start > lines[each.line].start]
        lines_in_brackets = {each.line for each in behind if text[each.number.start - 1] == "("}
        telling = [each for each in candidates if len(each.key) > 1] or candidates  # `(1)` is an entry below `1.1`
        if 2 * sum(each.line in lines_in_brackets for each in telling) > len(telling):
            return candidates
        return [each for each in candidates if each.line not in lines_in_brackets] if lines_in_brackets else candidates

    def _with_numerals_as_words(self, candidates: list[NumberCandidate]) -> list[NumberCandidate]:
        """The candidates, with words that begin with a numeral apart from their numbers: `357. 4. Pay`, `2.2. 9.1`, `1.2.5枚`.

        Of the readings of one number, that is right which continues the previous number, leads to the next one, is printed on no
        other line, and has the final dot that the book usually prints.
        """
        readings = {at: [*shorter, each.number] for at, each in enumerate(candidates) if (shorter := self._shorter_numbers(each))}
        if not readings:
            return candidates
        label_counts = Counter(each.number.label for each in candidates)
        label_counts.update(number.label for numbers in readings.values() for number in numbers[:-1])
        result: list[NumberCandidate] = []
        last: Key = ()
        for at, each in enumerate(candidates):
            if following := [number for number in readings.get(at, ()) if self.may_follow(last, number.key)]:
                below = readings.get(at + 1) or [other.number for other in candidates[at + 1 : at + 2]]
                fits = [self._continuity(number, last, below, label_counts) for number in following]
                number = following[fits.index(max(fits))]
                each = each._replace(number=number, lower=self._is_lower_case_after(number, each.line))
            result.append(each)
            last = each.key
        return result

    def _shorter_numbers(self, candidate: NumberCandidate) -> list[Number]:
        """The other readings of a number if its last parts may be words: it has a space inside, or lacks the usual final dot."""
        number, text = candidate.number, self.layout.text
        has_gap = ". " in number.surface
        if not has_gap and (number.dotted or not self._expects_dot(number.level)):
            return []
        dots = (number.start + at for at, mark in enumerate(number.surface) if mark == ".")
        readings = (dotted_number(text, number.start, dot, self.grammar) for dot in dots if text[dot + 1] == " " or not has_gap)
        return [reading for reading in readings if reading]

    def _continuity(self, number: Number, last: Key, below: Sequence[Number], label_counts: Counter[str]) -> int:
        """How well a reading of a number fits the numbers around it."""
        follows = self.may_follow(last, number.key, max_gap=1)
        leads = any(self.may_follow(number.key, other.key, max_gap=1) for other in below)
        usual = number.dotted == self._expects_dot(number.level)
        return follows + leads + usual - (label_counts[number.label] > 1)

    def _expects_dot(self, level: int) -> bool:
        """Whether numbers of a level usually have a final dot; of a level with few numbers, those of the others."""
        few = self.level_counts[level] < max(_MIN_LEVEL, _MIN_LEVEL_SHARE * len(self.candidates))
        return self.is_dotted if few else self.usual_dot[level]

    def _candidates_in_lines(self, first: int) -> Iterator[NumberCandidate]:
        """The numbers in the middle of lines that may open a rule."""
        yield from self._behind_sentences(first)
        for each in self.candidates:
            if each.line >= first and self.is_heading[each.number.level]:
                yield from self._behind_title(each)

    def _behind_sentences(self, first: int) -> Iterator[NumberCandidate]:
        text, lines = self.layout.text, self.layout.lines
        match_at, index = inline_pattern(self.grammar).match, first
        mark = _MARK_THEN_NUMBER if "。" in text else _END_THEN_NUMBER  # three times as fast without CJK
        for hit in mark.finditer(text, lines[first].start):
            start = hit.end()
            match = match_at(text, start)
            if not match or match.end() == match.end(match.lastgroup or 0):
                continue  # without a dot it is a citation
            while index + 1 < len(lines) and lines[index + 1].start <= start:
                index += 1
            if lines[index].start < start < lines[index].end:
                number = parse_number(match, self.grammar)
                yield NumberCandidate(
                    number, index, None, follows_open_words=False, lower=self._is_lower_case_after(number, index), glued=True
                )

    def _behind_title(self, title: NumberCandidate) -> Iterator[NumberCandidate]:
        """Whether it is the first rule of a heading, after a title without a final stop."""
        text, line = self.layout.text, self.layout.lines[title.line]
        for hit in _SPACE_THEN_NUMBER.finditer(text, line.start, line.end):
            start = hit.end()
            if text[max(0, start - 3) : start].rstrip(" ")[-1:] in _SENTENCE_END:
                continue
            match = anywhere_pattern(self.grammar).match(text, start)
            if match and match.end() != match.end(match.lastgroup or 0):
                number = parse_number(match, self.grammar)
                if number.key == (*title.key, 1):
                    yield NumberCandidate(
                        number,
                        title.line,
                        None,
                        follows_open_words=False,
                        lower=self._is_lower_case_after(number, title.line),
                        glued=True,
                    )

    def _body_candidates(self) -> int:
        """Index of the first candidate of the body, after the contents."""
        rules = [i for i, candidate in enumerate(self.candidates) if self.is_rule[candidate.number.level]]
        if not rules:
            return 0 if self.candidates else len(self.candidates)
        first = self._numbering_restart(rules)
        key = self.candidates[first].key
        later = {candidate.number.key for candidate in self.candidates[first:]}
        chapters: set[Key] = set()
        while first:
            before = self.candidates[first - 1].key
            chapter = self.candidates[first - 1].line in self.chapters
            leads = chapter or self._is_ancestor(before, key) or (before not in later and before < self.candidates[first].key)
            if not leads or before in chapters:
                break  # the repeated part was the contents
            chapters.add(before)
            first -= 1
        return first

    def _numbering_restart(self, rules: list[int]) -> int:
        """The restart of the numbering after most of its numbers: the first listing was the contents."""
        labels = [self.candidates[i].number.label for i in rules]
        if labels.count(labels[0]) == 1:  # no restart
            return rules[0]
        before, later, again = Counter(labels), set[str](), 0  # recurring: how many of the previous numbers occur again later
        for at in range(len(labels) - 1, _MIN_LISTED - 1, -1):
            label = labels[at]
            before[label] -= 1
            again += -1 if label in later else before[label]
            later.add(label)
            if label == labels[0] and again >= _MAX_LISTED * at:
                return rules[at]
        return rules[0]

    @staticmethod
    def _is_ancestor(key: Key, descendant: Key) -> bool:
        return len(key) < len(descendant) and descendant[: len(key)] == key

    def _usually_dotted(self) -> dict[int, bool]:
        """Per level, whether numbers are usually printed with a final dot; of chapters, those above their first section."""
        above_first = {
            each.line
            for each, after in pairwise(self.candidates)
            if not each.number.level and self._is_ancestor(each.key, after.key) and all(value % 100 <= 1 for value in after.key[1:])
        }
        candidates = [each for each in self.candidates if each.number.level or not above_first or each.line in above_first]
        dots = Counter((candidate.number.level, candidate.number.dotted) for candidate in candidates)
        return {level: dots[level, True] >= _USUAL * (dots[level, True] + dots[level, False]) for level, _ in dots}

    def _is_lower_case_after(self, number: Number, line: int) -> bool:
        return self.layout.text[number.end : min(number.end + 3, self.layout.lines[line].end)].strip()[:1].islower()

    def _is_cued(self, candidate: NumberCandidate) -> bool:
        """Whether the line above ends with words that introduce a citation."""
        above = candidate.above
        if above is None:
            return False
        line = self.layout.lines[above]
        if self.layout.wrap and not self.layout.is_full(above):
            return False
        return bool(_CUE_ABOVE.search(self.layout.text[max(line.start, line.end - _CONTEXT_ABOVE) : line.end]))

    def _is_expected(self, candidate: NumberCandidate, last: Key, candidates: Sequence[NumberCandidate], index: int) -> bool:
        """Whether it is exactly the next number, printed as one that opens a rule: the words above then only look like a cue."""
        number = candidate.number
        alone = number.end == self.layout.lines[candidate.line].end
        if not self.may_follow(last, number.key, max_gap=1) or not (number.dotted or alone) or candidate.follows_open_words:
            return False
        after = next(self._next_candidates(candidates, index), None)
        return after is None or after.key != number.key  # otherwise that one opens the rule

    def _is_in_open_bracket(self, candidate: NumberCandidate) -> bool:
        """Whether a bracket is still open on the line above."""
        above = candidate.above
        if above is None:
            return False
        words = self.layout.words(above)
        return words.count("(") > words.count(")")

    def _lacks_final_dot(self, candidate: NumberCandidate) -> bool:
        """Whether a final dot is missing although this book uses one (or, for a heading in the middle of a text, any book does)."""
        if candidate.number.dotted:
            return False
        kind = self.grammar.levels[candidate.number.level].kind
        return self.usual_dot.get(candidate.number.level, False) or (kind.is_heading and candidate.lower)

    def _opens_rule(self, candidate: NumberCandidate, last: Key, candidates: Sequence[NumberCandidate], index: int) -> bool:
        if candidate.glued:
            return self._opens_inside(candidate, last)
        if self._has_caption(candidate.number) and (
            not candidate.number.level or not self.may_follow(last, candidate.key, max_gap=1) or self._recurs_later(candidate)
        ):
            return False
        if self._is_plain(candidate) and (_is_next(last, candidate.number.key) or self.may_follow(last, candidate.number.key)):
            return True  # this test decides most rules
        if candidate.above is not None and self._is_cued(candidate) and not self._is_expected(candidate, last, candidates, index):
            return False
        if not candidate.number.level and not self._opens_chapter(candidate, last, candidates, index):
            return False
        follows_open_words, lower, lacks_dot = candidate.follows_open_words, candidate.lower, self._lacks_final_dot(candidate)
        particle = self._is_before_particle(candidate)
        if not last or self.may_follow(last, candidate.key):
            again = self._recurs_later(candidate)
            return not ((follows_open_words and (lower or lacks_dot or again)) or (lower and lacks_dot) or (particle and again))
        if follows_open_words or lower or lacks_dot or particle or self._is_in_open_bracket(candidate):
            return False
        return candidate.key <= last or not self._is_stray(candidate, last, candidates, index)

    def _has_caption(self, number: Number) -> bool:
        """Whether the first word is glued to the number: `2.23CANCELLATION`; only the next number in order is printed so."""
        return (
            not number.dotted and self.layout.text[number.end : number.end + 1].isalpha() and self.layout.text[number.end].isascii()
        )

    def _is_plain(self, candidate: NumberCandidate) -> bool:
        """Whether nothing in the line indicates otherwise."""
        number = candidate.number
        if candidate.above is not None or candidate.lower or not number.level:
            return False
        if number.dotted:
            return True
        text, end = self.layout.text, number.end
        return not self.usual_dot.get(number.level) and (text[end : end + 2].isascii() or not _PARTICLE.match(text, end))

    def _recurs_later(self, candidate: NumberCandidate) -> bool:
        """Whether the same number also opens a later line."""
        lines = self.places.get(candidate.number.label)
        return lines is not None and lines[-1] > candidate.line

    def _opens_inside(self, candidate: NumberCandidate, last: Key) -> bool:
        """A number inside a line must be the exact next number, and must not occur at a line start."""
        return (
            len(candidate.key) > 1
            and self.may_follow(last, candidate.key, max_gap=1)
            and not candidate.lower
            and candidate.number.label not in self.places
        )

    def _is_before_particle(self, candidate: NumberCandidate) -> bool:
        return not candidate.number.dotted and bool(_PARTICLE.match(self.layout.text, candidate.number.end))

    def _is_stray(self, candidate: NumberCandidate, last: Key, candidates: Sequence[NumberCandidate], index: int) -> bool:
        """Whether it skips numbers and the next number continues from the previous one."""
        after = next((other.key for other in self._next_candidates(candidates, index) if other.is_clean), None)
        return after is not None and self.may_follow(last, after) and not self.may_follow(candidate.key, after)

    @staticmethod
    def _next_candidates(candidates: Sequence[NumberCandidate], index: int) -> Iterator[NumberCandidate]:
        """The next candidates at line starts, up to a limit."""
        return (candidates[i] for i in range(index + 1, min(index + 1 + _LOOKAHEAD, len(candidates))) if not candidates[i].glued)

    def _opens_chapter(self, candidate: NumberCandidate, last: Key, candidates: Sequence[NumberCandidate], index: int) -> bool:
        """Whether a bare `3.` opens a chapter: numbers of that chapter must follow, otherwise it is a list entry."""
        if not self.has_chapters:
            return True
        after = next(self._next_candidates(candidates, index), None)
        if (after is not None and self._is_ancestor(candidate.key, after.key)) or candidate.line in self.chapters:
            return True
        first = 0 if self.grammar.style == "document" else None  # a document's first chapter may have no sections
        before = last[0] if last else first
        next_chapter = before is not None and candidate.key[0] == before + 1
        apart = bool(self.layout.lines[candidate.line].gap) or not candidate.line
        return next_chapter and apart and self._is_chapter_title(candidate) and not self._recurs_later(candidate)

    def _is_chapter_title(self, candidate: NumberCandidate) -> bool:
        """Whether the words after a number can be the title of a chapter."""
        number, line = candidate.number, self.layout.lines[candidate.line]
        if candidate.follows_open_words or candidate.lower or self._lacks_final_dot(candidate):
            return False
        if self.layout.text[number.end - 1] == ")":
            return False  # `2)` is more often an entry of a list than a chapter without sections
        words = self.layout.text[number.end : line.end].strip(" *#_")
        return bool(words) and line.end - line.start < _LONGEST_CHAPTER and words[-1] not in _NO_TITLE_END

    def _chapters_between_sections(self) -> set[int]:
        """The lines of chapters that have no sections of their own: `5.` and `6.` between 4.2 and 7.1, or after the last section.

        Entries of a list have such numbers too. Between two sections the chapters are those nearest to the second one; after the
        last section an entry that comes right after the one before it is none.
        """
        if not self.has_chapters:
            return set()
        chapters, before, titles = set[int](), 0, list[NumberCandidate]()
        for each in self.candidates:
            if not each.number.level:
                titles.append(each)
            else:
                chapters |= self._chapters_above(each.key[0], before, titles)
                before, titles = each.key[0], []
        for at, each in enumerate(titles if before else ()):
            is_listed = (
                at > 0 and titles[at - 1].key[0] + 1 == each.key[0] and not self._has_text_between(titles[at - 1], each, chapters)
            )
            if each.key[0] == before + 1 and not is_listed and self._is_chapter_title(each):
                chapters.add(each.line)
                before += 1
        return chapters

    def _chapters_above(self, chapter: int, before: int, titles: Sequence[NumberCandidate]) -> set[int]:
        """The lines of the chapters from the one after `before` up to `chapter`, of the titles between their sections."""
        lines: set[int] = set()
        below: NumberCandidate | None = None
        for title in reversed(titles):
            if chapter <= before:
                break
            apart = below is None or below.line > title.line + 1
            if title.key[0] == chapter and apart and self._is_chapter_title(title):
                lines.add(title.line)
                below, chapter = title, chapter - 1
        return lines

    @staticmethod
    def _has_text_between(earlier: NumberCandidate, each: NumberCandidate, chapters: Set[int]) -> bool:
        """Whether there is text between two titles of chapters; an entry of a list has none, or belongs to no chapter."""
        return each.line > earlier.line + (1 if earlier.line in chapters else _LONGEST_ENTRY)

    def may_follow(self, last: Key, key: Key, max_gap: int = _MAX_GAP) -> bool:
        """Whether a key can follow: a first child, or a near sibling of the last key or of one of its ancestors."""
        common = shared_prefix_length(last, key)
        rest = key[common:]
        if not rest:
            return False
        if common == len(last):
            return all(self._is_start(value, common + depth) for depth, value in enumerate(rest))
        limit = 100 if self._is_wide(common) else max_gap
        step = rest[0] - last[common]
        return 0 < step <= limit and all(self._is_start(value, common + 1 + i) for i, value in enumerate(rest[1:]))

    def _is_wide(self, depth: int) -> bool:
        """Whether the component at a depth has three digits; books leave wide gaps between such numbers."""
        return depth == 1 if self.grammar.hundreds else depth == 0 and self.grammar.is_flat

    def _is_start(self, value: int, depth: int) -> bool:
        return (value % 100 if self._is_wide(depth) else value) <= 2
