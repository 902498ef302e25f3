"""A complete store with superseded editions, for queries that may touch them and for checks of the whole graph."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from corpus.errors import EnvironmentFault
from corpus.store.books import Books
from corpus.store.engine import Store
from corpus.store.home.checksums import STORE

_PREFIX = "rulestone-"
"""Prefix of its folder in the system's temporary folder."""


class WholeStore:
    """The store of a bundle with the statements about all editions, in a folder that `close` deletes."""

    def __init__(self, bundle: Path) -> None:
        """Takes about 2.5 s of processor time, 25 MB on disk and, while it is written, 100 MB of memory for each edition.

        A separate process writes it, so that other requests are not slowed down. Raises EnvironmentFault if it cannot be written.
        """
        self._folder = TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True)
        self.path = Path(self._folder.name) / STORE
        try:
            self._write(bundle)
        except BaseException:
            self.close()
            raise

    def size(self) -> int:
        """Bytes on disk."""
        return sum(file.stat().st_size for file in self.path.rglob("*") if file.is_file())

    def _write(self, bundle: Path) -> None:
        command = [sys.executable, "-m", __name__, str(bundle), str(self.path)]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        made = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if made.returncode:
            why = (made.stderr.strip().splitlines() or [str(made.returncode)])[-1]
            raise EnvironmentFault(
                "a store with superseded editions could not be written to {folder}: {fault}", folder=self.path, fault=why
            )

    def close(self) -> None:
        """Removes it."""
        self._folder.cleanup()


def write(bundle: Path, path: Path) -> None:
    """Writes a complete store of a bundle."""
    books = Books.open(bundle)
    books.store.copy(path)
    with closing(Store(path)) as store:
        store.load_all(books.unstored_quads())


_Books = TypeVar("_Books", bound=Books)


@contextmanager
def complete(bundle: Path, knowledge: _Books) -> Iterator[_Books]:
    """The same knowledge base with the complete store."""
    if not knowledge.unstored:
        yield knowledge
        return
    with closing(WholeStore(bundle)) as whole:
        store = Store(whole.path, read_only=True)
        yield type(knowledge)(store, knowledge.manifest, knowledge.documents)
        store.close()


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:]))
