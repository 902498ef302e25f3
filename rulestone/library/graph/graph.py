"""The knowledge base as a graph: queries, examples of them, and how it describes itself."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from corpus.media import NTRIPLES, TSV
from rulestone.library.opened import Opened

if TYPE_CHECKING:
    from corpus.store.sparql.question import Answer
    from ontology.checks.questions import Question as Example


class Graph(Opened):
    """Querying in SPARQL."""

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

        `media` are the accepted types, the preferred one first: those of SPARQL results for SELECT and ASK, Turtle or N-Triples for
        CONSTRUCT and DESCRIBE. Any graphs given are the dataset, in place of FROM. The answer is cut after `rows`
        solutions or triples, or `size` bytes of them. With `write` the body goes there as it comes. It is worked out in a process
        of its own, which is ended after `seconds` or when it takes 512 MB. Raises InputError for what is no query, for an update
        or SERVICE, and for a query that takes too much; BusyError where too many are being answered.
        """
        from corpus.store.sparql.question import Question
        from rulestone.answers.linked.sparql import answer

        question = Question(query, tuple(media), tuple(default_graphs), tuple(named_graphs), rows, size)
        return answer(self._bundle(), question, seconds, write)

    def examples(self) -> "Sequence[Example]":
        """Questions that the graph answers: each in three languages, as a query, with the answer by what ships."""
        from ontology.checks.questions import questions

        return questions()

    def void(self) -> bytes:
        """What the data holds and how much of it, in Turtle (VoID)."""
        from rulestone.answers.linked.described import void

        bundle = self._bundle()
        return void(bundle.knowledge)

    def service(self) -> bytes:
        """The service description of the SPARQL endpoint, in Turtle."""
        from rulestone.answers.linked.described import service

        bundle = self._bundle()
        return service(bundle.knowledge)
