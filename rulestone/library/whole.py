"""The knowledge base as a whole: exports, findings, queries of its graph."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from rulestone.library.opened import Opened
from rulestone.live import OpenBundle

if TYPE_CHECKING:
    from corpus import contract
    from ontology.store.engine import Answer
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

    def sparql(self, query: str, *, as_json: bool = False, seconds: float = 60) -> "Answer":
        """The answer to a SPARQL 1.1 query, as `found` and `body`: TSV or JSON results, or N-Triples.

        Raises InputError for what is no query, for an update or SERVICE, and for a query that takes longer than `seconds`.
        """
        from rulestone.answers.sparql import answer

        bundle = self._bundle()
        return answer(bundle.knowledge.store, query, as_json=as_json, seconds=seconds)


def _from(export: "Callable[[Knowledge], Iterator[bytes]]", bundle: OpenBundle) -> Iterator[bytes]:
    yield from export(bundle.knowledge)
