"""Following what another home publishes: its bundle is copied, checked and swapped in."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path

from corpus.errors import EnvironmentFault, RulestoneError
from corpus.messages import Message, message
from ontology.store.home import Home, checksums
from rulestone.replicas.publication import LIST, File, Publication, read
from rulestone.replicas.source import Source, opened
from rulestone.writing.draft.copies import link

PUBLISHED = "published.json"
"""File of a copied bundle: the list that it was copied from."""
LONGEST = 16 << 20
"""Bytes of a list."""


def pull(home: Home, where: str, *, anew: bool = False) -> bool:
    """Copies what is published, unless the home has it already (and it is not to be copied `anew`); gives whether it did.

    Files that the bundle before has are not fetched again; each is checked by its SHA-256. From now on the home follows that
    source, and nothing else can be written to it. Raises EnvironmentFault where the source or the disk refuses, where a file is
    not what the list says, and for a home that has books of its own; InputError for what is no publication.
    """
    with opened(where) as source:
        written = source.read(LIST, LONGEST)
        published = read(written, source.name)
        if not anew and _has(home, written):
            return False
        _refuse_own(home, source.name)
        with home.writing(wait=True, follows=source.name) as draft:
            _fetch(source, published, draft.base, draft.path)
            (draft.path / PUBLISHED).write_bytes(written)
            draft.commit(())
    return True


@contextmanager
def following(home: Home, where: str, every: float, tell: Callable[[Message], object]) -> Iterator[None]:
    """Has a thread look for what is published, every so many seconds. What goes wrong is told once, until it goes well again."""
    stop = threading.Event()
    thread = threading.Thread(target=_keep_pulling, args=(home, where, every, tell, stop), name="follow", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _keep_pulling(home: Home, where: str, every: float, tell: Callable[[Message], object], stop: threading.Event) -> None:
    told = ""
    while not stop.wait(every):
        try:
            pull(home, where)
            told = ""
        except RulestoneError as fault:
            if str(fault) != told:
                tell(message("what is published is not followed: {fault}", fault=fault.message))
            told = str(fault)


def _has(home: Home, written: bytes) -> bool:
    """Whether the current bundle was copied from that list."""
    bundle = home.current()
    try:
        return bundle is not None and (bundle / PUBLISHED).read_bytes() == written
    except OSError:
        return False


def _refuse_own(home: Home, source: str) -> None:
    """Books that were added here would be lost."""
    if home.follows() is None and any(home.sources().glob("*")):
        raise EnvironmentFault(
            "{folder} has books of its own; follow {source} in another home (--home FOLDER)", folder=home.path, source=source
        )


def _fetch(source: Source, published: Publication, base: Path | None, target: Path) -> None:
    kept = {(path.stat().st_size, name): path for name, path in checksums.listed_files(base)} if base else {}
    for name, file in published.files.items():
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        before = kept.get((file.size, name))
        if before is not None and _is(before, file):
            link(str(before), str(place))
        else:
            _fetched(source, file, place)


def _fetched(source: Source, file: File, place: Path) -> None:
    with place.open("wb") as opened_file:
        source.copy(file.place, opened_file, file.size)
    if not _is(place, file):
        raise EnvironmentFault("{file} of {source} is not what its name says; publish again", file=file.place, source=source.name)


def _is(path: Path, file: File) -> bool:
    with path.open("rb") as opened_file:
        return file_digest(opened_file, "sha256").hexdigest() == file.sha256
