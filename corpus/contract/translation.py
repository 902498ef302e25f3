"""For translators: alignments, drift, concordances."""

from typing import Annotated

from typing_extensions import TypeAliasType, TypedDict

from corpus.contract.changes import Bounds
from corpus.contract.rules import Source
from corpus.contract.schema import Authority, Count, Iri, Lang, Schema, Share, Slug, Some, Span, Words

LinkCheck = TypeAliasType(
    "LinkCheck", Annotated[str, Schema(enum=("yes", "no", "?"), description="What a person said of a link; `?` is a proposal.")]
)


class AlignedText(TypedDict):
    """One of the two texts: an edition in a language."""

    ref: Words
    """As it can be asked for: `fow/cr/undated:ja`."""
    game: Slug
    book: Slug
    edition: Words
    lang: Lang


class AlignedRule(TypedDict):
    """A rule of one of the two, with its words."""

    iri: Iri
    number: str | None
    locator: Words
    heading: list[str]
    text: str


class AlignmentLink(TypedDict):
    """Two rules that say the same; one of them is null where the other has no partner.

    `part`: one of the two has another partner, which says more of it.
    """

    old: AlignedRule | None
    new: AlignedRule | None
    confidence: Share
    part: bool
    checked: LinkCheck


class Alignment(TypedDict):
    """Two texts rule by rule, in the order of the one; what only the other has stands after what is before it there."""

    old: AlignedText
    new: AlignedText
    total: Count
    """Links that there are; `links` is the page of them that was asked for."""
    counts: dict[str, Count]
    links: list[AlignmentLink]


class AppliedAlignment(TypedDict):
    """A checked alignment that has become part of the knowledge base: how many of its rows were taken, refused, and left."""

    old: Words
    new: Words
    joins: Annotated[str, Schema(enum=("thread", "counterparts"))]
    """Whether it joins two editions of a book, or rules of two books."""
    taken: Count
    refused: Count
    unchecked: Count


DriftKind = TypeAliasType(
    "DriftKind",
    Annotated[
        str,
        Schema(
            enum=(
                "missing-rule",
                "extra-rule",
                "operator",
                "missing-sentence",
                "number",
                "symbol",
                "outdated",
                "untranslated",
                "citation",
                "term",
                "name",
                "missing-example",
                "extra-example",
                "punctuation",
            ),
            description="What differs.",
        ),
    ],
)


class DriftPlace(TypedDict):
    """A part of a rule in one language, and the words in it that are meant: none where it is the whole part."""

    iri: Iri
    number: str | None
    locator: Words
    part: Annotated[str, Schema(enum=("text", "headword", "example", "note"))]
    nth: Count
    text: str
    spans: list[Bounds]
    file: Source | None
    """Where the rule stands in the added file."""


class DriftFinding(TypedDict):
    """One thing in which a translation differs from its original. `expected` are words that would render it, where they are known.

    `rank`: how much it would change a ruling, times `confidence`.
    """

    kind: DriftKind
    rank: Share
    confidence: Share
    said: Words
    expected: list[Words]
    source: DriftPlace | None
    target: DriftPlace | None


class Drift(TypedDict):
    """What a translation lost, or says otherwise, what would change a ruling first."""

    source: AlignedText
    target: AlignedText
    lang: Lang
    rules: Count
    """Rules that were compared."""
    total: Count
    counts: dict[str, Count]
    """Findings of each kind; `findings` is the page of them that was asked for."""
    findings: list[DriftFinding]


PassagePart = TypeAliasType(
    "PassagePart",
    Annotated[str, Schema(enum=("text", "headword", "example", "note", "heading"), description="What of a rule it stands in.")],
)


class Counterpart(Span):
    """Words beside a line that answer those found; `how`: they name the same concept, or are the same symbol."""

    how: Annotated[str, Schema(enum=("concept", "same"))]
    concept: Iri | None


class Beside(TypedDict):
    """The sentences of another language that answer a line's own, and how sure that is."""

    lang: Lang
    text: str
    authority: Authority
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
    authority: Authority
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
