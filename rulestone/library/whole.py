"""The knowledge base as a whole: exports, findings."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from rulestone.library.opened import Opened
from rulestone.live import OpenBundle

if TYPE_CHECKING:
    from corpus import contract
    from ontology.store.knowledge import Knowledge


class Whole(Opened):
    """Everything at once."""

    def export(self, kind: str) -> Iterator[bytes]:
        """Everything, piece by piece: `jsonl` (one rule a line), `nquads`, `turtle`, or the mappings as `sssom`."""
        from rulestone.answers.exports import exporter

        return _from(exporter(kind), self._bundle())

    def check(self) -> "contract.Findings":
        """What is wrong in the knowledge base, and what is disputed."""
        from rulestone.answers.findings import findings

        bundle = self._bundle()
        return findings(bundle.knowledge)


def _from(export: "Callable[[Knowledge], Iterator[bytes]]", bundle: OpenBundle) -> Iterator[bytes]:
    yield from export(bundle.knowledge)
