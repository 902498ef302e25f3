"""A SPARQL query of one's own, answered from the current bundle and from nowhere else."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from corpus.store.sparql.question import Answer, Question

if TYPE_CHECKING:
    from rulestone.live import OpenBundle


def answer(bundle: "OpenBundle", question: Question, seconds: float, write: Callable[[bytes], object] | None) -> Answer:
    """The answer, with its body unless that is written as it comes.

    Raises InputError for what is no query and for one that takes too much, BusyError where too many are asked.
    """
    if write is not None:
        return bundle.querying.ask(question, seconds, write)
    pieces: list[bytes] = []
    given = bundle.querying.ask(question, seconds, pieces.append)
    return replace(given, body=b"".join(pieces))
