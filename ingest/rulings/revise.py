"""Files of one source, one after the other: what a later one adds, says again, says otherwise, and no longer has."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from corpus.ruling import Ruling
from ingest.rulings.gather import agree, with_older

_COPY = 0.5
"""Share of the ids of an earlier file that a later one has, from which on it is a newer copy of it."""
Key = tuple[str, str, str]
"""Game, source and id."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of the rulings of a file."""

    new: int = 0
    same: int = 0
    revised: int = 0
    withdrawn: int = 0


@dataclass(slots=True)
class Shelf:
    """The rulings of all files up to now."""

    rulings: dict[Key, Ruling] = field(default_factory=dict)
    _files: list[Mapping[Key, frozenset[str]]] = field(default_factory=list)  # ids of each file, with their languages

    def take(self, rulings: Iterable[Ruling]) -> Counts:
        """Takes the rulings of a file in."""
        there = {key_of(ruling): ruling for ruling in rulings}
        kinds = [self._one(key, ruling) for key, ruling in there.items()]
        gone = self._gone(there)
        for key in gone:
            self.rulings[key] = replace(self.rulings[key], withdrawn=True)
        self._files.append({key: frozenset(ruling.answer) for key, ruling in there.items()})
        return Counts(kinds.count("new"), kinds.count("same"), kinds.count("revised"), len(gone))

    def of(self, game: str, source: str) -> list[Ruling]:
        """The rulings of a source, each followed by its older answers, by id."""
        mine = (ruling for key, ruling in sorted(self.rulings.items()) if key[:2] == (game, source))
        return [version for ruling in mine for version in (ruling, *ruling.older)]

    def sources(self) -> list[tuple[str, str]]:
        """Every game and source."""
        return sorted({(game, source) for game, source, _ in self.rulings})

    def _one(self, key: Key, ruling: Ruling) -> str:
        old = self.rulings.get(key)
        if old is None:
            self.rulings[key] = ruling
            return "new"
        if agree(ruling, old):
            self.rulings[key] = with_older(_joined(old, ruling), ruling.older)
            return "same"
        newest, before = (old, ruling) if (old.date or "") > (ruling.date or "9") else (ruling, old)
        rest = (*before.older, *ruling.older) if newest is old else (*old.older,)
        self.rulings[key] = with_older(newest, (replace(before, older=()), *rest))
        return "revised"

    def _gone(self, there: Mapping[Key, Ruling]) -> list[Key]:
        """What the files before have of which this one is a newer copy, and this one lacks."""
        langs = {lang for ruling in there.values() for lang in ruling.answer}
        gone: dict[Key, None] = {}
        for ids in self._files:
            mine = [key for key, told in ids.items() if told & langs]
            if mine and sum(key in there for key in mine) >= _COPY * len(mine):
                gone |= dict.fromkeys(key for key in mine if key not in there and not self.rulings[key].withdrawn)
        return list(gone)


def key_of(ruling: Ruling) -> Key:
    """What tells a ruling from all others."""
    return ruling.game, ruling.source, ruling.id


def _joined(old: Ruling, new: Ruling) -> Ruling:
    """The same answer told again: in more languages, of more cards, in newer words."""
    return replace(
        new,
        date=max(filter(None, (old.date, new.date)), default=None),
        question={**old.question, **new.question},
        answer={**old.answer, **new.answer},
        marked_up=_merged(old.marked_up, new.marked_up),
        cards=tuple(dict.fromkeys((*old.cards, *new.cards))),
        card_ids=tuple(dict.fromkeys((*old.card_ids, *new.card_ids))),
        files=tuple(dict.fromkeys((*old.files, *new.files))),
        older=old.older,
    )


def _merged(old: Mapping[str, Mapping[str, str]], new: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    return {part: {**old.get(part, {}), **new.get(part, {})} for part in {**old, **new}}


def shelved(files: Iterable[Sequence[Ruling]]) -> Shelf:
    """The rulings of some files, one after the other."""
    shelf = Shelf()
    for rulings in files:
        shelf.take(rulings)
    return shelf
