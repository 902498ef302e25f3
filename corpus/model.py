"""Facts: the parts of a rulebook that the pipeline produces, rulings, cards.

All are immutable; offsets count code points of the decoded source.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from corpus.address import EditionKey, ruling_iri
from corpus.messages import Message


class Authority(StrEnum):
    """The kind of publisher of a text, from the highest authority to the lowest."""

    OFFICIAL = "official"
    TRANSLATION = "translation"
    COMMUNITY = "community"
    EDITORIAL = "editorial"

    @property
    def rank(self) -> int:
        """0 for the highest authority."""
        return list(Authority).index(self)


class Kind(StrEnum):
    """The kind of a node, as in the JSON contract."""

    CHAPTER = "chapter"
    SECTION = "section"
    RULE = "rule"
    GLOSSARY = "glossary"
    TABLE = "table"
    PROSE = "prose"

    @property
    def is_heading(self) -> bool:
        """Whether the text of such a node is a title."""
        return self in _TITLED_KINDS


_TITLED_KINDS = (Kind.CHAPTER, Kind.SECTION)  # a module constant, because `is_heading` is often read
HEADING_KINDS = tuple(kind.value for kind in Kind if kind.is_heading)
"""The kinds of headings in records."""


class Span(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int


class Citation(NamedTuple):
    """Words of a rule that cite another rule: `text[start:end]`, and the locator that they resolve to."""

    start: int
    end: int
    surface: str
    locator: str  # the locator that the words state
    target: str | None = None  # the locator found in the same edition; None: dangling


class Aside(NamedTuple):
    """An example or a note of a rule."""

    text: str
    spans: tuple[Span, ...]
    authority: Authority | None = None  # None: equal to the edition's text
    mark: str = ""  # a footnote's printed mark
    cites: tuple[Citation, ...] = ()  # in its own text


class Node(NamedTuple):
    """One addressed part of an edition: a heading, a rule, a glossary entry, a table or prose.

    A named tuple, because a book has thousands: creating one is four times as fast as a frozen dataclass.
    """

    kind: Kind
    locator: str
    number: str | None  # as printed; None if nothing is printed
    text: str  # cleaned text for reading; the title, for a heading
    spans: tuple[Span, ...]  # of number and text in the source
    parent: str | None
    examples: tuple[Aside, ...] = ()
    notes: tuple[Aside, ...] = ()
    cites: tuple[Citation, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()  # of a table, its header first
    authority: Authority | None = None  # None: equal to the edition's text
    headword: str = ""  # of a glossary entry


class Unaddressed(NamedTuple):
    """A part of the source without an address: front matter, contents, page numbers."""

    role: str  # "front" | "furniture"
    span: Span


class Reading(NamedTuple):
    """One language of one edition, read from one file."""

    key: EditionKey
    lang: str
    authority: Authority
    grammar: str
    file: str
    sha256: str
    nodes: tuple[Node, ...]
    loose: tuple[Unaddressed, ...] = ()
    why: tuple[Message, ...] = ()  # evidence for game, book, edition, language and grammar
    notes: tuple[Message, ...] = ()  # the part of it that was assumed because the text does not state it
    title: str = ""  # the first line of the file; "" for quotations of another book


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a game, independent of its printings. The names in a language are its own, then those of its faces and readings."""

    game: str
    id: str
    names: Mapping[str, Sequence[str]]  # BCP 47 tag → names
    texts: Mapping[str, str] = field(default_factory=dict)  # BCP 47 tag → text, one line for each face


@dataclass(frozen=True, slots=True)
class Ruling:
    """One answer by one source. Answers with one id in several languages and files are one ruling."""

    game: str
    source: str  # slug of the source
    id: str  # as in the IRI
    date: str | None  # of the answer: an ISO day, month or year
    authority: Authority
    question: Mapping[str, str]  # language → words without markup; empty if a source only comments
    answer: Mapping[str, str]  # the same; at least one language
    cards: tuple[str, ...] = ()  # names as printed, each once
    card_ids: tuple[str, ...] = ()  # the source's numbers or other ids of cards
    marked_up: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """`question` and `answer` → language → the original words, if markup was removed."""
    files: tuple[str, ...] = ()  # names of the files that have it
    version: str = ""  # of an older answer: its date or a substitute; "" for the current answer
    withdrawn: bool = False  # withdrawn by the source
    older: tuple["Ruling", ...] = ()  # earlier answers, the newest first

    @property
    def iri(self) -> str:
        """IRI of the ruling."""
        return ruling_iri(self.game, self.source, self.id, self.version)

    @property
    def langs(self) -> tuple[str, ...]:
        """The languages of the answer."""
        return tuple(self.answer)


class RulingLink(NamedTuple):
    """A rule that a ruling rests on."""

    rule: str  # IRI
    how: str  # "cited" by number, or "proposed" without a citation in the source
    confidence: float | None = None  # of a proposal: the probability that it is right; 1 if a curator has confirmed it
    who: str | None = None  # the curator


CORE_PROPERTIES = ("visibility", "sharing", "ordering", "capacity")
"""Zone properties that every answer has; a property that no text states is an empty list."""
NEGATION_PREFIX = "not "
"""Prefix of the predicate of false friends: concepts that look alike and are not the same."""
