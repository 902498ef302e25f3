"""Splits a rule in Japanese, Chinese or English into sentences as translation tools do."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from corpus.data_files import read_toml
from corpus.model import Span

_BLANK = re.compile(r"\s*")


def split_sentences(text: str) -> list[Span]:
    """The spans of a text's sentences, in code points, without the spaces between them.

    A stop inside closed brackets or quotation marks does not end a sentence; a line break always does.
    """
    spans, start = [], 0
    for end in _sentence_ends(text):
        if span := _trim_span(text, start, end):
            spans.append(span)
        start = end
    return spans


def _trim_span(text: str, start: int, end: int) -> Span | None:
    piece = text[start:end]
    words = piece.strip()
    if not words:
        return None
    first = start + len(piece) - len(piece.lstrip())
    return Span(first, first + len(words))


def _sentence_ends(text: str) -> Iterator[int]:
    depth, passed = _bracket_depths(text), 0
    for character in _character_class("lines", "stops", "points").finditer(text):
        end = _end_of_sentence_at(text, character.start(), depth) if character.start() >= passed else None
        if end:
            passed = end
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
    while end < len(text) and text[end] in signs["stops"] + signs["points"] + signs["closers"] + signs["quotes"]:
        end += 1
    return end


def _is_end(text: str, place: int, end: int) -> bool:
    after = text[_BLANK.match(text, end).end() :][:1]  # type: ignore[union-attr]
    if not after:
        return True
    if text[place] in _sentence_signs()["stops"]:
        closed = end > place + 1 and text[end - 1] in _sentence_signs()["closers"]
        return not (closed and text[end : end + 1] in _sentence_signs()["goes_on"])
    return text[end : end + 1].isspace() and not after.islower() and after not in ".…" and not _is_abbreviation_point(text, place)


def _is_abbreviation_point(text: str, place: int) -> bool:
    """Whether a point belongs to the previous word, or to another point, as in `e.g.` and `. . .`."""
    before = re.search(r"(?:^|[\s(“\"])([A-Za-z][A-Za-z.]{0,4})$", text[max(place - 8, 0) : place])
    if before and (before[1].lower() in _sentence_signs()["abbreviations"] or len(before[1]) == 1):
        return before[1] not in ("X", "Y", "Z", "I", "N", "A")
    return text[max(place - 2, 0) : place] == ". "


def _bracket_depths(text: str) -> Sequence[int]:
    """For each character, the number of brackets that are open after it; unclosed brackets do not count."""
    depths, opened = bytearray(len(text)), []
    pairs = dict(zip(_sentence_signs()["openers"], _sentence_signs()["closers"], strict=True))
    for match in _character_class("openers", "closers").finditer(text):
        character, place = match[0], match.start()
        if character in pairs:
            opened.append(place)
        elif opened and character == pairs[text[opened[-1]]]:
            first = opened.pop()
            depths[first:place] = bytes(min(depth + 1, 255) for depth in depths[first:place])
    return depths


@cache
def _character_class(*names: str) -> re.Pattern[str]:
    """Matches one character of some kinds."""
    return re.compile(f"[{re.escape(''.join(_sentence_signs()[name] for name in names))}]")


@cache
def _sentence_signs() -> Mapping[str, Any]:
    return {**read_toml("ontology", "sentences.toml"), "lines": "\n"}
