"""The store of a bundle with all editions: a copy of its store, to which the statements about superseded editions are added.

    bundles/000007/complete/       store/, and the list of its files with their checksums
    bundles/000007/complete.tmp/   the same while it is being written
    bundles/000007/complete.lock   the lock of the process that writes it

The first request for all editions writes it; it is deleted with its bundle.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TypeVar

from corpus.errors import BusyError, EnvironmentFault, RulestoneError
from corpus.messages import Message, message
from corpus.store.books import Books
from corpus.store.engine import Store
from corpus.store.home import checksums
from corpus.store.home.checksums import COMPLETE_FOLDER, STORE_FOLDER
from corpus.store.home.disk import lock, open_lock, os_faults, remove, sync, sync_tree
from corpus.store.sparql.question import SPARQL_LIMITS
from corpus.store.sparql.worker import NICENESS, limit_memory
from corpus.store.temporary import TemporaryFolder

_COMMAND = "echo 'ASK {}' | rulestone sparql --editions all -"
_LIMIT_SIGNALS = (signal.SIGABRT, signal.SIGKILL)
"""Signals that end a process without memory: its allocator's, and the kernel's."""
_Books = TypeVar("_Books", bound=Books)


class CompleteStoreError(EnvironmentFault):
    """The process that writes the store with all editions failed."""


@contextmanager
def with_complete_store(bundle: Path, knowledge: _Books) -> Iterator[_Books]:
    """The same knowledge base with the store of all editions, in a temporary folder if the bundle lacks one and is read-only.

    Raises what `complete_store` raises otherwise.
    """
    if not knowledge.unstored_editions:
        yield knowledge
        return
    with ExitStack() as stack:
        if _is_writable(bundle) or _is_written(bundle):
            folder = complete_store(bundle, knowledge)
        else:
            folder = stack.enter_context(TemporaryFolder()).path / STORE_FOLDER
            with os_faults(_writing(folder)):
                _write_store(knowledge, folder)
        yield type(knowledge)(stack.enter_context(closing(Store(folder, read_only=True))), knowledge.manifest, knowledge.documents)


def complete_store(bundle: Path, books: Books) -> Path:
    """The folder of the store with all editions, whose files are checked; a missing or damaged one is written.

    For each superseded edition that takes about 2.5 s of processor time, 25 MB on disk and, until it is written, 100 MB of memory
    of a separate process. Raises BusyError if another thread or process is writing it, CompleteStoreError if its process failed,
    and EnvironmentFault if the folder is read-only or the disk fails.
    """
    if not books.unstored_editions:
        return bundle / STORE_FOLDER
    complete = bundle / COMPLETE_FOLDER
    if not _is_written(bundle):
        if not _is_writable(bundle):
            raise EnvironmentFault(
                "the store with all editions is not written yet, and {folder} is read-only here; as a user who may write there, ask"
                " for all editions once",
                folder=bundle,
                command=_COMMAND,
            )
        with os_faults(_writing(complete)), open_lock(complete.with_suffix(".lock")) as file:
            if not lock(file, shared=False):
                raise BusyError("a store with all editions is being written; retry in {seconds:g} s", seconds=SPARQL_LIMITS.wait)
            if not _is_written(bundle):
                _run_writer(bundle, file.fileno())
    return complete / STORE_FOLDER


def _is_written(bundle: Path) -> bool:
    return checksums.is_intact(bundle / COMPLETE_FOLDER, STORE_FOLDER)


def _is_writable(bundle: Path) -> bool:
    return os.access(bundle, os.W_OK)


def _run_writer(bundle: Path, lock_file: int) -> None:
    """Writes the store in a process that holds the lock even if this one is killed. Raises CompleteStoreError if it fails."""
    command = [sys.executable, "-m", __name__, str(bundle), str(int(SPARQL_LIMITS.writing_memory))]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        result = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            pass_fds=[lock_file],
            timeout=SPARQL_LIMITS.writing_seconds,
        )
    except subprocess.TimeoutExpired:
        result = None
    if result is None or result.returncode:
        remove((bundle / COMPLETE_FOLDER).with_suffix(".tmp"))  # a killed process leaves it
    if result is None or -result.returncode in _LIMIT_SIGNALS:
        raise CompleteStoreError(
            "the store with all editions takes more than {seconds:g} s or {megabytes} MB of memory; load the export `nquads` into a"
            " SPARQL server instead",
            seconds=SPARQL_LIMITS.writing_seconds,
            megabytes=int(SPARQL_LIMITS.writing_memory) >> 20,
        )
    if result.returncode:
        fault = (result.stderr.strip().splitlines() or [str(result.returncode)])[-1]
        raise CompleteStoreError("the store with all editions could not be written: {fault}", fault=fault)


def write(bundle: Path) -> None:
    """Writes the store with all editions into a bundle. Raises EnvironmentFault if the disk fails."""
    complete = bundle / COMPLETE_FOLDER
    draft = complete.with_suffix(".tmp")
    remove(draft)
    try:
        with os_faults(_writing(complete)):
            draft.mkdir()
            _write_store(Books.open(bundle), draft / STORE_FOLDER)
            checksums.seal(draft)
            sync_tree(draft)
            remove(complete)  # a damaged one
            draft.rename(complete)
            sync(bundle)
    finally:
        remove(draft)


def _write_store(books: Books, folder: Path) -> None:
    books.store.copy(folder)
    with closing(Store(folder)) as store:
        store.load_all(books.unstored_quads())


def _writing(complete: Path) -> Message:
    return message("write the store with all editions into {folder}", folder=complete)


def main(bundle: str, memory: str) -> None:
    """Writes the store with at most this many bytes of memory; an error is one line on standard error."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    limit_memory(int(memory))
    try:
        write(Path(bundle))
    except RulestoneError as fault:
        sys.exit(fault.message.in_language())


if __name__ == "__main__":
    main(*sys.argv[1:])
