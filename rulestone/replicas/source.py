"""Where a bundle is published: a folder, or an address of the web."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from corpus.errors import EnvironmentFault, InputError
from corpus.messages import message
from ontology.store.home.disk import os_faults

if TYPE_CHECKING:
    import httpx2

SECONDS = 30.0
"""How long a server may stay silent."""
PIECE = 1 << 20


class Source(Protocol):
    """Files that somebody published."""

    name: str
    """What it is called in messages."""

    def read(self, place: str, limit: int) -> bytes:
        """A small file as a whole. Raises EnvironmentFault where it cannot be read, or has more than `limit` bytes."""
        ...

    def copy(self, place: str, target: BinaryIO, limit: int) -> None:
        """Copies a file. Raises as `read` does."""
        ...

    def close(self) -> None:
        """Lets go of what is open."""
        ...


@contextmanager
def opened(where: str) -> Iterator[Source]:
    """A folder, or what an http or https address stands for. Raises InputError for any other address."""
    source = _source(where)
    try:
        yield source
    finally:
        source.close()


def _source(where: str) -> Source:
    scheme, separator, _ = where.partition("://")
    if not separator:
        return Folder(Path(where))
    if scheme.lower() not in ("http", "https"):
        raise InputError("{source!r} cannot be followed; expected a folder, or an http or https address", source=where[:200])
    return Web(where)


class Folder:
    """A folder of this machine, or one that is mounted."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.name = str(path.absolute())

    def read(self, place: str, limit: int) -> bytes:
        """See Source."""
        with os_faults(message("read {folder}", folder=self._path)), (self._path / place).open("rb") as file:
            return _within(file.read(limit + 1), limit, self.name, place)

    def copy(self, place: str, target: BinaryIO, limit: int) -> None:
        """See Source."""
        with os_faults(message("read {folder}", folder=self._path)), (self._path / place).open("rb") as file:
            _copied(iter(lambda: file.read(PIECE), b""), target, limit, self.name, place)

    def close(self) -> None:
        """Nothing is open."""


class Web:
    """A web server with the files below an address; redirects are followed, compression is not asked for."""

    def __init__(self, address: str) -> None:
        self.name = address
        self._client: httpx2.Client | None = None

    def read(self, place: str, limit: int) -> bytes:
        """See Source."""
        with self._pieces(place) as pieces:
            gathered = b""
            for piece in pieces:
                gathered = _within(gathered + piece, limit, self.name, place)
            return gathered

    def copy(self, place: str, target: BinaryIO, limit: int) -> None:
        """See Source."""
        with self._pieces(place) as pieces:
            _copied(pieces, target, limit, self.name, place)

    def close(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            self._client.close()

    @contextmanager
    def _pieces(self, place: str) -> Iterator[Iterator[bytes]]:
        import httpx2

        if self._client is None:
            self._client = httpx2.Client(timeout=SECONDS, follow_redirects=True, headers={"Accept-Encoding": "identity"})
        try:
            with self._client.stream("GET", f"{self.name.rstrip('/')}/{place}") as response:
                response.raise_for_status()
                yield response.iter_raw(PIECE)
        except (httpx2.HTTPError, httpx2.InvalidURL) as fault:
            raise EnvironmentFault(
                "{source} cannot be read: {fault}", source=self.name, fault=str(fault).splitlines()[0]
            ) from fault


def _copied(pieces: Iterator[bytes], target: BinaryIO, limit: int, source: str, place: str) -> None:
    left = limit
    for piece in pieces:
        left -= len(piece)
        if left < 0:
            raise _too_long(limit, source, place)
        target.write(piece)


def _within(read: bytes, limit: int, source: str, place: str) -> bytes:
    if len(read) > limit:
        raise _too_long(limit, source, place)
    return read


def _too_long(limit: int, source: str, place: str) -> EnvironmentFault:
    return EnvironmentFault("{place} of {source} has more than {limit} bytes", place=place, source=source, limit=limit)
