"""The facts of a rulebook, as the pipeline hands them on.

All are frozen; offsets count code points of the decoded source.
"""

from enum import StrEnum
from typing import NamedTuple

from corpus.address import EditionKey
from corpus.messages import Message


class Authority(StrEnum):
    """Who stands behind a text; the order of definition is the order of rank."""

    OFFICIAL = "official"
    TRANSLATION = "translation"
    COMMUNITY = "community"
    EDITORIAL = "editorial"

    @property
    def rank(self) -> int:
        """0 for the highest authority."""
        return list(Authority).index(self)


class Kind(StrEnum):
    """What an addressed node is (the `kind` of the JSON contract)."""

    CHAPTER = "chapter"
    SECTION = "section"
    RULE = "rule"
    GLOSSARY = "glossary"
    TABLE = "table"
    PROSE = "prose"

    @property
    def is_heading(self) -> bool:
        """Whether the node's text is a title."""
        return self in _TITLED


_TITLED = (Kind.CHAPTER, Kind.SECTION)  # members named in the property would be looked up at every call
HEADINGS = tuple(kind.value for kind in Kind if kind.is_heading)
"""The kinds of headings as records have them."""


class Span(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int


class Citation(NamedTuple):
    """Words of a rule that name another rule: `text[start:end]` of its own text, and the locator it resolves to."""

    start: int
    end: int
    surface: str
    wanted: str  # the locator that the words ask for
    target: str | None = None  # the locator found in the same edition; None: dangling


class Aside(NamedTuple):
    """A text that belongs to a rule without being its words: an example or a note."""

    text: str
    spans: tuple[Span, ...]
    authority: Authority | None = None  # None: that of the edition's text
    mark: str = ""  # a footnote's printed mark
    cites: tuple[Citation, ...] = ()  # in its own text


class Node(NamedTuple):
    """One addressed part of an edition: a heading, a rule, a glossary entry, a table or prose.

    A book has thousands of them: a named tuple is made four times faster than a frozen dataclass.
    """

    kind: Kind
    locator: str
    number: str | None  # as printed; None where nothing is printed
    text: str  # healed reading text; a heading's title
    spans: tuple[Span, ...]  # where number and text stand in the source
    parent: str | None
    examples: tuple[Aside, ...] = ()
    notes: tuple[Aside, ...] = ()
    cites: tuple[Citation, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()  # of a table, its header first
    authority: Authority | None = None  # None: that of the edition's text
    headword: str = ""  # of a glossary entry


class Loose(NamedTuple):
    """A stretch of the source that gets no address: front matter, contents, page numbers."""

    role: str  # "front" | "furniture"
    span: Span


class Reading(NamedTuple):
    """One language of one edition as read from one file."""

    key: EditionKey
    lang: str
    authority: Authority
    grammar: str
    file: str
    sha256: str
    nodes: tuple[Node, ...]
    loose: tuple[Loose, ...] = ()
    why: tuple[Message, ...] = ()  # how game, book, edition, language and grammar were recognised
    title: str = ""  # the first line of the file; "" for what another book quotes
