"""Answers of look-ups that the processes of a server keep together: what one has worked out, none works out again.

Each is a file of a folder that lives as long as the server. A process leaves at most so many bytes there and takes its own away
when the bundle changes; what cannot be written or read is worked out as if there were no folder.
"""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from itertools import count
from pathlib import Path

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
    """What a process leaves for the others of one server, and finds of theirs. Thread-safe."""

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
        try:
            head, _, body = self._file(bundle, key).read_bytes().partition(b"\n")
            tag, headers = json.loads(head)
        except (OSError, ValueError):
            return None
        return Answer(tag, [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers], {IDENTITY: body})

    def put(self, bundle: str, key: Key, answer: Answer) -> None:
        """Leaves an answer there, whole or not at all."""
        if bundle != self._bundle:
            self._clear(bundle)
        head = [answer.tag, [(name.decode("latin-1"), value.decode("latin-1")) for name, value in answer.headers]]
        written = json.dumps(head).encode() + b"\n" + answer.codings[IDENTITY]
        if self._bytes + len(written) > self._most:
            return
        self._bytes += len(written)
        file, half = self._file(bundle, key), self._folder / f"{os.getpid()}-{next(self._numbers)}"
        self._own.append(file)
        try:
            half.write_bytes(written)
            half.replace(file)
        except OSError:  # no room: the next one works it out again
            half.unlink(missing_ok=True)

    def _clear(self, bundle: str) -> None:
        own, self._own, self._bundle, self._bytes = self._own, [], bundle, 0
        for file in own:
            with suppress(OSError):
                file.unlink()

    def _file(self, bundle: str, key: Key) -> Path:
        return self._folder / blake2b(repr((bundle, *key)).encode("utf-8", "replace"), digest_size=16).hexdigest()
