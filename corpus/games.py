"""What games are called: in the catalogue, among the names of games elsewhere, and by the titles of their books."""

import re
from collections.abc import Iterable, Mapping
from functools import cache

from corpus.catalogue import catalogue
from corpus.reference import game_named, plain_name
from corpus.words.text import fold

_LONGEST = 60
"""Characters of a title that may name a game; a longer first line is a sentence."""
_SHORTEST = 4
"""Letters below which one word of Latin script names no game: "The Rules"."""
Titles = Mapping[str, Iterable[str]]
"""Game → the titles of its books that are loaded."""


def names_of(game: str, titles: Iterable[str] = ()) -> tuple[str, ...]:
    """Every name of a game that is loaded, its slug first: a game that nobody described has its slug and its books' titles."""
    known = catalogue().games.get(game)
    if known:
        return tuple(dict.fromkeys((game, *known.names.values(), *known.aliases)))
    own = (game, game.replace("-", " "), *filter(None, map(named_in, titles)))
    folded = {fold(name) for name in own}
    beside = (name for names in catalogue().elsewhere if folded & {fold(name) for name in names} for name in names)
    return tuple(dict.fromkeys((*own, *beside)))


def game_called(name: str, loaded: Titles) -> str | None:
    """The slug of a game by any name of it: those of the catalogue, and those of the games that are loaded; None for none."""
    if name in loaded:
        return name
    if slug := game_named(name):
        return slug
    plain = plain_name(name)
    own = (game for game in loaded if game not in catalogue().games)
    return next((game for game in own if plain in map(plain_name, names_of(game, loaded[game]))), None)


@cache
def named_in(title: str) -> str | None:
    """The game that a rulebook's title names: `The Game of Ferrymen` of `The Game of Ferrymen: Complete Rules ver. 2`.

    None for a title that does not say it is one of rules, and for one that says nothing else.
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
