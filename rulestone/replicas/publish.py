"""Publishing the current bundle to a folder."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

from corpus.errors import InputError
from corpus.messages import message
from ontology.store.home import Home, checksums
from ontology.store.home.disk import os_faults, sync, write_file
from rulestone.replicas.publication import FILES, LIST, File, Publication, described, read


def publish(home: Home, target: Path) -> Publication:
    """Writes the current bundle to a folder, the list last; files that neither it nor the one before names are removed.

    Who follows the one before can still read it to the end. Raises NotFoundError without a bundle, DamagedError for a damaged one,
    EnvironmentFault where the disk refuses.
    """
    with home.reading() as bundle, os_faults(message("publish to {folder}", folder=target)):
        checksums.check(bundle)
        (target / FILES).mkdir(parents=True, exist_ok=True)
        before = _before(target)
        now = Publication({name: described(path) for name, path in checksums.listed_files(bundle)})
        for name, file in now.files.items():
            _put(bundle / name, target / file.place, file)
        sync(target / FILES)
        draft = target / FILES / f".{LIST}.{os.getpid()}"  # what a killed writer leaves there is swept
        write_file(draft, now.written())
        draft.replace(target / LIST)
        sync(target)
    _sweep(target, {file.sha256 for publication in (before, now) if publication for file in publication.files.values()})
    return now


def _before(target: Path) -> Publication | None:
    """What the folder publishes so far, as far as it can be read."""
    with suppress(OSError, InputError):
        return read((target / LIST).read_bytes(), str(target))
    return None


def _put(source: Path, place: Path, file: File) -> None:
    """Copies a file to its place, whole or not at all."""
    if place.exists() and place.stat().st_size == file.size:
        return
    draft = place.with_name(f".{place.name}.{os.getpid()}")
    shutil.copyfile(source, draft)
    sync(draft)
    draft.replace(place)


def _sweep(target: Path, needed: set[str]) -> None:
    for path in (target / FILES).iterdir():
        if path.name not in needed:
            with suppress(OSError):
                path.unlink()
