"""reStructuredText as blocks, through docutils: headings, bullets, line blocks, footnotes, tables, directives.

Every source line is claimed by one block; docutils reports the first line of a node, and the node's raw source determines the
others.
"""

import re
from collections.abc import Iterator, Sequence

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document

from corpus.errors import InputError
from corpus.model import Span
from ingest.lines import Layout, Line, join_lines
from ingest.split.block import Block, Role, cue_pattern

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*$")
_SPACES = str.maketrans("\v\f", "  ")
_PROSE_NODES = (nodes.block_quote, nodes.sidebar, nodes.topic, nodes.definition_list, nodes.literal_block, nodes.field_list)
_LONGEST_LINE = 4000
"""Maximum length of a line in characters; docutils takes seconds for ten thousand."""
_DOCUTILS_SETTINGS = {
    "report_level": 5,
    "halt_level": 5,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "line_length_limit": 10**9,
}


def doctree(text: str) -> nodes.document:
    """The document tree, parsed without access to other files and without output."""
    settings = get_default_settings(Parser)
    for name, value in _DOCUTILS_SETTINGS.items():
        setattr(settings, name, value)
    document = new_document("rulebook", settings)
    Parser().parse(text.translate(_SPACES), document)
    return document


def split_rst(layout: Layout) -> list[Block]:
    """The blocks of a reStructuredText document, in order.

    Raises InputError if a line is too long for docutils, or blocks are nested too deeply.
    """
    longest = max((line.end - line.start for line in layout.lines), default=0)
    if longest > _LONGEST_LINE:
        raise InputError(
            "a line has {longest:,} characters; reStructuredText may have {most:,} per line: break it",
            longest=longest,
            most=_LONGEST_LINE,
        )
    try:
        return _RestructuredSplitter(layout).split()
    except RecursionError:
        raise InputError("the blocks of this reStructuredText are nested too deeply; correct its bullets") from None


class _RestructuredSplitter:
    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.rows = _source_lines(layout.raw.translate(_SPACES))
        self.owner: dict[int, Block] = {}  # source line → the block that claimed it
        self.blocks: list[Block] = []
        self.references: list[Block] = []  # per footnote reference, in order
        self.footnotes: list[Block] = []

    def split(self) -> list[Block]:
        self._walk_children(doctree(self.layout.raw).children, 0, 0)
        self._link_footnotes()
        self._assign_leftovers()
        return self.blocks

    def _walk_children(self, children: Sequence[nodes.Node], heading: int, bullet: int) -> None:
        for node in children:
            match node:
                case nodes.section():
                    self._walk_children(node.children, heading + 1, 0)
                case nodes.title():
                    self._add_leaf("heading", node, heading)
                case nodes.bullet_list() | nodes.enumerated_list():
                    for item in node.children:
                        self._add_item(item, bullet + 1)
                case nodes.Element():
                    self._add_node(node)

    def _add_node(self, node: nodes.Element) -> None:
        match node:
            case nodes.paragraph():
                self._add_leaf("prose", node, 0)
            case nodes.line_block():
                self._add_line_block("prose", node, 0)
            case nodes.footnote() | nodes.citation():
                self._add_footnote(node)
            case nodes.table():
                self._add_table(node)
            case _ if isinstance(node, nodes.Admonition):
                self._add_directive("note", node)
            case _ if isinstance(node, _PROSE_NODES):
                self._add_directive("prose", node)

    def _add_item(self, item: nodes.Node, depth: int) -> None:
        first = item.children[0] if item.children else None
        rest = list(item.children[1:])
        if isinstance(first, nodes.line_block):
            self._add_line_block("item", first, depth)
        elif isinstance(first, nodes.paragraph):
            self._add_leaf("item", first, depth)
        elif first is not None:
            rest = [first, *rest]
        for node in rest:
            if isinstance(node, nodes.paragraph) and self.blocks:
                self._add_paragraph(node)
            else:
                self._walk_children([node], 0, depth)

    def _add_leaf(self, role: Role, node: nodes.TextElement, depth: int) -> Block:
        block = Block(role, depth=depth, words=_words(node))
        self._claim(block, node)
        self._note_references(block, node)
        self.blocks.append(block)
        return block

    def _add_paragraph(self, node: nodes.paragraph) -> None:
        """A further paragraph of a bullet."""
        block = self.blocks[-1]
        block.words = f"{block.words}\n{_words(node)}"
        self._claim(block, node)
        self._note_references(block, node)

    def _add_line_block(self, role: Role, lines: nodes.line_block, depth: int) -> None:
        """A line block: its first lines, and an example from the word Example on."""
        block = Block(role, depth=depth, words="")
        for line in lines.findall(nodes.line):
            words = _words(line)
            if cue_pattern("example").match(words) and block.role != "example":
                self.blocks += [block] if block.words else []
                block = Block("example", words="")
            block.words = f"{block.words}\n{words}" if block.words else words
            self._claim(block, line)
            self._note_references(block, line)
        self.blocks.append(block)

    def _add_footnote(self, node: nodes.Element) -> None:
        block = Block(
            "note",
            words="\n".join(_words(paragraph) for paragraph in node.findall(nodes.paragraph)),
            mark=str(len(self.footnotes) + 1),
        )
        for paragraph in node.findall(nodes.paragraph):
            self._claim(block, paragraph)
        self.footnotes.append(block)
        self.blocks.append(block)

    def _add_table(self, node: nodes.table) -> None:
        rows = tuple(tuple(_words(cell) for cell in row.findall(nodes.entry)) for row in node.findall(nodes.row))
        block = Block("table", words="\n".join(" | ".join(row) for row in rows), rows=rows)
        self._claim_all(block, node)
        self.blocks.append(block)

    def _add_directive(self, role: Role, node: nodes.Element) -> None:
        """A directive's content as one block."""
        leaves = [
            leaf
            for leaf in node.findall(nodes.TextElement)
            if isinstance(leaf, (nodes.paragraph, nodes.line, nodes.title, nodes.literal_block))
        ]
        block = Block(role, words="\n".join(_words(leaf) for leaf in leaves))
        self._claim_all(block, node)
        for leaf in leaves:
            self._note_references(block, leaf)
        self.blocks.append(block)

    def _claim_all(self, block: Block, node: nodes.Element) -> None:
        for leaf in node.findall(nodes.TextElement):
            if isinstance(leaf, (nodes.paragraph, nodes.line, nodes.title)) and not isinstance(leaf.parent, nodes.system_message):
                self._claim(block, leaf)
        lines = [index for index, owner in self.owner.items() if owner is block]
        for index in range(min(lines, default=0), max(lines, default=-1)):
            self.owner.setdefault(index, block)  # the rules between the rows of a table

    def _claim(self, block: Block, node: nodes.TextElement) -> None:
        """Claims the source lines of a node: those equal to its raw lines, near the line that docutils reports."""
        near = (node.line or 1) - 1
        for offset, raw in enumerate(node.rawsource.splitlines() or [""]):
            index = self._find_line(raw.strip(), near + offset)
            if index is not None:
                self.owner.setdefault(index, block)

    def _find_line(self, raw: str, start_line: int) -> int | None:
        for index in sorted(
            range(max(0, start_line - 4), min(len(self.rows), start_line + 5)), key=lambda index: abs(index - start_line)
        ):
            row = self.rows[index]
            if raw and raw in self.layout.raw[row.start : row.end]:
                return index
        return None

    def _note_references(self, block: Block, node: nodes.Element) -> None:
        self.references += [block for _ in node.findall(nodes.footnote_reference)]

    def _link_footnotes(self) -> None:
        """Pairs footnotes with their references in order; if the counts differ, with the nearest one above."""
        if len(self.references) == len(self.footnotes):
            for block, note in zip(self.references, self.footnotes, strict=True):
                note.owner = block
            return
        order = {id(block): place for place, block in enumerate(self.blocks)}
        open_references = sorted(self.references, key=lambda block: order.get(id(block), 0))
        for note in self.footnotes:
            above = [block for block in open_references if order.get(id(block), 0) < order[id(note)]]
            if above:
                note.owner = above[0]
                open_references.remove(above[0])

    def _assign_leftovers(self) -> None:
        """Assigns lines that no block claimed: adornments belong to their heading, a directive's first line to its content."""
        for index, row in enumerate(self.rows):
            if index in self.owner or row.end == row.start:
                continue
            words = self.layout.raw[row.start : row.end]
            below = next((self.owner[i] for i in range(index + 1, min(index + 4, len(self.rows))) if i in self.owner), None)
            above = self.owner.get(index - 1)
            if _ADORNMENT.match(words) and above is not None and above.role in ("heading", "table"):
                self.owner[index] = above
            elif below is not None and (
                below.role in ("note", "table") or _ADORNMENT.match(words) or words.startswith(".. sidebar")
            ):
                self.owner[index] = below
            else:
                self.blocks.append(Block("furniture", cover=[Span(row.start, row.end)]))
        for index, block in sorted(self.owner.items()):
            block.cover.append(Span(self.rows[index].start, self.rows[index].end))


def _source_lines(text: str) -> list[Line]:
    """All lines as docutils counts them, including blank ones."""
    lines: list[Line] = []
    start = 0
    for raw in text.splitlines(keepends=True):
        words = raw.strip()
        begin = start + (len(raw) - len(raw.lstrip()) if words else 0)
        lines.append(Line(begin, begin + len(words), begin - start, 0))
        start += len(raw)
    return lines


def _words(node: nodes.Node) -> str:
    """A node's words without footnote marks and soft line breaks."""
    words = "".join(_texts(node)).strip()
    if "\n" not in words:
        return words
    width = max(len(line) for line in words.splitlines())
    lines, start = [], 0
    for raw in words.splitlines():
        if raw:
            lines.append(Line(start, start + len(raw), 0, 0))
        start += len(raw) + 1
    return join_lines(words, lines, width)


def _texts(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Text):
        yield node.astext()
    elif not isinstance(node, (nodes.footnote_reference, nodes.system_message, nodes.label)):
        for child in node.children:
            yield from _texts(child)
