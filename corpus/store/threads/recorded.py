"""Threads as a bundle keeps them: what became of a rule, where it comes from, and what lies between any two editions."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from corpus.address import EditionKey, split_rule
from corpus.store.documents import Documents
from corpus.store.threads.body import PairSteps, moved_to, unpacked
from corpus.store.threads.order import Pair, oldest_first, pair_order
from corpus.store.threads.step import Kind, Step


class Version(NamedTuple):
    """A rule of a thread in one edition, and the step that leads to it; `iri` is None where the edition no longer has it."""

    edition: EditionKey
    iri: str | None
    step: Step


class Threads:
    """The threads of one bundle. A pair of editions is read when it is first asked for and kept: a bundle never changes."""

    def __init__(self, documents: Documents, pairs: Iterable[Pair]) -> None:
        """Every pair must be an entry of the document of its book."""
        self._documents = documents
        self._pairs = sorted(pairs, key=pair_order)
        self._joined: dict[Pair, PairSteps | None] = {}

    def thread_of(self, iri: str) -> list[Version]:
        """The versions of a rule, the oldest first; the first step is `first`. A rule of an edition that stands alone has one."""
        past = list(self._past(iri))
        roots = [version.iri for version in past if version.step.kind is Kind.FIRST] or [iri]
        begin = [] if past else [_first(roots[0] or iri)]
        return [*sorted(past, key=lambda version: oldest_first(version.edition)), *begin, *self._future(iri)]

    def now_of(self, iri: str) -> list[Step]:
        """What a rule is in the newest edition that its own leads to: one step, or one for each part of a split rule.

        A rule that is gone has one `removed` step; nothing where its edition is the newest, or where nobody knows.
        """
        newest = self.newest(split_rule(iri).key)
        return self.at(iri, newest) if newest else []

    def bearer(self, iri: str, edition: EditionKey | None = None) -> str:
        """The address of a rule's own number in another edition, by default the newest, whether or not that has it."""
        here = split_rule(iri).key
        return moved_to(iri, here, edition or self.newest(here) or here)

    def is_reused(self, iri: str, edition: EditionKey) -> bool:
        """Whether the number of a rule, if an edition has it, is another rule there: none of its thread."""
        steps = self.at(iri, edition)
        return bool(steps) and self.bearer(iri, edition) not in [rule for step in steps for rule in (step.old, step.new)]

    def newest(self, key: EditionKey) -> EditionKey | None:
        """The newest edition that a line of pairs leads to from an edition; None for one that is the newest itself."""
        return max(self._later(key), key=oldest_first, default=None)

    def at(self, iri: str, edition: EditionKey) -> list[Step]:
        """The steps that join a rule with another edition, earlier or later; nothing where nobody knows."""
        here = split_rule(iri).key
        if pair := self.between(here, edition):
            return list(pair.after(iri))
        pair = self.between(edition, here)
        return list(pair.before(iri)) if pair else []

    def between(self, old: EditionKey, new: EditionKey) -> PairSteps | None:
        """What became of the rules of an edition in a later one; None where no line of pairs joins the two."""
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
        """The steps of two neighbouring editions as they are kept."""
        [entry] = self._documents.named(document_of(old), [pair_name((old, new))])
        return entry.content.decode()

    def _path(self, old: EditionKey, new: EditionKey) -> list[Pair]:
        """The pairs that lead from an edition to a later one, as few as can be; [] where none do."""
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
        """The versions up to a rule, it included, the newest first; nothing for a rule without any before it."""
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
    """What the steps of a pair are called in that document."""
    old, new = pair
    return f"{old.edition} {new.edition}"


def _first(iri: str) -> Version:
    return Version(split_rule(iri).key, iri, Step(Kind.FIRST, None, iri))


def _joined(path: Sequence[PairSteps]) -> PairSteps:
    from corpus.store.threads.compose import joined  # most editions asked about are neighbours

    return joined(path)
