"""Answers of look-ups that the processes of a server keep together: what one has worked out, none works out again.

Each is a file of a folder that lives as long as the server. A process leaves at most so many bytes there and takes its own away
when the bundle changes; where processes go with their bundle, what they left goes too, once the next ones have seen what was asked.
What cannot be written or read is worked out as if there were no folder.
"""

import json
import os
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from itertools import count
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

from api.http.delivery.compression import IDENTITY
from api.http.delivery.kept import MOST, Answer, Key

NAME = "RULESTONE_SHELF"
"""The setting that tells processes which folder it is."""


@contextmanager
def shelf_between_processes() -> Iterator[None]:
    """Has processes that are started meanwhile keep answers together; without room for files each keeps its own."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="rulestone-shelf-", ignore_cleanup_errors=True)
    except OSError:
        yield
        return
    with folder as name:
        os.environ[NAME] = name
        try:
            yield
        finally:
            os.environ.pop(NAME, None)


class Shelf:
    """What a process leaves for the others of one server, and finds of theirs, bundle by bundle. Thread-safe."""

    def __init__(self, folder: Path, most: int = MOST) -> None:
        self._folder = folder
        self._most = most
        self._bundle: str | None = None
        self._own: list[Path] = []
        self._bytes = 0
        self._numbers = count()

    @classmethod
    def of(cls) -> "Shelf | None":
        """That of the environment; None where a process is alone."""
        folder = os.environ.get(NAME)
        return cls(Path(folder)) if folder else None

    def get(self, bundle: str, key: Key) -> Answer | None:
        """What a process has answered from the same bundle."""
        left = _read(self._file(bundle, key))
        return left.answer if left else None

    def of_bundle(self, bundle: str) -> Iterator[tuple[Key, Answer]]:
        """All that processes have answered from a bundle."""
        return ((left.key, left.answer) for file in _files(self._folder / bundle) if (left := _read(file)))

    def asked_before(self, bundle: str) -> list[Key]:
        """What was asked of the bundle before this one; first what took longest."""
        others = [folder for folder in self._folder.iterdir() if folder.is_dir() and folder.name != bundle]
        last = max(others, key=lambda folder: folder.stat().st_mtime_ns, default=None)
        there = [left for file in _files(last) if (left := _read(file))] if last else []
        return [left.key for left in sorted(there, key=lambda left: -left.seconds)]

    def put(self, bundle: str, key: Key, answer: Answer, seconds: float = 0.0) -> None:
        """Leaves an answer there, whole or not at all; it took so many seconds."""
        if bundle != self._bundle:
            self._clear(bundle)
        written = _written(key, answer, seconds)
        if self._bytes + len(written) > self._most:
            return
        self._bytes += len(written)
        file, half = self._file(bundle, key), self._folder / f"{os.getpid()}-{next(self._numbers)}"
        self._own.append(file)
        try:
            half.write_bytes(written)
            file.parent.mkdir(exist_ok=True)
            half.replace(file)
        except OSError:  # no room: the next one works it out again
            half.unlink(missing_ok=True)

    def keep(self, bundles: Collection[str | None]) -> None:
        """Takes away what was answered from any other bundle."""
        for folder in self._folder.iterdir():
            if folder.is_dir() and folder.name not in bundles:
                rmtree(folder, ignore_errors=True)

    def _clear(self, bundle: str) -> None:
        own, self._own, before, self._bundle, self._bytes = self._own, [], self._bundle, bundle, 0
        for file in own:
            with suppress(OSError):
                file.unlink()
        if before:
            with suppress(OSError):  # another process has still something there
                (self._folder / before).rmdir()

    def _file(self, bundle: str, key: Key) -> Path:
        return self._folder / bundle / blake2b(repr(tuple(key)).encode("utf-8", "replace"), digest_size=16).hexdigest()


class _Left(NamedTuple):
    """What stands in a file."""

    key: Key
    answer: Answer
    seconds: float


def _files(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _written(key: Key, answer: Answer, seconds: float) -> bytes:
    """A line of JSON and the body."""
    asked = [key.path, key.query.decode("latin-1"), key.lang, key.accept.decode("latin-1")]
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in answer.headers]
    return json.dumps([asked, seconds, answer.tag, headers]).encode() + b"\n" + answer.codings[IDENTITY]


def _read(file: Path) -> _Left | None:
    try:
        head, _, body = file.read_bytes().partition(b"\n")
        (path, query, lang, accept), seconds, tag, headers = json.loads(head)
    except (OSError, ValueError):
        return None
    key = Key(path, query.encode("latin-1"), lang, accept.encode("latin-1"))
    fields = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return _Left(key, Answer(tag, fields, {IDENTITY: body}), seconds)
