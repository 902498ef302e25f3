"""A store that has everything, superseded editions too: for queries that may ask for them, and for what is checked as a whole."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from ontology.archive.archive import Archive
from ontology.store.checksums import STORE
from ontology.store.engine import OxigraphStore
from ontology.store.knowledge import Knowledge

_PREFIX = "rulestone-"
"""What the name of its folder begins with, in the system's folder for temporary files."""


class WholeStore:
    """The store of a bundle with its archive, written into a folder that goes with `close`."""

    def __init__(self, bundle: Path, archive: Archive) -> None:
        """Takes about a second and a half of processor time, and 40 MB, for each superseded edition of 4,600 rules."""
        self._folder = TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True)
        self.path = Path(self._folder.name) / STORE
        with closing(OxigraphStore(bundle / STORE, read_only=True)) as stored:
            stored.copy(self.path)
        with closing(OxigraphStore(self.path)) as store:
            for key in archive.keys:
                store.load(_bytes(archive.lines_of(key)))
            for graph in archive.pairs:
                store.load(_bytes(archive.pair(graph)))

    def close(self) -> None:
        """Removes it."""
        self._folder.cleanup()


@contextmanager
def complete(bundle: Path, knowledge: Knowledge) -> Iterator[Knowledge]:
    """The same knowledge with a store that has everything."""
    if not knowledge.archive:
        yield knowledge
        return
    with closing(WholeStore(bundle, knowledge.archive)) as whole:
        store = OxigraphStore(whole.path, read_only=True)
        yield Knowledge(store, knowledge.manifest)
        store.close()


def _bytes(lines: Iterator[str] | list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
