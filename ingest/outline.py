"""Pieces as addressed nodes: locators, parents, examples and notes with their rule (DESIGN section 2)."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from corpus.catalogue import Grammar
from corpus.model import Aside, Authority, Kind, Loose, Node
from corpus.text import heal
from ingest.lines import Page
from ingest.number.number_format import Key, Number, locator
from ingest.split.block import Piece, Role

_SENTENCE = re.compile(r"[.。!！]$")
_MARKDOWN_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(slots=True)
class _Draft:
    """A node in the making."""

    kind: Kind
    locator: str
    parent: str | None
    piece: Piece
    asides: list[tuple[str, Aside]] | None = None  # examples and notes; few drafts have any


@dataclass(frozen=True, slots=True)
class Outline:
    """The nodes of a text and the stretches that have no address."""

    nodes: tuple[Node, ...]
    loose: tuple[Loose, ...]


def slug(words: str) -> str:
    """Words as a part of an address: letters and digits of any script, joined by hyphens."""
    plain = unicodedata.normalize("NFKD", words)
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign)).lower().replace("'", "").replace("’", "")
    return "-".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", plain)))


class _Addresses:
    """Gives out locators; a number printed twice gets `.dup2`, in print order."""

    def __init__(self) -> None:
        self.given: Counter[str] = Counter()

    def take(self, wanted: str) -> str:
        self.given[wanted] += 1
        return wanted if self.given[wanted] == 1 else f"{wanted}.dup{self.given[wanted]}"


class Outliner:
    """Walks over the pieces of a text once and keeps the place in the outline."""

    def __init__(self, page: Page, grammar: Grammar, lang: str, chapter: str, *, original: bool, markdown: bool) -> None:
        self.page = page
        self.grammar = grammar
        self.lang = lang
        self.chapter = chapter  # slug before the heading counters of a headings-only book
        self.original = original  # whether headwords give the addresses of the glossary
        self.markdown = markdown
        self.addresses = _Addresses()
        self.drafts: list[_Draft] = []
        self.by_piece: dict[int, _Draft] = {}
        self.attached: list[tuple[Piece, _Draft]] = []
        self.loose: list[Loose] = []
        self.by_key: dict[Key, str] = {}
        self.headings: list[int] = []  # counters per heading level
        self.titles: dict[int, str] = {}
        self.anchor: str | None = None  # nearest numbered or titled ancestor
        self.path: list[int] = []  # position path of the last item below the anchor
        self.places: Counter[tuple[str | None, tuple[int, ...]]] = Counter()

    def outline(self, pieces: Sequence[Piece]) -> Outline:
        """The outline of pieces in text order."""
        take = {role: getattr(self, f"_{role}") for role in get_args(Role)}
        for piece in pieces:
            take[piece.role](piece)
        for piece, draft in self.attached:
            self._attach(piece, self.by_piece.get(id(piece.owner), draft))
        numbered_parents = {draft.parent for draft in self.drafts if draft.piece.number}
        return Outline(
            tuple(self._node(draft, draft.locator in numbered_parents) for draft in self.drafts),
            tuple(sorted(self.loose, key=lambda one: one.span)),
        )

    def _number(self, piece: Piece) -> None:
        assert piece.number is not None
        key = piece.number.key
        address = self.addresses.take(locator(piece.number.printed))
        parent = self.by_key.get(key[:-1])
        if parent is None:
            parent = next((self.by_key[key[:cut]] for cut in range(len(key) - 2, 0, -1) if key[:cut] in self.by_key), None)
        self.by_key[key] = address
        self.anchor, self.path = address, []
        self._draft(self.grammar.levels[piece.depth].kind, address, parent, piece)

    def _heading(self, piece: Piece) -> None:
        if piece.mark == "glossary":
            self.anchor, self.path = self.addresses.take("glossary"), []
            self._draft(Kind.PROSE, self.anchor, None, piece)
            return
        depth = piece.depth
        self.headings = self.headings[:depth] + [0] * (depth - len(self.headings))
        self.headings[depth - 1] += 1
        counters = [count or 1 for count in self.headings]
        parents = [level for level in self.titles if level < depth]
        parent = self.titles[max(parents)] if parents else None
        self.anchor = self.addresses.take(f"{self.chapter}/{'.'.join(map(str, counters))}")
        self.titles = {level: address for level, address in self.titles.items() if level < depth} | {depth: self.anchor}
        self.path = []
        self._draft(Kind.SECTION if parents else Kind.CHAPTER, self.anchor, parent, piece)

    def _item(self, piece: Piece) -> None:
        kind = Kind.PROSE if self.grammar.style == "wiki" else Kind.RULE
        self._place(kind, piece, min(piece.depth, len(self.path) + 1))

    def _prose(self, piece: Piece) -> None:
        rule = bool(self.titles) and self.grammar.style == "rst"
        self._place(Kind.RULE if rule else Kind.PROSE, piece, 1)

    def _table(self, piece: Piece) -> None:
        self._place(Kind.TABLE, piece, 1)

    def _editorial(self, piece: Piece) -> None:
        if self.by_key and self.drafts:
            section = next((one for one in reversed(self.drafts) if one.kind.is_heading), self.drafts[-1])
            self.anchor, self.path = section.locator, []
        self._place(Kind.PROSE, piece, 1)

    def _place(self, kind: Kind, piece: Piece, depth: int) -> None:
        """An unnumbered piece: its nearest ancestor and the position path below it."""
        above = tuple(self.path[: depth - 1])
        self.places[self.anchor, above] += 1
        self.path = [*above, self.places[self.anchor, above]]
        base = self.anchor or self.chapter
        parent = f"{base}~{'.'.join(map(str, above))}" if above else self.anchor
        self._draft(kind, self.addresses.take(f"{base}~{'.'.join(map(str, self.path))}"), parent, piece)

    def _entry(self, piece: Piece) -> None:
        self.places["glossary", ()] += 1
        place = self.places["glossary", ()]
        address = f"glossary/{slug(piece.mark)}" if self.original else f"glossary~{place}"
        parent = "glossary" if self.addresses.given["glossary"] else None
        self._draft(Kind.GLOSSARY, self.addresses.take(address), parent, piece)

    def _example(self, piece: Piece) -> None:
        self._note(piece)

    def _note(self, piece: Piece) -> None:
        """Examples and notes wait until everything has its place: a footnote may stand before what it belongs to."""
        if self.drafts:
            self.attached.append((piece, self.drafts[-1]))
        else:
            self._front(piece)

    def _attach(self, piece: Piece, draft: _Draft) -> None:
        editorial = Authority.EDITORIAL if piece.mark else None  # footnotes are their editor's
        aside = Aside(self._words(piece), piece.spans(self.page.text), editorial, piece.mark)
        draft.asides = [*(draft.asides or ()), (piece.role, aside)]

    def _front(self, piece: Piece) -> None:
        self.loose += [Loose("front", span) for span in piece.spans(self.page.text)]

    def _furniture(self, piece: Piece) -> None:
        self.loose += [Loose("furniture", span) for span in piece.spans(self.page.text)]

    def _draft(self, kind: Kind, address: str, parent: str | None, piece: Piece) -> None:
        draft = _Draft(kind, address, parent, piece)
        self.drafts.append(draft)
        self.by_piece[id(piece)] = draft

    def _words(self, piece: Piece) -> str:
        words = piece.reading(self.page)
        if self.markdown:
            words = _MARKDOWN_ESCAPE.sub(r"\1", words).replace("**", "")
        return words if self.lang == "en" else heal(words, self.lang)

    def _node(self, draft: _Draft, has_children: bool) -> Node:
        piece = draft.piece
        printed = _printed(self.page, piece.number) if piece.number else None
        words = self._words(piece) or (printed or piece.mark)
        kind = draft.kind
        asides = draft.asides or ()
        if kind is Kind.SECTION and piece.number and not has_children and _SENTENCE.search(words):
            kind = Kind.RULE  # a number of a heading's form that carries a rule itself
        return Node(
            kind=kind,
            locator=draft.locator,
            number=printed,
            text=words,
            spans=piece.spans(self.page.text),
            parent=draft.parent,
            examples=tuple(aside for role, aside in asides if role == "example"),
            notes=tuple(aside for role, aside in asides if role == "note"),
            rows=piece.rows,
            authority=Authority.EDITORIAL if piece.role == "editorial" else None,
            headword=heal(piece.mark, self.lang) if piece.role == "entry" else "",
        )


def _printed(page: Page, number: Number) -> str:
    """The number as printed, with its final dot, without brackets, `Chapter` and blanks that tore it apart."""
    end = number.start + len(number.printed)
    if page.raw[end : number.end].strip() in (".", "．"):
        end = number.end
    whole = page.raw[number.start : end]
    return whole.replace(" .", ".").replace(" ．", "．").replace(". ", ".") if " " in whole else whole
