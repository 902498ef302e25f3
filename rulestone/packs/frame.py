"""The rules of a game without their words: where each stands, what it cites, which rules of other games answer it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from corpus.address import EditionKey, path_of
from corpus.age import newest_first

if TYPE_CHECKING:
    from corpus.contract import RuleRecord
    from search.searcher import Searcher


@dataclass(frozen=True)
class Kept:
    """The rules of a game that a pack keeps: those that are searched and current, or the latest in their language."""

    game: str
    searcher: "Searcher"

    @cached_property
    def places(self) -> list[int]:
        """Their places in the index, in its order."""
        rules = self.searcher.index.rules
        own = [place for place, key in enumerate(rules.keys) if key.game == self.game and rules.searched[place]]
        past = self.searcher.knowledge.by_iri([rules[place].iri for place in own if not rules.current[place]])
        latest = {iri for iri, record in past.items() if record["latest_in"] is not None}
        return [place for place in own if rules.current[place] or rules[place].iri in latest]

    @cached_property
    def records(self) -> "list[RuleRecord]":
        """Their records, in the same order."""
        wanted = [self.searcher.index.rules[place].iri for place in self.places]
        records = self.searcher.knowledge.by_iri(wanted)
        return [records[iri] for iri in wanted]

    @cached_property
    def local(self) -> Mapping[int, int]:
        """Place in the index → place in the pack."""
        return {place: local for local, place in enumerate(self.places)}

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """What the editions of all books are called, by their keys."""
        return {
            f"{edition['game']}/{edition['book']}/{edition['edition']}": edition["title"]
            for edition in self.searcher.knowledge.editions()
        }

    def among(self, places: Sequence[int]) -> list[int]:
        """Those of some places that are in the pack, as places there."""
        return [self.local[place] for place in places if place in self.local]


def frame(kept: Kept) -> dict[str, Any]:
    """The columns of the rules: a parent is a place, -1 is none; an edition one in the list of them, the newest first."""
    index, local, records = kept.searcher.index, kept.local, kept.records
    keys = [EditionKey(record["game"], record["book"], record["edition"]) for record in records]
    editions = sorted(set(keys), key=newest_first)
    above = index.outline.parent.tolist()
    return {
        "editions": [{"book": key.book, "edition": key.edition, "title": kept.titles[str(key)]} for key in editions],
        "edition": [editions.index(key) for key in keys],
        "locator": [record["locator"] for record in records],
        "number": [record["number"] for record in records],
        "kind": [record["kind"] for record in records],
        "parent": [local.get(above[place], -1) for place in kept.places],
        "group": _groups(kept),
        "stale": [at for at, record in enumerate(records) if not record["current"]],
        "variant": kept.among([place for place in kept.places if index.outline.variant[place]]),
        "cites": {at: there for at, place in enumerate(kept.places) if (there := kept.among(index.cites[place]))},
        "counterparts": [row[:-1] for row in counterparts(kept)],
        "definitions": {name: rows for name, told in index.definitions.items() if (rows := _told(kept, told))},
    }


def _groups(kept: Kept) -> list[int]:
    """The first rule of each rule's group."""
    first: dict[int, int] = {}
    groups = kept.searcher.index.rules.group[kept.places].tolist()
    return [first.setdefault(group, at) for at, group in enumerate(groups)]


def counterparts(kept: Kept) -> Iterator[tuple[int, str, str, float, Mapping[str, str]]]:
    """A rule of each group with the path of a rule of another game, how they stand, what that is worth, and what differs."""
    index = kept.searcher.index
    seen: set[int] = set()
    for at, place in enumerate(kept.places):
        group = int(index.rules.group[place])
        for counterpart in () if group in seen else index.counterparts.get(group, ()):
            there = index.rules.members(counterpart.group)
            if len(there):
                yield (
                    at,
                    path_of(index.rules[int(there[0])].iri),
                    counterpart.predicate,
                    round(counterpart.share, 3),
                    counterpart.comments,
                )
        seen.add(group)


def _told(kept: Kept, editions: Sequence[Sequence[int]]) -> list[list[int]]:
    return [there for told in editions if (there := kept.among(told))]
