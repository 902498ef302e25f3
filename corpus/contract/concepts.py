"""Zones, concepts and terms, with their claims and mappings."""

from typing import Annotated, NotRequired

from typing_extensions import TypeAliasType, TypedDict

from corpus.contract.rules import ConceptName
from corpus.contract.schema import Authority, Count, Glosses, Iri, Lang, Schema, Share, Some, Span, Words
from corpus.model import CORE_PROPERTIES

ConceptKind = Annotated[str, Schema(description="zone, sub-zone, composite, not-a-zone, characteristic, state, idea, …")]
_Labels = dict[Lang, list[str]]
Status = TypeAliasType("Status", Annotated[str, Schema(enum=("accepted", "proposed", "disputed", "superseded"))])
Sort = TypeAliasType("Sort", Annotated[str, Schema(enum=("preferred", "alternative", "slang", "forbidden"))])
UseSource = TypeAliasType("UseSource", Annotated[str, Schema(enum=("text", "example", "note", "headword", "gloss"))])


class Support(TypedDict):
    """Words of a rule that support a claim; `verified` is null if that text is not loaded."""

    rule: Iri
    edition: str
    authority: Authority
    quote: Words
    verified: bool | None


class Claim(TypedDict):
    """One value of one property, with labels in each language and supports."""

    value: str | int | bool
    value_labels: Glosses
    status: Status
    note: str | None
    supports: Annotated[list[Support], Schema(min_items=1)]
    claim: Iri


class Match(TypedDict):
    """A counterpart of a concept in another game; `concept` is null if there is none. `not skos:…` is a false friend.

    A match whose status is `proposed` was found by a program and has not been checked.
    """

    concept: Iri | None
    game: str | None
    predicate: str
    comment: str
    confidence: Share
    own_rule: Iri | None
    rule: Iri | None
    status: Status


class NamedMatch(Match):
    """A counterpart with its label."""

    label: str | None
    lang: Lang | None


class ProposedHub(TypedDict):
    """The cross-game concept that a program proposes for a zone, with the probability that a judge agrees."""

    concept: Iri
    label: Words
    lang: Lang
    confidence: Share


class Zone(TypedDict):
    """A zone of one game: names, proved properties, counterparts."""

    game: str
    concept: Iri
    labels: _Labels
    properties: Annotated[dict[str, list[Claim]], Schema(required=CORE_PROPERTIES)]
    kind: ConceptKind
    hub: Iri | None
    proposed_hub: ProposedHub | None
    matches: list[Match]


class ProposedMapping(TypedDict):
    """The cross-game concept that a program proposes for a concept of a book without annotations."""

    concept: ConceptName
    hub: ConceptName
    confidence: Share
    rule: Iri | None


class RuleWords(TypedDict):
    """A rule that a curator compares with another one, and the beginning of its words."""

    rule: Iri
    words: str
    lang: Lang | None


class ProposedRulePair(TypedDict):
    """The rule of another game that a program proposes as the counterpart of a rule of a book without annotations."""

    rule: RuleWords
    other: RuleWords
    confidence: Share


class UnusedVerdict(TypedDict):
    """A curator's verdict without effect: its concept or rule is not loaded any more."""

    subject: Iri
    object: Iri | None
    verdict: str
    who: str
    when: str
    file: str


class VerdictsPruned(TypedDict):
    """The verdicts without effect that were taken back."""

    pruned: list[UnusedVerdict]


class ProposedMappings(TypedDict):
    """The proposals for a curator to judge: cross-game concepts by concept, of which `total` is the number; then rules by rule.

    `unused` has the verdicts without effect.
    """

    lang: Lang
    total: Count
    mappings: list[ProposedMapping]
    counterparts: list[ProposedRulePair]
    unused: list[UnusedVerdict]


class VerdictFile(TypedDict):
    """A curator's file, and the number of its verdicts on proposed mappings."""

    file: str
    verdicts: Count


class VerdictsAdded(TypedDict):
    """The result for a file of verdicts."""

    added: VerdictFile


class Zones(TypedDict):
    """The zones of some games side by side."""

    lang: Lang
    zones: list[Zone]


class Move(TypedDict):
    """A move of cards between two places of a game, from a claim about one of them (`zone`)."""

    game: str
    start: Iri
    end: Iri
    zone: Iri
    property: str
    says: Words
    lang: Lang
    status: str
    supports: list[Support]


class ConceptBrief(ConceptName):
    """A concept in brief; `hub` is the cross-game concept of which it is a case."""

    kind: ConceptKind
    hub: Iri | None


class ConceptLabel(TypedDict):
    """A name of a concept; slang is the spoken language of players, and a termbase forbids other names."""

    label: Words
    sort: Sort
    official: bool
    authority: NotRequired[Authority]
    """The highest authority of a loaded text that uses it; only in answers about terms."""
    curator: NotRequired[Words]
    """The curator who added it, if any."""


class RulePointer(TypedDict):
    """A rule with its edition, whether its text is loaded, and whether it is current."""

    rule: Iri
    game: str
    book: str
    edition: str
    number: str | None
    locator: Words
    loaded: bool
    current: bool


class TopicCell(TypedDict):
    """The statement of one game on a topic; if `found` is false, the game has no such rule and this is the nearest one."""

    game: str
    found: bool
    concept: Iri | None
    label: str | None
    says: Words
    rule: RulePointer
    quote: Words
    verified: bool | None
    claim: Iri


class SimilarRule(RulePointer):
    """A rule that a program found to be similar to those of a topic: not checked, or accepted by a curator."""

    confidence: Annotated[float, Schema(exclusive_minimum=0, maximum=1)]
    status: Annotated[str, Schema(enum=("accepted", "proposed"))]


class Topic(TypedDict):
    """A question about several games, the differences, and the rule of each game.

    `similar` has rules of games without annotations that are proposed as counterparts of these rules, or that a curator accepted.
    """

    concept: Iri
    label: Words
    group: Words
    asks: Words
    differs: Words
    cells: Annotated[list[TopicCell], Schema(min_items=1)]
    similar: list[SimilarRule]


class Topics(TypedDict):
    """Topics and games as a table."""

    lang: Lang
    games: list[str]
    topics: list[Topic]


class ConceptDescribed(ConceptBrief):
    """A concept with its names, its definition (ours) and the rules that define it."""

    labels: dict[Lang, Annotated[list[ConceptLabel], Schema(min_items=1)]]
    definition: Glosses
    defined_by: list[RulePointer]


class NamingRule(TypedDict):
    """A rule that mentions a concept."""

    rule: Iri
    locator: str


class MentionedIn(TypedDict):
    """The number of rules of an edition that mention a concept, and the first of them."""

    game: str
    book: str
    edition: str
    current: bool
    rules: Some
    first: Annotated[list[NamingRule], Schema(min_items=1)]


class Concept(ConceptDescribed):
    """A concept with all its facts."""

    broader: list[ConceptName]
    narrower: list[ConceptName]
    parts: list[ConceptName]
    properties: dict[str, list[Claim]]
    matches: list[NamedMatch]
    mentioned_in: list[MentionedIn]


class Concepts(TypedDict):
    """The concepts of a reference."""

    ref: str
    lang: Lang
    concepts: Annotated[list[Concept], Schema(min_items=1)]


class ConceptList(TypedDict):
    """A page of the list of all concepts."""

    lang: Lang
    total: Count
    offset: Count
    limit: Some
    concepts: list[ConceptBrief]


class Term(ConceptDescribed):
    """The names of a concept in one game; `named`: the requested label is among them."""

    named: bool


class FalseFriend(ConceptName):
    """Two similar concepts that are not the same: the difference, and a rule of each."""

    other: ConceptName
    predicate: str
    own_rule: RulePointer | None
    rule: RulePointer | None
    comment: str


class Use(Span):
    """A mention of a concept with the words around it; `source` is the book's text or our gloss.

    `concept` is null if the words were searched because no concept has that name.
    """

    rule: Iri
    game: str
    book: str
    edition: str
    number: str | None
    locator: Words
    current: bool
    lang: Lang
    source: UseSource
    authority: Authority | None
    concept: Iri | None
    before: str
    match: Words
    after: str


class Uses(TypedDict):
    """The uses in one game and language: `total` uses in `rules` rules, `current` of them in current editions."""

    game: str
    lang: Lang
    total: Some
    rules: Some
    current: Count
    uses: list[Use]


class Terms(TypedDict):
    """The names of a label's concept in each game and language, and its uses."""

    label: str
    lang: Lang
    offset: Count
    limit: Count
    total: Count
    terms: list[Term]
    false_friends: list[FalseFriend]
    concordance: list[Uses]
