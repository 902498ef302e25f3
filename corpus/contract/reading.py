"""What helps to find one's way: suggestions while a question is typed, the contents of a book, and a part of it to read."""

from typing import Annotated

from typing_extensions import TypedDict

from corpus.contract.library import EditionSummary
from corpus.contract.rules import RuleRecord
from corpus.contract.schema import Schema
from corpus.contract.words import Count, Glosses, Iri, Lang, RuleKind, Words

SuggestionKind = Annotated[
    str, Schema(name="suggestion_kind", enum=("number", "term", "card", "heading"), description="What was typed the beginning of.")
]


class Suggestion(TypedDict):
    """What may be meant by what is typed: a rule by its number, a concept or a card by a name, a section by its title.

    `label` is the name, the title, or a rule's first words; `lang` is the language that it is in. A card has no address.
    """

    kind: SuggestionKind
    iri: Iri | None
    game: str | None
    number: str | None
    label: str
    lang: Lang | None


class Suggestions(TypedDict):
    """What may be meant, the likeliest first."""

    query: str
    lang: Lang
    suggestions: list[Suggestion]


class Part(TypedDict):
    """A part of a book: a heading, or what stands at its top level; `rules` counts what has an address under it."""

    iri: Iri
    number: str | None
    locator: Words
    kind: RuleKind
    titles: Glosses
    depth: Count
    rules: Count


class Contents(TypedDict):
    """The table of contents of an edition."""

    lang: Lang
    edition: EditionSummary
    parts: list[Part]


class Reading(TypedDict):
    """A part of an edition to read from its first rule to its last; `depths` are those of the rules below the part."""

    lang: Lang
    part: Part
    above: list[Part]
    previous: Part | None
    next: Part | None
    rules: list[RuleRecord]
    depths: list[Count]
