"""What a disk can refuse and how we keep our word on it: plain errors, locks, and writes that are whole or absent."""

import errno
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from corpus.errors import EnvironmentFault

if sys.platform != "win32":
    import fcntl

UNCHANGED = "nothing was changed in the knowledge base"
REASONS = {
    errno.ENOSPC: f"the disk is full; {UNCHANGED}",
    errno.EDQUOT: f"the disk quota is used up; {UNCHANGED}",
    errno.EFBIG: f"the file grew beyond the size allowed here (ulimit -f); {UNCHANGED}",
    errno.EACCES: "no permission",
    errno.EPERM: "no permission",
    errno.EROFS: "no permission, the file system is read-only",
    errno.ENOENT: "no such file or folder",
    errno.ENOTDIR: "a file stands where a folder is needed",
    errno.EEXIST: "a file stands where a folder is needed",
    errno.EMFILE: "too many open files (ulimit -n)",
    errno.ENOLCK: "this file system offers no file locks",
    errno.EIO: f"the disk reports an error; {UNCHANGED}",
}


@contextmanager
def os_faults(action: str) -> Iterator[None]:
    """Turn any OSError inside into one plain line: `cannot {action}: {path}: {reason}`.

    `action` should name a path itself ("write …/out.ttl"): the error of a failed write carries none.

    Raises EnvironmentFault for every OSError; nested uses wrap only once.
    """
    try:
        yield
    except OSError as error:
        name = error.filename
        where = f"{os.fsdecode(name)}: " if isinstance(name, str | bytes) else ""
        raise EnvironmentFault(f"cannot {action}: {where}{_reason(error)}") from error


def _reason(error: OSError) -> str:
    """Give the reason in plain words. Oxigraph raises OSError without a number, so its text is searched."""
    text = error.strerror or str(error) or type(error).__name__
    code = error.errno or next((code for code in REASONS if os.strerror(code) in text), None)
    return REASONS.get(code, text) if code else text


def lock(file: IO[bytes], *, shared: bool) -> bool:
    """Try to lock an open file without waiting; False if another holder is in the way. Closing the file unlocks it.

    Raises OSError if the file system offers no locks, EnvironmentFault on Windows, which has no flock.
    """
    if sys.platform == "win32":
        raise EnvironmentFault("Rulestone needs flock, which Windows lacks; run it in WSL")
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def unlock(file: IO[bytes]) -> None:
    """Unlock for every holder of this descriptor: closing alone would leave the lock to forked children."""
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_UN)


def write_file(path: Path, data: bytes) -> None:
    """Write `data` and wait until the disk has it; `path` itself is not yet safe from a crash (see `sync`)."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync(path: Path) -> None:
    """Wait until the disk has this file, or the names in this folder."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems cannot sync a folder: nothing more to be done there
            raise
    finally:
        os.close(descriptor)


def sync_tree(root: Path) -> None:
    """Wait until the disk has everything under `root`, each folder after its files."""
    for folder, _, files in os.walk(root, topdown=False):
        for name in files:
            sync(Path(folder, name))
        sync(Path(folder))


def remove(path: Path) -> None:
    """Remove a file or a folder as far as possible. Never raises OSError: what stays is tried again later."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)
