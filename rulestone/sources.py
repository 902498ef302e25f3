"""The files that were added before: read again from their copies, and found again where the list of them is lost."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from corpus.address import EditionKey
from corpus.errors import EnvironmentFault, InputError
from corpus.model import Authority, Reading
from ingest.pipeline import parse
from ingest.read.document import Document, document, file_bytes
from ingest.recognise.edition import Hints
from ontology.store.home import Home
from ontology.store.manifest import AddedFile, read_added


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file in hand: its bytes to keep, what the user said of it, and its readings; `without` names those given up."""

    document: Document
    data: bytes
    hints: Hints
    readings: Sequence[Reading]
    without: tuple[str, ...] = ()


def parsed(data: bytes, path: Path, hints: Hints) -> Parsed:
    """A new file. Raises InputError where it is no rulebook."""
    found = document(data, path)
    return Parsed(found, data, hints, parse(found, hints))


def name_of(key: EditionKey, lang: str) -> str:
    """One language of an edition as `AddedFile.without` names it."""
    return f"{key} {lang}"


class Shelf:
    """The added files, each read again from its copy at most once."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._read: dict[str, Parsed] = {}

    def parsed(self, one: AddedFile) -> Parsed:
        """A file as it parses today, without what was given up of it. Raises EnvironmentFault where that fails."""
        if one.sha256 not in self._read:
            self._read[one.sha256] = self._parsed(one)
        found = self._read[one.sha256]
        kept = [reading for reading in found.readings if name_of(reading.key, reading.lang) not in one.without]
        return replace(found, readings=kept, without=one.without)

    def has(self, sha256: str) -> bool:
        """Whether the copy of a file is there."""
        return self._copy(sha256) is not None

    def _copy(self, sha256: str) -> Path | None:
        return next((file for file in sorted((self.home.sources() / sha256).glob("*")) if file.is_file()), None)

    def _parsed(self, one: AddedFile) -> Parsed:
        copy = self._copy(one.sha256)
        if copy is None:
            raise EnvironmentFault(f"the copy of {one.name} in {self.home.sources()} is gone; add the file again")
        said = dict(one.hints)
        authority = said.pop("authority", None)
        try:
            return parsed(file_bytes(copy), Path(one.name), Hints(**said, authority=Authority(authority) if authority else None))
        except InputError as fault:
            raise EnvironmentFault(f"{one.name} was added before and cannot be read again: {fault}") from fault

    def listed(self, base: Path | None) -> list[AddedFile]:
        """What a bundle lists as added; where it cannot tell, every copy that is kept: nothing added is ever forgotten."""
        known = read_added(base) if base else None
        if known is not None:
            return known
        copies = (self._copy(folder.name) for folder in sorted(self.home.sources().glob("*")) if folder.is_dir())
        return [AddedFile(copy.parent.name, copy.name, {}, (), ()) for copy in copies if copy]
