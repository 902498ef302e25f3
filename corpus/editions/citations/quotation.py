"""Quotations in a text: words between marks, block quotes, and what stands behind `says:`."""

import re
from collections.abc import Iterator
from functools import cache

from corpus.editions.citations.mention import Quotation
from corpus.editions.citations.phrases import compiled, listed, single
from corpus.model import Span

_AHEAD = 40
"""Marks that are looked at for the one that closes a quotation."""
_BLOCK = re.compile(r"^[ \t]{0,3}>", re.M)
_BLOCK_LINE = re.compile(r"[ \t]{0,3}>[^\n]*\n?")
_LEADER = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+")
_SINGLE = frozenset("'’‘")
_CLOSES = re.compile(r"[)\]）】.,;:!?—–\n。、，]|\s*$")


@cache
def _pairs() -> tuple[dict[str, str], re.Pattern[str]]:
    """Opening mark → the marks that close it; and what finds a mark or the end of a paragraph."""
    closing: dict[str, str] = {}
    for opening, closer in map(tuple, listed("quotation", "pairs")):
        closing[opening] = closing.get(opening, "") + closer
    marks = "".join(sorted(set("".join(listed("quotation", "pairs")))))
    return closing, re.compile(rf"[{re.escape(marks)}]|\n[ \t]*\n")


def quotations(text: str) -> list[Quotation]:
    """The quotations of a text in its order; none lies in another."""
    blocks = list(_blocks(text))
    spans = [block.span for block in blocks]
    marked = [quotation for quotation in _marked(text) if not any(span.start <= quotation.span.start < span.end for span in spans)]
    return sorted([*blocks, *marked], key=lambda quotation: quotation.span)


def _marked(text: str) -> Iterator[Quotation]:
    closing, finder = _pairs()
    marks = list(finder.finditer(text))
    end = at = 0
    while at < len(marks):
        mark = marks[at]
        at += 1
        if mark.start() < end or mark[0] not in closing or not _opens(text, mark):
            continue
        closed = _closed(text, marks, at - 1, closing[mark[0]])
        if closed is not None:
            end = closed + 1
            yield Quotation(Span(mark.start(), end), mark.end(), closed, mark[0])


def _opens(text: str, mark: re.Match[str]) -> bool:
    """Whether a mark can open: an apostrophe in or behind a word does not."""
    before, behind = text[mark.start() - 1 : mark.start()], text[mark.end() : mark.end() + 1]
    if mark[0] in _SINGLE:
        return not before.isalnum() and behind.isalnum()
    return bool(behind.strip()) and (mark[0] != '"' or not before.isdigit())


def _closed(text: str, marks: list[re.Match[str]], at: int, closers: str) -> int | None:
    """The place of the mark that closes the one at `at`: of nested ones of a kind the outermost, within its paragraph."""
    opening, depth, first = marks[at][0], 0, None
    straight = opening in closers
    for mark in marks[at + 1 : at + 1 + _AHEAD]:
        if mark[0].startswith("\n"):
            break
        if opening in _SINGLE:
            first = mark.start() if _closes_single(text, mark, closers, first) else first
        elif mark[0] in closers and not (straight and _is_nested(text, mark)):
            first = mark.start() if first is None else first
            if depth == 0:
                return mark.start()
            depth -= 1
        elif mark[0] == opening:
            depth += 1
    return first


def _is_nested(text: str, mark: re.Match[str]) -> bool:
    """Whether a straight mark inside a quotation opens another one: it stands before a word and behind none."""
    before, behind = text[mark.start() - 1 : mark.start()], text[mark.end() : mark.end() + 1]
    return behind.isalnum() and (before.isspace() or before in '"([（“‘')


def _closes_single(text: str, mark: re.Match[str], closers: str, first: int | None) -> bool:
    """Whether an apostrophe may close: not inside a word; the last one before a stop, else the first."""
    behind = text[mark.end() : mark.end() + 1]
    if mark[0] not in closers or behind.isalnum():
        return False
    return first is None or bool(_CLOSES.match(text, mark.end()))


def _blocks(text: str) -> Iterator[Quotation]:
    """Markdown's block quotes."""
    end = 0
    for line in _BLOCK.finditer(text):
        if line.start() < end:
            continue
        start = end = line.start()
        while part := _BLOCK_LINE.match(text, end):
            end = part.end()
            if part.end() == len(text) and not part[0].endswith("\n"):
                break
        leader = _LEADER.match(text, start)
        first = leader.end() if leader else start
        yield Quotation(Span(start, end), first, max(first, start + len(text[start:end].rstrip())), ">")


@cache
def _says() -> re.Pattern[str]:
    return compiled(single("quotation", "says"))


def told(text: str, end: int) -> Quotation | None:
    """The words behind a citation and `says:`, up to the end of the line; None where marks stand there."""
    match = _says().match(text, end)
    if not match:
        return None
    start, stop = match.end(), text.find("\n", match.end())
    stop = len(text) if stop < 0 else stop
    words = text[start:stop].rstrip()
    if not words or words[0] in _pairs()[0] or words[0] == ">":
        return None
    return Quotation(Span(start, start + len(words)), start, start + len(words))
