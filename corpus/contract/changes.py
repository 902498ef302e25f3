"""Changes between editions of a book, and threads of rules."""

from typing import Annotated

from typing_extensions import TypeAliasType, TypedDict

from corpus.contract.schema import Count, Iri, Lang, Schema, Share, Words

_KINDS = ("edited", "moved", "moved-edited", "split", "merged", "added", "removed")
ChangeKind = TypeAliasType("ChangeKind", Annotated[str, Schema(enum=_KINDS, description="What became of a rule.")])
StepKind = TypeAliasType(
    "StepKind", Annotated[str, Schema(enum=("first", "same", *_KINDS), description="How a version follows the one before it.")]
)
Bounds = Annotated[list[Count], Schema(min_items=2, max_items=2, description="Start and end in code points.")]


class ChangedSpan(TypedDict):
    """A run of words that is equal, deleted, inserted or replaced."""

    op: Annotated[str, Schema(enum=("equal", "insert", "delete", "replace"))]
    old: Bounds
    new: Bounds


class ChangedRule(TypedDict):
    """A rule of one of the two editions, with its words in the compared language."""

    iri: Iri
    number: str | None
    locator: Words
    heading: list[str]
    text: str


class Change(TypedDict):
    """The change of one rule. `reused` is the other rule that now has its old number, if any."""

    kind: ChangeKind
    old: ChangedRule | None
    new: ChangedRule | None
    similarity: Share | None
    spans: list[ChangedSpan]
    only_references: bool
    reused: Iri | None
    proposed: bool


_Between = TypedDict("_Between", {"book": Words, "from": Words, "to": Words})


class Changes(_Between):
    """The changes from an edition of a book to a later one; `lang` is the language of the shown words."""

    lang: Lang
    section: str | None
    summary: str
    counts: dict[str, Count]
    changes: list[Change]


class ThreadStep(TypedDict):
    """A rule in one edition; `iri` is null if that edition no longer has it."""

    edition: Words
    iri: Iri | None
    number: str | None
    kind: StepKind
    similarity: Share
    only_references: bool
    proposed: bool
    reused: Iri | None
    """The other rule that has the number of the previous version, if any."""


class Thread(TypedDict):
    """A rule through the editions of its book, the oldest first."""

    rule: Iri
    steps: list[ThreadStep]


class AddedEdition(TypedDict):
    """An edition in the feed, with its changes since the previous one if that is loaded."""

    iri: Iri
    game: str
    book: Words
    edition: Words
    title: Words
    languages: list[Lang]
    since: str | None
    summary: str


class Feed(TypedDict):
    """The loaded editions, the newest first."""

    editions: list[AddedEdition]


class Elsewhere(TypedDict):
    """A rule of another edition."""

    edition: Words
    iri: Iri
    number: str | None
    locator: Words


class History(TypedDict):
    """The former and current places of a rule, and other rules that have or had its number."""

    moved_from: list[Elsewhere]
    moved_to: list[Elsewhere]
    edited_since: list[Words]
    """Later editions that changed its words, the oldest first."""
    removed_in: str | None
    number_was: Elsewhere | None
    """The latest other rule with its number in an older edition."""
    number_is: Elsewhere | None
    """The first other rule with its number in a later edition."""
    changes: list[ChangedSpan]
    """The differences of the newest words, if any; `old` is this rule's text, `new` that of `now`."""
    now: Iri | None
