"""The termbase: the concepts of games with their terms, the terms' sources, false friends, and the rules that define them."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from corpus.address import game_of
from corpus.catalogue import catalogue
from corpus.data_files import read_toml
from corpus.errors import InputError
from corpus.languages import choose, label_language
from corpus.model import Authority
from corpus.words.sentences import split_sentences
from ontology.concepts.concepts import concept_list, concepts_with_definitions
from ontology.knowledge import Knowledge
from ontology.translation.glossary import FORBIDDEN, CuratedLabel
from ontology.translation.terms import PrintedName, false_friends, form, printed_names

if TYPE_CHECKING:
    from corpus.contract import ConceptDescribed, ConceptLabel


class TermStatus(StrEnum):
    """Whether a term should be used (ISO 12620)."""

    PREFERRED = "preferred"
    ADMITTED = "admitted"
    DEPRECATED = "deprecated"


_STATUS_BY_SORT = {
    "preferred": TermStatus.PREFERRED,
    "alternative": TermStatus.ADMITTED,
    "slang": TermStatus.DEPRECATED,
    "forbidden": TermStatus.DEPRECATED,
}
_CONCEPT_GROUPS = read_toml("ontology", "termbase.toml")
OURS, OFFICIAL, CURATOR = "ours", "official", "curator"


@dataclass(frozen=True, slots=True)
class Example:
    """A rule that uses a term, and its sentence if texts are included."""

    rule: str  # IRI
    words: str | None


@dataclass(frozen=True, slots=True)
class TermbaseTerm:
    """A name of a concept in one language; `authority` is a text's, `curator` or `ours`."""

    text: str
    lang: str
    status: TermStatus
    authority: str
    source: str  # the book that prints it, or the curator's name
    slang: bool
    example: Example | None
    decision: CuratedLabel | None = None

    @property
    def is_forbidden(self) -> bool:
        """Whether a person decided that it must not be used."""
        return self.decision is not None and self.decision.status == FORBIDDEN


@dataclass(frozen=True, slots=True)
class TermbaseEntry:
    """A concept with its terms; definitions are Rulestone's, `false_friends` states the differences to similar concepts."""

    concept: str  # IRI
    game: str
    kind: str
    definition: Mapping[str, str]
    defined_by: Sequence[str]  # IRIs
    terms: Sequence[TermbaseTerm]
    false_friends: Sequence[str]


@dataclass(frozen=True, slots=True)
class TermbaseScope:
    """The scope of a termbase: games (none: all), languages in their order (none: all), groups or kinds of concepts."""

    games: Sequence[str] = ()
    languages: Sequence[str] = ()
    concepts: Sequence[str] = ()
    with_texts: bool = False


def entries(knowledge: Knowledge, scope: TermbaseScope, decisions: Iterable[CuratedLabel] = ()) -> list[TermbaseEntry]:
    """The concepts of a scope, game by game, with their terms in its languages and the `decisions` about them.

    Raises InputError for an unknown group.
    """
    lang = scope.languages[0] if scope.languages else "en"
    briefs = (brief for brief in concept_list(knowledge, lang) if brief["game"] is not None)
    iris = [brief["concept"] for brief in briefs if not scope.games or brief["game"] in scope.games]
    concepts = concepts_in_groups(knowledge, concepts_with_definitions(knowledge, iris, lang), scope.concepts)
    friends = _false_friends(knowledge, [concept["concept"] for concept in concepts], lang)
    decision_of = {label[:3]: label for label in decisions}
    every = [_entry(knowledge, concept, scope, friends.get(concept["concept"], [])) for concept in concepts]
    return [_with_decisions(entry, decision_of) for entry in every if entry.terms]


def _with_decisions(entry: TermbaseEntry, decision_of: Mapping[tuple[str, str, str], CuratedLabel]) -> TermbaseEntry:
    terms = [replace(term, decision=decision_of.get((entry.concept, term.lang, term.text))) for term in entry.terms]
    return replace(entry, terms=terms)


def _false_friends(knowledge: Knowledge, concepts: Sequence[str], lang: str) -> Mapping[str, list[str]]:
    """Concept → its false friends, in words."""
    friends: dict[str, list[str]] = {}
    for friend in false_friends(knowledge, concepts, lang):
        for concept, other in ((friend["concept"], friend["other"]), (friend["other"]["concept"], friend)):
            friends.setdefault(concept, []).append(f"≠ {other['label']} ({other['game']}): {friend['comment']}".strip())
    return friends


def _entry(knowledge: Knowledge, concept: "ConceptDescribed", scope: TermbaseScope, friends: Sequence[str]) -> TermbaseEntry:
    languages = scope.languages or tuple(concept["labels"])
    terms = (term for lang in languages for term in _terms(knowledge, concept, lang, with_texts=scope.with_texts))
    return TermbaseEntry(
        concept["concept"],
        game_of(concept["concept"]) or "",
        concept["kind"],
        {lang: concept["definition"][lang] for lang in languages if lang in concept["definition"]},
        [pointer["rule"] for pointer in concept["defined_by"]],
        list(terms),
        friends,
    )


def _terms(knowledge: Knowledge, concept: "ConceptDescribed", lang: str, *, with_texts: bool) -> Iterator[TermbaseTerm]:
    for label in concept["labels"].get(lang, ()):
        name = concept["concept"], label_language(lang), form(label["label"])
        game = game_of(concept["concept"]) or ""
        yield _term(label, game, lang, printed_names(knowledge).get(name), with_texts=with_texts)


def _publisher(game: str, lang: str) -> str:
    """The authority of a game's books in a language: the publisher's, or a recognised translation's."""
    books = (book for book in catalogue().books.values() if book.game == game)
    ranks = [book.authorities[lang] for book in books if lang in book.authorities]
    return Authority.TRANSLATION.value if Authority.TRANSLATION in ranks and Authority.OFFICIAL not in ranks else OFFICIAL


def _term(label: "ConceptLabel", game: str, lang: str, printed_name: PrintedName | None, *, with_texts: bool) -> TermbaseTerm:
    curator, example = label.get("curator"), _example(printed_name, lang, with_texts=with_texts)
    if curator:
        return TermbaseTerm(label["label"], lang, _STATUS_BY_SORT[label["sort"]], CURATOR, curator, False, example)
    slang = label["sort"] == "slang" and printed_name is None
    status = TermStatus.ADMITTED if label["sort"] == "slang" and printed_name else _STATUS_BY_SORT[label["sort"]]
    authority = printed_name.authority.value if printed_name else _publisher(game, lang) if label["official"] else OURS
    return TermbaseTerm(label["label"], lang, status, authority, _term_source(printed_name), slang, example)


def _term_source(printed_name: PrintedName | None) -> str:
    return (
        f"{catalogue().book(printed_name.key.game, printed_name.key.book).title} {printed_name.key.edition}" if printed_name else ""
    )


def _example(printed_name: PrintedName | None, lang: str, *, with_texts: bool) -> Example | None:
    if printed_name is None or printed_name.passage is None:
        return None
    return Example(printed_name.passage.rule, _sentence(printed_name, lang) if with_texts else None)


def _sentence(printed_name: PrintedName, lang: str) -> str | None:
    """The sentence that contains the name; None if its place is unknown."""
    text = printed_name.passage.words.get(choose(lang, printed_name.passage.words) or "", "") if printed_name.passage else ""
    first = printed_name.span[0] if printed_name.span else -1
    return next((text[span.start : span.end] for span in split_sentences(text) if span.start <= first < span.end), None)


def games_of_entries(termbase_entries: Iterable[TermbaseEntry]) -> list[str]:
    """The games of some entries, in their order."""
    return list(dict.fromkeys(entry.game for entry in termbase_entries))


def concepts_in_groups(
    knowledge: Knowledge, concepts: "Sequence[ConceptDescribed]", names: Collection[str]
) -> "list[ConceptDescribed]":
    """The concepts of some groups or kinds, by name; without names all of them. Raises InputError for an unknown name."""
    kinds = {concept["kind"] for concept in concepts} | {kind for row in _CONCEPT_GROUPS.values() for kind in row["kinds"]}
    if unknown := [name for name in names if name not in kinds and name not in _CONCEPT_GROUPS]:
        every = ", ".join(dict.fromkeys((*_CONCEPT_GROUPS, *sorted(kinds))))
        raise InputError("concepts {unknown}: expected some of {known}", unknown=", ".join(unknown)[:80], known=every)
    if not names:
        return list(concepts)
    titles = _section_titles(knowledge, concepts) if any("titles" in _CONCEPT_GROUPS.get(name, {}) for name in names) else {}
    tests = [_group_test(name, titles) for name in names]
    return [concept for concept in concepts if any(test(concept) for test in tests)]


def _group_test(name: str, titles: Mapping[str, str]) -> "Callable[[ConceptDescribed], bool]":
    group = _CONCEPT_GROUPS.get(name, {"kinds": [name]})
    words = group.get("titles", ("",))

    def is_in_group(concept: "ConceptDescribed") -> bool:
        titles_above = titles.get(concept["concept"], "")
        under_title = concept["kind"] != "book-term" or any(word in titles_above for word in words)
        return concept["kind"] in group["kinds"] and under_title

    return is_in_group


def _section_titles(knowledge: Knowledge, concepts: "Iterable[ConceptDescribed]") -> Mapping[str, str]:
    """Concept → the titles above the rules that define it, in lower case."""
    rules = {concept["concept"]: [pointer["rule"] for pointer in concept["defined_by"]] for concept in concepts}
    records = knowledge.by_iri({rule for concept_rules in rules.values() for rule in concept_rules})
    above = {iri: [title for path in record["headings"].values() for title in path] for iri, record in records.items()}
    titles = {
        concept: [title for rule in concept_rules for title in above.get(rule, ())] for concept, concept_rules in rules.items()
    }
    return {concept: "\n".join(concept_titles).lower() for concept, concept_titles in titles.items()}
