"""For translators: which rule of one text is which of another."""

from typing import Annotated

from typing_extensions import TypedDict

from corpus.contract.schema import Schema
from corpus.contract.words import Count, Iri, Lang, Share, Slug, Words

LinkCheck = Annotated[
    str,
    Schema(name="link_check", enum=("yes", "no", "?"), description="What a person said of a link; `?` is a proposal."),
]


class AlignedText(TypedDict):
    """One of the two texts: an edition in a language."""

    ref: Words
    """As it can be asked for: `fow/cr/undated:ja`."""
    game: Slug
    book: Slug
    edition: Words
    lang: Lang


class AlignedRule(TypedDict):
    """A rule of one of the two, with its words."""

    iri: Iri
    number: str | None
    locator: Words
    heading: list[str]
    text: str


class AlignmentLink(TypedDict):
    """Two rules that say the same; one of them is null where the other has no partner.

    `part`: one of the two has another partner, which says more of it.
    """

    old: AlignedRule | None
    new: AlignedRule | None
    confidence: Share
    part: bool
    checked: LinkCheck


class Alignment(TypedDict):
    """Two texts rule by rule, in the order of the one; what only the other has stands after what is before it there."""

    old: AlignedText
    new: AlignedText
    total: Count
    """Links that there are; `links` is the page of them that was asked for."""
    counts: dict[str, Count]
    links: list[AlignmentLink]


class AppliedAlignment(TypedDict):
    """A checked alignment that has become part of the knowledge base: how many of its rows were taken, refused, and left."""

    old: Words
    new: Words
    joins: Annotated[str, Schema(enum=("thread", "counterparts"))]
    """Whether it joins two editions of a book, or rules of two books."""
    taken: Count
    refused: Count
    unchecked: Count
