"""The termbase: every concept of some games with its terms, who says so, what it is not, and the rules that prove it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from corpus.address import game_of
from corpus.catalogue import catalogue
from corpus.languages import choose, label_language
from corpus.model import Authority
from ontology.concepts.concepts import briefly, described
from ontology.knowledge import Knowledge
from ontology.translation.bitext.sentences import sentences
from ontology.translation.termbase.groups import within
from ontology.translation.terms.printed import Printed, form, printed
from ontology.translation.terms.terms import false_friends

if TYPE_CHECKING:
    from corpus.contract import ConceptDescribed, ConceptLabel, FalseFriend


class Status(StrEnum):
    """Whether a term is to be used, as ISO 12620 has it."""

    PREFERRED = "preferred"
    ADMITTED = "admitted"
    DEPRECATED = "deprecated"


_STATUS = {"preferred": Status.PREFERRED, "alternative": Status.ADMITTED, "slang": Status.DEPRECATED}
OURS, OFFICIAL, CURATOR = "ours", "official", "curator"


@dataclass(frozen=True, slots=True)
class Example:
    """A use of a term, by its address; its sentence only where that is asked for."""

    rule: str  # IRI
    words: str | None


@dataclass(frozen=True, slots=True)
class Term:
    """A name of a concept in one language, its status, and who says so: a book's authority, a curator, or we."""

    text: str
    lang: str
    status: Status
    authority: str
    source: str  # the book that prints it, or who named it so
    slang: bool
    example: Example | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A concept with its terms; definitions are ours, `defined_by` and `false_friends` are rules and what differs."""

    concept: str  # IRI
    game: str
    kind: str
    definition: Mapping[str, str]
    defined_by: Sequence[str]  # IRIs
    terms: Sequence[Term]
    false_friends: Sequence[str]


@dataclass(frozen=True, slots=True)
class Scope:
    """What a termbase is to hold: games (none: all), languages in their order (none: all), groups or kinds of concepts."""

    games: Sequence[str] = ()
    languages: Sequence[str] = ()
    concepts: Sequence[str] = ()
    with_texts: bool = False


def entries(knowledge: Knowledge, scope: Scope) -> list[Entry]:
    """The concepts of games in a scope, game by game, with those terms that are in its languages. Raises InputError."""
    lang = scope.languages[0] if scope.languages else "en"
    listed = [brief["concept"] for brief in briefly(knowledge, lang) if _is_wanted(brief["game"], scope.games)]
    chosen = within(knowledge, described(knowledge, listed, lang), scope.concepts)
    friends = _friends(knowledge, [concept["concept"] for concept in chosen], lang)
    made = (_entry(knowledge, concept, scope, friends.get(concept["concept"], [])) for concept in chosen)
    return [entry for entry in made if entry.terms]


def _is_wanted(game: str | None, games: Collection[str]) -> bool:
    return game is not None and (not games or game in games)


def _friends(knowledge: Knowledge, concepts: Sequence[str], lang: str) -> Mapping[str, list[str]]:
    """Concept → what it is not, in words."""
    said: dict[str, list[str]] = {}
    for friend in false_friends(knowledge, concepts, lang):
        for mine, other in ((friend["concept"], friend["other"]), (friend["other"]["concept"], friend)):
            said.setdefault(mine, []).append(_friend(other, friend))
    return said


def _friend(other: Mapping[str, object], friend: "FalseFriend") -> str:
    return f"≠ {other['label']} ({other['game']}): {friend['comment']}".strip()


def _entry(knowledge: Knowledge, concept: "ConceptDescribed", scope: Scope, friends: Sequence[str]) -> Entry:
    wanted = scope.languages or tuple(concept["labels"])
    terms = (term for lang in wanted for term in _terms(knowledge, concept, lang, with_texts=scope.with_texts))
    return Entry(
        concept["concept"],
        game_of(concept["concept"]) or "",
        concept["kind"],
        {lang: concept["definition"][lang] for lang in wanted if lang in concept["definition"]},
        [pointer["rule"] for pointer in concept["defined_by"]],
        list(terms),
        friends,
    )


def _terms(knowledge: Knowledge, concept: "ConceptDescribed", lang: str, *, with_texts: bool) -> Iterator[Term]:
    for label in concept["labels"].get(lang, ()):
        place = concept["concept"], label_language(lang), form(label["label"])
        yield _term(label, game_of(concept["concept"]) or "", lang, printed(knowledge).get(place), with_texts=with_texts)


def _publisher(game: str, lang: str) -> str:
    """Who prints a game's books in a language: its publisher, or a recognised translation."""
    books = (book for book in catalogue().books.values() if book.game == game)
    ranks = [book.authorities[lang] for book in books if lang in book.authorities]
    return Authority.TRANSLATION.value if Authority.TRANSLATION in ranks and Authority.OFFICIAL not in ranks else OFFICIAL


def _term(label: "ConceptLabel", game: str, lang: str, there: Printed | None, *, with_texts: bool) -> Term:
    curator = label.get("curator")
    if curator:
        return Term(
            label["label"], lang, _STATUS[label["sort"]], CURATOR, curator, False, _example(there, lang, with_texts=with_texts)
        )
    slang = label["sort"] == "slang" and there is None
    status = Status.ADMITTED if label["sort"] == "slang" and there else _STATUS[label["sort"]]
    authority = there.authority.value if there else _publisher(game, lang) if label["official"] else OURS
    return Term(label["label"], lang, status, authority, _source(there), slang, _example(there, lang, with_texts=with_texts))


def _source(there: Printed | None) -> str:
    return f"{catalogue().book(there.key.game, there.key.book).title} {there.key.edition}" if there else ""


def _example(there: Printed | None, lang: str, *, with_texts: bool) -> Example | None:
    if there is None or there.passage is None:
        return None
    return Example(there.passage.rule, _sentence(there, lang) if with_texts else None)


def _sentence(there: Printed, lang: str) -> str | None:
    """The sentence that a name stands in; None where it is in none."""
    text = there.passage.words.get(choose(lang, there.passage.words) or "", "") if there.passage else ""
    first = there.span[0] if there.span else -1
    return next((text[span.start : span.end] for span in sentences(text) if span.start <= first < span.end), None)


def games_of(chosen: Iterable[Entry]) -> list[str]:
    """The games that some entries are of, in their order."""
    return list(dict.fromkeys(entry.game for entry in chosen))
