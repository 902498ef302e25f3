"""reStructuredText as pieces, through docutils: headings, bullets, line blocks, footnotes, tables, directives.

Every source line is claimed by one piece; docutils tells on which line a block begins, its raw source which lines it
takes.
"""

import re
from collections.abc import Iterator, Sequence

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document

from corpus.errors import InputError
from corpus.model import Span
from ingest.lines import Line, Page, joined
from ingest.split.block import Piece, Role, sign

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*$")
_BLANKS = str.maketrans("\v\f", "  ")
_PROSE = (nodes.block_quote, nodes.sidebar, nodes.topic, nodes.definition_list, nodes.literal_block, nodes.field_list)

_LONGEST_LINE = 4000
"""Characters; docutils takes seconds for a line of ten thousand."""
_SETTINGS = {
    "report_level": 5,
    "halt_level": 5,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "line_length_limit": 10**9,
}


def doctree(text: str) -> nodes.document:
    """The document tree; nothing outside the text is read, and no message of the parser is printed."""
    settings = get_default_settings(Parser)
    for name, value in _SETTINGS.items():
        setattr(settings, name, value)
    document = new_document("rulebook", settings)
    Parser().parse(text.translate(_BLANKS), document)
    return document


def split_rst(page: Page) -> list[Piece]:
    """The pieces of a reStructuredText, in its order.

    Raises InputError where a line is too long for docutils, or blocks are nested without end.
    """
    longest = max((line.end - line.start for line in page.lines), default=0)
    if longest > _LONGEST_LINE:
        raise InputError(f"a line has {longest:,} characters; reStructuredText is read up to {_LONGEST_LINE:,} a line: break it")
    try:
        return _Splitter(page).pieces()
    except RecursionError:
        raise InputError("the blocks of this reStructuredText are nested too deeply; correct its bullets") from None


class _Splitter:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.rows = _source_lines(page.raw.translate(_BLANKS))
        self.owner: dict[int, Piece] = {}  # source line → the piece that claimed it
        self.found: list[Piece] = []
        self.references: list[Piece] = []  # per footnote reference, in order
        self.footnotes: list[Piece] = []

    def pieces(self) -> list[Piece]:
        self._blocks(doctree(self.page.raw).children, 0, 0)
        self._link_footnotes()
        self._leftovers()
        return self.found

    def _blocks(self, children: Sequence[nodes.Node], heading: int, bullet: int) -> None:
        for node in children:
            match node:
                case nodes.section():
                    self._blocks(node.children, heading + 1, 0)
                case nodes.title():
                    self._leaf("heading", node, heading)
                case nodes.bullet_list() | nodes.enumerated_list():
                    for item in node.children:
                        self._item(item, bullet + 1)
                case nodes.Element():
                    self._block(node)

    def _block(self, node: nodes.Element) -> None:
        match node:
            case nodes.paragraph():
                self._leaf("prose", node, 0)
            case nodes.line_block():
                self._line_block("prose", node, 0)
            case nodes.footnote() | nodes.citation():
                self._footnote(node)
            case nodes.table():
                self._table(node)
            case _ if isinstance(node, nodes.Admonition):
                self._whole("note", node)
            case _ if isinstance(node, _PROSE):
                self._whole("prose", node)

    def _item(self, item: nodes.Node, depth: int) -> None:
        first = item.children[0] if item.children else None
        rest = list(item.children[1:])
        if isinstance(first, nodes.line_block):
            self._line_block("item", first, depth)
        elif isinstance(first, nodes.paragraph):
            self._leaf("item", first, depth)
        elif first is not None:
            rest = [first, *rest]
        for node in rest:
            if isinstance(node, nodes.paragraph) and self.found:
                self._more(node)
            else:
                self._blocks([node], 0, depth)

    def _leaf(self, role: Role, node: nodes.TextElement, depth: int) -> Piece:
        piece = Piece(role, depth=depth, words=_words(node))
        self._claim(piece, node)
        self._refer(piece, node)
        self.found.append(piece)
        return piece

    def _more(self, node: nodes.paragraph) -> None:
        """A further paragraph of a bullet."""
        piece = self.found[-1]
        piece.words = f"{piece.words}\n{_words(node)}"
        self._claim(piece, node)
        self._refer(piece, node)

    def _line_block(self, role: Role, block: nodes.line_block, depth: int) -> None:
        """A line block: its first lines, and from the word Example on an example of them."""
        piece = Piece(role, depth=depth, words="")
        for line in block.findall(nodes.line):
            words = _words(line)
            if sign("example").match(words) and piece.role != "example":
                piece = self._begin_example(piece)
            piece.words = f"{piece.words}\n{words}" if piece.words else words
            self._claim(piece, line)
            self._refer(piece, line)
        self.found.append(piece)

    def _begin_example(self, piece: Piece) -> Piece:
        if piece.words:
            self.found.append(piece)
        return Piece("example", words="")

    def _footnote(self, node: nodes.Element) -> None:
        piece = Piece(
            "note",
            words="\n".join(_words(one) for one in node.findall(nodes.paragraph)),
            mark=str(len(self.footnotes) + 1),
        )
        for one in node.findall(nodes.paragraph):
            self._claim(piece, one)
        self.footnotes.append(piece)
        self.found.append(piece)

    def _table(self, node: nodes.table) -> None:
        rows = tuple(tuple(_words(cell) for cell in row.findall(nodes.entry)) for row in node.findall(nodes.row))
        piece = Piece("table", words="\n".join(" | ".join(row) for row in rows), rows=rows)
        self._claim_all(piece, node)
        self.found.append(piece)

    def _whole(self, role: Role, node: nodes.Element) -> None:
        """A directive's content as one piece."""
        leaves = [
            one
            for one in node.findall(nodes.TextElement)
            if isinstance(one, (nodes.paragraph, nodes.line, nodes.title, nodes.literal_block))
        ]
        piece = Piece(role, words="\n".join(_words(one) for one in leaves))
        self._claim_all(piece, node)
        for leaf in leaves:
            self._refer(piece, leaf)
        self.found.append(piece)

    def _claim_all(self, piece: Piece, node: nodes.Element) -> None:
        for leaf in node.findall(nodes.TextElement):
            if isinstance(leaf, (nodes.paragraph, nodes.line, nodes.title)) and not isinstance(leaf.parent, nodes.system_message):
                self._claim(piece, leaf)
        claimed = [index for index, owner in self.owner.items() if owner is piece]
        for index in range(min(claimed, default=0), max(claimed, default=-1)):
            self.owner.setdefault(index, piece)  # the rules between the rows of a table

    def _claim(self, piece: Piece, node: nodes.TextElement) -> None:
        """Claims the source lines of a block: near the line that docutils names, those that hold its raw lines."""
        near = (node.line or 1) - 1
        for offset, raw in enumerate(node.rawsource.splitlines() or [""]):
            index = self._find(raw.strip(), near + offset)
            if index is not None:
                self.owner.setdefault(index, piece)

    def _find(self, raw: str, near: int) -> int | None:
        for index in sorted(range(max(0, near - 4), min(len(self.rows), near + 5)), key=lambda one: abs(one - near)):
            row = self.rows[index]
            if raw and raw in self.page.raw[row.start : row.end]:
                return index
        return None

    def _refer(self, piece: Piece, node: nodes.Element) -> None:
        self.references += [piece for _ in node.findall(nodes.footnote_reference)]

    def _link_footnotes(self) -> None:
        """Pairs footnotes with their references in order; where the counts differ, with the nearest one above."""
        if len(self.references) == len(self.footnotes):
            for piece, note in zip(self.references, self.footnotes, strict=True):
                note.owner = piece
            return
        order = {id(piece): place for place, piece in enumerate(self.found)}
        open_references = sorted(self.references, key=lambda piece: order.get(id(piece), 0))
        for note in self.footnotes:
            above = [piece for piece in open_references if order.get(id(piece), 0) < order[id(note)]]
            if above:
                note.owner = above[0]
                open_references.remove(above[0])

    def _leftovers(self) -> None:
        """Lines that no block claimed: adornments go to their heading, a directive's first line to what it holds."""
        for index, row in enumerate(self.rows):
            if index in self.owner or row.end == row.start:
                continue
            words = self.page.raw[row.start : row.end]
            below = next((self.owner[i] for i in range(index + 1, min(index + 4, len(self.rows))) if i in self.owner), None)
            above = self.owner.get(index - 1)
            if _ADORNMENT.match(words) and above is not None and above.role in ("heading", "table"):
                self.owner[index] = above
            elif below is not None and (
                below.role in ("note", "table") or _ADORNMENT.match(words) or words.startswith(".. sidebar")
            ):
                self.owner[index] = below
            else:
                self.found.append(Piece("furniture", cover=[Span(row.start, row.end)]))
        for index, piece in sorted(self.owner.items()):
            piece.cover.append(Span(self.rows[index].start, self.rows[index].end))


def _source_lines(text: str) -> list[Line]:
    """All lines as docutils counts them, blank ones too."""
    found: list[Line] = []
    start = 0
    for raw in text.splitlines(keepends=True):
        words = raw.strip()
        begin = start + (len(raw) - len(raw.lstrip()) if words else 0)
        found.append(Line(begin, begin + len(words), begin - start, 0))
        start += len(raw)
    return found


def _words(node: nodes.Node) -> str:
    """A block's words without footnote marks, its soft line ends gone."""
    words = "".join(_texts(node)).strip()
    if "\n" not in words:
        return words
    width = max(len(line) for line in words.splitlines())
    lines, start = [], 0
    for raw in words.splitlines():
        if raw:
            lines.append(Line(start, start + len(raw), 0, 0))
        start += len(raw) + 1
    return joined(words, lines, width)


def _texts(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Text):
        yield node.astext()
    elif not isinstance(node, (nodes.footnote_reference, nodes.system_message, nodes.label)):
        for child in node.children:
            yield from _texts(child)
