"""Rulings: questions about a game with the answers to them, the rules they rest on, and whether those still stand."""

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from corpus.contract.changes import StepKind
from corpus.contract.schema import Schema
from corpus.contract.words import Count, Iri, Lang, Rank, Share, Slug, Span, Words

Question = Annotated[dict[str, Words], Schema(keys=Lang)]
"""Language → words."""


class RulingCitation(Span):
    """Words of a ruling that name a rule by its number; `target` is null where no rule with it is loaded.

    start and end count in the question or the answer, in the language, as `within` says.
    """

    lang: Lang
    within: Annotated[str, Schema(name="ruling_part", enum=("question", "answer"))]
    text: str
    target: Iri | None
    locator: str


class RestsOn(TypedDict):
    """A rule that a ruling rests on: it cites it, or it is proposed with a probability that it is right.

    `who` is the curator who said so, where one did; then the confidence is 1.
    """

    rule: Iri
    how: Annotated[str, Schema(name="grounds", enum=("cited", "proposed"))]
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
    authority: Rank
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
    authority: Rank
    lang: Lang
    text: Words
    how: Annotated[str, Schema(name="grounds", enum=("cited", "proposed"))]
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
    authorities: list[Rank]
    files: list[str]
