"""The stored threads of a bundle: successors and predecessors of a rule, and the steps between any two editions.

The steps between editions that are not neighbours are composed from the pairs between them. Only rules that changed somewhere are
followed; a rule that no pair lists is the same throughout.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from corpus.address import EditionKey, split_rule
from corpus.chronology import oldest_first
from corpus.store.documents import Documents
from corpus.store.threads.step import Pair, PairSteps, Step, StepKind, iri_in_edition, kind_of, pair_order, unpack_steps


class Version(NamedTuple):
    """A rule of a thread in one edition, and the step to it; `iri` is None if the edition no longer has it."""

    edition: EditionKey
    iri: str | None
    step: Step


class Threads:
    """The threads of one bundle. Pairs of editions are read on first use and cached."""

    def __init__(self, documents: Documents, pairs: Iterable[Pair]) -> None:
        """Every pair must be an entry in the document of its book."""
        self._documents = documents
        self._pairs = sorted(pairs, key=pair_order)
        self._pairs_cache: dict[Pair, PairSteps | None] = {}

    def thread_of(self, iri: str) -> list[Version]:
        """The versions of a rule, the oldest first; the first step is `first`.

        A rule of an edition without neighbours has one version.
        """
        past = list(self._past_versions(iri))
        roots = [version.iri for version in past if version.step.kind is StepKind.FIRST] or [iri]
        begin = [] if past else [_first_version(roots[0] or iri)]
        return [*sorted(past, key=lambda version: oldest_first(version.edition)), *begin, *self._future_versions(iri)]

    def steps_to_edition(self, iri: str, edition: EditionKey) -> list[Step]:
        """The steps between a rule and another edition, earlier or later; empty if unknown."""
        here = split_rule(iri).key
        if pair := self.steps_between(here, edition):
            return list(pair.steps_from(iri))
        pair = self.steps_between(edition, here)
        return list(pair.steps_to(iri)) if pair else []

    def steps_between(self, old: EditionKey, new: EditionKey) -> PairSteps | None:
        """The steps from an edition to a later one; None if no pairs connect them."""
        if (old, new) not in self._pairs_cache:
            path = [self.pair(*pair) for pair in self._path_of_pairs(old, new) or ()]
            self._pairs_cache[old, new] = join_pairs(path) if path else None
        return self._pairs_cache[old, new]

    def pair(self, old: EditionKey, new: EditionKey) -> PairSteps:
        """The steps of two neighbouring editions."""
        steps = self._pairs_cache.get((old, new))
        if steps is None:
            steps = self._pairs_cache[old, new] = unpack_steps(old, new, self.words(old, new))
        return steps

    def words(self, old: EditionKey, new: EditionKey) -> str:
        """The stored steps of two neighbouring editions."""
        [entry] = self._documents.entries_by_name(document_of(old), [pair_name((old, new))])
        return entry.content.decode()

    def _path_of_pairs(self, old: EditionKey, new: EditionKey) -> list[Pair]:
        """The shortest sequence of pairs from an edition to a later one; [] without any."""
        ways: dict[EditionKey, list[Pair]] = {old: []}
        for pair in sorted(self._pairs, key=lambda pair: oldest_first(pair[0])):
            if pair[0] in ways and (pair[1] not in ways or len(ways[pair[0]]) + 1 < len(ways[pair[1]])):
                ways[pair[1]] = [*ways[pair[0]], pair]
        return ways.get(new, [])

    def _past_versions(self, iri: str) -> Iterator[Version]:
        """The versions up to and including a rule, the newest first; empty for a rule without predecessors."""
        waiting, seen = [iri], {iri}
        while waiting:
            here = waiting.pop(0)
            steps = self._steps_to(here)
            yield from (Version(split_rule(here).key, here, step) for step in steps[:1])
            if not steps and here != iri:
                yield _first_version(here)
            for step in steps:
                if step.old is not None and step.old not in seen:
                    seen.add(step.old)
                    waiting.append(step.old)

    def _steps_to(self, iri: str) -> list[Step]:
        key = split_rule(iri).key
        steps = [step for pair in self._pairs if pair[1] == key for step in self.pair(*pair).steps_to(iri)]
        return [step for step in steps if step.old is not None]

    def _future_versions(self, iri: str) -> Iterator[Version]:
        """The versions after a rule, the oldest first."""
        waiting, seen = [iri], {iri}
        while waiting:
            here = waiting.pop(0)
            key = split_rule(here).key
            for pair in (pair for pair in self._pairs if pair[0] == key):
                for step in self.pair(*pair).steps_from(here):
                    if step.new is None or step.new not in seen:
                        yield Version(pair[1], step.new, step)
                    if step.new is not None and step.new not in seen:
                        seen.add(step.new)
                        waiting.append(step.new)


def document_of(key: EditionKey) -> str:
    """The document with the pairs of an edition's book."""
    return f"threads/{key.game}/{key.book}"


def pair_name(pair: Pair) -> str:
    """The name of a pair's steps in that document."""
    old, new = pair
    return f"{old.edition} {new.edition}"


def _first_version(iri: str) -> Version:
    return Version(split_rule(iri).key, iri, Step(StepKind.FIRST, None, iri))


@dataclass(frozen=True, slots=True)
class _Trail:
    """The history of a rule so far. `root` is its address in the first edition; None for a later rule."""

    root: str | None
    known: bool = True  # False: its origin is unknown
    edited: bool = False
    only_references: bool = True
    similarity: float = 1.0
    proposed: bool = False

    def continue_with(self, step: Step) -> "_Trail":
        has_edit = step.similarity < 1 or step.kind in (StepKind.EDITED, StepKind.MOVED_EDITED)
        return replace(
            self,
            edited=self.edited or has_edit,
            only_references=self.only_references and (step.only_references or not has_edit),
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
        self.removed_roots: dict[str, None] = {}  # roots that were removed
        self.unaccounted_roots: dict[str, None] = {}  # roots whose fate is unknown

    def add_pair(self, pair: PairSteps) -> None:
        """Adds the next pair."""
        after: _State = {}
        for iri, trails in self._changed_rules(pair):
            steps = pair.steps_from(iri)
            for trail in trails:
                self._end_trail(trail, steps)
                for step in steps:
                    if step.new is not None:
                        after.setdefault(step.new, []).append(trail.continue_with(step))
        for iri, steps in pair.back.items():
            if any(step.kind is StepKind.ADDED for step in steps):
                after.setdefault(iri, []).append(_Trail(None))
        for iri in sorted(pair.outside):
            if iri.startswith(f"{pair.new.iri}/"):
                after.setdefault(iri, []).append(_Trail(None, known=False))
        self.state = after

    def _changed_rules(self, pair: PairSteps) -> Iterator[tuple[str, list[_Trail]]]:
        """The rules that changed before, and those that this pair lists."""
        yield from self.state.items()
        here = f"{pair.old.iri}/"
        for iri in dict.fromkeys((*pair.forward, *pair.outside)):
            if iri not in self.state and iri.startswith(here):
                yield iri, [_Trail(iri_in_edition(iri, pair.old, self.first))]

    def _end_trail(self, trail: _Trail, steps: Sequence[Step]) -> None:
        if trail.root is not None and not steps:
            self.unaccounted_roots[trail.root] = None
        elif trail.root is not None and any(step.new is None for step in steps):
            self.removed_roots[trail.root] = None


def join_pairs(pairs: Sequence[PairSteps]) -> PairSteps:
    """The steps from the first edition of consecutive pairs to the last.

    A rule that was edited and edited back counts as edited.
    """
    if len(pairs) == 1:
        return pairs[0]
    walk = _Walk(pairs[0].old)
    for pair in pairs:
        walk.add_pair(pair)
    whole = PairSteps(pairs[0].old, pairs[-1].new)
    for step in _steps(walk, whole.new):
        whole.add(step)
    unknown = [iri for iri, trails in walk.state.items() if all(trail.root is None and not trail.known for trail in trails)]
    reached_roots = {trail.root for trails in walk.state.values() for trail in trails}
    whole.outside = frozenset(unknown) | (walk.unaccounted_roots.keys() - reached_roots - walk.removed_roots.keys())
    return whole


def _steps(walk: _Walk, last: EditionKey) -> Iterator[Step]:
    # one trail of each root: a rule split and merged again is one rule
    trails_of = {new: list({trail.root: trail for trail in trails}.values()) for new, trails in walk.state.items()}
    parts = Counter(trail.root for trails in trails_of.values() for trail in trails)
    for new, trails in trails_of.items():
        with_root = [trail for trail in trails if trail.root is not None]
        for trail in with_root:
            yield _step(trail, new, iri_in_edition(new, last, walk.first), split=parts[trail.root] > 1, merged=len(with_root) > 1)
        if not with_root and any(trail.known for trail in trails):
            yield Step(StepKind.ADDED, None, new, 0.0)
    yield from (Step(StepKind.REMOVED, root, None, 0.0) for root in walk.removed_roots if root not in parts)


def _step(trail: _Trail, new: str, old_iri: str, *, split: bool, merged: bool) -> Step:
    """`old_iri`: the address of the new rule's locator in the first edition."""
    root = trail.root or ""
    kind = StepKind.SPLIT if split else StepKind.MERGED if merged else kind_of(root, old_iri, edited=trail.edited)
    return Step(kind, root, new, trail.similarity, trail.edited and trail.only_references, trail.proposed)
