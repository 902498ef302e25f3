"""Citations and quotations of a text, compared with the rules."""

from typing import Annotated, NotRequired

from typing_extensions import TypeAliasType, TypedDict

from corpus.contract.schema import Count, Iri, Lang, Schema, Span

_STATUS = Schema(
    enum=("verified", "exists", "edited", "moved", "reused", "misquoted", "not_found", "ambiguous", "unchecked"),
    description="The first that fits of not_found, ambiguous, unchecked, misquoted, reused, moved, edited, exists, verified. "
    "`exists`: only the number was looked up; `verified`: quoted words were compared.",
)
CitationStatus = TypeAliasType("CitationStatus", Annotated[str, _STATUS])
Checked = TypeAliasType(
    "Checked", Annotated[str, Schema(enum=("words", "number"), description="Quoted words were compared, or the number looked up.")]
)
CitationFit = TypeAliasType("CitationFit", Annotated[str, Schema(enum=("fits", "doubtful"))])
QuotationStatus = TypeAliasType("QuotationStatus", Annotated[str, Schema(enum=("verified", "misquoted", "unchecked"))])
_ASSUMED = Schema(
    enum=("as_of", "text", "today"), description="`as_of` of the request, a date in the text, or nothing: the current edition."
)
AssumedFrom = TypeAliasType("AssumedFrom", Annotated[str, _ASSUMED])
QuotationHint = TypeAliasType("QuotationHint", Annotated[str, Schema(enum=("looks right", "looks different"))])
_CHANGE = Schema(
    enum=("moved", "edited", "reused", "removed"),
    description="Another number; the same number and other words; the number is another rule's now; gone.",
)
CitedChangeKind = TypeAliasType("CitedChangeKind", Annotated[str, _CHANGE])
_VERDICT = Schema(
    enum=("proven", "unproven", "uncited"),
    description="The words of every citation are verified; of one they are not; nothing is cited.",
)
Verdict = TypeAliasType("Verdict", Annotated[str, _VERDICT])
_LIKENESS = Schema(
    enum=("exact", "trivial", "paraphrase", "different"),
    description="How quoted words stand to the rule's: the same, but for marks, width or script; much alike; not alike.",
)
QuotationLikeness = TypeAliasType("QuotationLikeness", Annotated[str, _LIKENESS])


class QuotedPlace(Span):
    """The position of words in a rule: in its text or, if `own` is false, in an example or note."""

    rule: Iri
    lang: Lang
    own: bool


class VerifiedQuotation(Span):
    """Words that a text attributes to a rule; `nearest` are the rule's own words if they differ, `place` is their position.

    `likeness` is null if the rule is not loaded in the language of the words; `hint` is then a guess.
    """

    text: str
    status: QuotationStatus
    likeness: QuotationLikeness | None
    hint: QuotationHint | None
    nearest: str | None
    place: QuotedPlace | None


class VerifiedCitation(Span):
    """A citation: the rule in the cited edition, and the rule today (`now`) if that is another edition."""

    surface: str
    status: CitationStatus
    rule: Iri | None
    edition: str | None
    now: Iri | None
    quote: VerifiedQuotation | None
    candidates: list[Iri]
    checked: Checked | None
    fit: CitationFit | None
    """Whether the words around a citation without quotation are about its rule: a guess, which never changes the status. Null if
    too few words can be compared."""
    fits_better: Iri | None
    """The rule that the words fit better, if `fit` is doubtful; of an unchecked citation, the candidate that they fit."""
    read: bool | None
    """Whether the rule is among those that the request's `allowed` names; null without `allowed` or without a rule."""
    note: str | None


class AssumedEdition(TypedDict):
    """The default edition of a game's citations, and its source."""

    game: str
    edition: str
    why: AssumedFrom


class VerifyRequest(TypedDict):
    """A text to check, at most 64 KiB; `as_of` is the edition from which it cites (a complete or partial date, or a slug)."""

    text: str
    game: NotRequired[str | None]
    as_of: NotRequired[str | None]
    lang: NotRequired[str | None]
    allowed: NotRequired[list[str] | None]
    """References of the rules that the writer has read, at most 200; each citation then has `read`."""
    strict: NotRequired[bool | None]
    """Whether to return the text with unproven sentences marked."""


class GatedSentence(Span):
    """A sentence that cites or quotes a rule; `citations` are indices into the list of citations."""

    proven: bool
    citations: list[Count]


class Gate(TypedDict):
    """The text for display. `marked` contains each unproven sentence between ⟦ ⟧ with the reason, `kept` omits it."""

    verdict: Verdict
    marked: str
    kept: str
    sentences: list[GatedSentence]


class CitedChange(TypedDict):
    """A rule cited from an earlier edition that has changed since.

    `edited`: its words have changed, null without a common language or if the rule is gone; `only_references`: only the cited
    numbers have changed. `citations` are indices into the list of citations.
    """

    rule: Iri
    edition: str
    number: str
    kind: CitedChangeKind
    edited: bool | None
    only_references: bool
    now: Iri | None
    number_now: str | None
    citations: list[Count]


class NumberFix(Span):
    """A number or range of rules that moved unchanged, and its replacement; quotations are not changed."""

    surface: str
    replacement: str
    citations: list[Count]


class Verify(TypedDict):
    """The citations of a text in order, with verdicts; offsets are code points of the text."""

    lang: Lang
    as_of: str | None
    assumed: list[AssumedEdition]
    counts: dict[str, Count]
    """Status → number of citations, for every status."""
    citations: list[VerifiedCitation]
    changes: list[CitedChange]
    """Changes since the text was written."""
    fixes: list[NumberFix]
    """The numbers to update, if the move is certain and the text names no edition beside them."""
    gate: NotRequired[Gate]
    """Only with `strict`."""
