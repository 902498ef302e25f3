"""The knowledge base as a whole: exports, findings."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from rulestone.library.opened import Opened
from rulestone.live import OpenBundle

if TYPE_CHECKING:
    from corpus import contract


class Lines(NamedTuple):
    """An export as JSON Lines. `seal` names the bundle that it is read from: the same seal, the same lines."""

    seal: str
    lines: Iterator[bytes]


class Whole(Opened):
    """Everything at once."""

    def export(self, kind: str) -> Iterator[bytes]:
        """Everything, piece by piece: `jsonl` (one rule a line), `nquads`, `turtle`, or the mappings as `sssom`.

        Raises InputError for another kind.
        """
        from rulestone.answers.exports import exporter

        export, bundle = exporter(kind), self._bundle()
        return _held(export(bundle.knowledge), bundle)

    def lines(self) -> Lines:
        """The rules and rulings as JSON Lines, with what tells whether a copy of them is still up to date."""
        from rulestone.answers.exports import jsonl

        bundle = self._bundle()
        return Lines(bundle.seal, _held(jsonl(bundle.knowledge), bundle))

    def check(self) -> "contract.Findings":
        """What is wrong in the knowledge base, and what is disputed."""
        from corpus.store.archive.whole import complete
        from rulestone.answers.findings import findings

        bundle = self._bundle()
        with complete(bundle.path, bundle.knowledge) as knowledge:
            return findings(knowledge)


def _held(lines: Iterator[bytes], _: OpenBundle) -> Iterator[bytes]:
    """Lines; the bundle stays open as long as they are read."""
    yield from lines
