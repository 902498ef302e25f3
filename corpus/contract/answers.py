"""An answer that proves itself: claims, each of them words of a rule at a span of it."""

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from corpus.contract.rules import SupersededBy
from corpus.contract.rulings import Ruling
from corpus.contract.schema import Schema
from corpus.contract.search import Search
from corpus.contract.words import Iri, Lang, Rank, Slug, Some, Span, Words

ClaimRole = Annotated[
    str,
    Schema(
        name="claim_role",
        enum=("definition", "rule", "exception"),
        description="What a thing is, what the rules say, what they except; claims come in this order.",
    ),
]
ClaimSource = Annotated[
    str,
    Schema(
        name="claim_source",
        enum=("rule", "digest"),
        description="A rule's own words, or, where the book is not loaded, those of our unofficial gloss.",
    ),
]


class ClaimQuote(Span):
    """Where a claim stands in the text that `show` gives of its rule in its language (in the gloss, for a claim of the digest)."""

    text: Words


class AnswerClaim(TypedDict):
    """Words of a rule that answer. `gloss` is ours, in the asker's language; `authority` is null for words of the digest."""

    text: Words
    lang: Lang
    gloss: str | None
    rule: Iri
    ref: Words
    """How the rule is cited so that `verify` and `show` find it: mtg/cr:2025-02-07:400.7."""
    game: Slug
    book: Slug
    edition: Words
    number: str | None
    heading: list[str]
    role: ClaimRole
    source: ClaimSource
    current: bool
    superseded_by: SupersededBy | None
    authority: Rank | None
    note: str | None
    """What one must know before one relies on it: that the edition is not current, that the words are ours; null for nothing."""
    quote: ClaimQuote


class Difference(TypedDict):
    """What differs between two games that an answer speaks of.

    `property` is null where the rules as a whole differ; where it is a zone's, `text` is worked out from what is proved of both.
    """

    games: Annotated[list[Slug], Schema(min_items=2, max_items=2)]
    rules: list[Iri]
    property: str | None
    text: Words


class PhrasedSentence(TypedDict):
    """A sentence that quotes the rules it names; their `ref` stands in it."""

    text: Words
    rules: list[Iri]


class Dropped(TypedDict):
    """What a model said and could not prove; never to be shown as an answer."""

    text: Words
    why: Words


class Phrased(TypedDict):
    """Prose of a language model, of which only what proves itself is in `text`; `fault` says why there is none."""

    model: Words
    text: str
    sentences: list[PhrasedSentence]
    dropped: list[Dropped]
    fault: str | None


class Ask(TypedDict):
    """The claims that answer a question, or why none is made; `as_of` is the moment that was asked for."""

    query: str
    lang: Lang
    as_of: str | None
    abstained: bool
    reason: str | None
    claims: list[AnswerClaim]
    differences: list[Difference]
    rulings: list[Ruling]
    phrased: NotRequired[Phrased]
    """Where prose was asked for; never over HTTP."""


class BatchQuestion(TypedDict):
    """One line of a batch: a question with a name of the asker's."""

    id: str
    query: str
    game: NotRequired[str | None]
    lang: NotRequired[str | None]


class BatchFault(TypedDict):
    """Why one line of a batch is not answered; `line` is its number, `id` null where it has none that can be read."""

    id: str | None
    line: Some
    error: Words


class BatchAnswer(TypedDict):
    """The answer to one line of `/v1/answers:batch`."""

    id: str
    answer: Ask


class BatchSearch(TypedDict):
    """The answer to one line of `/v1/search:batch`."""

    id: str
    search: Search
