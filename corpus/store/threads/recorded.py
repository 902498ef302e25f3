"""The stored threads of a bundle: successors and predecessors of a rule, and the steps between any two editions."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from corpus.address import EditionKey, split_rule
from corpus.store.documents import Documents
from corpus.store.threads.body import PairSteps, moved_to, unpacked
from corpus.store.threads.step import Kind, Pair, Step, oldest_first, pair_order


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
        self._joined: dict[Pair, PairSteps | None] = {}

    def thread_of(self, iri: str) -> list[Version]:
        """The versions of a rule, the oldest first; the first step is `first`.

        A rule of an edition without neighbours has one version.
        """
        past = list(self._past(iri))
        roots = [version.iri for version in past if version.step.kind is Kind.FIRST] or [iri]
        begin = [] if past else [_first(roots[0] or iri)]
        return [*sorted(past, key=lambda version: oldest_first(version.edition)), *begin, *self._future(iri)]

    def now_of(self, iri: str) -> list[Step]:
        """The steps from a rule to the newest reachable edition: one, or one for each part of a split rule.

        A removed rule has one `removed` step; empty if its edition is the newest, or if unknown.
        """
        newest = self.newest(split_rule(iri).key)
        return self.at(iri, newest) if newest else []

    def bearer(self, iri: str, edition: EditionKey | None = None) -> str:
        """The address of a rule's number in another edition (default: the newest), which need not exist."""
        here = split_rule(iri).key
        return moved_to(iri, here, edition or self.newest(here) or here)

    def is_reused(self, iri: str, edition: EditionKey) -> bool:
        """Whether an edition uses the number of a rule for a rule outside its thread."""
        steps = self.at(iri, edition)
        return bool(steps) and self.bearer(iri, edition) not in [rule for step in steps for rule in (step.old, step.new)]

    def newest(self, key: EditionKey) -> EditionKey | None:
        """The newest edition that pairs connect to an edition; None if it is itself the newest."""
        return max(self._later(key), key=oldest_first, default=None)

    def at(self, iri: str, edition: EditionKey) -> list[Step]:
        """The steps between a rule and another edition, earlier or later; empty if unknown."""
        here = split_rule(iri).key
        if pair := self.between(here, edition):
            return list(pair.after(iri))
        pair = self.between(edition, here)
        return list(pair.before(iri)) if pair else []

    def between(self, old: EditionKey, new: EditionKey) -> PairSteps | None:
        """The steps from an edition to a later one; None if no pairs connect them."""
        if (old, new) not in self._joined:
            path = [self.pair(*pair) for pair in self._path(old, new) or ()]
            self._joined[old, new] = (path[0] if len(path) == 1 else _joined(path)) if path else None
        return self._joined[old, new]

    def pair(self, old: EditionKey, new: EditionKey) -> PairSteps:
        """The steps of two neighbouring editions."""
        kept = self._joined.get((old, new))
        if kept is None:
            kept = self._joined[old, new] = unpacked(old, new, self.words(old, new))
        return kept

    def words(self, old: EditionKey, new: EditionKey) -> str:
        """The stored steps of two neighbouring editions."""
        [entry] = self._documents.named(document_of(old), [pair_name((old, new))])
        return entry.content.decode()

    def _path(self, old: EditionKey, new: EditionKey) -> list[Pair]:
        """The shortest sequence of pairs from an edition to a later one; [] without any."""
        ways: dict[EditionKey, list[Pair]] = {old: []}
        for pair in sorted(self._pairs, key=lambda pair: oldest_first(pair[0])):
            if pair[0] in ways and (pair[1] not in ways or len(ways[pair[0]]) + 1 < len(ways[pair[1]])):
                ways[pair[1]] = [*ways[pair[0]], pair]
        return ways.get(new, [])

    def _later(self, key: EditionKey) -> set[EditionKey]:
        later = {key}
        for old, new in sorted(self._pairs, key=lambda pair: oldest_first(pair[0])):
            if old in later:
                later.add(new)
        return later - {key}

    def _past(self, iri: str) -> Iterator[Version]:
        """The versions up to and including a rule, the newest first; empty for a rule without predecessors."""
        waiting, seen = [iri], {iri}
        while waiting:
            here = waiting.pop(0)
            steps = self._steps_to(here)
            yield from (Version(split_rule(here).key, here, step) for step in steps[:1])
            if not steps and here != iri:
                yield _first(here)
            for step in steps:
                if step.old is not None and step.old not in seen:
                    seen.add(step.old)
                    waiting.append(step.old)

    def _steps_to(self, iri: str) -> list[Step]:
        key = split_rule(iri).key
        steps = [step for pair in self._pairs if pair[1] == key for step in self.pair(*pair).before(iri)]
        return [step for step in steps if step.old is not None]

    def _future(self, iri: str) -> Iterator[Version]:
        """The versions after a rule, the oldest first."""
        waiting, seen = [iri], {iri}
        while waiting:
            here = waiting.pop(0)
            key = split_rule(here).key
            for pair in (pair for pair in self._pairs if pair[0] == key):
                for step in self.pair(*pair).after(here):
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


def _first(iri: str) -> Version:
    return Version(split_rule(iri).key, iri, Step(Kind.FIRST, None, iri))


def _joined(path: Sequence[PairSteps]) -> PairSteps:
    from corpus.store.threads.compose import joined  # most requested editions are neighbours

    return joined(path)
