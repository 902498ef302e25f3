"""The added files, read again from their copies."""

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from corpus.address import EditionKey
from corpus.errors import EnvironmentFault, InputError
from corpus.messages import message
from corpus.model import Authority, Reading
from corpus.store.home import Home
from corpus.store.home.disk import file_sha256, os_faults
from corpus.store.home.given import Given, GivenKind
from corpus.store.home.manifest import AddedFile, CardsEntry
from ingest.pipeline import parse_guarded
from ingest.read.document import Document, file_bytes, read
from ingest.recognise import Hints


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file being added: its bytes, the user's options, and its readings; `without` names the removed ones."""

    document: Document
    data: bytes
    hints: Hints
    readings: list[Reading]
    without: tuple[str, ...] = ()


def parse_source(data: bytes, path: Path, hints: Hints) -> Parsed:
    """A new file. Raises InputError if it is not a rulebook."""
    document, readings = parse_guarded(data, path, hints)
    return Parsed(document, data, hints, readings)


def reading_name(key: EditionKey, lang: str) -> str:
    """The name of one language of an edition in `AddedFile.without`."""
    return f"{key} {lang}"


class Sources:
    """The added files, each read again from its copy at most once."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._parsed_files: dict[str, Parsed] = {}

    def parse_source(self, file: AddedFile) -> Parsed:
        """A file as it is parsed now, without its removed readings. Raises EnvironmentFault if it cannot be read."""
        if file.sha256 not in self._parsed_files:
            self._parsed_files[file.sha256] = self._parse_added(file)
        whole = self._parsed_files[file.sha256]
        readings = [reading for reading in whole.readings if reading_name(reading.key, reading.lang) not in file.without]
        return replace(whole, readings=readings, without=file.without)

    def text(self, sha256: str) -> str | None:
        """The decoded text of a file; None if its copy is missing or unreadable."""
        with suppress(InputError, EnvironmentFault):
            return next((read(copy).text for copy in copies_of(self.home, sha256)), None)
        return None

    def _parse_added(self, file: AddedFile) -> Parsed:
        data = file_bytes(intact_copy(self.home, file.sha256, file.name))
        hints = dict(file.hints)
        authority = hints.pop("authority", None)
        try:
            return parse_source(data, Path(file.name), Hints(**hints, authority=Authority(authority) if authority else None))
        except InputError as fault:
            raise unreadable_error(file, fault) from fault


def unreadable_error(file: AddedFile | CardsEntry, fault: InputError) -> EnvironmentFault:
    """The error for a file that was read when it was given, and is refused now."""
    return EnvironmentFault(
        "{file} was added before and cannot be read again: {reason}",
        file=file.name,
        reason=fault.message,
        command=f"rulestone remove {file.sha256}",
    )


def added_file(entry: Given) -> AddedFile:
    """A file of the list of the user's files, before it is read again."""
    return AddedFile(
        entry.sha256, entry.name, entry.options, (), (), entry.without, entry.readings if entry.kind == GivenKind.RULINGS else ()
    )


def has_intact_copy(home: Home, sha256: str) -> bool:
    """Whether the copy of a file is there and unchanged."""
    with suppress(OSError):
        return any(file_sha256(copy) == sha256 for copy in copies_of(home, sha256))
    return False


def copies_of(home: Home, sha256: str) -> list[Path]:
    """The copies of a file in a home, damaged or not; empty if they were deleted."""
    return [file for file in sorted((home.sources() / sha256).glob("*")) if file.is_file()]


def intact_copy(home: Home, sha256: str, name: str) -> Path:
    """The copy of the file of that name. Raises EnvironmentFault if it is missing or has changed."""
    there, folder = copies_of(home, sha256), home.sources() / sha256
    if not there:
        raise EnvironmentFault("the copy of {file} in {folder} is gone; add the file again", file=name, folder=folder)
    with os_faults(message("read the knowledge base in {folder}", folder=home.path)):
        if whole := next((copy for copy in there if file_sha256(copy) == sha256), None):
            return whole
    raise EnvironmentFault("the copy of {file} in {folder} is damaged; add the file again", file=name, folder=folder)
