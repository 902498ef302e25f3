"""The knowledge base as a whole: exports, findings, queries of its graph."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from corpus.media import NTRIPLES, TSV
from rulestone.library.opened import Opened
from rulestone.live import OpenBundle

if TYPE_CHECKING:
    from corpus import contract
    from ontology.sparql.question import Answer
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

    def sparql(
        self,
        query: str,
        *,
        media: Sequence[str] = (TSV, NTRIPLES),
        default_graphs: Sequence[str] = (),
        named_graphs: Sequence[str] = (),
        rows: int | None = None,
        size: int | None = None,
        seconds: float = 60,
        write: Callable[[bytes], object] | None = None,
    ) -> "Answer":
        """The answer to a SPARQL 1.1 query as `found`, `media`, `rows`, `cut` and `body`.

        `media` are the types that are welcome, the best first: those of SPARQL results for SELECT and ASK, Turtle or N-Triples for
        CONSTRUCT and DESCRIBE. Graphs that are given are the dataset, in the place of FROM. The answer is cut after `rows`
        solutions or triples, or `size` bytes of them. With `write` the body goes there as it comes. It is worked out in a process
        of its own, which is ended after `seconds` or when it takes 512 MB. Raises InputError for what is no query, for an update
        or SERVICE, and for a query that takes too much; BusyError where too many are being answered.
        """
        from ontology.sparql.question import Question
        from rulestone.answers.sparql import answer

        question = Question(query, tuple(media), tuple(default_graphs), tuple(named_graphs), rows, size)
        return answer(self._bundle(), question, seconds, write)


def _from(export: "Callable[[Knowledge], Iterator[bytes]]", bundle: OpenBundle) -> Iterator[bytes]:
    yield from export(bundle.knowledge)
