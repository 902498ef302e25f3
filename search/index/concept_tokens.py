"""Concept tokens: what a text speaks of, as one term per concept whatever the language and the game call it."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain

from corpus.address import COMMON, concept_iri, concept_name, graph_iri, scheme_of
from corpus.catalogue import catalogue
from corpus.games import names_of
from corpus.store.home.manifest import titles_of
from corpus.words.lexicon import LabelMatch, Lexicon
from corpus.words.tokens import Token, words
from ontology.concepts.labels import ALTERNATIVE, PREFERRED, StoredLabel, labels_in
from ontology.knowledge import Knowledge
from ontology.labels import labels, links
from search.index.floor import ideas

MARK = "c:"
"""What a concept token begins with; no word does."""
GAME = "game:"
ELSEWHERE = "elsewhere:"
LANGUAGE = "lang:"
TERMS = "terms"
"""What the name of the graph of a book's concepts begins with."""


def shared_concept(concept: str) -> str:
    """The cross-game concept that a concept is a case of, else itself. Shorter than an IRI."""
    return concept_name(links().hub.get(concept, concept))


@cache
def schemes() -> frozenset[str]:
    """The games that have shipped concepts of their own."""
    return frozenset(label.scheme for label in labels()) - set(COMMON)


def is_of(concept: str, game: str) -> bool:
    """Whether a concept belongs to a game, or to every game."""
    return scheme_of(concept_iri(concept)) in (*COMMON, game)


def shipped_pairs() -> Iterator[tuple[str, str]]:
    """Every shipped label and word of the floor with what it names, `scheme concept`, and its language; the names of games."""
    for label in labels():
        yield label.text, f"{label.scheme} {shared_concept(label.concept)}"
        yield label.text, f"{LANGUAGE}{label.lang}"
    for concept, lang, _, said in ideas():
        yield from ((word, f"{scheme_of(concept_iri(concept))} {concept}") for word in said)
        yield from ((word, f"{LANGUAGE}{lang}") for word in said)
    for game in catalogue().games:
        yield from ((name, f"{GAME}{game}") for name in names_of(game))
    yield from ((name, f"{ELSEWHERE}{name}") for names in catalogue().elsewhere for name in names)


def loaded_pairs(knowledge: Knowledge) -> Iterator[tuple[str, str]]:
    """The same of what is loaded: what books call the concepts that they define, and the games of which nothing is known but books.

    A longer name says what the shorter ones in it say: what speaks of a creature type speaks of a creature.
    """
    shipped = Lexicon(shipped_pairs())
    for label in _labels_of_books(knowledge):
        yield label.text, f"{scheme_of(label.concept)} {shared_concept(label.concept)}"
        if label.lang == "en" or not label.text.isascii():
            yield label.text, f"{LANGUAGE}{label.lang}"
        for part in shipped.find(words(label.text)):
            yield from ((label.text, value) for value in part.values if " " in value)
    for game, titles in titles_of(knowledge.manifest).items():
        if game not in catalogue().games:
            yield from ((name, f"{GAME}{game}") for name in names_of(game, titles))


def _labels_of_books(knowledge: Knowledge) -> list[StoredLabel]:
    """What the graphs of books, and a curator, call concepts, each once, in a stable order."""
    graphs = (graph_iri(TERMS, key) for key in (*knowledge.manifest.editions, "curator"))
    return sorted({label for graph in graphs for label in labels_in(knowledge.store, (PREFERRED, ALTERNATIVE), graph=graph)})


def lexicon(knowledge: Knowledge) -> Lexicon:
    """The labels of the ontology and of the loaded books. An index saves them: a query must not pay for reading them."""
    return Lexicon(chain(shipped_pairs(), loaded_pairs(knowledge)))


def found_in(tokens: Sequence[Token], lexicon: Lexicon, games: Sequence[str] = ()) -> Iterator[tuple[LabelMatch, list[str]]]:
    """The labels in a text with the concepts they name in some games (none: in all)."""
    for match in lexicon.find(tokens):
        if concepts := of_games(match.values, tuple(games)):
            yield match, concepts


def calling(match: LabelMatch, concept: str) -> tuple[str, ...]:
    """The games that call a concept by a label themselves; none where it is a word of all games."""
    named = (value.split(" ", 1) for value in sorted(match.values) if " " in value)
    return tuple(scheme for scheme, name in named if name == concept and scheme not in COMMON)


def shares(matches: Iterable[LabelMatch]) -> dict[str, float]:
    """How many of some labels each game has for its own: of one that several have each has a share, of a word of all games none."""
    told: dict[str, float] = {}
    for label in matches:
        schemes_ = {value.split(" ", 1)[0] for value in label.values if " " in value}
        for game in sorted(schemes_) if schemes_.isdisjoint(COMMON) else ():
            told[game] = told.get(game, 0.0) + 1 / len(schemes_)
    return told


def tokens_of(tokens: Sequence[Token], lexicon: Lexicon, game: str) -> Iterator[str]:
    """The concept tokens of a text of a game.

    A game of its own words is told by what any game calls a concept of all games, and by what its books define.
    """
    if game in schemes():
        named = (concept for _, some in found_in(tokens, lexicon, (game,)) for concept in some)
    else:
        named = (concept for _, some in found_in(tokens, lexicon) for concept in some if is_of(concept, game))
    return (MARK + concept for concept in named)


@cache
def of_games(values: frozenset[str], games: tuple[str, ...]) -> list[str]:
    """The concepts among what a label stands for, in some games (none: in all)."""
    named = (value.split(" ", 1) for value in sorted(values) if " " in value)
    return list(dict.fromkeys(name for scheme, name in named if not games or scheme in games or scheme in COMMON))


def games_in(match: LabelMatch) -> list[str]:
    """The games a label names."""
    return _after(GAME, match)


def elsewhere_in(match: LabelMatch) -> list[str]:
    """The games a label names of which nothing is known but the name, and no book is loaded."""
    return [] if games_in(match) else _after(ELSEWHERE, match)


def languages_of(match: LabelMatch) -> list[str]:
    """The languages that have a label as a word."""
    return _after(LANGUAGE, match)


def _after(mark: str, match: LabelMatch) -> list[str]:
    return sorted(value.removeprefix(mark) for value in match.values if value.startswith(mark))
