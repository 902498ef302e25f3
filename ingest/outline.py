"""Blocks as addressed nodes: locators, parents, examples and notes with their rule."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from corpus.address import slugify
from corpus.catalogue import Grammar
from corpus.model import Aside, Authority, Kind, Node, Unaddressed
from corpus.words.text import CJK, remove_torn_spaces
from ingest.lines import Layout
from ingest.markdown import without_marks
from ingest.number_format import Key, Number
from ingest.split.block import APPENDIX, Block, Role
from ingest.split.headings import is_title

_SENTENCE = re.compile(r"[.。!！]$")
_LONG_OPENING = re.compile(rf"(?:\S+\s+){{5}}|[{CJK}、，「」『』（）A-Za-z0-9]{{16}}")
"""The beginning of a text with more words than a title above rules has."""
_SENTENCE_ENDS = (".", "。", "!", "！", ":", "：")


@dataclass(slots=True)
class _NodeDraft:
    """A node under construction."""

    kind: Kind
    locator: str
    parent: str | None
    block: Block
    asides: list[tuple[str, Aside]] | None = None  # examples and notes; few drafts have any


@dataclass(frozen=True, slots=True)
class OutlinedText:
    """The nodes of a text, and the spans without an address."""

    nodes: tuple[Node, ...]
    loose: tuple[Unaddressed, ...]


class Outliner:
    """Walks over the blocks of a text once and tracks the position in the outline."""

    def __init__(self, layout: Layout, grammar: Grammar, lang: str, chapter: str, *, original: bool, markdown: bool) -> None:
        self.layout = layout
        self.grammar = grammar
        self.lang = lang
        self.chapter = chapter  # slug before the heading counters of a headings-only book
        self.original = original  # whether headwords determine the addresses of the glossary
        self.markdown = markdown
        self.address_counts: Counter[str] = Counter()  # how often each locator was assigned
        self.drafts: list[_NodeDraft] = []
        self.section: _NodeDraft | None = None  # the last heading
        self.by_block: dict[int, _NodeDraft] = {}
        self.asides: list[tuple[Block, _NodeDraft]] = []
        self.loose: list[Unaddressed] = []
        self.by_key: dict[Key, str] = {}
        self.appendix: str | None = None  # address of the last appendix's heading; its numbers are below it, not in the main text
        self.greatest_key: Key = ()  # greatest number of the main text
        self.headings: list[int] = []  # counters per heading level
        self.titles: dict[int, str] = {}
        self.anchor: str | None = None  # nearest numbered or titled ancestor
        self.path: list[int] = []  # position path of the last item below the anchor
        self.title_depth = 0  # length of the position path of the unnumbered title above
        self.places: Counter[tuple[str | None, tuple[int, ...]]] = Counter()

    def outline(self, blocks: Sequence[Block]) -> OutlinedText:
        """The outline of blocks in text order."""
        take = {role: getattr(self, f"_add_{role}") for role in get_args(Role)}
        for block in blocks:
            take[block.role](block)
        for block, draft in self.asides:
            self._attach_aside(block, self.by_block.get(id(block.owner), draft))
        numbered_parents = {draft.parent for draft in self.drafts if draft.block.number}
        return OutlinedText(
            tuple(self._node(draft, draft.locator in numbered_parents) for draft in self.drafts),
            tuple(sorted(self.loose, key=lambda loose: loose.span)),
        )

    def _unique_address(self, address: str) -> str:
        """A locator; that of a number printed twice gets `.dup2`, in print order."""
        self.address_counts[address] += 1
        count = self.address_counts[address]
        return address if count == 1 else f"{address}.dup{count}"

    def _add_number(self, block: Block) -> None:
        assert block.number is not None
        key = block.number.key
        if self.appendix is not None and block.depth == 0 and key > self.greatest_key:
            self.appendix = None  # the main text goes on
        if self.appendix is None:
            self.greatest_key = max(self.greatest_key, key)
        address = self._unique_address(block.number.label)
        parent = self.by_key.get(key[:-1])
        if parent is None:
            above = (self.by_key[key[:depth]] for depth in range(len(key) - 2, 0, -1) if key[:depth] in self.by_key)
            parent = next(above, self.appendix)
        self.by_key[key] = address
        self.anchor, self.path, self.title_depth = address, [], 0
        self._add_draft(block.kind or self.grammar.levels[block.depth].kind, address, parent, block)

    def _add_heading(self, block: Block) -> None:
        if block.mark == "glossary":
            self.anchor, self.path = self._unique_address("glossary"), []
            self._add_draft(Kind.PROSE, self.anchor, None, block)
            return
        depth = block.depth
        self.headings = self.headings[:depth] + [0] * (depth - len(self.headings))
        self.headings[depth - 1] += 1
        counters = [count or 1 for count in self.headings]
        parents = [level for level in self.titles if level < depth]
        parent = self.titles[max(parents)] if parents else None
        self.anchor = self._unique_address(f"{self.chapter}/{'.'.join(map(str, counters))}")
        self.titles = {level: address for level, address in self.titles.items() if level < depth} | {depth: self.anchor}
        self.path, self.title_depth = [], 0
        if block.mark == APPENDIX:
            self.appendix, self.by_key = self.anchor, {}
        self._add_draft(Kind.SECTION if parents else Kind.CHAPTER, self.anchor, parent, block)

    def _add_title(self, block: Block) -> None:
        """A heading without a number, below an addressed one: `2.1~3`."""
        self._add_unnumbered(Kind.SECTION, block, min(block.depth, self.title_depth + 1))
        self.title_depth = len(self.path)

    def _add_item(self, block: Block) -> None:
        kind = Kind.PROSE if self.grammar.style == "wiki" else Kind.RULE
        self._add_unnumbered(kind, block, min(self.title_depth + block.depth, len(self.path) + 1))

    def _add_prose(self, block: Block) -> None:
        rule = self.grammar.style in ("rst", "document") and bool(self.titles or self.by_key)
        self._add_unnumbered(Kind.RULE if rule else Kind.PROSE, block, self.title_depth + 1)

    def _add_table(self, block: Block) -> None:
        self._add_unnumbered(Kind.TABLE, block, self.title_depth + 1)

    def _add_editorial(self, block: Block) -> None:
        if self.by_key and self.drafts:
            self.anchor, self.path = (self.section or self.drafts[-1]).locator, []
        self._add_unnumbered(Kind.PROSE, block, 1)

    def _add_unnumbered(self, kind: Kind, block: Block, depth: int) -> None:
        """An unnumbered block: addressed by its nearest ancestor and the position path below it."""
        above = tuple(self.path[: depth - 1])
        self.places[self.anchor, above] += 1
        self.path = [*above, self.places[self.anchor, above]]
        base = self.anchor or self.chapter
        parent = f"{base}~{'.'.join(map(str, above))}" if above else self.anchor
        self._add_draft(kind, self._unique_address(f"{base}~{'.'.join(map(str, self.path))}"), parent, block)

    def _add_entry(self, block: Block) -> None:
        self.places["glossary", ()] += 1
        place = self.places["glossary", ()]
        address = f"glossary/{slugify(block.mark)}" if self.original else f"glossary~{place}"
        parent = "glossary" if self.address_counts["glossary"] else None
        self._add_draft(Kind.GLOSSARY, self._unique_address(address), parent, block)

    def _add_note(self, block: Block) -> None:
        """Examples and notes are attached last, because a footnote may precede its rule."""
        if self.drafts:
            self.asides.append((block, self.drafts[-1]))
        else:
            self._add_front(block)

    _add_example = _add_note

    def _attach_aside(self, block: Block, draft: _NodeDraft) -> None:
        editorial = Authority.EDITORIAL if block.mark else None  # footnotes are by the editor
        aside = Aside(self._words(block), block.spans(self.layout.text), editorial, block.mark)
        if draft.asides is None:
            draft.asides = []
        draft.asides.append((block.role, aside))

    def _add_front(self, block: Block) -> None:
        kind = "furniture" if block.role == "furniture" else "front"
        self.loose += [Unaddressed(kind, span) for span in block.spans(self.layout.text)]

    _add_furniture = _add_front

    def _add_draft(self, kind: Kind, address: str, parent: str | None, block: Block) -> None:
        draft = _NodeDraft(kind, address, parent, block)
        self.drafts.append(draft)
        if kind.is_heading:
            self.section = draft
        self.by_block[id(block)] = draft

    def _words(self, block: Block) -> str:
        words = block.reading_text(self.layout)
        words = without_marks(words) if self.markdown else words
        return words if self.lang == "en" else remove_torn_spaces(words, self.lang)

    def _node(self, draft: _NodeDraft, has_children: bool) -> Node:
        block = draft.block
        number = _printed_number(self.layout, block.number) if block.number else None
        words = self._words(block) or (number or block.mark)
        kind = draft.kind
        asides = draft.asides or ()
        is_text = _is_long_sentence(words) if has_children else _SENTENCE.search(words) or not is_title(words)
        if kind is Kind.SECTION and block.number and is_text:
            kind = Kind.RULE  # a number in the form of a heading, with the text of a rule
        examples = tuple([aside for role, aside in asides if role == "example"]) if asides else ()
        notes = tuple([aside for role, aside in asides if role == "note"]) if asides else ()
        authority = Authority.EDITORIAL if block.role == "editorial" else None
        mark = without_marks(block.mark) if self.markdown else block.mark
        headword = remove_torn_spaces(mark, self.lang) if block.role == "entry" else ""
        spans = block.spans(self.layout.text)
        return Node(kind, draft.locator, number, words, spans, draft.parent, examples, notes, (), block.rows, authority, headword)


def _is_long_sentence(words: str) -> bool:
    """Whether a text is a sentence, or the beginning of a list, and longer than a title."""
    return words.endswith(_SENTENCE_ENDS) and _LONG_OPENING.match(words) is not None


def _printed_number(layout: Layout, number: Number) -> str:
    """The number as printed, with its final dot, without brackets, `Chapter` and inner spaces."""
    end = number.start + len(number.surface)
    if number.dotted and layout.raw[end : number.end].strip() in (".", "．"):
        end = number.end
    whole = layout.raw[number.start : end]
    return whole.replace(" .", ".").replace(" ．", "．").replace(". ", ".") if " " in whole else whole
