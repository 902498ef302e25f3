"""Rules in answers and in `export jsonl`, and their citations."""

from typing import Annotated, NotRequired

from typing_extensions import TypeAliasType, TypedDict

from corpus.contract.changes import History, StepKind
from corpus.contract.rulings import RulingBrief
from corpus.contract.schema import Authority, Glosses, Iri, Lang, RuleKind, Schema, Slug, Span, Words

_ALIKE = Schema(
    enum=("skos:closeMatch", "skos:broadMatch", "skos:narrowMatch", "skos:relatedMatch"),
    description="The same question, a more general rule, a special case, useful context; read towards the counterpart.",
)
Alike = TypeAliasType("Alike", Annotated[str, _ALIKE])
DocumentKind = TypeAliasType(
    "DocumentKind", Annotated[str, Schema(enum=("tournament", "penalties"), description="Tournament rules, or a penalty guide.")]
)
CitedWithin = TypeAliasType("CitedWithin", Annotated[str, Schema(enum=("example", "note"))])


class RuleRef(TypedDict):
    """A rule by its address."""

    iri: Iri
    number: str | None
    locator: Words
    kind: RuleKind


class RuleText(TypedDict):
    """A rule's own words in one language."""

    text: Words
    authority: Authority


_Texts = dict[Lang, RuleText]


class Child(RuleRef):
    """A part of a rule, with its words."""

    texts: _Texts
    digest: Glosses


class ShownChild(Child):
    """A part of a rule with its reference."""

    ref: Words


class RuleCitation(Span):
    """Words of a rule that cite another one; `target` is null if the edition has no such rule.

    `within` is present if they are in an example or note instead of the text; start and end refer to it.
    """

    lang: Lang
    text: str
    target: Iri | None
    locator: str
    within: NotRequired[CitedWithin]


class Aside(TypedDict):
    """An example or a note, in one language; `mark` is the printed mark of a footnote, `cites` has the citations in it."""

    lang: Lang
    text: str
    authority: Authority
    mark: NotRequired[str]
    cites: NotRequired[list[RuleCitation]]


class Mention(Span):
    """Words of a rule that mention a concept."""

    concept: Iri
    label: str
    lang: Lang


class Source(Span):
    """The span of a rule in a file, in code points of the decoded file."""

    lang: Lang
    authority: Authority
    file: str
    sha256: Annotated[str, Schema(pattern="^[0-9a-f]{64}$")]


class OtherGloss(TypedDict):
    """The gloss of another edition's wording."""

    game: Slug
    book: Slug
    edition: Words
    texts: Glosses


class SupersededBy(TypedDict):
    """The edition that has superseded a rule's chapter; `iri` is the same rule there, null if there is none or it is unknown."""

    game: Slug
    book: Slug
    edition: Words
    iri: Iri | None


class _Rule(TypedDict):
    iri: Iri
    game: Slug
    book: Slug
    edition: Words
    current: bool
    superseded_by: SupersededBy | None
    latest_in: Lang | None
    """The language of a superseded text, if no later edition has it."""
    order_unknown: list[Words]
    """Editions with the same chapter whose order is unknown."""
    kind: RuleKind
    number: str | None
    locator: Words
    order: int
    heading: list[str]
    headings: dict[Lang, list[str]]
    parent: Iri | None
    previous: Iri | None
    next: Iri | None
    texts: _Texts
    headwords: dict[Lang, str]
    digest: Glosses
    digest_example: dict[Lang, str]
    digest_other: OtherGloss | None
    examples: list[Aside]
    notes: list[Aside]
    table: list[list[str]] | None
    cites: list[RuleCitation]
    cited_by: list[Iri]
    printed_again: NotRequired[list[Iri]]
    """Other rules of the edition with the same printed number."""
    mentions: list[Mention]
    defines: list[Iri]
    sources: list[Source]


class RuleRecord(_Rule):
    """A rule as stored: a line of `export jsonl`."""

    children: list[RuleRef]


class ConceptName(TypedDict):
    """The label of a concept and its language; `game` is null for a cross-game concept."""

    concept: Iri
    game: str | None
    label: Words
    lang: Lang | None


class NamedConcept(ConceptName):
    """A concept that a rule defines or mentions."""

    defined: bool


class RuleCounterpart(TypedDict):
    """A rule of another game that answers the same question; `number` is its locator, `comment` describes the difference.

    `label` is the question. A counterpart whose status is `proposed` was found by a program and has not been checked: its `label`
    is the title above it.
    """

    iri: Iri
    game: str
    number: Words
    label: Words
    predicate: Alike
    comment: Words
    confidence: Annotated[float, Schema(exclusive_minimum=0, maximum=1)]
    status: Annotated[str, Schema(enum=("accepted", "proposed"))]


class MappedRule(TypedDict):
    """A rule that replaces another one: of the same thread (`step` is the kind of step), or defining the same concept."""

    iri: Iri
    concept: Iri | None
    step: StepKind | None
    labels: Glosses
    number: str | None
    locator: Words


class Successor(TypedDict):
    """The successor of a rule in the current edition; `same_words` is null without a common language.

    `mapped` are the rules of its thread in that edition or, for a summary of another book, those that define the same concepts.
    """

    game: Slug
    book: Slug
    edition: Words
    same_number: Iri | None
    same_words: bool | None
    reused: bool | None
    """Whether the same number means another rule there; null if unknown."""
    mapped: list[MappedRule]


class RuleOfDay(TypedDict):
    """How certain it is that a rule was in force on the requested date (`as_of`).

    `next` is the next loaded edition after that day. `certain`: the rule's edition is of that day, or the next one has the same
    words under the same number; otherwise an edition that is not loaded may have had other words, which `note` states.
    """

    asked: str
    next: str | None
    certain: bool
    note: str | None


class Rule(_Rule):
    """A rule with its context, as `show` returns it; `lang` is the language of the answer.

    `ref` and those of its neighbours are references as `show` and `verify` take them.
    """

    ref: Words
    parent_ref: Words | None
    previous_ref: Words | None
    next_ref: Words | None
    children: list[ShownChild]
    lang: Lang
    counterparts: list[RuleCounterpart]
    concepts: list[NamedConcept]
    successor: NotRequired[Successor | None]
    history: NotRequired[History]
    as_of: NotRequired[RuleOfDay]
    rulings: NotRequired[list[RulingBrief]]
    """The newest rulings that rest on it."""
    document: NotRequired[DocumentKind]
    """The kind of document, if the book is not the rules of the game."""


class Rules(TypedDict):
    """The rules that a reference names, those of current editions first."""

    ref: str
    rules: list[Rule]


class BriefChild(TypedDict):
    """A part of a rule: its words in the language of the rule or, if the book is not loaded, our unofficial `gloss`."""

    ref: Words
    number: str | None
    text: NotRequired[Words]
    gloss: NotRequired[Words]


class BriefRule(TypedDict):
    """A rule as a model reads it: its words in every language, and the references of what it cites and what stands beside it."""

    ref: Words
    iri: Iri
    game: Slug
    edition: Words
    current: bool
    superseded_by: SupersededBy | None
    kind: RuleKind
    number: str | None
    heading: list[str]
    lang: Lang
    texts: _Texts
    gloss: NotRequired[Words]
    """Our own words, in `lang`; only if the book is not loaded."""
    examples: list[Words]
    notes: list[Words]
    parent_ref: Words | None
    previous_ref: Words | None
    next_ref: Words | None
    children: list[BriefChild]
    cites: list[Words]
    successor: NotRequired[Successor | None]
    as_of: NotRequired[RuleOfDay]
    rulings: NotRequired[list[RulingBrief]]
    document: NotRequired[DocumentKind]


class BriefRules(TypedDict):
    """The rules that a reference names, as a model reads them, those of current editions first."""

    ref: str
    rules: list[BriefRule]


class CitingRule(TypedDict):
    """The rule whose citations are listed; `ref` is the requested reference."""

    ref: str
    iri: Iri
    game: Slug
    book: Slug
    edition: Words
    current: bool
    number: str | None
    locator: Words


class Cites(TypedDict):
    """The citations of a rule, and the rules that cite it."""

    rule: CitingRule
    cites: list[RuleCitation]
    cited_by: list[Iri]
