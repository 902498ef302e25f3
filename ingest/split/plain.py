"""A numbered text as pieces: front matter, numbered rules, bullets, examples, notes, glossary entries."""

import re
from collections import defaultdict
from collections.abc import Iterator

from corpus.catalogue import Grammar
from corpus.model import Span
from ingest.lines import Line, Page
from ingest.number.judge import Candidate, Judge, is_listed
from ingest.number.number_format import locator
from ingest.split.block import BULLET, Piece, Role, role_of, sign

_LEAD = re.compile(r"\s*(?:\*\*)?\s*")
_LONGEST_HEADWORD = 60  # characters
_LONGEST_TITLE = 90
_FEW = 20  # one in so many numbers may be new in the back matter


def split(page: Page, grammar: Grammar) -> list[Piece]:
    """The pieces of a numbered text, in its order. Every line is in exactly one."""
    chosen = Judge(page, grammar).accepted()
    if not chosen:
        return [*_front(page, len(page.lines)), *_furniture(page)]
    pieces = list(_front(page, chosen[0].line))
    glossary, back = _ends(page, chosen)
    body = _Body(page, grammar, [one for one in chosen if one.line < glossary])
    pieces += body.pieces(chosen[0].line, glossary)
    pieces += _glossary(page, glossary, back)
    pieces += [_lines("front", page.lines[i]) for i in range(back, len(page.lines))]
    return [*_columns(pieces), *_furniture(page)]


def _lines(role: Role, *lines: Line) -> Piece:
    piece = Piece(role)
    for line in lines:
        piece.add(line)
    return piece


def _furniture(page: Page) -> Iterator[Piece]:
    for start, end in page.furniture:
        yield Piece("furniture", cover=[Span(start, end)])


def _front(page: Page, body: int) -> Iterator[Piece]:
    """Everything before the body; from the word Contents on it is furniture."""
    listed = False
    for index in range(body):
        line = page.lines[index]
        listed = listed or bool(sign("contents").match(page.text, line.start, line.end))
        dots = is_listed(page.text, line.start, line.end)
        yield _lines("furniture" if listed or dots else "front", line)


def _ends(page: Page, chosen: list[Candidate]) -> tuple[int, int]:
    """Where the glossary and the back matter begin; the number of lines where there is none."""
    last = len(page.lines)
    settled = _settled(chosen)
    heads = [i for i in range(settled, last) if page.lines[i].end - page.lines[i].start < _LONGEST_TITLE]
    glossary = [i for i in heads if _is_sign(page, i, "glossary")]
    first = glossary[-1] if glossary else settled
    back = next((i for i in heads if i > first and _is_sign(page, i, "back")), last)
    return (glossary[-1] if glossary else back), back


def _settled(chosen: list[Candidate]) -> int:
    """The line behind which hardly a number is new: a history of changes names them again."""
    first = {locator(one.number.printed): one.line for one in reversed(chosen)}
    new = sorted(first.values())
    few = min(len(new) - 1, len(new) // _FEW)
    return new[-1 - few]


def _is_sign(page: Page, index: int, name: str) -> bool:
    line = page.lines[index]
    return bool(sign(name).match(page.text, line.start, line.end))


class _Body:
    """Groups the lines of the body around their numbers."""

    def __init__(self, page: Page, grammar: Grammar, chosen: list[Candidate]) -> None:
        self.page = page
        self.grammar = grammar
        self.on_line: dict[int, list[Candidate]] = defaultdict(list)
        for candidate in chosen:
            self.on_line[candidate.line].append(candidate)
        self.found: list[Piece] = []
        self.rule: Piece | None = None  # the last numbered or bulleted piece
        self.indents: list[int] = []

    def pieces(self, first: int, last: int) -> list[Piece]:
        for index in range(first, last):
            line = self.page.lines[index]
            if index in self.on_line:
                self._numbered(line, self.on_line[index])
            else:
                self._plain(index, line)
        return self.found

    def _numbered(self, line: Line, candidates: list[Candidate]) -> None:
        before = candidates[0].number.start
        if candidates[0].glued:
            self._continue(self._cut(line, line.start, before))
        for at, candidate in enumerate(candidates):
            number = candidate.number
            start = number.start if candidate.glued else line.start
            end = candidates[at + 1].number.start if at + 1 < len(candidates) else line.end
            words = self._cut(line, number.end, end)
            said = words.end > words.start
            cover = Span(start, words.end if said else end)
            piece = Piece("number", [words] if said else [], [cover], number.level, number)
            self.rule = piece
            self.indents = []
            self.found.append(piece)

    def _cut(self, line: Line, start: int, end: int) -> Line:
        """A part of a line without the blanks and marks of emphasis around it."""
        text = self.page.text
        lead = _LEAD.match(text, start, end)
        start = lead.end() if lead else start
        while end > start and text[end - 1].isspace():
            end -= 1
        return Line(start, max(start, end), line.indent, line.gap)

    def _plain(self, index: int, line: Line) -> None:
        role = role_of(self.page, line)
        bullet = BULLET.match(self.page.text, line.start, line.end) if self.grammar.items else None
        if role:
            self.found.append(_lines(role, line))
        elif bullet:
            self._item(line, bullet.end())
        elif self._is_prose(index, line):
            self.found.append(_lines("prose", line))
        else:
            self._continue(line)

    def _item(self, line: Line, words: int) -> None:
        while self.indents and self.indents[-1] >= line.indent:
            self.indents.pop()
        self.indents.append(line.indent)
        said = self._cut(line, words, line.end)
        piece = Piece("item", cover=[Span(line.start, said.start)], depth=len(self.indents))
        piece.add(said)
        self.rule = piece
        self.found.append(piece)

    def _is_prose(self, index: int, line: Line) -> bool:
        """Text below a heading that has its title is prose of its own."""
        last = self.found[-1]
        if last.role == "prose":
            return bool(line.gap)
        heading = last.number is not None and self.grammar.levels[last.depth].kind.is_heading
        return heading and bool(last.lines) and (bool(line.gap) or not self.page.open(index - 1))

    def _continue(self, line: Line) -> None:
        """A line goes on with the piece above; behind a closed example and a blank line, with its rule."""
        if not self.found:
            self.found.append(Piece("front"))
        last = self.found[-1]
        if last.role in ("example", "note") and line.gap and self.rule and self._is_closed(last):
            last = self.rule
        if last.role in ("furniture", "editorial") and self.rule:
            last = self.rule
        last.add(line)

    def _is_closed(self, piece: Piece) -> bool:
        return self.page.text[piece.lines[-1].end - 1] in '.。!?！？)）」』”"'


def _glossary(page: Page, first: int, last: int) -> Iterator[Piece]:
    """The glossary's heading and its entries: a blank line, or a missing one before a headword, begins an entry."""
    entry: Piece | None = None
    for index in range(first, last):
        line = page.lines[index]
        if index == first:
            yield Piece("heading", [line], [Span(line.start, line.end)], depth=0, mark="glossary")
        elif entry is None or line.gap or _is_headword(page, index, last, entry):
            if entry:
                yield entry
            entry = Piece("entry", cover=[Span(line.start, line.end)], mark=page.words(index))
        else:
            entry.add(line)
    if entry:
        yield entry


def _is_headword(page: Page, index: int, last: int, entry: Piece) -> bool:
    words = page.words(index)
    return (
        bool(entry.lines)
        and len(words) < _LONGEST_HEADWORD
        and page.closed(index - 1)
        and not page.closed(index)
        and not words[0].isdigit()
        and index + 1 < last
        and not page.lines[index + 1].gap
    )


def _columns(pieces: list[Piece]) -> list[Piece]:
    """Numbers that a copy tore off into a column get the lines of the column beside it, if these are as many."""
    for at, piece in enumerate(pieces):
        if piece.role != "number" or len(piece.lines) < 2 or piece.lines[0].start <= piece.cover[0].end:
            continue
        first = at
        while first and pieces[first - 1].role == "number" and not pieces[first - 1].lines:
            first -= 1
        column = pieces[first : at + 1]
        if len(column) == len(piece.lines):
            words, piece.cover = list(piece.lines), piece.cover[:1]
            piece.lines = []
            for number, line in zip(column, words, strict=True):
                number.add(line)
    return pieces
