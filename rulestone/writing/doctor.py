"""Problems of a home folder, and their repair from the stored files."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import EnvironmentFault, NotFoundError
from corpus.messages import Message, message
from corpus.store.home import Home, checksums
from corpus.store.home.manifest import is_current_format, read_sources
from rulestone.progress import Progress, no_progress
from rulestone.writing.add import build
from rulestone.writing.sources import intact_copy

_FREE_SPACE_FACTOR = 2
"""Amount of free space that is sufficient, as a multiple of the current bundle's size, because the next bundle is written beside
it.
"""


@dataclass(frozen=True, slots=True)
class Complaint:
    """One problem. `mendable` by a rebuild from the stored files; otherwise the message states what the user must do."""

    what: Message
    mendable: bool


def find_problems(home: Home) -> list[Complaint]:
    """Every problem of a home; reads every file of the current bundle and every stored copy."""
    try:
        with home.reading_current() as bundle:
            return [
                *_bundle_complaints(bundle),
                *_copy_complaints(home, bundle),
                *_draft_complaints(home),
                *_disk_complaints(bundle),
            ]
    except NotFoundError as lacking:
        return [Complaint(lacking.with_command, mendable=True), *_draft_complaints(home)]


def repair(home: Home, progress: Progress = no_progress) -> list[Complaint]:
    """Repairs the problems that it can and returns the others. Raises EnvironmentFault if the home is locked or the disk fails."""
    if any(complaint.mendable for complaint in find_problems(home)):
        build(home, progress)
    return find_problems(home)


def _bundle_complaints(bundle: Path) -> Iterator[Complaint]:
    if not is_current_format(bundle):
        yield Complaint(message("the bundle {name} was written by another version of Rulestone", name=bundle.name), mendable=True)
        return
    for damage in checksums.find_damage(bundle):
        yield Complaint(message("the bundle {name} is damaged: {damage}", name=bundle.name, damage=damage), mendable=True)


def _copy_complaints(home: Home, bundle: Path) -> Iterator[Complaint]:
    """Added files whose copy is missing or changed; they must be added again."""
    for sha256, name in (read_sources(bundle) or {}).items():
        try:
            intact_copy(home, sha256, name)
        except EnvironmentFault as fault:
            yield Complaint(fault.message, mendable=False)


def _draft_complaints(home: Home) -> Iterator[Complaint]:
    """Remains of a killed writer; a running writer holds the lock."""
    left = home.leftovers()
    if left:
        names = ", ".join(sorted(path.name for path in left))
        yield Complaint(message("an interrupted write left {names}", names=names), mendable=True)


def _disk_complaints(bundle: Path) -> Iterator[Complaint]:
    size = sum(file.stat().st_size for file in bundle.rglob("*") if file.is_file())
    free = shutil.disk_usage(bundle).free
    if free < _FREE_SPACE_FACTOR * size:
        what = message(
            "{free} MB are free on the disk of {folder}; the next bundle may take {size} MB",
            free=free >> 20,
            folder=bundle,
            size=_FREE_SPACE_FACTOR * size >> 20,
        )
        yield Complaint(what, mendable=False)
