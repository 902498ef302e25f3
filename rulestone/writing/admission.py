"""Decides which files may be added: those that are new and do not contradict loaded texts."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from corpus.errors import EnvironmentFault, InputError
from corpus.messages import Message, message
from corpus.model import Reading
from corpus.store.home.manifest import AddedFile, Manifest, key_of_row
from ingest.merge import conflicts
from ingest.pipeline import joined, reading_order
from ingest.read.document import Document, document, file_bytes, is_simple, shown
from ingest.read.sandbox import apart
from ingest.recognise import Hints
from ingest.rulings.read import STRUCTURED
from rulestone.writing.rulings.update import holds_rulings
from rulestone.writing.sources import Parsed, Sources, name_of

SUFFIXES = (".txt", ".md", ".markdown", ".rst", ".html", ".htm", ".pdf")
"""File suffixes read from a folder, and those that are read only as rulings."""
_MAX_NAMED = 3
"""Maximum number of rules that are named if a file contradicts another."""


@dataclass(frozen=True, slots=True)
class Given:
    """A file to read; `data` has its text, with its `hints`, if it was made from a folder of chapters or finished work."""

    path: Path
    hints: Hints | None
    data: bytes | None = None
    notes: Sequence[Message] = ()


def files(paths: Sequence[Path], hints: Hints | None = None, *, said: bool = False, keep_going: bool = False) -> Iterator[Given]:
    """The files to read: those named and, in a folder, those with a rulebook suffix; with a game also tables and lists.

    A folder with a file for each chapter of a book is one file, its chapters joined. `said`: the user declares them as rulings.
    Raises InputError for a folder without any, EnvironmentFault for one without permission.
    """
    for path in paths:
        try:
            if not path.is_dir():
                yield Given(path, hints)
                continue
            inside = _within(path, (*SUFFIXES, *(STRUCTURED if hints and hints.game else ())))
            book = None if said else _one_book(path, inside, hints or Hints(), keep_going=keep_going)
        except PermissionError:
            raise EnvironmentFault("{path}: no permission to open it; change its permissions or copy it", path=path) from None
        yield from [book] if book else (Given(file, hints) for file in inside)


def _one_book(folder: Path, inside: Sequence[Path], hints: Hints, *, keep_going: bool) -> Given | None:
    """The chapters in a folder as one book; None if its files are several books or rulings."""
    chapters = sorted(inside, key=lambda file: reading_order(file.relative_to(folder)))
    read = [(file_bytes(file), file) for file in chapters]
    if any(holds_rulings(data, file, said=False) for data, file in read):
        return None

    def work() -> tuple[Document, Hints] | None:
        return joined([document(data, file) for data, file in read], folder.resolve().name, hints)

    try:
        simple = all(is_simple(data, file) for data, file in read)
        book = work() if simple else apart(work, shown(folder))
    except InputError:
        if keep_going:
            return None
        raise
    if book is None:
        return None
    note = message("{count} files of the folder, read as the chapters of one book", count=len(read))
    return Given(folder.parent / book[0].name, book[1], book[0].text.encode(), [note])


def _within(folder: Path, wanted: Sequence[str]) -> list[Path]:
    inside = sorted(file for file in folder.rglob("*") if file.is_file() and file.suffix.lower() in wanted)
    next(iter(folder.iterdir()), None)  # rglob skips folders without permission
    if not inside:
        suffixes = ", ".join(wanted)
        if any(file.suffix.lower() in STRUCTURED for file in folder.rglob("*")):
            raise InputError("{folder}: no rulebook in this folder; add --game GAME to read the rulings in it", folder=folder)
        raise InputError(
            "{folder}: no rulebook in this folder; expected files ending in {suffixes}", folder=folder, suffixes=suffixes
        )
    return inside


def said(hints: Hints | None) -> dict[str, str]:
    """The user's options for a file, in the form of the manifest."""
    return {name: str(value) for name, value in asdict(hints or Hints()).items() if value is not None}


class Admission:
    """The files that one `add` accepts; replaced readings leave `manifest`."""

    def __init__(self, sources: Sources, manifest: Manifest, fresh: Sequence[Parsed], *, replace: bool) -> None:
        self.sources = sources
        self.manifest = manifest
        self.fresh = list(fresh)
        self.replace = replace

    def is_known(self, data: bytes, path: Path, hints: Hints | None) -> bool:
        """Whether these bytes were added before; with `replace` they are filed again with the new options.

        Raises InputError if they were added with other options.
        """
        digest = sha256(data).hexdigest()
        if any(parsed.document.sha256 == digest for parsed in self.fresh):
            return True
        added = next((file for file in self.manifest.added if file.sha256 == digest), None)
        if added is None:
            return False
        if added.without:
            self.manifest.added.remove(added)
            return False
        if hints in (None, Hints()) or added.hints == said(hints):
            if not self.sources.has(digest):
                self.sources.home.keep(data, added.name)
            return True
        if not self.replace:
            raise _filed_otherwise(path, added)
        self.manifest.added.remove(added)
        return False

    def admit(self, new: Parsed) -> None:
        """Accepts a file. Raises InputError if it contradicts loaded texts; with `replace`, drops those instead."""
        keys = {reading.key for reading in new.readings}
        for added in [added for added in self.manifest.added if added.editions() & keys]:
            self._beside(added, new)
        for other in self.fresh:
            if clash := _clash(other.readings, new):
                raise _refusal(new, other.document.name, clash)
        self.fresh.append(new)

    def _beside(self, added: AddedFile, new: Parsed) -> None:
        old = self.sources.parsed(added).readings
        clash = _clash(old, new)
        if clash and not self.replace:
            raise _refusal(new, added.name, clash)
        if clash:
            self._give_up(added, [reading for reading in new.readings if conflicts(old, reading)])

    def _give_up(self, added: AddedFile, replaced: Sequence[Reading]) -> None:
        """Drops the replaced readings of a file; its other readings are kept."""
        names = {name_of(reading.key, reading.lang) for reading in replaced}
        kept = tuple(row for row in added.readings if name_of(key_of_row(row), row["lang"]) not in names)
        place = self.manifest.added.index(added)
        left = added._replace(readings=kept, without=(*added.without, *sorted(names)))
        self.manifest.added[place : place + 1] = [left] if kept else []


def _filed_otherwise(path: Path, added: AddedFile) -> InputError:
    filed = ", ".join(f"{key}" for key in sorted(added.editions(), key=str))
    return InputError(
        "{file}: is already loaded as {filed}; give --replace to load it with the new options", file=path.name, filed=filed
    )


def _clash(old: Sequence[Reading], new: Parsed) -> list[str]:
    return [locator for reading in new.readings for locator in conflicts(old, reading)]


def _refusal(new: Parsed, other: str, clash: Sequence[str]) -> InputError:
    rules: object = ", ".join(clash[:_MAX_NAMED])
    if len(clash) > _MAX_NAMED:
        rules = message("{rules} and {count} more", rules=rules, count=len(clash) - _MAX_NAMED)
    return InputError(
        "{file}: {edition} is loaded from {other} with other words in {rules};"
        " give --replace to replace that file, or --edition to keep both",
        file=new.document.name,
        edition=new.readings[0].key,
        other=other,
        rules=rules,
    )
