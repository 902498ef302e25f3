"""Which numbers of a text are citations: what a word calls so, what stands beside a game's name, what can be nothing else."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from corpus.catalogue import Grammar
from corpus.editions.citations.chain import chain, split_range
from corpus.editions.citations.cue import Cue, closed, cue_before, is_counted, is_spoken_of
from corpus.editions.citations.game import Games, Named, Names
from corpus.editions.citations.mention import Item
from corpus.editions.citations.number import TOKEN, fits, is_date, is_decimal, is_plain, is_telling, item_at, parts
from corpus.model import Span

_NOT_BEFORE = re.compile(r"[A-Za-z0-9_\\]|[0-9][.,\-]|(?<![A-Za-z0-9])[.\-]")
_CR = re.compile(r"(?<![A-Za-z])(?:CR|R)$", re.I)
Held = Callable[[Iterable[str]], Mapping[str, frozenset[str]]]
"""Numbers → those of them that books hold, with the games of these books."""


@dataclass(frozen=True, slots=True)
class Numbering:
    """What must be known of the loaded books to find citations of them: the numberings and names of each game, what is in them."""

    grammars: Mapping[str, tuple[Grammar, ...]]
    names: Names
    held: Held

    def every(self) -> list[Grammar]:
        """The numberings of all games."""
        return [grammar for grammars in self.grammars.values() for grammar in grammars]


class Chains:
    """The numbers of a text that are citations, list by list."""

    def __init__(self, text: str, numbering: Numbering, games: Games, taken: Iterable[Span]) -> None:
        """`taken` are the stretches that addresses take; `held` tells the games that have a number of the text."""
        self._text, self._games = text, games
        self._grammars = numbering.every()
        self._by_game = numbering.grammars
        free = _Free(taken)
        self._items = [
            split_range(item_at(token), self._is_number)
            for token in TOKEN.finditer(text)
            if free.holds(token.start()) and self._may_begin(token.start())
        ]
        self.held = numbering.held({name for item in self._items for name in (item.wanted, _parent(item.wanted))})

    def chains(self) -> list[list[Item]]:
        """The lists of numbers; a single citation is a list of one."""
        runs: list[list[Item]] = []
        end = 0
        for item in self._items:
            if item.start >= end and self._is_citation(item):
                runs.append(chain(self._text, item, self._is_number, self.held.__contains__))
                end = runs[-1][-1].end
        return runs

    def _may_begin(self, start: int) -> bool:
        """Whether a number can begin here: not inside a word or a longer number."""
        before = self._text[max(0, start - 2) : start]
        if not before or not _NOT_BEFORE.search(before[-1]):
            return not before or before[-1] not in ".,-" or not before[:-1].isdigit()
        return bool(_CR.search(self._text[max(0, start - 3) : start]))

    def _is_number(self, wanted: str) -> bool:
        return fits(wanted, self._grammars)

    def _is_citation(self, item: Item) -> bool:
        text, wanted = self._text, item.wanted
        if is_date(wanted):
            return False
        cue, counted = cue_before(text, item.start), is_counted(text, item.start, item.end)
        if cue is Cue.OTHER or (counted and not (cue >= Cue.SURE and is_telling(wanted))):
            return False
        named = self._games.beside(item)
        if cue >= Cue.SURE:
            return self._is_sure(item, cue, named)
        if named and named[-1].game:
            return self._is_of(item, named[-1].game)
        if cue is Cue.LIKELY:
            return self._is_likely(wanted)
        return self._stands_alone(item)

    def _is_sure(self, item: Item, cue: Cue, named: list[Named]) -> bool:
        """Behind `rule`: whatever has parts; a plain number of three digits, or one that a book named so has."""
        wanted = item.wanted
        if not is_plain(wanted):
            return True
        if len(wanted) > 2:
            return self._is_number(wanted) or bool(named)
        ordinal = self._text[item.start - 1 : item.start] == "第"
        return wanted in self.held and (cue is Cue.BOOK or bool(named)) and (not ordinal or closed(self._text, item.end) > item.end)

    def _is_of(self, item: Item, game: str) -> bool:
        """Behind a game's name: what has the form of its numbers; a plain number must be there."""
        wanted = item.wanted
        there = game in self.held.get(wanted, ())
        if is_plain(wanted):
            return there and len(wanted) > 2
        return there or (fits(wanted, self._by_game.get(game, ())) and not (len(parts(wanted)) == 2 and not is_decimal(wanted)))

    def _is_likely(self, wanted: str) -> bool:
        if is_plain(wanted):
            return len(wanted) > 2 and wanted in self.held
        return wanted in self.held or ((is_telling(wanted) or is_decimal(wanted)) and self._is_number(wanted))

    def _stands_alone(self, item: Item) -> bool:
        """Without any word before it: a rule's form, and there; or its rule is there, and it is only lettered wrongly."""
        wanted = item.wanted
        if is_telling(wanted):
            return wanted in self.held or (self._is_number(wanted) and _parent(wanted) in self.held)
        return is_decimal(wanted) and wanted in self.held and is_spoken_of(self._text, item.start, item.end)


class _Free:
    """The stretches of a text that no address takes; asked from left to right."""

    def __init__(self, taken: Iterable[Span]) -> None:
        self._taken = sorted(taken, reverse=True)
        self._end = 0

    def holds(self, place: int) -> bool:
        """Whether a place is free."""
        while self._taken and self._taken[-1].start <= place:
            self._end = max(self._end, self._taken.pop().end)
        return place >= self._end


def _parent(wanted: str) -> str:
    """The number that a lettered one stands under: 702.19 of 702.19b."""
    return re.sub(r"[.\-]?(?:[a-z]{1,2}|(?<=[.\-])\d+)$", "", wanted)
