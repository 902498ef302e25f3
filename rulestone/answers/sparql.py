"""A SPARQL query of one's own, answered from the current bundle and from nowhere else."""

import threading

from corpus.errors import InputError, RulestoneError
from ontology.store.engine import Answer, Store


def answer(store: Store, query: str, *, as_json: bool, seconds: float) -> Answer:
    """The answer, if it comes in time; a query that does not is left to end with the process: Oxigraph cannot be stopped.

    Raises InputError for a query that takes too long, and what `Store.answer` raises.
    """
    results: list[Answer | Exception] = []

    def work() -> None:
        try:
            results.append(store.answer(query, as_json=as_json))
        except Exception as fault:
            results.append(fault.with_traceback(None))  # its frames hold answers that only this thread may drop

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    if not results:
        raise InputError(
            "the query took longer than {seconds:g} s; narrow it down, or allow more with --timeout SECONDS", seconds=seconds
        )
    if isinstance(results[0], Answer):
        return results[0]
    if isinstance(results[0], RulestoneError | OSError):
        raise results[0]
    raise InputError("the query failed: {fault}", fault=results[0])
