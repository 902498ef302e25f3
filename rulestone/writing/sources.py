"""The added files: read again from their copies, and found again where the list of them is lost."""

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from corpus.address import EditionKey
from corpus.errors import EnvironmentFault, InputError
from corpus.model import Authority, Reading
from corpus.store.home import Home
from corpus.store.home.manifest import AddedFile, read_added
from ingest.pipeline import parse_guarded
from ingest.read.document import Document, file_bytes, read
from ingest.recognise import Hints
from rulestone.writing.kept import copies, whole_copy


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file in hand: its bytes to keep, what the user said of it, and its readings; `without` names those given up."""

    document: Document
    data: bytes
    hints: Hints
    readings: list[Reading]
    without: tuple[str, ...] = ()


def parsed(data: bytes, path: Path, hints: Hints) -> Parsed:
    """A new file. Raises InputError where it is no rulebook."""
    document, readings = parse_guarded(data, path, hints)
    return Parsed(document, data, hints, readings)


def name_of(key: EditionKey, lang: str) -> str:
    """One language of an edition as `AddedFile.without` names it."""
    return f"{key} {lang}"


class Sources:
    """The added files, each read again from its copy at most once."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._read: dict[str, Parsed] = {}

    def parsed(self, added: AddedFile) -> Parsed:
        """A file as it parses today, without what was given up of it. Raises EnvironmentFault where that fails."""
        if added.sha256 not in self._read:
            self._read[added.sha256] = self._parsed(added)
        whole = self._read[added.sha256]
        kept = [reading for reading in whole.readings if name_of(reading.key, reading.lang) not in added.without]
        return replace(whole, readings=kept, without=added.without)

    def has(self, sha256: str) -> bool:
        """Whether the copy of a file is there."""
        return bool(copies(self.home, sha256))

    def text(self, sha256: str) -> str | None:
        """The decoded words of a file; None where its copy is gone, or cannot be read any more."""
        with suppress(InputError, EnvironmentFault):
            return next((read(copy).text for copy in copies(self.home, sha256)), None)
        return None

    def listed(self, base: Path | None) -> list[AddedFile]:
        """What a bundle lists as added; where it cannot tell, every copy that is kept: nothing added is ever forgotten."""
        known = read_added(base) if base else None
        if known is not None:
            return known
        there = (copies(self.home, folder.name) for folder in sorted(self.home.sources().glob("*")))
        return [AddedFile(some[0].parent.name, some[0].name, {}, (), ()) for some in there if some]

    def _parsed(self, added: AddedFile) -> Parsed:
        data = file_bytes(whole_copy(self.home, added.sha256, added.name))
        hints = dict(added.hints)
        authority = hints.pop("authority", None)
        try:
            return parsed(data, Path(added.name), Hints(**hints, authority=Authority(authority) if authority else None))
        except InputError as fault:
            reason = fault.message
            raise EnvironmentFault(
                "{file} was added before and cannot be read again: {reason}", file=added.name, reason=reason
            ) from fault
