"""Citations and quotations of a text, held against the rules."""

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from corpus.contract.schema import Schema
from corpus.contract.words import Count, Iri, Lang, Span

CitationStatus = Annotated[
    str,
    Schema(
        name="citation_status",
        enum=("verified", "edited", "moved", "reused", "misquoted", "not_found", "ambiguous", "unchecked"),
        description="The first that fits of not_found, ambiguous, unchecked, misquoted, reused, moved, edited, verified.",
    ),
]
QuotationStatus = Annotated[str, Schema(name="quotation_status", enum=("verified", "misquoted", "unchecked"))]


class QuotedPlace(Span):
    """Where words stand in a rule: in its text in a language or, where `own` is false, in an example or note of it."""

    rule: Iri
    lang: Lang
    own: bool


class VerifiedQuotation(Span):
    """Words that a text says are a rule's; `nearest` are the rule's own where they differ, `place` is where those stand."""

    text: str
    status: QuotationStatus
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
    note: str | None


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

    verdict: Annotated[
        str,
        Schema(
            name="verdict",
            enum=("proven", "unproven", "uncited"),
            description="Every citation is verified; one is not; there is none.",
        ),
    ]
    marked: str
    kept: str
    sentences: list[GatedSentence]


class Verify(TypedDict):
    """What a text cites, in its order, and whether it holds; offsets are code points of the text."""

    lang: Lang
    as_of: str | None
    citations: list[VerifiedCitation]
    gate: NotRequired[Gate]
    """Where `strict` is asked for."""
