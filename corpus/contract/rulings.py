"""Rulings with the rules they rest on, cards, and what became of files of them."""

from typing import Annotated, NotRequired

from typing_extensions import TypeAliasType, TypedDict

from corpus.contract.changes import StepKind
from corpus.contract.schema import Authority, Count, Iri, Lang, Schema, Share, Slug, Some, Span, Words

Question = dict[Lang, Words]
"""Language → words."""

RulingPart = TypeAliasType("RulingPart", Annotated[str, Schema(enum=("question", "answer"))])
Grounds = TypeAliasType("Grounds", Annotated[str, Schema(enum=("cited", "proposed"))])


class RulingCitation(Span):
    """Words of a ruling that name a rule by its number; `target` is null where no rule with it is loaded.

    start and end count in the question or the answer, in the language, as `within` says.
    """

    lang: Lang
    within: RulingPart
    text: str
    target: Iri | None
    locator: str


class RestsOn(TypedDict):
    """A rule that a ruling rests on: it cites it, or it is proposed with a probability that it is right.

    `who` is the curator who said so, where one did; then the confidence is 1.
    """

    rule: Iri
    how: Grounds
    confidence: Share | None
    who: NotRequired[Words]


class ChangedSince(TypedDict):
    """What became of a rule that a ruling rests on after the ruling's date, in which edition; `now` is the rule there."""

    rule: Iri
    kind: StepKind
    edition: Words
    now: Iri | None


class RulingVersion(TypedDict):
    """An older answer to the same."""

    iri: Iri
    date: str | None


class Ruling(TypedDict):
    """A question and its answer. `version` is null for the answer that holds, `older` are those that it has replaced."""

    kind: Annotated[str, Schema(const="ruling")]
    iri: Iri
    game: Slug
    source: Slug
    id: Words
    version: str | None
    withdrawn: bool
    """The source had it in an earlier file and no longer has."""
    date: str | None
    authority: Authority
    question: Question
    answer: Question
    marked_up: dict[str, dict[str, str]]
    """question and answer → language → the words with their markup, where they had any."""
    cards: list[Words]
    """Names of the cards that it is about; their numbers where no names are given."""
    card_ids: list[Words]
    cites: list[RulingCitation]
    rests_on: list[RestsOn]
    changed_since: list[ChangedSince]
    older: list[RulingVersion]
    files: list[str]
    score: NotRequired[float]
    """How well it answers what was asked; where words were asked for."""


class RulingBrief(TypedDict):
    """A ruling beside a rule that it rests on; `text` is its question, else its answer, `changed` whether the rule was since."""

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
    """Rulings that were asked for: those of a rule or card the newest first, those for words the best first."""

    total: Count
    rulings: list[Ruling]


class RulingFile(TypedDict):
    """What became of a file of rulings: how many of it are new, the same, revised, and no longer there."""

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
    """The rulings of one source: how many hold, how many older answers there are, how many were withdrawn."""

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
    """A concept that a card's text speaks of, what it is called, and the rules that define it."""

    concept: Iri
    label: Words
    defined_by: list[Iri]


class Card(TypedDict):
    """A card: its names in each language, its own first, and what it says; `concepts` are what its text speaks of."""

    game: Slug
    id: Words
    names: dict[Lang, list[Words]]
    texts: dict[Lang, Words]
    concepts: list[CardConcept]


class Cards(TypedDict):
    """The cards that bear a name in any language."""

    name: Words
    lang: Lang
    cards: list[Card]


class CardFile(TypedDict):
    """A file of cards: how many there are in it, of which games and in which languages they are named."""

    file: str
    status: CardFileStatus
    cards: Some
    games: list[Slug]
    langs: list[Lang]


class CardsAdded(TypedDict):
    """What became of a file of cards; `total` is how many cards there are now."""

    added: CardFile
    total: Count


JudgementFileStatus = TypeAliasType("JudgementFileStatus", Annotated[str, Schema(enum=("added", "known", "removed"))])


class WeakGround(TypedDict):
    """A rule that is proposed for a ruling and not sure; null where none is. `words` are the rule's, `question` the ruling's."""

    ruling: Iri
    rule: Iri | None
    confidence: Share | None
    question: str
    words: str


class WeakGrounds(TypedDict):
    """The proposals that wait for a curator, ruling by ruling, the least sure first; `total` is how many rulings there are."""

    total: Count
    below: Share
    grounds: list[WeakGround]


class JudgementFile(TypedDict):
    """A curator's file, and how many judgements there are in it."""

    file: str
    status: JudgementFileStatus
    judgements: Count


class JudgementsAdded(TypedDict):
    """What became of a curator's file."""

    added: JudgementFile
