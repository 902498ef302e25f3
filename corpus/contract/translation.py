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
    """The name that `align` takes: `fow/cr/undated:ja`."""
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
    """Two corresponding rules; one of them is null if the other has no partner.

    `part`: one of the two has another partner that covers more of it.
    """

    old: AlignedRule | None
    new: AlignedRule | None
    confidence: Share
    part: bool
    checked: LinkCheck


class Alignment(TypedDict):
    """The alignment of two texts in the order of the first; rules of the second without a partner follow their predecessor."""

    old: AlignedText
    new: AlignedText
    total: Count
    """Number of links; `links` is the requested page."""
    counts: dict[str, Count]
    links: list[AlignmentLink]


class AppliedAlignment(TypedDict):
    """A checked alignment that was added: how many of its rows were accepted, refused and left."""

    old: Words
    new: Words
    joins: Annotated[str, Schema(enum=("thread", "counterparts"))]
    """Whether it joins two editions of a book, or rules of two books."""
    taken: Count
    refused: Count
    unchecked: Count


_DRIFT_KINDS = (
    *("missing-rule", "extra-rule", "operator", "missing-sentence", "number", "symbol", "outdated", "untranslated"),
    *("citation", "forbidden", "term", "rendering", "name", "missing-example", "extra-example", "punctuation"),
)
DriftKind = TypeAliasType("DriftKind", Annotated[str, Schema(enum=_DRIFT_KINDS, description="What differs.")])


class DriftPlace(TypedDict):
    """A part of a rule in one language, and the words concerned; none for the whole part."""

    iri: Iri
    number: str | None
    locator: Words
    part: Annotated[str, Schema(enum=("text", "headword", "example", "note", "question", "answer"))]
    nth: Count
    text: str
    spans: list[Bounds]
    file: Source | None
    """The span of the rule in the file that was added."""


class DriftRendering(TypedDict):
    """Words that render a term, the number of parts of rules that have them, and these rules."""

    text: Words
    count: Some
    rules: list[Iri]


class DriftFinding(TypedDict):
    """One difference between a translation and its original. `expected` are words that would render it, if known.

    `rank`: its effect on rulings, times `confidence`. `renderings`: of a term with several, each, the most frequent first.
    """

    kind: DriftKind
    rank: Share
    confidence: Share
    said: Words
    expected: list[Words]
    renderings: list[DriftRendering]
    source: DriftPlace | None
    target: DriftPlace | None


class Drift(TypedDict):
    """The findings about a translation, the most serious first."""

    source: AlignedText
    target: AlignedText
    lang: Lang
    rules: Count
    """Number of compared rules."""
    total: Count
    counts: dict[str, Count]
    """Number of findings by kind; `findings` is the requested page."""
    findings: list[DriftFinding]


PassagePart = TypeAliasType(
    "PassagePart",
    Annotated[str, Schema(enum=("text", "headword", "example", "note", "heading"), description="What of a rule it stands in.")],
)


class Counterpart(Span):
    """Words beside a line that correspond to the match; `how`: they name the same concept, or they are the same symbol."""

    how: Annotated[str, Schema(enum=("concept", "same"))]
    concept: Iri | None


class Beside(TypedDict):
    """The corresponding sentences in another language, and the confidence."""

    lang: Lang
    text: str
    authority: Authority
    confidence: Share
    counterparts: list[Counterpart]


class ConcordanceLine(Span):
    """A match with the words around it; `beside` is null if the other language has no text."""

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


class Evidence(TypedDict):
    """A rule of an edition that prints a name."""

    name: Words
    rule: Iri


class TermRecord(TypedDict):
    """The names of a concept in one language, with a person's decisions."""

    concept: Iri
    lang: Lang
    decision: Words | None
    """The name to use."""
    status: Annotated[str, Schema(enum=("decided", "inherited"))]
    """`decided` by a person, or `inherited` from a book or from Rulestone."""
    admitted: list[Words]
    deprecated: list[Words]
    forbidden: list[Words]
    """Names that must not be used."""
    evidence: list[Evidence]
    by: Words
    """The persons who decided."""
    date: str
    """The day of the last decision; empty if unknown."""
    note: str


class FormCount(TypedDict):
    """The number of matches of a form, in lower case and normalised."""

    form: Words
    count: Some


class PlaceCount(TypedDict):
    """The number of matches in one part of an edition in one language."""

    game: str
    book: str
    edition: str
    lang: Lang
    part: PassagePart
    count: Some


class RenderingCount(TypedDict):
    """Words of the language `beside` that render the matches in an edition, and the parts of rules that have them."""

    game: str
    book: str
    edition: str
    lang: Lang
    beside: Lang
    text: Words | None
    """Null: the parts with none of the renderings, which omit the word or render it only once or twice so."""
    sort: Annotated[str, Schema(enum=("preferred", "alternative", "slang"))] | None
    """How the termbase knows the words; null if it does not."""
    count: Some
    share: Share
    """Of the parts with a match."""
    rules: list[Iri]


class Concordance(TypedDict):
    """A page of lines, and counts over all lines."""

    query: str
    regex: bool
    total: Count
    rules: Count
    offset: Count
    limit: Some
    superseded: list[Words]
    """Superseded editions that were searched, because they are the newest of their books with the language `beside`."""
    forms: list[FormCount]
    places: list[PlaceCount]
    renderings: list[RenderingCount]
    """Only if requested."""
    lines: list[ConcordanceLine]
