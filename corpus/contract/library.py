"""The library: editions, results of adding and removing, findings, suggestions, and tables of contents."""

from typing import Annotated, NotRequired

from typing_extensions import TypeAliasType, TypedDict

from corpus.contract.concepts import VerdictFile
from corpus.contract.rules import RuleRecord
from corpus.contract.rulings import CardFile, JudgementFile, RulingFile, RulingSource
from corpus.contract.schema import Authority, Count, Glosses, Iri, Lang, RuleKind, Schema, Slug, Words

AddedStatus = TypeAliasType("AddedStatus", Annotated[str, Schema(enum=("added", "known", "refused"))])


class EditionLanguage(TypedDict):
    """One loaded language of an edition."""

    lang: Lang
    authority: Authority
    current: bool
    files: list[str]


class EditionSummary(TypedDict):
    """An edition that is loaded, or known from the digest (then `languages` is empty)."""

    iri: Iri
    game: str
    book: str
    edition: str
    title: str
    rules: Count
    current: bool
    """Whether any chapter of it is current."""
    order_unknown: list[Words]
    """Editions with the same chapter whose order is unknown."""
    languages: list[EditionLanguage]
    dangling_citations: Count


class Editions(TypedDict):
    """Every edition of the library, and every source of rulings."""

    editions: list[EditionSummary]
    rulings: list[RulingSource]


class Recognised(TypedDict):
    """A recognised file; `rules` is the number of addressed parts."""

    game: str
    book: str
    edition: str
    lang: Lang
    authority: Authority
    grammar: str
    rules: Count


class OutlineLine(TypedDict):
    """A heading or paragraph of a file that is previewed before it is added; `text` has up to 80 characters."""

    locator: str
    kind: RuleKind
    text: str


class FileResult(TypedDict):
    """The result for a file; `why` has the reasons for its recognition, `notes` the assumptions."""

    file: str
    status: AddedStatus
    readings: list[Recognised]
    rulings: list[RulingFile]
    """The rulings by source; empty for a rulebook."""
    why: list[str]
    notes: list[str]
    error: str | None
    title: NotRequired[str | None]
    """In a dry run: the name of the game in the title of the text, or null."""
    outline: NotRequired[list[OutlineLine]]
    """In a dry run: the headings, or the first paragraphs of a text without headings."""


class Added(TypedDict):
    """The result for each file to add."""

    added: list[FileResult]


class RemovedReading(TypedDict):
    """One removed language of an edition."""

    file: str
    game: str
    book: str
    edition: str
    lang: Lang


class Removed(TypedDict):
    """The removed books, editions or files."""

    removed: list[RemovedReading]
    cards: NotRequired[CardFile]
    """The removed file of cards, if any."""
    judgements: NotRequired[JudgementFile]
    """The removed curator's file, if any."""
    verdicts: NotRequired[VerdictFile]
    """The removed file of verdicts on proposed mappings, if any."""


class ProposedSupport(TypedDict):
    """Words of a rule on which a proposal is based."""

    rule: Iri
    lang: Lang
    quote: Words


class ProposedClaim(TypedDict):
    """A property of a zone as stated by a text; `general`: stated by a rule about all zones."""

    property: str
    value: str | int
    status: Annotated[str, Schema(const="proposed")]
    general: bool
    supports: list[ProposedSupport]


class ProposedZone(TypedDict):
    """A zone in a text."""

    slug: str
    kind: str
    labels: dict[Lang, list[str]]
    defined_by: list[Iri]
    claims: list[ProposedClaim]


class ProposedEdition(TypedDict):
    """The zones of one edition."""

    game: str
    book: str
    edition: str
    zones: list[ProposedZone]


class Proposals(TypedDict):
    """The extracted zones of a game without annotations, for a judge to correct."""

    editions: list[ProposedEdition]


class Finding(TypedDict):
    """One problem or note; `subject` is its address."""

    kind: str
    subject: str
    message: str


class Findings(TypedDict):
    """Problems of the library, and disputes as information."""

    findings: list[Finding]
    information: list[Finding]


class Complaint(TypedDict):
    """One problem of a home folder. `mendable`: a rebuild from the stored files repairs it."""

    message: str
    mendable: bool


class Diagnosis(TypedDict):
    """Problems of a home folder."""

    home: str
    sound: bool
    complaints: list[Complaint]


class Health(TypedDict):
    """The state of a server's library."""

    status: Annotated[str, Schema(const="ok")]
    bundle: str
    editions: Count
    rules: Count


class Problem(TypedDict):
    """An error (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    instance: str


SuggestionKind = TypeAliasType(
    "SuggestionKind",
    Annotated[str, Schema(enum=("number", "term", "card", "heading"), description="What was typed the beginning of.")],
)


class Suggestion(TypedDict):
    """A completion: a rule by its number, a concept or card by a name, a section by its title.

    `label` is the name, the title, or a rule's first words; `lang` is its language. A card has no address.
    """

    kind: SuggestionKind
    iri: Iri | None
    game: str | None
    number: str | None
    label: str
    lang: Lang | None


class Suggestions(TypedDict):
    """The completions, the likeliest first."""

    query: str
    lang: Lang
    suggestions: list[Suggestion]


class Part(TypedDict):
    """A heading or top-level part of a book; `rules` is the number of addressed parts under it."""

    iri: Iri
    number: str | None
    locator: Words
    kind: RuleKind
    titles: Glosses
    depth: Count
    rules: Count


class Contents(TypedDict):
    """The table of contents of an edition."""

    lang: Lang
    edition: EditionSummary
    parts: list[Part]


class OutlinePart(TypedDict):
    """A heading or top-level part of a book, with its title in the answer's language ("" if it has none)."""

    ref: Words
    iri: Iri
    number: str | None
    title: str
    depth: Count
    rules: Count


class Outline(TypedDict):
    """The headings of an edition in order, down to a depth; `rules` counts the addressed parts below each."""

    game: Slug
    book: Slug
    edition: Words
    lang: Lang
    parts: list[OutlinePart]


class OutlineLines(TypedDict):
    """An outline as text: a line for each heading, indented by its depth, with its number, title and count of rules."""

    game: Slug
    book: Slug
    edition: Words
    lang: Lang
    lines: list[str]


class Reading(TypedDict):
    """A part of an edition with all its rules in order; `depths` are the depths of the rules below the part."""

    lang: Lang
    part: Part
    above: list[Part]
    previous: Part | None
    next: Part | None
    rules: list[RuleRecord]
    depths: list[Count]
