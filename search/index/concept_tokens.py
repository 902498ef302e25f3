"""Concept tokens: what a text speaks of, as one term per concept whatever the language and the game call it."""

from collections.abc import Iterator, Sequence
from functools import cache

from corpus.address import COMMON, concept_iri, concept_name, scheme_of
from corpus.catalogue import catalogue
from corpus.lexicon import LabelMatch, Lexicon
from corpus.tokens import Token
from ontology.labels import labels, links

MARK = "c:"
"""What a concept token begins with; no word does."""
GAME = "game:"
ELSEWHERE = "elsewhere:"
LANGUAGE = "lang:"


def shared_concept(concept: str) -> str:
    """The cross-game concept that a concept is a case of, else itself. Shorter than an IRI."""
    return concept_name(links().hub.get(concept, concept))


def schemes() -> set[str]:
    """The games that have concepts of their own."""
    return {label.scheme for label in labels()} - set(COMMON)


def is_common(concept: str) -> bool:
    """Whether a concept belongs to every game."""
    return scheme_of(concept_iri(concept)) in COMMON


def pairs() -> Iterator[tuple[str, str]]:
    """Every label with what it names, `scheme concept`, and the language it is a word of; and the names of games."""
    for label in labels():
        yield label.text, f"{label.scheme} {shared_concept(label.concept)}"
        yield label.text, f"{LANGUAGE}{label.lang}"
    known = catalogue()
    for game in known.games.values():
        for name in (game.slug, *game.names.values(), *game.aliases):
            yield name, f"{GAME}{game.slug}"
    for name in known.elsewhere:
        yield name, f"{ELSEWHERE}{name}"


def lexicon() -> Lexicon:
    """The labels of the ontology. An index saves them: a query must not pay for reading the ontology."""
    return Lexicon(pairs())


def found_in(tokens: Sequence[Token], lexicon: Lexicon, games: Sequence[str] = ()) -> Iterator[tuple[LabelMatch, list[str]]]:
    """The labels in a text with the concepts they name in some games (none: in all)."""
    for found in lexicon.find(tokens):
        if concepts := _of_games(found.values, tuple(games)):
            yield found, concepts


@cache
def _of_games(values: frozenset[str], games: tuple[str, ...]) -> list[str]:
    named = (value.split(" ", 1) for value in sorted(values) if " " in value)
    return list(dict.fromkeys(name for scheme, name in named if not games or scheme in games or scheme in COMMON))


def games_in(found: LabelMatch) -> list[str]:
    """The games a label names."""
    return _after(GAME, found)


def elsewhere_in(found: LabelMatch) -> list[str]:
    """The games a label names of which the catalogue knows nothing but the name."""
    return _after(ELSEWHERE, found)


def languages_of(found: LabelMatch) -> list[str]:
    """The languages that have a label as a word."""
    return _after(LANGUAGE, found)


def _after(mark: str, found: LabelMatch) -> list[str]:
    return sorted(value.removeprefix(mark) for value in found.values if value.startswith(mark))
