"""The names of games: from the catalogue, its list of other games, and the titles of loaded books."""

import re
from collections.abc import Iterable, Mapping
from functools import cache

from corpus.catalogue import catalogue
from corpus.reference import game_named, plain_name
from corpus.words.text import fold

_LONGEST = 60
"""Maximum length of a title in characters; a longer first line is a sentence."""
_SHORTEST = 4
"""Minimum number of letters in a one-word Latin name of a game; a shorter one is a word like "The"."""
Titles = Mapping[str, Iterable[str]]
"""Game → the titles of its loaded books, and the names that a user gave it."""


class GameName(str):
    """A user's name for a game, or another title, which is searched for a name."""

    __slots__ = ()


def names_of(game: str, titles: Iterable[str] = ()) -> tuple[str, ...]:
    """All names of a game, its slug first; `titles` of books name a game that the catalogue does not have."""
    described = catalogue().games.get(game)
    if described:
        return tuple(dict.fromkeys((game, *described.names.values(), *described.aliases)))
    own_names = (game, game.replace("-", " "), *filter(None, map(_name_in, titles)))
    folded = {fold(name) for name in own_names}
    synonyms = (name for names in catalogue().other_games if folded & {fold(name) for name in names} for name in names)
    return tuple(dict.fromkeys((*own_names, *synonyms)))


def title_of(game: str, titles: Iterable[str]) -> str | None:
    """The name of a game outside the catalogue: the user's, else its books'; None without either."""
    told = sorted(titles, key=lambda title: not isinstance(title, GameName))
    return next((name for title in told if (name := _name_in(title))), None)


def _name_in(title: str) -> str | None:
    return str(title) if isinstance(title, GameName) else named_in(title)


def game_called(name: str, loaded: Titles) -> str | None:
    """The slug of a game by any of its names, in the catalogue or among loaded games; None for an unknown name."""
    if name in loaded:
        return name
    if slug := game_named(name):
        return slug
    plain = plain_name(name)
    undescribed = (game for game in loaded if game not in catalogue().games)
    return next((game for game in undescribed if plain in map(plain_name, names_of(game, loaded[game]))), None)


@cache
def named_in(title: str) -> str | None:
    """The game in a rulebook's title: `The Game of Ferrymen` in `The Game of Ferrymen: Complete Rules ver. 2`.

    None for a title that lacks a word for rules, or that has nothing else.
    """
    if not title or len(title) > _LONGEST:
        return None
    words = _tail().sub("", title)
    name = words.strip(" \t:：-–—|・/")
    if words == title or not name or fold(name) in {fold(word) for word in catalogue().titles["not_games"]}:
        return None
    return name if not name.isascii() or " " in name or len(name) >= _SHORTEST else None


@cache
def _tail() -> re.Pattern[str]:
    titles = catalogue().titles
    kinds = "|".join(titles["book"])
    return re.compile(rf"(?:(?<=\W)|(?<=[^\x00-\x7f])|(?=[^\x00-\x7f])|^)(?:{kinds})(?:{titles['version']})?\s*$", re.IGNORECASE)
