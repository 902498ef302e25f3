"""A concordance: a word or an expression in its context, with the other language beside it."""

from typing import Annotated

from typing_extensions import TypedDict

from corpus.contract.schema import Schema
from corpus.contract.words import Count, Iri, Lang, Rank, Share, Some, Span, Words

PassagePart = Annotated[
    str,
    Schema(
        name="passage_part", enum=("text", "headword", "example", "note", "heading"), description="What of a rule it stands in."
    ),
]


class Counterpart(Span):
    """Words beside a line that answer those found; `how`: they name the same concept, or are the same symbol."""

    how: Annotated[str, Schema(enum=("concept", "same"))]
    concept: Iri | None


class Beside(TypedDict):
    """The sentences of another language that answer a line's own, and how sure that is."""

    lang: Lang
    text: str
    authority: Rank
    confidence: Share
    counterparts: list[Counterpart]


class ConcordanceLine(Span):
    """A place where something stands, with the words around it; `beside` is null where the other language has nothing."""

    rule: Iri
    game: str
    book: str
    edition: str
    locator: Words
    part: PassagePart
    place: Annotated[int, Schema(minimum=1, description="Which of the rule's examples or notes.")]
    current: bool
    lang: Lang
    authority: Rank
    before: str
    match: Words
    after: str
    beside: Beside | None


class FormCount(TypedDict):
    """How often a form stands there, in lower case and one form of each character."""

    form: Words
    count: Some


class PlaceCount(TypedDict):
    """How often it stands in one part of an edition in one language."""

    game: str
    book: str
    edition: str
    lang: Lang
    part: PassagePart
    count: Some


class Concordance(TypedDict):
    """A page of lines, and of all lines together how often what stands where."""

    query: str
    regex: bool
    total: Count
    rules: Count
    offset: Count
    limit: Some
    forms: list[FormCount]
    places: list[PlaceCount]
    lines: list[ConcordanceLine]
