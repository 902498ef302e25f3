"""Disk access: errors in plain words, locks, and atomic writes."""

import errno
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import file_digest, sha256
from pathlib import Path
from typing import IO

from corpus.errors import EnvironmentFault
from corpus.messages import Message, message

if sys.platform != "win32":
    import fcntl

OS_ERROR_REASONS = {
    errno.ENOSPC: message("the disk is full; nothing was changed in the knowledge base"),
    errno.EDQUOT: message("the disk quota is used up; nothing was changed in the knowledge base"),
    errno.EFBIG: message("the file grew beyond the size allowed here (ulimit -f); nothing was changed in the knowledge base"),
    errno.EACCES: message("no permission"),
    errno.EPERM: message("no permission"),
    errno.EROFS: message("no permission, the file system is read-only"),
    errno.ENOENT: message("no such file or folder"),
    errno.ENOTDIR: message("a file is where a folder is expected"),
    errno.EEXIST: message("a file is where a folder is expected"),
    errno.EMFILE: message("too many open files (ulimit -n)"),
    errno.ENOLCK: message("this file system does not support file locks"),
    errno.ELOOP: message("a symbolic link is where a file or folder of Rulestone is expected; remove the link"),
    errno.EIO: message("the disk reports an error; nothing was changed in the knowledge base"),
}
_STORE_FAULTS = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_PERM: errno.EPERM,
    sqlite3.SQLITE_IOERR: errno.EIO,
}
"""SQLite's codes for the same errors; the lowest byte is the primary code (sqlite.org/rescode.html)."""


@contextmanager
def os_faults(action: Message | str) -> Iterator[None]:
    """Turns any OSError inside into one plain line: `cannot {action}: {path}: {reason}`; likewise disk errors of SQLite.

    `action` should name a path itself ("write …/out.ttl"), because the error of a failed write has none.

    Raises EnvironmentFault for every OSError; nested uses wrap only once.
    """
    try:
        yield
    except OSError as error:
        name = error.filename
        if isinstance(name, str | bytes):
            raise EnvironmentFault(
                "cannot {action}: {path}: {reason}", action=action, path=os.fsdecode(name), reason=os_error_reason(error)
            ) from error
        raise EnvironmentFault("cannot {action}: {reason}", action=action, reason=os_error_reason(error)) from error
    except sqlite3.OperationalError as error:
        code = _STORE_FAULTS.get(error.sqlite_errorcode & 0xFF)
        if code is None:
            raise
        raise EnvironmentFault("cannot {action}: {reason}", action=action, reason=OS_ERROR_REASONS[code]) from error


def os_error_reason(error: OSError) -> Message:
    """Returns the reason in plain words. Oxigraph raises OSError without a number, so its text is searched."""
    text = error.strerror or str(error) or type(error).__name__
    code = error.errno or next((code for code in OS_ERROR_REASONS if os.strerror(code) in text), None)
    return (OS_ERROR_REASONS.get(code) if code else None) or message(text)


def lock(file: IO[bytes], *, shared: bool, wait: bool = False) -> bool:
    """Tries to lock an open file; False if another process holds it, unless `wait`. Closing the file unlocks it.

    Raises OSError if the file system does not support locks, EnvironmentFault on Windows, which has no flock.
    """
    if sys.platform == "win32":
        raise EnvironmentFault("Rulestone needs flock, which Windows lacks; run it in WSL")
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def unlock(file: IO[bytes]) -> None:
    """Unlocks for every holder of this descriptor: closing it would leave the lock with forked children."""
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_UN)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds the lock of a file inside the `with` block; the file is created if needed, and the call blocks until the lock is free.

    Raises OSError if the file system does not support locks, EnvironmentFault on Windows, which has no flock.
    """
    with open_lock(path) as file:
        lock(file, shared=False, wait=True)
        yield


def open_lock(path: Path) -> IO[bytes]:
    """Opens the file of a lock for reading and writing, unbuffered; it is created if needed.

    Raises OSError, also for a symbolic link: a write to a lock must not reach another file.
    """
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0), 0o666), "a+b", buffering=0)


def write_file(path: Path, data: bytes) -> None:
    """Writes `data` and syncs it; the directory entry is not yet durable (see `sync`)."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def file_sha256(file: Path) -> str:
    """SHA-256 (64 hex) of a file's bytes, read piece by piece."""
    with file.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def sync(path: Path) -> None:
    """Syncs a file, or the names in a folder, to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems cannot sync a folder
            raise
    finally:
        os.close(descriptor)


def sync_tree(root: Path) -> None:
    """Syncs everything under `root` to disk, each folder after its files."""
    for folder, _, files in os.walk(root, topdown=False):
        for name in files:
            sync(Path(folder, name))
        sync(Path(folder))


def remove(path: Path) -> None:
    """Removes a file or a folder as far as possible. Never raises OSError; the next writer tries again."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def fingerprint(*parts: str) -> str:
    """The SHA-256 of the parts, in hexadecimal."""
    return sha256("\n".join(parts).encode()).hexdigest()
