"""What a glossary would change: each of its terms with the concept that it may name, and whether that is new or contradicts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from corpus.address import concept_iri, game_of, is_concept
from corpus.comparison import DENIED
from corpus.languages import label_language
from ontology.concepts.matches import matches_of
from ontology.knowledge import Knowledge
from ontology.labels import Label, Sort
from ontology.translation.terms.printed import form, printed


class Finding(StrEnum):
    """What a term would be."""

    NEW = "new"
    KNOWN = "known"
    CONTRADICTS = "contradicts"
    FALSE_FRIEND = "false friend"
    AMBIGUOUS = "ambiguous"
    UNKNOWN = "unknown"


class TermLike(Protocol):
    """A name with its status, as a glossary has it."""

    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def status(self) -> str: ...  # noqa: D102


class RowLike(Protocol):
    """Terms for one thing, as a glossary has them."""

    @property
    def line(self) -> int: ...  # noqa: D102
    @property
    def terms(self) -> Mapping[str, Sequence[TermLike]]: ...  # noqa: D102
    @property
    def concept(self) -> str: ...  # noqa: D102
    @property
    def note(self) -> str: ...  # noqa: D102


class Proposal(NamedTuple):
    """One line of a file that a person edits: `decision` is theirs, `take` or `drop`; all else is there to be read or mended."""

    decision: str
    finding: Finding
    concept: str  # IRI; several with ` | ` between where nobody knows which
    called: str  # what that is called
    lang: str
    label: str
    status: str
    why: str
    line: int
    note: str


def propose(knowledge: Knowledge, rows: Sequence[RowLike], game: str | None) -> list[Proposal]:
    """A proposal for every term of some rows, in their order; nothing of it is taken."""
    friends = _Denied(knowledge)
    return [proposal for row in rows for proposal in _of_row(knowledge, row, game, friends)]


class _Denied:
    """Which concepts look alike and are not the same, read once."""

    def __init__(self, knowledge: Knowledge) -> None:
        by_concept = matches_of(knowledge.concepts.mappings(), "en")
        self._why = {
            frozenset((concept, match["concept"])): match["comment"]
            for concept, matches in by_concept.items()
            for match in matches
            if match["concept"] and match["predicate"].startswith(DENIED)
        }

    def why(self, concept: str, other: str) -> str | None:
        """What differs; None where nothing is said."""
        return self._why.get(frozenset((concept, other)))


def _of_row(knowledge: Knowledge, row: RowLike, game: str | None, friends: _Denied) -> Iterator[Proposal]:
    meant = _meant(knowledge, row, game)
    for lang, terms in row.terms.items():
        for term in terms:
            finding, why = _finding(knowledge, meant, lang, term, friends)
            called = " | ".join(knowledge.names.name(concept, "en")["label"] for concept in meant)
            yield Proposal("", finding, " | ".join(meant), called, lang, term.text, term.status, why, row.line, row.note)


def _meant(knowledge: Knowledge, row: RowLike, game: str | None) -> list[str]:
    """The concepts that a row may be about: the one that it says, else those that most of its names name."""
    if row.concept:
        named = row.concept if is_concept(row.concept) else concept_iri(row.concept)
        return [named] if named in knowledge.names.labels else []
    votes: Counter[str] = Counter()
    for lang, terms in row.terms.items():
        bearers = {bearer for term in terms for bearer in _bearers(knowledge, term.text, lang) if game in (None, game_of(bearer))}
        votes.update(bearer for bearer in bearers if game_of(bearer))
    most = max(votes.values(), default=0)
    return sorted(concept for concept, count in votes.items() if count == most)


def _bearers(knowledge: Knowledge, text: str, lang: str) -> list[str]:
    """The concepts that are called so in a language."""
    called = knowledge.names.called(text)
    return [concept for concept in called if any(label.lang == label_language(lang) for label in _labels(knowledge, concept, text))]


def _labels(knowledge: Knowledge, concept: str, text: str) -> list[Label]:
    return [label for label in knowledge.names.labels.get(concept, ()) if form(label.text) == form(text)]


def _finding(knowledge: Knowledge, meant: Sequence[str], lang: str, term: TermLike, friends: _Denied) -> tuple[Finding, str]:
    if not meant:
        return Finding.UNKNOWN, "no concept of the game is called so in any language of the row"
    if len(meant) > 1:
        return Finding.AMBIGUOUS, "several concepts are called so; leave one"
    bearers = _bearers(knowledge, term.text, lang)
    if meant[0] in bearers:
        return _known(knowledge, meant[0], lang, term)
    for other in bearers:
        if (why := friends.why(meant[0], other)) is not None:
            return Finding.FALSE_FRIEND, f"it names {other}, which is not the same: {why}"
    if own := [other for other in bearers if game_of(other) == game_of(meant[0])]:
        return Finding.CONTRADICTS, f"it names another concept of the game: {', '.join(own)}"
    return _beside_official(knowledge, meant[0], lang, term)


def _known(knowledge: Knowledge, concept: str, lang: str, term: TermLike) -> tuple[Finding, str]:
    """A name that is known already; that only the floor uses where a book prints another, it is no name to be preferred."""
    slang = all(label.sort is Sort.SLANG for label in _labels(knowledge, concept, term.text) if label.lang == label_language(lang))
    finding, why = _beside_official(knowledge, concept, lang, term) if slang else (Finding.KNOWN, "")
    return (finding, f"known as slang; {why}") if finding is Finding.CONTRADICTS else (Finding.KNOWN, "")


def _beside_official(knowledge: Knowledge, concept: str, lang: str, term: TermLike) -> tuple[Finding, str]:
    """Whether a book prints another name, where this is to be preferred."""
    wanted = label_language(lang)
    preferred = [name for name in knowledge.names.labels[concept] if name.lang == wanted and name.sort is Sort.PREFERRED]
    for label in preferred:
        there = printed(knowledge).get((concept, wanted, form(label.text)))
        if term.status == "preferred" and (there or label.official):
            who = there.authority.value if there else "official"
            return Finding.CONTRADICTS, f"the {who} text prints {label.text}"
    return Finding.NEW, ""
