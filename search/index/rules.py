"""What ranking knows of the rules: whole columns of it for ranking, one rule at a time for showing."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.address import EditionKey
from corpus.age import newest_first
from corpus.model import HEADINGS

_NAMES = ("iri", "game", "book", "edition", "locator", "number", "kind")
Flags = NDArray[np.bool_]
"""One flag a rule, shape (rules,)."""


@dataclass(frozen=True, slots=True)
class IndexedRule:
    """What ranking knows of a rule."""

    iri: str
    game: str
    book: str
    edition: str
    locator: str
    number: str | None
    kind: str
    langs: tuple[str, ...]  # of its texts
    current: bool
    searched: bool  # False for what is known from the digest alone and read in another edition
    group: int  # rules of several editions that are one rule


def row(record: Mapping[str, Any], group: int, *, searched: bool) -> list[Any]:
    """A rule as an index file has it."""
    return [*(record[name] for name in _NAMES), list(record["texts"]), record["current"], searched, group]


class Rules:
    """The rules of an index, by place. One is made when it is asked for: a query looks at few of them."""

    def __init__(self, rows: Sequence[Sequence[Any]]) -> None:
        """`rows` are as `row` makes them."""
        self._rows = rows
        columns: list[Sequence[Any]] = list(zip(*rows, strict=True)) or [()] * (len(_NAMES) + 4)
        _, games, books, self._editions, self._locators, self._numbers, kinds, self._langs, current, searched, groups = columns
        self.games = list(dict.fromkeys(games))
        codes = {game: code for code, game in enumerate(self.games)}
        self.game = np.array([codes[game] for game in games], dtype=np.int32)  # place in `games`
        self.group = np.array(groups, dtype=np.int32)
        self.current: Flags = np.array(current, dtype=np.bool_)
        self.searched: Flags = np.array(searched, dtype=np.bool_)
        self.heading: Flags = np.array([kind in HEADINGS for kind in kinds], dtype=np.bool_)
        self.distinct = len(set(groups))
        """Rules, those of several editions counted once."""
        self.keys = list(map(EditionKey, games, books, self._editions))
        self._by_age, self._begins = self._aged()

    def seen(self, current: Sequence[bool], searched: Sequence[bool]) -> "Rules":
        """The same rules as they stand at another moment."""
        then = copy(self)
        then.current, then.searched = np.array(current, dtype=np.bool_), np.array(searched, dtype=np.bool_)
        then._by_age, then._begins = then._aged()
        return then

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, place: int) -> IndexedRule:
        iri, game, book, edition, locator, number, kind, langs, current, searched, group = self._rows[place]
        return IndexedRule(iri, game, book, edition, locator, number, kind, tuple(langs), current, searched, group)

    def members(self, group: int) -> NDArray[np.intp]:
        """The rules of a group that are searched, the latest edition first."""
        return self._by_age[self._begins[group] : self._begins[group + 1]]

    def locators(self) -> Sequence[str]:
        """Where each rule stands in its edition."""
        return self._locators

    @cached_property
    def by_game(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The places of the rules, game by game as in `games`, and where each game begins among them."""
        order = np.argsort(self.game, kind="stable")
        return order, np.searchsorted(self.game[order], np.arange(len(self.games)))

    def of(self, games: Sequence[str], lang: str | None) -> Flags | None:
        """The rules to search of some games (none: all) with a text in a language (None: any); None where that is every rule."""
        if not games and lang is None:
            return None if self.searched.all() else self.searched
        wanted = self.searched & self._in_language(lang) if lang else self.searched
        codes = [self.games.index(game) for game in games if game in self.games]
        return wanted & np.isin(self.game, codes) if games else wanted

    def _in_language(self, lang: str) -> Flags:
        none: Flags = np.zeros(len(self), dtype=np.bool_)
        return self._languages.get(lang, none)

    @cached_property
    def _languages(self) -> dict[str, Flags]:
        known = {lang for langs in self._langs for lang in langs}
        return {lang: np.array([lang in langs for langs in self._langs], dtype=np.bool_) for lang in known}

    @cached_property
    def numbered(self) -> dict[str, list[int]]:
        """Folded rule number → the rules that bear it."""
        places: dict[str, list[int]] = {}
        for place, (number, locator) in enumerate(zip(self._numbers, self._locators, strict=True)):
            if number:
                places.setdefault(locator, []).append(place)
        return places

    def _aged(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The places that are searched, group by group and the latest edition first in each, and where each group begins."""
        dated = list(zip(self.current.tolist(), self.keys, strict=True))
        ranks = {edition: rank for rank, edition in enumerate(sorted(set(dated), key=_age))}
        age = np.array([ranks[edition] for edition in dated], dtype=np.int32)
        order = np.lexsort((age, self.group))
        order = order[self.searched[order]]
        return order, np.searchsorted(self.group[order], np.arange(len(self) + 1))


def _age(dated: tuple[bool, EditionKey]) -> tuple[bool, tuple[int, ...], int, str]:
    """Orders the editions of a rule: the current before the rest, then by date, the latest first."""
    current, edition = dated
    return not current, *newest_first(edition)
