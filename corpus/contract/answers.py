"""Search and answers: hits, claims with their quotations, differences between games."""

from typing import Annotated, Literal, NotRequired

from typing_extensions import TypeAliasType, TypedDict

from corpus.contract.changes import History
from corpus.contract.rules import Alike, DocumentKind, RuleRef, SupersededBy
from corpus.contract.rulings import Ruling
from corpus.contract.schema import Authority, Count, Iri, Lang, Schema, Slug, Some, Span, Words
from corpus.model import Kind


class HitCounterpart(TypedDict):
    """A rule of another game that answers the same question as the hit; a proposed one was found by a program and is unchecked."""

    iri: Iri
    game: str
    number: str | None
    locator: Words
    predicate: Alike
    comment: str
    confidence: float
    status: Annotated[str, Schema(enum=("accepted", "proposed"))]


class SameRule(TypedDict):
    """The same rule in an edition that has the language of the answer."""

    iri: Iri
    edition: Words
    number: str | None
    lang: Lang
    text: str


class WhyCard(TypedDict):
    """A card in the question, and the concepts that both its text and the rule mention."""

    name: Words
    concepts: list[Iri]


class Why(TypedDict):
    """Why a rule was found, and its context."""

    legs: dict[str, float]
    terms: list[str]
    concepts: list[Iri]
    parent: Iri | None
    children: list[RuleRef]
    parts: Count
    cards: NotRequired[list[WhyCard]]
    """Cards whose texts contributed to the hit; only if the question names cards."""


HitKind = TypeAliasType(
    "HitKind", Annotated[str, Schema(enum=(*Kind, "ruling"), description="What was found: a part of a book, or a ruling.")]
)


class Sibling(TypedDict):
    """A rule or heading beside another one, with its first words; an ellipsis follows where there is more."""

    ref: Words
    number: str | None
    words: str


class Hit(TypedDict):
    """A rule or ruling that was found: `text` in the book's language ("" if it is not loaded), `gloss` in the answer's."""

    iri: Iri
    ref: Words
    """The reference that `show` and `verify` take: mtg/cr:2025-02-07:400.7; the address of a ruling."""
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
    authority: Authority | None
    heading: list[str]
    text: str
    gloss: str | None
    score: float
    counterparts: list[HitCounterpart]
    same_rule: SameRule | None
    highlights: list[Span]
    why: Why
    document: NotRequired[DocumentKind]
    """The kind of document, if the book is not the rules of the game."""
    history: NotRequired[History]
    ruling: NotRequired[Ruling]
    """The whole ruling, if the hit is one; then `text` is question and answer."""
    siblings: NotRequired[list[Sibling]]
    """With `siblings`: the rules beside it, without those that are hits, that an earlier hit lists, or that were seen."""
    seen: NotRequired[Literal[True]]
    """With `seen`: the client has read it; its words are left out."""


class CardMention(Span):
    """A card that a question names; `exact` is false for a misspelt name, `concepts` are those in its text.

    `ambiguous`: several cards have the words as their name, or as the part of it that was typed; each is listed.
    """

    game: Slug
    id: Words
    name: Words
    exact: bool
    ambiguous: bool
    concepts: list[Iri]


class Understood(TypedDict):
    """How a query was read; `corrected` maps typed words to corrections, `model` names the encoder."""

    lang: Lang
    games: list[str]
    numbers: list[str]
    concepts: list[Iri]
    corrected: dict[str, str]
    model: str
    cards: NotRequired[list[CardMention]]
    """The cards in the query, if any."""
    unknown_cards: NotRequired[list[Words]]
    """The names in the query that no card has, where cards are loaded: quoted, or written as names, with words that no rule has."""


class SectionRule(RuleRef):
    """A rule of a section: its own words in the section's language ("" if it is not loaded), without examples and notes.

    A rule that has neither words in that language nor a gloss has those of another language.
    """

    ref: Words
    text: str
    gloss: str | None
    marked: bool
    """Whether it is among the first rules found, or the best one of its section."""


class SectionHead(TypedDict):
    """The address, edition, titles and language of a section; `authority` is null if only glosses are known."""

    ref: Words
    iri: Iri
    game: Slug
    book: Slug
    edition: Words
    current: bool
    heading: list[str]
    lang: Lang
    authority: Authority | None


class Section(SectionHead):
    """Rules that are read together: a short part with a heading, a numbered part of a long one, or a glossary entry.

    `heading` has the titles above the rules, the outermost first; `rules` are in the book's order.
    """

    rules: list[SectionRule]


class ReadRule(SectionRule):
    """A rule of a section that is read; `marked` is the rule that was asked for."""

    examples: list[Words]
    """Its examples and notes: their first sentences, unless they were asked for."""


class SectionRef(TypedDict):
    """A section beside another one, by its titles."""

    ref: Words
    iri: Iri
    heading: list[str]


class SectionText(SectionHead):
    """A section as text: its rules in order, as many as fit; `cursor` continues after the last one and is null at the end."""

    previous: SectionRef | None
    next: SectionRef | None
    total: Count
    cursor: str | None
    rules: list[ReadRule]


class BriefReadRule(TypedDict):
    """A rule of a section in `view=brief`: its `text` or, if its book is not loaded, our unofficial `gloss`."""

    ref: Words
    number: str | None
    text: NotRequired[Words]
    gloss: NotRequired[Words]
    examples: NotRequired[list[Words]]
    marked: NotRequired[Literal[True]]
    """It is the rule that was asked for."""


class BriefSectionRef(TypedDict):
    """A section beside another one; of a long title, the first words."""

    ref: Words
    title: str


class BriefSectionText(TypedDict):
    """A section of `view=brief`; of the titles above it, those that are long have their first words."""

    ref: Words
    game: Slug
    edition: Words
    current: bool
    heading: list[str]
    lang: Lang
    authority: Authority | None
    previous: BriefSectionRef | None
    next: BriefSectionRef | None
    total: Count
    cursor: str | None
    rules: list[BriefReadRule]


class Search(TypedDict):
    """The rules that answer a query, best first, or the reason for abstaining."""

    query: str
    lang: Lang
    abstained: bool
    reason: str | None
    total: Count
    offset: Count
    limit: Some
    understood: Understood
    hits: list[Hit]
    sections: Annotated[list[Section], Schema(max_items=5)]
    """The sections that contain the rules found, the best first."""
    undated: NotRequired[list[Words]]
    """With `as_of`: the editions without a known date, which are searched for any date."""


class BriefHit(TypedDict):
    """A hit of `view=brief`: the `text` of the rule or, if its book is not loaded, our unofficial `gloss`.

    With `siblings` or `seen`, words that an earlier hit has are left out, and a long title in `heading` has its first words.
    """

    iri: Iri
    ref: Words
    game: str
    edition: Words
    current: bool
    number: str | None
    heading: list[str]
    text: NotRequired[Words]
    gloss: NotRequired[Words]
    same_text: NotRequired[Words]
    """The `ref` of the hit that has the same words, which are not repeated."""
    score: float
    document: NotRequired[DocumentKind]
    siblings: NotRequired[list[Sibling]]
    seen: NotRequired[Literal[True]]


class BriefSection(TypedDict):
    """A section that contains rules found, to be read by its `ref`; `total` counts its rules."""

    ref: Words
    heading: list[str]
    total: Count


class BriefSearch(TypedDict):
    """A search of `view=brief`."""

    query: str
    lang: Lang
    abstained: bool
    reason: str | None
    total: Count
    offset: Count
    limit: Some
    hits: list[BriefHit]
    sections: Annotated[list[BriefSection], Schema(max_items=3)]
    """The sections to read, the best first."""


class BatchLine(TypedDict):
    """The answer to one line of `search --batch`."""

    id: str
    abstained: bool
    hits: Annotated[list[Hit], Schema(max_items=10)]


_ROLE = Schema(
    enum=("definition", "rule", "exception"),
    description="What a thing is, what the rules say, what they except; claims come in this order.",
)
ClaimRole = TypeAliasType("ClaimRole", Annotated[str, _ROLE])
_SOURCE = Schema(
    enum=("rule", "digest"), description="A rule's own words, or, where the book is not loaded, those of our unofficial gloss."
)
ClaimSource = TypeAliasType("ClaimSource", Annotated[str, _SOURCE])


class ClaimQuote(Span):
    """The span of a claim in the text of its rule as `show` returns it (in the gloss for a claim of the digest)."""

    text: Words


class AnswerClaim(TypedDict):
    """Words of a rule that answer the question.

    `gloss` is ours, in the asker's language; `authority` is null for words of the digest.
    """

    text: Words
    lang: Lang
    gloss: str | None
    rule: Iri
    ref: Words
    """The reference that `verify` and `show` take: mtg/cr:2025-02-07:400.7."""
    game: Slug
    book: Slug
    edition: Words
    number: str | None
    """As printed; null in a book without rule numbers and for entries of a glossary."""
    locator: Words
    """The rule's place in its book: the folded number, or the position of an unnumbered rule."""
    heading: list[str]
    role: ClaimRole
    source: ClaimSource
    current: bool
    superseded_by: SupersededBy | None
    authority: Authority | None
    note: str | None
    """A warning, for example that the edition is not current or that the words are ours; null without any."""
    part_of: Iri | None
    """The rule of an earlier claim whose list contains this one; null otherwise."""
    left_out: Count
    """The number of items in the list that this claim introduces, if they are too many to be returned; else 0."""
    quote: ClaimQuote
    document: NotRequired[DocumentKind]
    """The kind of document, if the book is not the rules of the game."""


_STATE = Schema(
    enum=("sure", "likely", "unsure"),
    description="`sure`: one rule, or the section that defines a thing, answers, far before all others. "
    "`likely`: one of the claims answers, not always the first. `unsure`: no claim is made; `abstained` is true.",
)
AnswerState = TypeAliasType("AnswerState", Annotated[str, _STATE])


class Difference(TypedDict):
    """A difference between two games of an answer.

    `property` is null if whole rules differ; otherwise `text` is derived from the claims about both zones.
    """

    games: Annotated[list[Slug], Schema(min_items=2, max_items=2)]
    rules: list[Iri]
    property: str | None
    text: Words


class PhrasedSentence(TypedDict):
    """A sentence that quotes rules and contains their `ref`."""

    text: Words
    rules: list[Iri]


class Dropped(TypedDict):
    """A generated sentence that is not proven; do not show it as an answer."""

    text: Words
    why: Words


class Phrased(TypedDict):
    """Prose by a language model: `text` contains only the proven sentences; `fault` states why there is none."""

    model: Words
    text: str
    sentences: list[PhrasedSentence]
    dropped: list[Dropped]
    fault: str | None


class Ask(TypedDict):
    """The claims that answer a question, or the reason for abstaining; `as_of` is the requested date."""

    query: str
    lang: Lang
    as_of: str | None
    state: AnswerState
    abstained: bool
    reason: str | None
    claims: list[AnswerClaim]
    differences: list[Difference]
    rulings: list[Ruling]
    undated: NotRequired[list[Words]]
    """With `as_of`: the editions without a known date, which are included for any date."""
    phrased: NotRequired[Phrased]
    """Only if prose was requested; never over HTTP."""


class BriefClaim(TypedDict):
    """A claim of `view=brief`; `source` is `digest` if the words are ours and not the publisher's."""

    text: Words
    rule: Iri
    ref: Words
    game: Slug
    edition: Words
    current: bool
    number: str | None
    heading: list[str]
    source: ClaimSource
    document: NotRequired[DocumentKind]


class BriefAsk(TypedDict):
    """An answer of `view=brief`."""

    query: str
    lang: Lang
    state: AnswerState
    abstained: bool
    reason: str | None
    claims: list[BriefClaim]


class BatchQuestion(TypedDict):
    """One line of a batch: a question with an id of the client's choice."""

    id: str
    query: str
    game: NotRequired[str | None]
    lang: NotRequired[str | None]


class BatchFault(TypedDict):
    """The reason why one line of a batch was not answered; `line` is its number, `id` is null if it is unreadable."""

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
