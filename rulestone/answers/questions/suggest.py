"""Suggestions: what is typed is checked, and a game named before a number is taken for the game."""

from typing import TYPE_CHECKING

from corpus.errors import InputError
from corpus.games import Titles, game_called
from corpus.store.home.manifest import titles_of
from rulestone import games, limits

if TYPE_CHECKING:
    from corpus.contract import Suggestions
    from rulestone.live import OpenBundle


def suggestions(bundle: "OpenBundle", typed: str, game: str | None, lang: str, limit: int) -> "Suggestions":
    """What may be meant by the beginning of a question. Raises InputError."""
    if len(typed) > limits.QUERY:
        raise InputError("the query is {count} characters long; give 1 to {most} characters", count=len(typed), most=limits.QUERY)
    known = titles_of(bundle.knowledge.manifest)
    slug = games.game_of(game, known, games.RULES) if game else None
    words, named = _named(typed, known)
    return {"query": typed, "lang": lang, "suggestions": bundle.suggester.suggest(words, slug or named, lang, limit)}


def _named(typed: str, known: Titles) -> tuple[str, str | None]:
    """What is typed without the game that it begins with: `mtg 400.7`, `dm:400.3b`."""
    first, _, rest = typed.strip().replace(":", " ", 1).partition(" ")
    if rest.strip()[:1].isdigit() and (slug := game_called(first, known)) in known:
        return rest.strip(), slug
    return typed, None
