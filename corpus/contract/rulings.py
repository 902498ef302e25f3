"""Rulings with the rules they rest on, cards, and the results of adding files of either."""

from typing import Annotated, NotRequired

from typing_extensions import TypeAliasType, TypedDict

from corpus.contract.changes import StepKind
from corpus.contract.schema import Authority, Count, Iri, Lang, Schema, Share, Slug, Some, Span, Words

Question = dict[Lang, Words]
"""Language → words."""
RulingPart = TypeAliasType("RulingPart", Annotated[str, Schema(enum=("question", "answer"))])
Grounds = TypeAliasType("Grounds", Annotated[str, Schema(enum=("cited", "proposed"))])


class RulingCitation(Span):
    """Words of a ruling that cite a rule by number; `target` is null if no such rule is loaded.

    start and end refer to the question or answer (`within`) in that language.
    """

    lang: Lang
    within: RulingPart
    text: str
    target: Iri | None
    locator: str


class RestsOn(TypedDict):
    """A rule that a ruling rests on: either the ruling cites it, or it is proposed with a probability.

    `who` is the curator who decided it, if any; then the confidence is 1.
    """

    rule: Iri
    how: Grounds
    confidence: Share | None
    who: NotRequired[Words]


class ChangedSince(TypedDict):
    """A change of a rule that a ruling rests on, after its date; `now` is the rule in that edition."""

    rule: Iri
    kind: StepKind
    edition: Words
    now: Iri | None


class RulingVersion(TypedDict):
    """An older answer to the same question."""

    iri: Iri
    date: str | None


class Ruling(TypedDict):
    """A question and its answer. `version` is null for the current answer, `older` are those that it has replaced."""

    kind: Annotated[str, Schema(const="ruling")]
    iri: Iri
    game: Slug
    source: Slug
    id: Words
    version: str | None
    withdrawn: bool
    """Present in an earlier file of the source and removed since."""
    date: str | None
    authority: Authority
    question: Question
    answer: Question
    marked_up: dict[str, dict[str, str]]
    """question and answer → language → the words with their markup, if any."""
    cards: list[Words]
    """Names of its cards; their numbers if there are no names."""
    card_ids: list[Words]
    cites: list[RulingCitation]
    rests_on: list[RestsOn]
    changed_since: list[ChangedSince]
    older: list[RulingVersion]
    files: list[str]
    score: NotRequired[float]
    """The score of the answer; only for a text search."""


class RulingBrief(TypedDict):
    """A ruling beside a rule that it rests on; `text` is its question, else its answer; `changed`: the rule has changed since."""

    iri: Iri
    source: Slug
    id: Words
    date: str | None
    authority: Authority
    lang: Lang
    text: Words
    how: Grounds
    confidence: Share | None
    changed: bool


class Rulings(TypedDict):
    """The requested rulings: for a rule or card the newest first, for words the best first."""

    total: Count
    rulings: list[Ruling]


class RulingFile(TypedDict):
    """The result for a file of rulings: how many are new, unchanged, revised and removed."""

    game: Slug
    source: Slug
    langs: list[Lang]
    records: Count
    rulings: Count
    new: Count
    same: Count
    revised: Count
    withdrawn: Count


class RulingSource(TypedDict):
    """The rulings of one source: the numbers of valid, older and withdrawn ones."""

    iri: Iri
    game: Slug
    source: Slug
    rulings: Count
    older: Count
    withdrawn: Count
    languages: list[Lang]
    authorities: list[Authority]
    files: list[str]


CardFileStatus = TypeAliasType("CardFileStatus", Annotated[str, Schema(enum=("added", "known", "removed"))])


class CardConcept(TypedDict):
    """A concept in a card's text, with its label and defining rules."""

    concept: Iri
    label: Words
    defined_by: list[Iri]


class Card(TypedDict):
    """A card: its names in each language, its own first, and its text; `concepts` are those in its text."""

    game: Slug
    id: Words
    names: dict[Lang, list[Words]]
    texts: dict[Lang, Words]
    concepts: list[CardConcept]


class Cards(TypedDict):
    """The cards with a name in any language."""

    name: Words
    lang: Lang
    cards: list[Card]


class BriefCard(TypedDict):
    """A card as a model reads it: its text in the answer's language if there is one, else in the language `lang`."""

    game: Slug
    id: Words
    name: Words
    names: dict[Lang, list[Words]]
    lang: Lang | None
    text: str
    rulings: list[Iri]
    """The rulings about it, the newest first."""
    concepts: NotRequired[list[CardConcept]]
    """Only on request."""


class CardCandidate(TypedDict):
    """A card that may be meant; `text` is there if only the texts tell the candidates apart."""

    game: Slug
    id: Words
    name: Words
    text: NotRequired[str]


_MATCH = Schema(
    enum=("exact", "ambiguous", "partial", "unknown"),
    description="One card has the name; several have it; the name is a part of the candidates' names; no card has it, and the "
    "candidates, if any, are spelt alike.",
)
CardMatch = TypeAliasType("CardMatch", Annotated[str, _MATCH])


class ResolvedCard(TypedDict):
    """A name, the card with that name if there is exactly one, and otherwise the candidates."""

    name: Words
    match: CardMatch
    card: BriefCard | None
    candidates: list[CardCandidate]


class CardAnswer(ResolvedCard):
    """The answer to one name; `total` is the number of cards in the library, `note` says if there are none."""

    lang: Lang
    total: Count
    note: Words | None


class ResolvedCards(TypedDict):
    """The answers to a list of names, in its order; `total` is the number of cards in the library, `note` says if it is 0."""

    lang: Lang
    total: Count
    note: Words | None
    cards: list[ResolvedCard]


class CardFile(TypedDict):
    """A file of cards: their number, games and languages."""

    file: str
    status: CardFileStatus
    cards: Some
    games: list[Slug]
    langs: list[Lang]


class CardsAdded(TypedDict):
    """The result for a file of cards; `total` is the number of all cards."""

    added: CardFile
    total: Count


JudgementFileStatus = TypeAliasType("JudgementFileStatus", Annotated[str, Schema(enum=("added", "known", "removed"))])


class WeakGround(TypedDict):
    """An uncertain proposal of a rule for a ruling; null without any. `words` are the rule's, `question` the ruling's."""

    ruling: Iri
    rule: Iri | None
    confidence: Share | None
    question: str
    words: str


class WeakGrounds(TypedDict):
    """The proposals for a curator to judge, by ruling, the least certain first; `total` is the number of rulings."""

    total: Count
    below: Share
    grounds: list[WeakGround]


class JudgementFile(TypedDict):
    """A curator's file, and the number of its judgements."""

    file: str
    status: JudgementFileStatus
    judgements: Count


class JudgementsAdded(TypedDict):
    """The result for a curator's file."""

    added: JudgementFile
