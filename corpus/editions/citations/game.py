"""The games that a text names, and which of them a citation is of."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from corpus.catalogue import catalogue
from corpus.editions.citations.mention import Item
from corpus.editions.citations.phrases import any_of, compiled, listed, shared, single
from corpus.editions.citations.sentence import Ends
from corpus.games import names_of
from corpus.words.text import narrow

_GAP = 60
"""Characters that can stand between a game's name and the number of its rule."""


class Named(NamedTuple):
    """A game's name in a text; `everyday`: a word that mostly means something else. `game` is None for an unknown game."""

    start: int
    end: int
    game: str | None
    everyday: bool


Names = Mapping[str, Iterable[str]]
"""Game → every name of it, its slug among them."""


def games_in(text: str, names: Names) -> list[Named]:
    """The names of games in a text, in its order: of those that are loaded, and of those that the catalogue knows besides."""
    known = _known(tuple((game, tuple(names[game])) for game in names))
    games = dict(known)
    everyday = frozenset(listed("game", "everyday"))
    named: list[Named] = []
    for match in _finder(known).finditer(text):
        name, game = match[0], games[match[0].lower()]
        common = name in everyday or (name == game and name not in catalogue().games)
        named.append(Named(match.start(), match.end(), game, common and name.islower() and name.isascii()))
    return named


@lru_cache(maxsize=8)
def _known(loaded: tuple[tuple[str, tuple[str, ...]], ...]) -> "frozenset[tuple[str, str | None]]":
    """Each name as a text may have it, and its game."""
    games: dict[str, str | None] = {narrow(name).lower(): None for names in catalogue().elsewhere for name in names}
    for slug in catalogue().games:
        games.update((narrow(name).lower(), slug) for name in names_of(slug))
    for slug, names in loaded:
        games.update((narrow(name).lower(), slug) for name in names)
    return frozenset(games.items())


@lru_cache(maxsize=8)
def _finder(known: "frozenset[tuple[str, str | None]]") -> re.Pattern[str]:
    latin = [re.escape(name) for name, _ in known if name.isascii()]
    others = [re.escape(name) for name, _ in known if not name.isascii()]
    return compiled(rf"(?<![A-Za-z0-9]){any_of(*latin)}(?![A-Za-z0-9])|{any_of(*others)}")


@lru_cache(maxsize=1)
def _between() -> re.Pattern[str]:
    return compiled(rf"(?:{single('game', 'between')})*+")


@lru_cache(maxsize=1)
def _behind() -> re.Pattern[str]:
    return compiled(rf"(?:{single('game', 'behind')})*+")


@lru_cache(maxsize=1)
def _joined() -> re.Pattern[str]:
    return compiled(rf"\s{{0,2}}{any_of(*shared('join'), *listed('list', 'join'))}\s{{0,2}}")


class Games:
    """The games that a text names, by their places."""

    def __init__(self, text: str, named: list[Named], sentences: Ends, paragraphs: Ends) -> None:
        """`text` without what is said of editions."""
        self._text, self._named = text, named
        self._starts = [name.start for name in named]
        self._scopes = (sentences, paragraphs)
        self._by_part = [self._in_parts(ends) for ends in self._scopes]
        self._every = tuple(dict.fromkeys(name.game for name in named if name.game and not name.everyday))

    def beside(self, item: Item) -> list[Named]:
        """The name right before a citation, or right behind it; several where they are named in one breath."""
        at = bisect_left(self._starts, item.start)
        before = self._named[at - 1] if at else None
        if before and item.start - before.end <= _GAP and _between().fullmatch(self._text[before.end : item.start]):
            return [*(name for name in self._named[max(0, at - 2) : at - 1] if self._listed(name, before)), before]
        behind = self._named[at] if at < len(self._named) else None
        if behind and behind.start >= item.end and _behind().fullmatch(self._text[item.end : behind.start][:_GAP]):
            return [behind]
        return []

    def _listed(self, name: Named, other: Named) -> bool:
        """Whether two different games are named in one breath: a number behind them can be of either."""
        return name.game != other.game and bool(_joined().fullmatch(self._text[name.end : other.start]))

    def name(self, named: Named) -> str:
        """A game's name as it is written."""
        return self._text[named.start : named.end]

    def around(self, item: Item, scope: int) -> tuple[str, ...]:
        """The games named in the sentence (scope 0) or paragraph (1) of a citation, or in the whole text (2)."""
        if scope == len(self._scopes):
            return self._every
        return tuple(self._by_part[scope].get(self._scopes[scope].part(item.start), ()))

    def _in_parts(self, ends: Ends) -> dict[int, dict[str, None]]:
        """Part of the text → the games that it names, in its order."""
        parts: dict[int, dict[str, None]] = {}
        for name in self._named:
            if name.game and not name.everyday:
                parts.setdefault(ends.part(name.start), {})[name.game] = None
        return parts
