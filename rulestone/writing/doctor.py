"""Problems of a home folder, and their repair from the stored files."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import DamagedError, EnvironmentFault, NotFoundError
from corpus.messages import Message, message
from corpus.store.home import Home, checksums
from corpus.store.home.checksums import COMPLETE_FOLDER
from corpus.store.home.given import Given
from corpus.store.home.manifest import is_current_format
from rulestone.writing.restore import kept_table, restore_tables
from rulestone.writing.sources import intact_copy

_FREE_SPACE_FACTOR = 2
"""Amount of free space that is sufficient, as a multiple of the current bundle's size, because the next bundle is written beside
it.
"""


@dataclass(frozen=True, slots=True)
class Complaint:
    """One problem. `mendable` by `repair`; otherwise the message states what the user must do."""

    what: Message
    mendable: bool
    needs_build: bool = False  # only a new bundle mends it


def find_problems(home: Home) -> list[Complaint]:
    """Every problem of a home; reads every file of the current bundle and every stored copy."""
    try:
        with home.reading_current() as bundle:
            return [
                *_bundle_complaints(home, bundle),
                *_list_complaints(home, bundle),
                *_copy_complaints(home, bundle),
                *_draft_complaints(home),
                *_disk_complaints(bundle),
            ]
    except NotFoundError as lacking:
        first = Complaint(lacking.with_command, mendable=True, needs_build=True)
    except DamagedError as lost:
        first = Complaint(lost.message, mendable=True, needs_build=True)
    return [first, *_list_complaints(home, None), *_copy_complaints(home, None), *_draft_complaints(home)]


def repair(home: Home, build: Callable[[], object]) -> list[Complaint]:
    """Repairs the problems that it can and returns the others.

    A lost pointer is set to the newest whole bundle, and nothing is deleted. In place of a damaged bundle, `build` makes one from
    the list of the user's files. Raises EnvironmentFault if a file of that list cannot be read, the home is locked or the disk
    fails.
    """
    home.mend_pointer()
    complaints = find_problems(home)
    if any(complaint.needs_build for complaint in complaints):
        build()
    elif any(complaint.mendable for complaint in complaints):
        restore_tables(home)
        with home.writing_bundle():
            pass  # a writer removes leftovers, and writes a lost list again
    return find_problems(home)


def _bundle_complaints(home: Home, bundle: Path) -> Iterator[Complaint]:
    if not is_current_format(bundle) and checksums.has_whole_manifest(bundle):
        other = message("the bundle {name} was written by another version of Rulestone", name=bundle.name)
        yield Complaint(other, mendable=True, needs_build=True)
        return
    for damage in checksums.find_damage(bundle):
        what = message("the bundle {name} is damaged: {damage}", name=bundle.name, damage=damage)
        yield Complaint(what, mendable=True, needs_build=True)
    if home.is_behind():
        what = message("more was added than the bundle {name} holds", name=bundle.name)
        yield Complaint(what, mendable=True, needs_build=True)


def _list_complaints(home: Home, bundle: Path | None) -> Iterator[Complaint]:
    """The list of the user's files, if it is lost; a whole bundle has it too."""
    if bundle and (damage := home.list_problem()):
        yield Complaint(damage.message, mendable=checksums.has_whole_manifest(bundle))
    elif bundle is None:
        try:
            home.given()
        except EnvironmentFault as fault:
            yield Complaint(fault.message, mendable=False)


def _copy_complaints(home: Home, bundle: Path | None) -> Iterator[Complaint]:
    """Files of the user whose copy is missing or changed; they must be given again, unless the bundle has them too."""
    with suppress(EnvironmentFault):  # `_list_complaints` says so
        for entry in home.given():
            try:
                intact_copy(home, entry.sha256, entry.name)
            except EnvironmentFault as fault:
                yield Complaint(_with_readings(fault.message, entry), mendable=kept_table(bundle, entry) is not None)


def _with_readings(problem: Message, entry: Given) -> Message:
    """The problem of a copy, with the editions that stand only in it."""
    readings = ", ".join(entry.readings)
    return message("{problem} ({readings})", problem=problem, readings=readings) if readings else problem


def _draft_complaints(home: Home) -> Iterator[Complaint]:
    """Remains of a killed writer; a running writer holds the lock."""
    leftovers = home.leftovers()
    if leftovers:
        names = ", ".join(sorted(path.name for path in leftovers))
        yield Complaint(message("an interrupted write left {names}", names=names), mendable=True)


def _disk_complaints(bundle: Path) -> Iterator[Complaint]:
    size = sum(file.stat().st_size for name, file in checksums.listed_files(bundle) if not name.startswith(COMPLETE_FOLDER))
    free = shutil.disk_usage(bundle).free
    if free < _FREE_SPACE_FACTOR * size:
        what = message(
            "{free} MB are free on the disk of {folder}; the next bundle may take {size} MB",
            free=free >> 20,
            folder=bundle,
            size=_FREE_SPACE_FACTOR * size >> 20,
        )
        yield Complaint(what, mendable=False)
