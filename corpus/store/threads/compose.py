"""The steps between two editions that are not neighbours, composed from the pairs between them.

Only rules that changed somewhere are followed; a rule that no pair lists is the same throughout.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from corpus.address import EditionKey
from corpus.store.threads.body import PairSteps, moved_to
from corpus.store.threads.step import Kind, Step, kind_of


@dataclass(frozen=True, slots=True)
class _Trail:
    """The history of a rule so far. `root` is its address in the first edition; None for a later rule."""

    root: str | None
    known: bool = True  # False: its origin is unknown
    edited: bool = False
    only_references: bool = True
    similarity: float = 1.0
    proposed: bool = False

    def on(self, step: Step) -> "_Trail":
        edited = step.similarity < 1 or step.kind in (Kind.EDITED, Kind.MOVED_EDITED)
        return replace(
            self,
            edited=self.edited or edited,
            only_references=self.only_references and (step.only_references or not edited),
            similarity=round(self.similarity * step.similarity, 3),
            proposed=self.proposed or step.proposed,
        )


_State = dict[str, list[_Trail]]
"""Address in the current edition → its trails; a missing rule is the same as in the first edition."""


class _Walk:
    """The composition of consecutive pairs, from the first edition to the last."""

    def __init__(self, first: EditionKey) -> None:
        self.first = first
        self.state: _State = {}
        self.gone: dict[str, None] = {}  # roots that were removed
        self.lost: dict[str, None] = {}  # roots whose fate is unknown

    def over(self, pair: PairSteps) -> None:
        """Adds the next pair."""
        after: _State = {}
        for iri, trails in self._leaving(pair):
            steps = pair.after(iri)
            for trail in trails:
                self._end(trail, steps)
                for step in steps:
                    if step.new is not None:
                        after.setdefault(step.new, []).append(trail.on(step))
        for iri, known in _beginning(pair):
            after.setdefault(iri, []).append(_Trail(None, known=known))
        self.state = after

    def _leaving(self, pair: PairSteps) -> Iterator[tuple[str, list[_Trail]]]:
        """The rules that changed before, and those that this pair lists."""
        yield from self.state.items()
        here = f"{pair.old.iri}/"
        for iri in dict.fromkeys((*pair.forward, *pair.outside)):
            if iri not in self.state and iri.startswith(here):
                yield iri, [_Trail(moved_to(iri, pair.old, self.first))]

    def _end(self, trail: _Trail, steps: Sequence[Step]) -> None:
        if trail.root is not None and not steps:
            self.lost[trail.root] = None
        elif trail.root is not None and any(step.new is None for step in steps):
            self.gone[trail.root] = None


def joined(pairs: Sequence[PairSteps]) -> PairSteps:
    """The steps from the first edition of consecutive pairs to the last.

    A rule that was edited and edited back counts as edited.
    """
    if len(pairs) == 1:
        return pairs[0]
    walk = _Walk(pairs[0].old)
    for pair in pairs:
        walk.over(pair)
    whole = PairSteps(pairs[0].old, pairs[-1].new)
    for step in _steps(walk, whole.new):
        whole.add(step)
    unknown = [iri for iri, trails in walk.state.items() if all(trail.root is None and not trail.known for trail in trails)]
    reached = {trail.root for trails in walk.state.values() for trail in trails}
    whole.outside = frozenset(unknown) | (walk.lost.keys() - reached - walk.gone.keys())
    return whole


def _beginning(pair: PairSteps) -> Iterator[tuple[str, bool]]:
    """The rules of the new edition without predecessor, and whether that is certain."""
    yield from ((iri, True) for iri, steps in pair.back.items() if any(step.kind is Kind.ADDED for step in steps))
    yield from ((iri, False) for iri in sorted(pair.outside) if iri.startswith(f"{pair.new.iri}/"))


def _steps(walk: _Walk, last: EditionKey) -> Iterator[Step]:
    trails_of = {new: _distinct(trails) for new, trails in walk.state.items()}
    parts = Counter(trail.root for trails in trails_of.values() for trail in trails)
    for new, trails in trails_of.items():
        known = [trail for trail in trails if trail.root is not None]
        for trail in known:
            yield _step(trail, new, moved_to(new, last, walk.first), split=parts[trail.root] > 1, merged=len(known) > 1)
        if not known and any(trail.known for trail in trails):
            yield Step(Kind.ADDED, None, new, 0.0)
    yield from (Step(Kind.REMOVED, root, None, 0.0) for root in walk.gone if root not in parts)


def _distinct(trails: Iterable[_Trail]) -> list[_Trail]:
    """One trail of each root: a rule split and merged again is one rule."""
    return list({trail.root: trail for trail in trails}.values())


def _step(trail: _Trail, new: str, there: str, *, split: bool, merged: bool) -> Step:
    """`there`: the address of the new rule's locator in the first edition."""
    root = trail.root or ""
    kind = Kind.SPLIT if split else Kind.MERGED if merged else kind_of(root, there, edited=trail.edited)
    return Step(kind, root, new, trail.similarity, trail.edited and trail.only_references, trail.proposed)
