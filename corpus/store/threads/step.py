"""The change of a rule from one edition to the next, and the steps of a pair of editions in the short form for look-ups.

Most rules do not change: a rule that is not listed has the same words and locator in both editions.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from corpus.address import EditionKey, rule_iri
from corpus.chronology import is_later, oldest_first

if TYPE_CHECKING:
    from corpus.store.threads.rule import StoredRule


class StepKind(StrEnum):
    """Kinds of steps. A rule has moved if its locator changes. A thread begins with `first`."""

    FIRST = "first"
    SAME = "same"
    EDITED = "edited"
    MOVED = "moved"
    MOVED_EDITED = "moved-edited"
    SPLIT = "split"
    MERGED = "merged"
    ADDED = "added"
    REMOVED = "removed"


class Step(NamedTuple):
    """One rule from an edition to a later one. `old` and `new` are addresses, or locators inside one pair of editions.

    A split rule has one step for each part, a merged rule one for each source.
    `similarity` is 1 for equal words and 0 without a rule to compare. `only_references`: only renumbered references have changed.
    `proposed`: the editions have no language in common, and `similarity` is the confidence.
    """

    kind: StepKind
    old: str | None
    new: str | None
    similarity: float = 1.0
    only_references: bool = False
    proposed: bool = False


def kind_of(old: str, new: str, *, edited: bool) -> StepKind:
    """The kind of a step between two rules, by their locators and whether their words differ."""
    if old == new:
        return StepKind.EDITED if edited else StepKind.SAME
    return StepKind.MOVED_EDITED if edited else StepKind.MOVED


Pair = tuple[EditionKey, EditionKey]
"""An edition and a later one."""


def neighbouring_pairs(chapters: Mapping[EditionKey, Sequence[str]]) -> list[Pair]:
    """The pairs of compared editions of one book, from the chapters that each has; the oldest pairs first.

    An edition of a part of the book (for example one chapter) is compared with the complete edition before it and the one after
    it. Editions whose order is unknown are not compared.
    """
    pairs = set(_pairs(sorted(chapters, key=oldest_first), _whole_editions(chapters)))
    return sorted((pair for pair in pairs if is_later(pair[1], pair[0])), key=pair_order)


def pair_order(pair: Pair) -> tuple[object, ...]:
    """The sort key of pairs, oldest first."""
    return oldest_first(pair[1]), oldest_first(pair[0])


def _whole_editions(chapters: Mapping[EditionKey, Sequence[str]]) -> set[EditionKey]:
    most = max(map(len, chapters.values()), default=0)
    return {key for key, rules in chapters.items() if 2 * len(rules) > most}


def _pairs(keys: Iterable[EditionKey], whole_editions: set[EditionKey]) -> Iterator[tuple[EditionKey, EditionKey]]:
    before: EditionKey | None = None
    parts: list[EditionKey] = []
    for key in keys:
        if before is not None:
            yield before, key
        if key in whole_editions:
            yield from ((part, key) for part in parts)
            before, parts = key, []
        else:
            parts.append(key)


@dataclass(slots=True)
class PairSteps:
    """The steps between two editions, by addresses. `outside`: rules of a part of the book that one of the editions lacks."""

    old: EditionKey
    new: EditionKey
    forward: dict[str, list[Step]] = field(default_factory=dict)
    back: dict[str, list[Step]] = field(default_factory=dict)
    outside: frozenset[str] = frozenset()

    def steps_from(self, iri: str) -> Sequence[Step]:
        """The steps from a rule of the old edition; empty if unknown."""
        if iri in self.outside:
            return ()
        return self.forward.get(iri) or (Step(StepKind.SAME, iri, iri_in_edition(iri, self.old, self.new)),)

    def steps_to(self, iri: str) -> Sequence[Step]:
        """The steps to a rule of the new edition; empty if unknown."""
        if iri in self.outside:
            return ()
        return self.back.get(iri) or (Step(StepKind.SAME, iri_in_edition(iri, self.new, self.old), iri),)

    def add(self, step: Step) -> None:
        """Adds a step that is not a plain `same`."""
        if step.old is not None:
            self.forward.setdefault(step.old, []).append(step)
        if step.new is not None:
            self.back.setdefault(step.new, []).append(step)

    def steps(self) -> Iterator[Step]:
        """Every step except plain `same` ones, new rules before removed ones."""
        yield from (step for steps in self.back.values() for step in steps)
        yield from (step for steps in self.forward.values() for step in steps if step.new is None)


def iri_in_edition(iri: str, old_key: EditionKey, new_key: EditionKey) -> str:
    """The address of the same locator in another edition."""
    return f"{new_key.iri}{iri[len(old_key.iri) :]}"


def pack_steps(steps: Iterable[Step], old: Iterable["StoredRule"], new: Iterable["StoredRule"]) -> str:
    """The steps of a pair, by locators, as JSON."""
    every = list(steps)
    told_old, told_new = {step.old for step in every}, {step.new for step in every}
    body = {
        "steps": [_row(step) for step in every if step.kind is not StepKind.SAME],
        "outside_old": [rule.locator for rule in old if rule.locator not in told_old],
        "outside_new": [rule.locator for rule in new if rule.locator not in told_new],
    }
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def unpack_steps(old: EditionKey, new: EditionKey, words: str) -> PairSteps:
    """The steps of a pair, by addresses."""
    body = json.loads(words)
    sides = ((old, "outside_old"), (new, "outside_new"))
    pair = PairSteps(old, new, outside=frozenset(rule_iri(key, locator) for key, name in sides for locator in body[name]))
    for row in body["steps"]:
        pair.add(_step(row, old, new))
    return pair


def _row(step: Step) -> list[Any]:
    return [step.kind, step.old, step.new, step.similarity, int(step.only_references), int(step.proposed)]


def _step(row: Sequence[Any], old: EditionKey, new: EditionKey) -> Step:
    kind, here, there, similarity, only_references, is_proposed = row
    source, target = (None if locator is None else rule_iri(key, locator) for key, locator in ((old, here), (new, there)))
    return Step(StepKind(kind), source, target, similarity, bool(only_references), bool(is_proposed))
