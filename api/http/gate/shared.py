"""What is kept of callers by several processes together: a file that all of them have mapped, with a row for each caller.

A caller has a place in one set of rows. Where the set is full the caller goes who may ask again soonest, so that nobody is
refused for having been forgotten.
"""

import mmap
import os
import struct
import tempfile
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where a server has one process
    fcntl = None  # type: ignore[assignment]

NAME = "RULESTONE_RATES"
"""The setting that tells processes which file it is."""
_ROW, _IN_SET, _SETS = struct.Struct("=Qd"), 8, 1 << 13
_SET = _ROW.size * _IN_SET


@contextmanager
def shared_between_processes() -> Iterator[None]:
    """Has processes that are started meanwhile count together."""
    handle, name = tempfile.mkstemp(prefix="rulestone-rates-")
    os.ftruncate(handle, _SET * _SETS)
    os.close(handle)
    os.environ[NAME] = name
    try:
        yield
    finally:
        os.environ.pop(NAME, None)
        with suppress(OSError):
            Path(name).unlink()


class Shared:
    """The rows of one rate; `name` tells those of one rate from those of another."""

    def __init__(self, file: Path, name: str) -> None:
        self._name = name.encode()
        self._file = os.open(file, os.O_RDWR)
        weakref.finalize(self, os.close, self._file)
        self._rows = mmap.mmap(self._file, _SET * _SETS)

    @classmethod
    def of(cls, name: str) -> "Shared | None":
        """That of the environment; None where processes count alone."""
        file = os.environ.get(NAME)
        return cls(Path(file), name) if file and fcntl is not None else None

    def move(self, caller: str, step: Callable[[float], float]) -> None:
        """Puts in the place of a caller's number what a step makes of it; that of a new one is 0."""
        digest = blake2b(caller.encode("utf-8", "replace"), digest_size=12, key=self._name).digest()
        key, start = int.from_bytes(digest[:8], "big") or 1, int.from_bytes(digest[8:], "big") % _SETS * _SET
        fcntl.lockf(self._file, fcntl.LOCK_EX, _SET, start)
        try:
            rows = list(_ROW.iter_unpack(self._rows[start : start + _SET]))
            at = next((at for at, row in enumerate(rows) if row[0] == key), None)
            before = 0.0 if at is None else rows[at][1]
            place = min(range(_IN_SET), key=lambda slot: rows[slot][1]) if at is None else at
            _ROW.pack_into(self._rows, start + place * _ROW.size, key, step(before))
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN, _SET, start)
