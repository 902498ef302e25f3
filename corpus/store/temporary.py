"""Temporary folders that do not outlive their process for long: the next process removes those of killed ones.

A folder is locked as long as its process lives; the operating system releases the lock of a killed process.
"""

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from corpus.messages import message
from corpus.store.home.disk import lock, os_faults

_PREFIX, _UNLOCKED_PREFIX = "rulestone-temporary-", "rulestone-temporary.new-"
_LOCK_FILE = "rulestone-temporary.lock"
"""A name that no other folder of Rulestone has: a home, which may lie there too, has a file `lock`."""


class TemporaryFolder:
    """A folder in the system's folder for temporary files, removed by `close` or at the end of the `with` block."""

    def __init__(self) -> None:
        """Also removes the folders of killed processes. Raises EnvironmentFault if no folder can be made."""
        parent = Path(tempfile.gettempdir())
        remove_abandoned(parent)
        with os_faults(message("make a folder in {folder}", folder=parent)):
            draft = Path(tempfile.mkdtemp(prefix=_UNLOCKED_PREFIX, dir=parent))
            try:
                self._lock_file = (draft / _LOCK_FILE).open("wb")
                lock(self._lock_file, shared=False)
                self.path = parent / draft.name.replace(_UNLOCKED_PREFIX, _PREFIX)
                draft.rename(self.path)
            except BaseException:
                shutil.rmtree(draft, ignore_errors=True)
                raise

    def close(self) -> None:
        """Removes the folder; a second call does nothing."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock_file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()


def remove_abandoned(parent: Path) -> None:
    """Removes this user's temporary folders whose process no longer lives. Never raises OSError."""
    for folder in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if not folder.is_symlink() and folder.stat().st_uid == os.getuid():
                _remove_if_abandoned(folder)


def _remove_if_abandoned(folder: Path) -> None:
    with suppress(OSError), (folder / _LOCK_FILE).open("rb") as file:
        if lock(file, shared=False):
            shutil.rmtree(folder, ignore_errors=True)
