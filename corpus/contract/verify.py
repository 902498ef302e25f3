"""Citations and quotations of a text, held against the rules."""

from typing import Annotated, NotRequired

from typing_extensions import TypeAliasType, TypedDict

from corpus.contract.schema import Count, Iri, Lang, Schema, Span

CitationStatus = TypeAliasType(
    "CitationStatus",
    Annotated[
        str,
        Schema(
            enum=("verified", "edited", "moved", "reused", "misquoted", "not_found", "ambiguous", "unchecked"),
            description="The first that fits of not_found, ambiguous, unchecked, misquoted, reused, moved, edited, verified.",
        ),
    ],
)
Checked = TypeAliasType(
    "Checked", Annotated[str, Schema(enum=("words", "number"), description="Quoted words were compared, or the number looked up.")]
)
QuotationStatus = TypeAliasType("QuotationStatus", Annotated[str, Schema(enum=("verified", "misquoted", "unchecked"))])

AssumedFrom = TypeAliasType(
    "AssumedFrom",
    Annotated[
        str,
        Schema(
            enum=("as_of", "text", "today"),
            description="`as_of` of the request, a date in the text, or nothing: the current edition.",
        ),
    ],
)
QuotationHint = TypeAliasType("QuotationHint", Annotated[str, Schema(enum=("looks right", "looks different"))])
CitedChangeKind = TypeAliasType(
    "CitedChangeKind",
    Annotated[
        str,
        Schema(
            enum=("moved", "edited", "reused", "removed"),
            description="Another number; the same number and other words; the number is another rule's now; gone.",
        ),
    ],
)
Verdict = TypeAliasType(
    "Verdict",
    Annotated[
        str,
        Schema(
            enum=("proven", "unproven", "uncited"),
            description="The words of every citation are verified; of one they are not; nothing is cited.",
        ),
    ],
)
QuotationLikeness = TypeAliasType(
    "QuotationLikeness",
    Annotated[
        str,
        Schema(
            enum=("exact", "trivial", "paraphrase", "different"),
            description="How quoted words stand to the rule's: the same, but for marks, width or script; much alike; not alike.",
        ),
    ],
)


class QuotedPlace(Span):
    """Where words stand in a rule: in its text in a language or, where `own` is false, in an example or note of it."""

    rule: Iri
    lang: Lang
    own: bool


class VerifiedQuotation(Span):
    """Words that a text says are a rule's; `nearest` are the rule's own where they differ, `place` is where those stand.

    `likeness` is null where the rule is not loaded in the language of the words; `hint` is a guess at those.
    """

    text: str
    status: QuotationStatus
    likeness: QuotationLikeness | None
    hint: QuotationHint | None
    nearest: str | None
    place: QuotedPlace | None


class VerifiedCitation(Span):
    """A citation: the rule in the edition that it is cited from, and where that stands today (`now`) if in another edition."""

    surface: str
    status: CitationStatus
    rule: Iri | None
    edition: str | None
    now: Iri | None
    quote: VerifiedQuotation | None
    candidates: list[Iri]
    checked: Checked | None
    note: str | None


class AssumedEdition(TypedDict):
    """The edition that a game's citations were checked against where they name none, and what it was taken from."""

    game: str
    edition: str
    why: AssumedFrom


class VerifyRequest(TypedDict):
    """A text to check, at most 64 KiB; `as_of` is the edition that it cites from (a date, whole or in part, or a slug)."""

    text: str
    game: NotRequired[str | None]
    as_of: NotRequired[str | None]
    lang: NotRequired[str | None]
    strict: NotRequired[bool | None]
    """Whether the text is to come back with what is not proven marked."""


class GatedSentence(Span):
    """A sentence that cites, or holds words said to be a rule's; `citations` are the places of its citations in the list."""

    proven: bool
    citations: list[Count]


class Gate(TypedDict):
    """The text as it may be shown. `marked` has each sentence that is not proven between ⟦ ⟧ with the reason, `kept` lacks it."""

    verdict: Verdict
    marked: str
    kept: str
    sentences: list[GatedSentence]


class CitedChange(TypedDict):
    """A rule cited from an earlier edition that is not today what it was: the table that an author needs.

    `edited` tells whether its words have changed, null where the two editions have no language in common or the rule is gone;
    `only_references`: nothing has but the numbers that it refers to. `citations` are places in the list of citations.
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
    """A number or range of rules that have moved with their words, and what to write instead; nothing quoted is touched."""

    surface: str
    replacement: str
    citations: list[Count]


class Verify(TypedDict):
    """What a text cites, in its order, and whether it holds; offsets are code points of the text."""

    lang: Lang
    as_of: str | None
    assumed: list[AssumedEdition]
    counts: dict[str, Count]
    """Status → number of citations; every status is there."""
    citations: list[VerifiedCitation]
    changes: list[CitedChange]
    """What changed since the text was written."""
    fixes: list[NumberFix]
    """The numbers to bring up to date, where the move is certain and the text names no edition beside them."""
    gate: NotRequired[Gate]
    """Where `strict` is asked for."""
