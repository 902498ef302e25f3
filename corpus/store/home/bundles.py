"""The bundles of a home folder: the current one, their readers, and garbage collection.

A reader holds a shared lock on the bundle's seal; the collector needs an exclusive one and does not block. A bundle with readers
is therefore kept, and a late reader finds the seal missing and reads the pointer again.
"""

import re
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from corpus.errors import NotFoundError
from corpus.messages import message
from corpus.store.home.disk import lock, os_faults, remove, write_file

LOCK_FILE = "bundle.lock"  # the last file of a draft: a folder without it is not a bundle
_NAME = re.compile(r"[0-9]{6,12}")


class HeldBundle:
    """A bundle that is kept on disk until `close`, or until the end of the `with` block."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        self._file = file

    def close(self) -> None:
        """Releases the bundle; a second call does nothing."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()


class Bundles:
    """The folder `bundles` of one home and the pointer `current` beside it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.path = home / "bundles"
        self._pointer = home / "current"

    def current_name(self) -> str | None:
        """Reads the pointer; None if there is none, or if it does not contain a bundle's name."""
        try:
            name = self._pointer.read_bytes().decode("ascii", "replace").strip()
        except FileNotFoundError:
            return None
        return name if _NAME.fullmatch(name) else None

    def current_folder(self) -> Path | None:
        """Finds the folder the pointer names; None if there is none. Raises EnvironmentFault if it cannot be read."""
        with os_faults(message("read the knowledge base in {folder}", folder=self.home)):
            before, name = None, self.current_name()
            while name and name != before:
                bundle = self.path / name
                if (bundle / LOCK_FILE).exists():
                    return bundle
                before, name = name, self.current_name()  # swapped and collected in the meantime? then the pointer has changed
            return None

    def hold_current(self) -> HeldBundle:
        """Holds the current bundle. Raises NotFoundError if there is none, EnvironmentFault if it cannot be read."""
        while bundle := self.current_folder():
            with os_faults(message("read the knowledge base in {folder}", folder=self.home)):
                if held_bundle := _hold(bundle):
                    return held_bundle
            time.sleep(0.001)  # it has just been collected; another one is current
        raise NotFoundError("there is no knowledge base in {folder} yet", folder=self.home, command="rulestone build")

    def finished(self) -> list[Path]:
        """The folders of bundles, the newest first. The pointer may name none of them, and one without its seal is damaged."""
        return sorted(
            (path for path in self.path.glob("*") if _NAME.fullmatch(path.name)), key=lambda path: int(path.name), reverse=True
        )

    # The rest requires the writers' lock.

    def make_draft(self, used_names: Iterable[str] = ()) -> Path:
        """Makes an empty draft folder with an unused number, so that a name always means the same bundle."""
        names = [*(path.name.removesuffix(".tmp") for path in self.path.iterdir()), self.current_name() or "", *used_names]
        number = max((int(name) for name in names if _NAME.fullmatch(name)), default=0) + 1
        path = self.path / f"{number:06}.tmp"
        path.mkdir()
        return path

    def point_to(self, name: str) -> None:
        """Points to another bundle, atomically."""
        fresh = self._pointer.with_suffix(".tmp")
        write_file(fresh, f"{name}\n".encode())
        fresh.replace(self._pointer)

    def unfinished_files(self) -> list[Path]:
        """Includes drafts, half-removed bundles, and a pointer that was not swapped yet."""
        return [*self.home.glob(self._pointer.with_suffix(".tmp").name), *self.path.glob("*.tmp")]

    def collect_garbage(self) -> None:
        """Removes bundles neither current nor read. If none is current, all are kept for repair."""
        current = self.current_folder()
        for bundle in self.path.iterdir() if current else ():
            if bundle != current and _NAME.fullmatch(bundle.name):
                with suppress(OSError):
                    _collect(bundle)


def _hold(bundle: Path) -> HeldBundle | None:
    """Locks a bundle for reading; None if it is being collected, or was collected before the lock was acquired."""
    seal = bundle / LOCK_FILE
    try:
        file = seal.open("rb")
    except FileNotFoundError:
        return None
    try:
        is_held = lock(file, shared=True) and seal.exists()
    except BaseException:
        file.close()
        raise
    if is_held:
        return HeldBundle(bundle, file)
    file.close()
    return None


def _collect(bundle: Path) -> None:
    """Removes a bundle without readers; it is renamed first, so that a partial one is never taken for a bundle."""
    with (bundle / LOCK_FILE).open("ab") as file:
        if lock(file, shared=False):
            dead = bundle.with_suffix(".tmp")
            bundle.rename(dead)
            remove(dead)
