"""What a search answers."""

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from corpus.contract.changes import History
from corpus.contract.rules import Alike, RuleRef, SupersededBy
from corpus.contract.rulings import Ruling
from corpus.contract.schema import Schema
from corpus.contract.words import Count, Iri, Lang, Rank, Slug, Some, Span, Words
from corpus.model import Kind


class HitCounterpart(TypedDict):
    """A rule of another game that answers what the hit answers."""

    iri: Iri
    game: str
    number: str | None
    locator: Words
    predicate: Alike
    comment: str
    confidence: float


class SameRule(TypedDict):
    """The hit's rule in an edition that is loaded in the answer's language."""

    iri: Iri
    edition: Words
    number: str | None
    lang: Lang
    text: str


class WhyCard(TypedDict):
    """A card that a question names, and the concepts that its text and a rule both speak of."""

    name: Words
    concepts: list[Iri]


class Why(TypedDict):
    """Why a rule was found, and what is around it."""

    legs: dict[str, float]
    terms: list[str]
    concepts: list[Iri]
    parent: Iri | None
    children: list[RuleRef]
    parts: Count
    cards: NotRequired[list[WhyCard]]
    """The cards by whose texts a rule was found too; only where the question names cards."""


HitKind = Annotated[
    str, Schema(name="hit_kind", enum=(*Kind, "ruling"), description="What was found: a part of a book, or a ruling.")
]


class Hit(TypedDict):
    """A rule or ruling that was found: `text` in the book's language ("" where it is not loaded), `gloss` in the answer's."""

    iri: Iri
    game: str
    book: str
    edition: Words
    current: bool
    superseded_by: SupersededBy | None
    latest_in: Lang | None
    order_unknown: list[Words]
    kind: HitKind
    number: str | None
    locator: Words
    lang: Lang
    authority: Rank | None
    heading: list[str]
    text: str
    gloss: str | None
    score: float
    counterparts: list[HitCounterpart]
    same_rule: SameRule | None
    highlights: list[Span]
    why: Why
    history: NotRequired[History]
    ruling: NotRequired[Ruling]
    """The whole ruling, where the hit is one: then its text is question and answer."""


class CardMention(Span):
    """A card that a question names; `exact` is false where its name is not written so, `concepts` are what its text speaks of."""

    game: Slug
    id: Words
    name: Words
    exact: bool
    concepts: list[Iri]


class Understood(TypedDict):
    """How a query was read; `corrected` is what was typed → what it was taken for, `model` what vectors come from."""

    lang: Lang
    games: list[str]
    numbers: list[str]
    concepts: list[Iri]
    corrected: dict[str, str]
    model: str
    cards: NotRequired[list[CardMention]]
    """The cards that it names, where it names any."""


class Search(TypedDict):
    """The rules that answer a query, best first, or why none is shown."""

    query: str
    lang: Lang
    abstained: bool
    reason: str | None
    total: Count
    offset: Count
    limit: Some
    understood: Understood
    hits: list[Hit]


class BatchLine(TypedDict):
    """The answer to one line of `search --batch`."""

    id: str
    abstained: bool
    hits: Annotated[list[Hit], Schema(max_items=10)]
