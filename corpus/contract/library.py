"""The library: what is loaded, what became of added files, findings, and help to find one's way in a book."""

from typing import Annotated, NotRequired

from typing_extensions import TypeAliasType, TypedDict

from corpus.contract.rules import RuleRecord
from corpus.contract.rulings import CardFile, JudgementFile, RulingFile, RulingSource
from corpus.contract.schema import Authority, Count, Glosses, Iri, Lang, RuleKind, Schema, Words

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
    """Editions with the same chapter of which nobody knows whether they are earlier or later."""
    languages: list[EditionLanguage]
    dangling_citations: Count


class Editions(TypedDict):
    """Every edition of the library, and every source of rulings."""

    editions: list[EditionSummary]
    rulings: list[RulingSource]


class Recognised(TypedDict):
    """What a file was recognised as; `rules` counts what has an address."""

    game: str
    book: str
    edition: str
    lang: Lang
    authority: Authority
    grammar: str
    rules: Count


class OutlineLine(TypedDict):
    """A heading or paragraph of a file that is looked at before it is added; `text` has up to 80 characters."""

    locator: str
    kind: RuleKind
    text: str


class FileResult(TypedDict):
    """What became of a file; `why` tells how it was recognised, `notes` what of that the text itself does not say."""

    file: str
    status: AddedStatus
    readings: list[Recognised]
    rulings: list[RulingFile]
    """What there was of rulings, source by source; a rulebook has none."""
    why: list[str]
    notes: list[str]
    error: str | None
    title: NotRequired[str | None]
    """Of a dry run: the name of the game that stands in the title of the text; null where none does."""
    outline: NotRequired[list[OutlineLine]]
    """Of a dry run: the headings, or the first paragraphs of a text that has none."""


class Added(TypedDict):
    """What became of each file that was to be added."""

    added: list[FileResult]


class RemovedReading(TypedDict):
    """One language of an edition that was in a file, and is no longer there."""

    file: str
    game: str
    book: str
    edition: str
    lang: Lang


class Removed(TypedDict):
    """What was removed."""

    removed: list[RemovedReading]
    cards: NotRequired[CardFile]
    """The file of cards that is gone, where it is one."""
    judgements: NotRequired[JudgementFile]
    """The curator's file that is gone, where it is one."""


class ProposedSupport(TypedDict):
    """Words of a rule that a proposal rests on."""

    rule: Iri
    lang: Lang
    quote: Words


class ProposedClaim(TypedDict):
    """A property of a zone as a text states it; `general`: by a rule about all zones."""

    property: str
    value: str | int
    status: Annotated[str, Schema(const="proposed")]
    general: bool
    supports: list[ProposedSupport]


class ProposedZone(TypedDict):
    """A zone that a text speaks of."""

    slug: str
    kind: str
    labels: dict[Lang, list[str]]
    defined_by: list[Iri]
    claims: list[ProposedClaim]


class ProposedEdition(TypedDict):
    """What one edition says of its zones."""

    game: str
    book: str
    edition: str
    zones: list[ProposedZone]


class Proposals(TypedDict):
    """What the texts of a game that nobody has annotated say of its zones, for a judge to correct."""

    editions: list[ProposedEdition]


class Finding(TypedDict):
    """One thing that is not as it should be, or that one should know; `subject` is its address."""

    kind: str
    subject: str
    message: str


class Findings(TypedDict):
    """What is wrong in the library, and, as information, what is disputed."""

    findings: list[Finding]
    information: list[Finding]


class Complaint(TypedDict):
    """One thing that is wrong with a home folder. `mendable`: by building anew from the kept files."""

    message: str
    mendable: bool


class Diagnosis(TypedDict):
    """What is wrong with a home folder."""

    home: str
    sound: bool
    complaints: list[Complaint]


class Health(TypedDict):
    """From what a server answers."""

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
    """What may be meant by what is typed: a rule by its number, a concept or a card by a name, a section by its title.

    `label` is the name, the title, or a rule's first words; `lang` is the language that it is in. A card has no address.
    """

    kind: SuggestionKind
    iri: Iri | None
    game: str | None
    number: str | None
    label: str
    lang: Lang | None


class Suggestions(TypedDict):
    """What may be meant, the likeliest first."""

    query: str
    lang: Lang
    suggestions: list[Suggestion]


class Part(TypedDict):
    """A part of a book: a heading, or what stands at its top level; `rules` counts what has an address under it."""

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


class Reading(TypedDict):
    """A part of an edition to read from its first rule to its last; `depths` are those of the rules below the part."""

    lang: Lang
    part: Part
    above: list[Part]
    previous: Part | None
    next: Part | None
    rules: list[RuleRecord]
    depths: list[Count]
