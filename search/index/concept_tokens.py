"""Concept tokens: index terms for a concept, independent of its name in a language or game."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from operator import itemgetter

from corpus.address import SHARED_SCHEMES, concept_iri, concept_name, graph_iri, scheme_of
from corpus.catalogue import catalogue
from corpus.prepared import prepared
from corpus.reference import names_of
from corpus.store.home.manifest import titles_of
from corpus.words.lexicon import LabelMatch, Lexicon, Phrase
from corpus.words.tokens import Token, words
from ontology.keywords import keywords
from ontology.knowledge import Knowledge
from ontology.labels import ALT_LABEL, PREF_LABEL, StoredLabel, labels_in
from ontology.mappings import hubs_of_books
from ontology.shipped import shipped_labels, shipped_links
from search.index.thesaurus import thesaurus_entries

CONCEPT = "c:"
"""Prefix of a concept token; no word begins with it."""
LANGUAGE = "lang:"
_GAME, _UNKNOWN_GAME, _BOOK = "game:", "elsewhere:", "book:"
"""Prefixes of other values of the lexicon: the language of a label, the game that it names, the game whose loaded books alone have
it. A concept is `scheme name`."""
_VERB_ENDINGS = ("ed", "ing")
_ACTION_KINDS = ("KeywordAction", "TurnPart")
"""Kinds of keywords that name actions and parts of a turn."""
_TERMS_GRAPH, _EXTRACTED_GRAPH = "terms", "proposed"
"""First part of the IRI of a graph of concepts that a book defines, and of one of zones extracted from its rules."""


def shared_concept(concept: str) -> str:
    """The name of the cross-game concept to which a concept belongs, else its own; shorter than an IRI."""
    return concept_name(shipped_links().hub.get(concept, concept))


@cache
def games_with_concepts() -> frozenset[str]:
    """The games that have shipped concepts."""
    return frozenset(label.scheme for label in shipped_labels()) - set(SHARED_SCHEMES)


def shipped_label_entries() -> Iterator[tuple[str, str]]:
    """Every shipped label, word of the thesaurus and name of a game, each with its concept tokens and language."""
    for label in shipped_labels():
        yield label.text, f"{label.scheme} {shared_concept(label.concept)}"
        yield label.text, f"{LANGUAGE}{label.lang}"
    for concept, lang, _, idea_words in thesaurus_entries():
        yield from ((word, f"{scheme_of(concept_iri(concept))} {concept}") for word in idea_words)
        yield from ((word, f"{LANGUAGE}{lang}") for word in idea_words)
    for game in catalogue().games:
        yield from ((name, f"{_GAME}{game}") for name in names_of(game))
    for other in catalogue().other_games.values():
        yield from ((name, f"{_UNKNOWN_GAME}{name}") for name in other.all_names)


@cache
def shipped_lexicon() -> Lexicon:
    """The lexicon of `shipped_label_entries`; splitting all of these labels into words takes seconds."""
    return Lexicon.from_phrases(prepared("lexicon", lambda: dict(sorted(Lexicon(shipped_label_entries()).phrases.items()))))


def loaded_label_entries(knowledge: Knowledge) -> Iterator[tuple[str, str]]:
    """The same for loaded books: the labels of concepts that they define, and the names of games that the catalogue lacks.

    A label also stands for the concepts of shorter labels in it: a creature type is about creatures. In a game without shipped
    concepts, it also stands for the cross-game concept that is confirmed or proposed for its concept.
    """
    terms = _book_labels(knowledge, _TERMS_GRAPH)
    yield from _matched_label_entries(knowledge, terms)
    for label in terms:
        game = scheme_of(label.concept)
        yield label.text, f"{game} {shared_concept(label.concept)}"
        tokens = words(label.text)
        if tuple(token.norm for token in tokens) not in shipped_lexicon().phrases:
            yield label.text, f"{_BOOK}{game}"
        if label.lang == "en" or not label.text.isascii():
            yield label.text, f"{LANGUAGE}{label.lang}"
        for part in shipped_lexicon().find(tokens):
            yield from ((label.text, value) for value in part.values if " " in value)
    for game, titles in titles_of(knowledge.manifest).items():
        if game not in catalogue().games:
            yield from ((name, f"{_GAME}{game}") for name in names_of(game, titles))


def _matched_label_entries(knowledge: Knowledge, terms: Sequence[StoredLabel]) -> Iterator[tuple[str, str]]:
    every = hubs_of_books(knowledge.store).items()
    hubs = {concept: hub for concept, hub in every if scheme_of(concept) not in games_with_concepts()}
    for label in (*terms, *_book_labels(knowledge, _EXTRACTED_GRAPH)) if hubs else ():
        if label.concept in hubs:
            yield label.text, f"{scheme_of(label.concept)} {concept_name(hubs[label.concept])}"


def _book_labels(knowledge: Knowledge, kind: str) -> list[StoredLabel]:
    """The distinct labels in the graphs of a kind, those of books and of curators, in a stable order."""
    graphs = (graph_iri(kind, key) for key in (*knowledge.manifest.editions, "curator"))
    return sorted({label for graph in graphs for label in labels_in(knowledge.store, (PREF_LABEL, ALT_LABEL), graph=graph)})


def build_lexicon(knowledge: Knowledge) -> Lexicon:
    """The labels of the ontology and of the loaded books. It is stored in the index, because building it is slow."""
    return shipped_lexicon().extended(loaded_label_entries(knowledge))


@cache
def other_senses() -> Mapping[str, Sequence[str]]:
    """Verb form of a label → the cross-game concepts that share its stem and that it does not name: countered is no counter."""
    senses: Mapping[str, Sequence[str]] = prepared("senses", _other_senses)
    return senses


def _other_senses() -> dict[str, list[str]]:
    """A concept is an action if a single word for it is a verb form or an action of a game is a case of it; others are things."""
    forms: dict[str, dict[str, set[str]]] = {}
    for label, value in shipped_label_entries():
        tokens = words(label)
        if " " in value and len(tokens) == 1 and not tokens[0].cjk:
            concept = value.split(" ", 1)[1]
            if scheme_of(concept_iri(concept)) in SHARED_SCHEMES:
                forms.setdefault(tokens[0].norm, {}).setdefault(concept, set()).add(label.lower())
    actions = {word.hub for word in keywords() if word.kind in _ACTION_KINDS}
    actions |= {
        concept
        for forms_by_concept in forms.values()
        for concept, some in forms_by_concept.items()
        if any(map(_is_verb_form, some))
    }
    senses: dict[str, list[str]] = {}
    for forms_by_concept in forms.values():
        if things := sorted(forms_by_concept.keys() - actions):
            senses |= {form: things for some in forms_by_concept.values() for form in sorted(some) if _is_verb_form(form)}
    return senses


def _is_verb_form(word: str) -> bool:
    return word.endswith(_VERB_ENDINGS)


def find_concepts(tokens: Sequence[Token], lexicon: Lexicon, games: Sequence[str] = ()) -> Iterator[tuple[LabelMatch, list[str]]]:
    """The labels in a text that name concepts of these games (none: of all), with the concepts.

    Labels that only the loaded books of other games have do not count, as in `concept_tokens`.
    """
    only = tuple(games)
    for match in lexicon.find(tokens, partial(_is_of_others, only) if only else lambda _: False):
        if concepts := concepts_of_label(match.values, only):
            yield match, concepts


@cache
def concepts_of_label(values: frozenset[str], games: tuple[str, ...]) -> list[str]:
    """The concepts of these games (none: of all) among the values of a label."""
    scheme_and_name = (value.split(" ", 1) for value in sorted(values) if " " in value)
    return list(dict.fromkeys(name for scheme, name in scheme_and_name if not games or scheme in games or scheme in SHARED_SCHEMES))


def concept_tokens(tokens: Sequence[Token], lexicon: Lexicon, game: str) -> Iterator[str]:
    """The concept tokens of a text of a game.

    Labels that only the loaded books of other games have do not count: a text is split alike, whichever books are beside it.
    """
    for match in lexicon.find(tokens, partial(_is_of_others, (game,))):
        yield from (CONCEPT + concept for concept in concepts_in_game(match.values, game))


@cache
def concepts_in_game(values: frozenset[str], game: str) -> list[str]:
    """The concepts of a label in the texts of a game.

    In a game without shipped concepts, the labels of all games count for cross-game concepts, in addition to the concepts that its
    own books define.
    """
    if game in games_with_concepts():
        return concepts_of_label(values, (game,))
    return [concept for concept in concepts_of_label(values, ()) if _belongs_to(concept, game)]


@cache
def _is_of_others(games: tuple[str, ...], values: frozenset[str]) -> bool:
    """Whether only loaded books of other games have a label with these values."""
    books = {value for value in values if value.startswith(_BOOK)}
    return bool(books) and books.isdisjoint(f"{_BOOK}{game}" for game in games)


def loaded_labels(lexicon: Lexicon) -> list[tuple[Phrase, frozenset[str]]]:
    """The labels that loaded books add, or to which they add values, each with its values, sorted."""
    return sorted((lexicon.phrases.items() - shipped_lexicon().phrases.items()), key=itemgetter(0))


def loaded_concepts(labels: Iterable[tuple[Phrase, frozenset[str]]], game: str) -> dict[Phrase, list[str]]:
    """The labels of `loaded_labels` that have other concepts in the texts of a game than the shipped ones, with the concepts."""
    shipped = shipped_lexicon().phrases
    concepts_by_phrase: dict[Phrase, list[str]] = {}
    for phrase, values in labels:
        if _is_of_others((game,), values):
            continue
        concepts = concepts_in_game(values, game)
        if phrase not in shipped or concepts != concepts_in_game(shipped[phrase], game):
            concepts_by_phrase[phrase] = concepts
    return concepts_by_phrase


def _belongs_to(concept: str, game: str) -> bool:
    """Whether a concept belongs to a game, or is a cross-game concept."""
    return scheme_of(concept_iri(concept)) in (*SHARED_SCHEMES, game)


def games_with_label(match: LabelMatch, concept: str) -> tuple[str, ...]:
    """The games that use a label for a concept; none if all games use it."""
    scheme_and_name = (value.split(" ", 1) for value in sorted(match.values) if " " in value)
    return tuple(scheme for scheme, name in scheme_and_name if name == concept and scheme not in SHARED_SCHEMES)


def game_term_shares(matches: Iterable[LabelMatch]) -> dict[str, float]:
    """The number of labels specific to each game: shared labels count for each of the sharing games, common ones for none."""
    shares: dict[str, float] = {}
    for match in matches:
        games = {value.split(" ", 1)[0] for value in match.values if " " in value}
        for game in sorted(games) if games.isdisjoint(SHARED_SCHEMES) else ():
            shares[game] = shares.get(game, 0.0) + 1 / len(games)
    return shares


def named_games(match: LabelMatch) -> list[str]:
    """The games that a label names."""
    return _values_with_prefix(_GAME, match)


def unknown_games(match: LabelMatch) -> list[str]:
    """The games that a label names and of which no book is loaded."""
    return [] if named_games(match) else _values_with_prefix(_UNKNOWN_GAME, match)


def label_languages(match: LabelMatch) -> list[str]:
    """The languages in which a label is a word."""
    return _values_with_prefix(LANGUAGE, match)


def _values_with_prefix(prefix: str, match: LabelMatch) -> list[str]:
    return sorted(value.removeprefix(prefix) for value in match.values if value.startswith(prefix))
