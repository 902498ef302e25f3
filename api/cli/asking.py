"""`rulestone sparql`: a query of one's own, answered from the current bundle and from nowhere else."""

import sys
import threading
from pathlib import Path

from api.cli.console import tell
from api.cli.opening import opened
from corpus.errors import InputError, RulestoneError
from ontology.store.disk import os_faults
from ontology.store.engine import Answer, Store
from ontology.store.home import Home

_LARGEST = 1 << 20
"""Bytes that a query may have at most."""


def ask(home: Home, source: str, *, as_json: bool, seconds: float) -> Answer:
    """The answer to the query in a file, or on standard input for `-`.

    Raises InputError for what is no query, for an update or SERVICE, and for a query that takes too long.
    """
    query = query_of(source)
    with opened(home, tell) as knowledge:
        return within(knowledge.store, query, as_json=as_json, seconds=seconds)


def query_of(source: str) -> str:
    """The text of a file, or of standard input for `-`. Raises InputError where it is no UTF-8 text."""
    if source != "-" and not Path(source).is_file():
        raise InputError(f"there is no file {source}; expected a file with a SPARQL query, or - for standard input")
    with os_faults(f"read {source}"):
        data = sys.stdin.buffer.read(_LARGEST + 1) if source == "-" else Path(source).read_bytes()
    if len(data) > _LARGEST:
        raise InputError(f"the query has more than {_LARGEST >> 20} MB; expected a SPARQL query")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InputError(f"the query in {source} is no UTF-8 text (byte {fault.start}); save it as UTF-8") from fault


def within(store: Store, query: str, *, as_json: bool, seconds: float) -> Answer:
    """The answer, if it comes in time; a query that does not is left to end with the process: Oxigraph cannot be stopped.

    Raises InputError for a query that takes too long, and what `Store.answer` raises.
    """
    found: list[Answer | Exception] = []

    def work() -> None:
        try:
            found.append(store.answer(query, as_json=as_json))
        except Exception as fault:
            found.append(fault.with_traceback(None))  # its frames hold answers that only this thread may drop

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    if not found:
        raise InputError(f"the query took longer than {seconds:g} s; narrow it down, or allow more with --timeout SECONDS")
    if isinstance(found[0], Answer):
        return found[0]
    raise found[0] if isinstance(found[0], RulestoneError | OSError) else InputError(f"the query failed: {found[0]}")
