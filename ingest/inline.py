"""Finds rule numbers inside lines, in copies that lost their line breaks.

Between two numbers that open rules, the numbers inside the lines are weighted by the text before and after them, and by whether
they lead from the first number to the second. The numbers of the chain with the highest weight open rules as well.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from corpus.catalogue import Grammar
from corpus.words.text import CJK
from ingest.lines import Layout
from ingest.number import NumberCandidate, NumberJudge, introduces_citation, is_followed_by_particle
from ingest.number_format import Key, Number, anywhere_pattern, parse_number

_SENTENCE_END = re.compile(r"[.。!！?？）)」』”\":：】][\s*]*$")
_WORD = re.compile(rf"[\s*\\]{{0,8}}[\"'“‘「『《【\[(（<]{{0,2}}[A-Z0-9{CJK}]")
"""Characters that can start a rule."""
_CANDIDATE_PLACES = re.compile(r"[ \t。！？!?）)」』”：:】](?=[0-9*])")
_MIN_GAPS, _GAPS = 4, 0.005
"""Number of missing numbers, and their share of those found, above which a copy counts as torn."""
_LONGEST_RULE = 2_000
"""Characters for each number found above which a copy counts as torn."""
_TEXT_BEFORE_LENGTH = 40
"""Number of characters before a number that are examined."""
_NEAR_LENGTH = 40
"""Maximum number of candidates that can directly follow one candidate."""
_TITLE_LENGTH = 60
"""Maximum length of a title between two numbers, in characters."""
_SUCCESSOR_WEIGHT = 2.0
"""Weight of a number that directly follows the previous one."""
_ENDED, _TITLED, _WITHIN, _CITED = 1.0, 0.5, -3.0, -9.0
"""Weights of a number after a sentence, after a title, within a sentence, and after words that introduce a citation."""
_USUAL, _UNUSUAL = 0.5, -1.5
"""Weights of a final dot that agrees with the book's usage, and of one that disagrees."""
_SINGLE_WEIGHT = -0.5
"""Weight of a number with one component (`3.`), which may be an entry of a list."""
_START_CANDIDATE = NumberCandidate(Number(0, (), "", 0, 0, dotted=False, label=""), 0, None, follows_open_words=False, lower=False)
"""The beginning of a text, which any first number follows."""


def accepted_candidates(layout: Layout, grammar: Grammar) -> list[NumberCandidate]:
    """The numbers that open a rule, in text order: at line starts, and inside the lines between them.

    Lines are searched where a number seems to be missing; if many are missing, the copy is torn and all lines are searched.
    """
    judge = NumberJudge(layout, grammar)
    candidates = judge.accepted_candidates()
    untitled_chapters = _untitled_chapters(candidates)
    gaps = {
        at
        for at, (first, second) in enumerate(pairwise(candidates))
        if not _is_next(judge, first.key, second.key) or (first.key[0] < second.key[0] and second.key[0] in untitled_chapters)
    }
    glued_count = sum(candidate.glued for candidate in candidates)
    is_torn = len(gaps) + glued_count >= max(_MIN_GAPS, _GAPS * len(candidates)) or len(layout.text) > _LONGEST_RULE * len(
        candidates
    )
    late = bool(candidates) and any(value % 100 > 1 for value in candidates[0].key)  # the first numbers are missing
    if not gaps and not is_torn and not late:
        return candidates
    finder = _Finder(judge, candidates)
    result: list[NumberCandidate] = []
    if candidates and (is_torn or late):
        region = list(finder.candidates_between(_START_CANDIDATE, candidates[0]))
        result = _heaviest_path(judge, _START_CANDIDATE, region, candidates[0])
    for at, first in enumerate(candidates):
        second = candidates[at + 1] if at + 1 < len(candidates) else None
        region = list(finder.candidates_between(first, second)) if is_torn or at in gaps else []
        result += [first, *_heaviest_path(judge, first, region, second)] if region else [first]
    return result


def _untitled_chapters(candidates: Sequence[NumberCandidate]) -> set[int]:
    """The chapters whose own number was not found, in a book that numbers most of its chapters."""
    chapters = {candidate.key[0] for candidate in candidates}
    chapters_with_title = {candidate.key[0] for candidate in candidates if len(candidate.key) == 1}
    return chapters - chapters_with_title if 2 * len(chapters_with_title) > len(chapters) else set()


def _is_next(judge: NumberJudge, first: Key, second: Key) -> bool:
    """Whether no number is missing between two numbers; books skip the letters l and o."""
    skips = len(first) == len(second) and second[-1] - first[-1] == 2 and first[-1] in (11, 14)
    return skips or judge.may_follow(first, second, max_gap=1)


class _Finder:
    """Finds the numbers between those already found."""

    def __init__(self, judge: NumberJudge, candidates: Sequence[NumberCandidate]) -> None:
        self.judge = judge
        self.text = judge.layout.text
        self.known = {candidate.number.label for candidate in candidates}
        self.starts = [line.start for line in judge.layout.lines]
        self.match_at = anywhere_pattern(judge.grammar).match

    def candidates_between(self, first: NumberCandidate, second: NumberCandidate | None) -> Iterator[NumberCandidate]:
        """The candidates between two numbers; those behind words that introduce a citation follow open words."""
        end = second.number.start if second else len(self.text)
        for hit in _CANDIDATE_PLACES.finditer(self.text, first.number.end, end):
            if candidate := self._candidate(hit.end()):
                yield candidate

    def _candidate(self, place: int) -> NumberCandidate | None:
        match = self.match_at(self.text, place)
        if match is None or not _WORD.match(self.text, match.end()):
            return None
        number = parse_number(match, self.judge.grammar)
        bare = len(number.key) == 1 and not number.dotted
        if bare or number.label in self.known or is_followed_by_particle(self.text, number.end):
            return None
        index = bisect_right(self.starts, place) - 1
        line = self.judge.layout.lines[index]
        if not line.start < place < number.end < line.end:
            return None
        before = self.text[max(line.start, place - _TEXT_BEFORE_LENGTH) : place].rstrip(" #")
        return NumberCandidate(number, index, None, follows_open_words=introduces_citation(before), lower=False, glued=True)


def _heaviest_path(
    judge: NumberJudge, start_candidate: NumberCandidate, region: Sequence[NumberCandidate], end_candidate: NumberCandidate | None
) -> list[NumberCandidate]:
    """The numbers of a region that open rules: the heaviest path from the number before it to the one after it."""
    weights = [_text_weight(judge, region, at, start_candidate) for at in range(len(region))]
    best: list[tuple[float, int]] = []
    for at, candidate in enumerate(region):
        ways = [(_step_weight(judge, start_candidate, candidate), -1)]
        ways += [
            (best[before][0] + _step_weight(judge, region[before], candidate), before)
            for before in range(max(0, at - _NEAR_LENGTH), at)
        ]
        weight, before = max(ways)
        best.append((weight + weights[at], before))
    to_end = [_step_weight(judge, candidate, end_candidate) if end_candidate else 0 for candidate in region]
    ends = ((weight + step, at) for at, ((weight, _), step) in enumerate(zip(best, to_end, strict=True)))
    end, at = max(ends, default=(0.0, -1))
    if end <= (max(0.0, _step_weight(judge, start_candidate, end_candidate)) if end_candidate else 0.0):
        return []
    chain: list[NumberCandidate] = []
    while at >= 0:
        chain.append(region[at])
        at = best[at][1]
    return chain[::-1]


def _step_weight(judge: NumberJudge, before: NumberCandidate, after: NumberCandidate) -> float:
    """The weight of a number as the successor of another one."""
    if judge.may_follow(before.key, after.key, max_gap=1):
        return _SUCCESSOR_WEIGHT
    return 0.0 if judge.may_follow(before.key, after.key) else -_SUCCESSOR_WEIGHT * 2


def _text_weight(judge: NumberJudge, region: Sequence[NumberCandidate], position: int, first: NumberCandidate) -> float:
    """The weight of the text before and after a number."""
    number, text = region[position].number, judge.layout.text
    above = region[position - 1].number if position else first.number
    start = max(judge.layout.lines[region[position].line].start, above.end)
    words = text[start : number.start].strip(" *#")
    is_title = start == above.end and 0 < len(words) <= _TITLE_LENGTH
    child = number.key == (*above.key, 1)
    if region[position].follows_open_words and not (is_title and child):
        return _CITED
    place = _ENDED if _SENTENCE_END.search(words) else _TITLED if is_title else _WITHIN
    usual = judge.usual_dot.get(number.level, False)
    dot = _USUAL if number.dotted == usual else _UNUSUAL if usual else 0.0
    return place + dot + (_SINGLE_WEIGHT if len(number.key) == 1 else 0.0)
