"""Where sentences end: a profile for each use, sentences as translation tools have them, and pairs of brackets and quotation marks.

Stops of Japanese and Chinese always end a sentence; a point does only before a space, because it also stands in numbers and names.
The clauses of answers (`search/answer/clauses.py`) depend on phrases, too.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import Any

from corpus.data_files import read_toml
from corpus.model import Span

_BLANK = re.compile(r"\s*")
_STOPS = r"[。！？!?]|\.(?=\s|$)"
SENTENCE_STOP = re.compile(_STOPS)
"""The stops alone."""
CLAUSE_END = re.compile(rf"{_STOPS}|[;；\n|]")
"""A clause: also at semicolons, line breaks, and the cells of a table."""
QUOTED_END = re.compile(rf"{_STOPS}|\s?[—―]{{1,2}}\s?|\s-\s")
"""A sentence in a quotation, whose source may follow a dash."""
PROSE_END = re.compile(
    r"[。！？!?]|\n|(?<!\b[a-zA-Z])(?<!vs)(?<!cf)(?<!no)(?<!No)(?<!ver)(?<!sec)\.(?=\s+[A-Z\"“„(\[\u3040-\u9fff]|\s*$)"
)
"""Prose that cites rules: a point ends a sentence only before the beginning of another, and not behind an abbreviation."""
COMPARED_GAP = re.compile('(?<=[.!?])\\s+|(?<=[。！？])|(?<=[.!?][)”"])\\s+|\n+')
"""The gaps between sentences that are compared with others: a stop in a closing bracket or quotation ends one."""
ANSWER_SENTENCE = re.compile(r"[^。．！？!?\n.]*(?:[。．！？!?\n]+[」』）)\"']*|\.(?=\s|$)|\.|$)")
"""The sentences of an answer, with their stops and closing marks, of any width."""
GAP_BEFORE_CITATION = re.compile(r"(?<=[.!?])\s|(?<=[。！？])")
"""The gaps before the words that precede a citation, where a point may be the last character."""
TITLE_STOP = re.compile(r"[。！？;；]|[.!?](?:\s|$)")
"""Marks that no title has: `!` and `?` within it are part of a name."""
PAIRS: Mapping[str, str] = dict(zip("(（[［【「『“《〈{", ")）]］】」』”》〉}", strict=True))
"""Brackets and quotation marks that come in pairs: the opening mark → the closing one."""
_CLOSING = "".join(PAIRS.values())
_MARK = re.compile(f"[{re.escape(''.join((*PAIRS, _CLOSING)))}\n]")


def trimmed(text: str, start: int, end: int) -> Span | None:
    """A span without the spaces at its ends; None if it has nothing else."""
    piece = text[start:end]
    words = piece.strip()
    first = start + len(piece) - len(piece.lstrip())
    return Span(first, first + len(words)) if words else None


def sentence_ends(profile: re.Pattern[str], text: str, quotations: Iterable[Span] = ()) -> list[int]:
    """The ends of the sentences of a text by a profile; those inside the given spans (quotations) are ignored."""
    spans, at = sorted(quotations), 0
    ends: list[int] = []
    for end in (match.end() for match in profile.finditer(text)):
        while at < len(spans) and spans[at].end < end:
            at += 1
        if at == len(spans) or not spans[at].start < end <= spans[at].end:
            ends.append(end)
    return ends


def open_pairs(text: str, *, by_line: bool = False) -> Sequence[int]:
    """For each character, the number of pairs that are open behind it; unclosed ones do not count.

    A closing mark also drops the unclosed pairs inside its own. `by_line`: a line break drops all open pairs.
    """
    changes = [0] * (len(text) + 1)
    open_marks: list[tuple[str, int]] = []
    pending: Counter[str] = Counter()
    for match in _MARK.finditer(text):
        mark, place = match[0], match.start()
        if mark in PAIRS:
            open_marks.append((PAIRS[mark], place))
            pending[PAIRS[mark]] += 1
        elif mark == "\n" and by_line:
            open_marks.clear()
            pending.clear()
        elif pending[mark]:
            closing = ""
            while closing != mark:
                closing, start = open_marks.pop()
                pending[closing] -= 1
            changes[start] += 1
            changes[place] -= 1
    return list(accumulate(changes[:-1]))


def split_sentences(text: str) -> list[Span]:
    """The spans of a text's sentences, in code points, without the spaces between them.

    A stop inside closed brackets or quotation marks does not end a sentence; a line break always does.
    """
    spans, start = [], 0
    for end in _sentence_ends(text):
        if span := trimmed(text, start, end):
            spans.append(span)
        start = end
    return spans


def _sentence_ends(text: str) -> Iterator[int]:
    depth, last_end = open_pairs(text), 0
    for character in _stop().finditer(text):
        end = _end_of_sentence_at(text, character.start(), depth) if character.start() >= last_end else None
        if end:
            last_end = end
            yield end
    yield len(text)


def _end_of_sentence_at(text: str, place: int, depth: Sequence[int]) -> int | None:
    """The end of the sentence whose stop is at a position; None if no sentence ends there."""
    if text[place] == "\n":
        return place + 1
    end = _after_closing_marks(text, place + 1)
    return end if not depth[end - 1] and _is_end(text, place, end) else None


def _after_closing_marks(text: str, end: int) -> int:
    """The position after further stops and closing marks."""
    signs = _sentence_signs()
    while end < len(text) and text[end] in signs["stops"] + signs["points"] + signs["quotes"] + _CLOSING:
        end += 1
    return end


def _is_end(text: str, place: int, end: int) -> bool:
    after = text[_BLANK.match(text, end).end() :][:1]  # type: ignore[union-attr]
    if not after:
        return True
    if text[place] in _sentence_signs()["stops"]:
        closed = end > place + 1 and text[end - 1] in _CLOSING
        return not (closed and text[end : end + 1] in _sentence_signs()["goes_on"])
    return text[end : end + 1].isspace() and not after.islower() and after not in ".…" and not _is_abbreviation_point(text, place)


def _is_abbreviation_point(text: str, place: int) -> bool:
    """Whether a point belongs to the previous word, or to another point, as in `e.g.` and `. . .`."""
    before = re.search(r"(?:^|[\s(“\"])([A-Za-z][A-Za-z.]{0,4})$", text[max(place - 8, 0) : place])
    if before and (before[1].lower() in _sentence_signs()["abbreviations"] or len(before[1]) == 1):
        return before[1] not in ("X", "Y", "Z", "I", "N", "A")
    return text[max(place - 2, 0) : place] == ". "


@cache
def _stop() -> re.Pattern[str]:
    return re.compile(f"[{re.escape(_sentence_signs()['stops'] + _sentence_signs()['points'])}\n]")


@cache
def _sentence_signs() -> Mapping[str, Any]:
    signs: Mapping[str, Any] = read_toml("corpus", "sentences.toml")
    return signs
