"""Checks of books: the citations inside a book that are wrong."""

from typing import Annotated

from typing_extensions import TypeAliasType, TypedDict

from corpus.contract.schema import Count, Iri, Lang, Schema, Slug, Words
from corpus.contract.translation import DriftPlace

_KINDS = ("dangling", "title", "moved", "merged", "removed", "example")
ReferenceKind = TypeAliasType(
    "ReferenceKind",
    Annotated[
        str,
        Schema(
            enum=_KINDS,
            description="No such rule; the title or words beside the number are of another rule; the rule with that number has "
            "moved, become part of another one or been removed since; an example labelled with the number of another rule.",
        ),
    ],
)


class MeantRule(TypedDict):
    """The rule that a wrong citation probably means; `text` is its title or words."""

    iri: Iri
    number: str | None
    locator: Words
    ref: Words
    text: str


class ReferenceFinding(TypedDict):
    """A wrong citation: its place in the citing rule, the cited rule (null if there is none), and the rule that is probably meant.

    `title` are the words beside the number that decided.
    """

    kind: ReferenceKind
    said: Words
    lang: Lang
    place: DriftPlace
    surface: Words
    locator: Words
    cited: Iri | None
    title: str | None
    meant: MeantRule | None


class ReferenceCheck(TypedDict):
    """The wrong citations inside an edition, in document order; `citations` is the number of those that were checked."""

    ref: Words
    game: Slug
    book: Slug
    edition: Words
    lang: Lang
    citations: Count
    total: Count
    counts: dict[str, Count]
    """Number of findings by kind; `findings` is the requested page."""
    findings: list[ReferenceFinding]
