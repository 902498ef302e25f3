"""Decides which files may be added: those that are new and do not contradict loaded texts."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from corpus.errors import EnvironmentFault, InputError
from corpus.messages import Message, message, plural
from corpus.model import Reading
from corpus.store.home.manifest import AddedFile, Manifest, key_of_row
from ingest.merge import conflicting_locators
from ingest.pipeline import join_chapters, reading_order
from ingest.read.document import Document, displayable_name, file_bytes, is_simple, read_document
from ingest.read.sandbox import run_sandboxed
from ingest.recognise import Hints
from ingest.rulings.read import STRUCTURED_SUFFIXES
from rulestone.writing.rulings.update import holds_rulings
from rulestone.writing.sources import Parsed, Sources, reading_name

RULEBOOK_SUFFIXES = (".txt", ".md", ".markdown", ".rst", ".html", ".htm", ".pdf")
"""File suffixes read from a folder, and those that are read only as rulings."""
_MAX_NAMED = 3
"""Maximum number of rules that are named if a file contradicts another."""


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file to read; `data` has its text, with its `hints`, if it was made from a folder of chapters or finished work.

    A file with a `refusal` is not read.
    """

    path: Path
    hints: Hints | None
    data: bytes | None = None
    notes: Sequence[Message] = ()
    refusal: InputError | None = None


def find_files(
    paths: Sequence[Path], hints: Hints | None = None, *, with_rulings: bool = False, keep_going: bool = False
) -> Iterator[GivenFile]:
    """The files to read: those named and, in a folder, those with a rulebook suffix; with a game also tables and lists.

    A folder with a file for each chapter of a book is one file, its chapters joined. `with_rulings`: the user says that
    they are rulings. Raises InputError for a folder without any, or with a symbolic link that leaves it (with `keep_going` the
    link alone is refused), EnvironmentFault for one without permission.
    """
    for path in paths:
        try:
            if not path.is_dir():
                yield GivenFile(path, hints)
                continue
            for refusal in map(_link_error, _links_out_of(path)):
                if not keep_going:
                    raise refusal
                yield GivenFile(Path(str(refusal.message.values["link"])), hints, refusal=refusal)
            inside = _files_within(path, (*RULEBOOK_SUFFIXES, *(STRUCTURED_SUFFIXES if hints and hints.game else ())))
            book = None if with_rulings else _one_book(path, inside, hints or Hints(), keep_going=keep_going)
        except PermissionError:
            raise EnvironmentFault("{path}: no permission to open it; change its permissions or copy it", path=path) from None
        yield from [book] if book else (GivenFile(file, hints) for file in inside)


def _one_book(folder: Path, inside: Sequence[Path], hints: Hints, *, keep_going: bool) -> GivenFile | None:
    """The chapters in a folder as one book; None if its files are several books or rulings."""
    chapters = sorted(inside, key=lambda file: reading_order(file.relative_to(folder)))
    contents = [(file_bytes(file), file) for file in chapters]
    if any(holds_rulings(data, file, has_options=False) for data, file in contents):
        return None

    def read_chapters() -> tuple[Document, Hints] | None:
        return join_chapters([read_document(data, file) for data, file in contents], folder.resolve().name, hints)

    try:
        simple = all(is_simple(data, file) for data, file in contents)
        book = read_chapters() if simple else run_sandboxed(read_chapters, displayable_name(folder))
    except InputError:
        if keep_going:
            return None
        raise
    if book is None:
        return None
    note = plural(
        "{count} file of the folder, read as the chapters of one book",
        "{count} files of the folder, read as the chapters of one book",
        len(contents),
    )
    return GivenFile(folder.parent / book[0].name, book[1], book[0].text.encode(), [note])


def _links_out_of(folder: Path) -> list[Path]:
    """The symbolic links in a folder to files or folders outside it."""
    root = folder.resolve()
    links = (path for path in sorted(folder.rglob("*")) if path.is_symlink() and (path.is_file() or path.is_dir()))
    return [link for link in links if not link.resolve().is_relative_to(root)]


def _link_error(link: Path) -> InputError:
    return InputError(
        "{link}: is a link to {target}, outside the folder; add {target} by its own name, or replace the link by a copy",
        link=link,
        target=link.resolve(),
    )


def _files_within(folder: Path, allowed_suffixes: Sequence[str]) -> list[Path]:
    """The files in a folder with one of the suffixes, each once even if links in the folder name it too."""
    root, by_target = folder.resolve(), dict[Path, Path]()
    candidates = (file for file in folder.rglob("*") if file.is_file() and file.suffix.lower() in allowed_suffixes)
    for file in sorted(candidates, key=lambda file: (file.is_symlink(), file)):
        by_target.setdefault(file.resolve(), file)
    inside = sorted(file for target, file in by_target.items() if target.is_relative_to(root))
    next(iter(folder.iterdir()), None)  # rglob skips folders without permission
    if not inside:
        suffixes = ", ".join(allowed_suffixes)
        if any(file.suffix.lower() in STRUCTURED_SUFFIXES for file in folder.rglob("*")):
            raise InputError("{folder}: no rulebook in this folder; add --game GAME to read the rulings in it", folder=folder)
        raise InputError(
            "{folder}: no rulebook in this folder; expected files ending in {suffixes}", folder=folder, suffixes=suffixes
        )
    return inside


def stated_options(hints: Hints | None) -> dict[str, str]:
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
        checksum = sha256(data).hexdigest()
        if any(fresh_file.document.sha256 == checksum for fresh_file in self.fresh):
            return True
        added_file = next((file for file in self.manifest.added if file.sha256 == checksum), None)
        if added_file is None:
            return False
        if added_file.without:
            self.manifest.added.remove(added_file)
            return False
        if hints in (None, Hints()) or added_file.hints == stated_options(hints):
            return True
        if not self.replace:
            raise _filed_otherwise_error(path, added_file)
        self.manifest.added.remove(added_file)
        return False

    def admit_file(self, new: Parsed) -> None:
        """Accepts a file. Raises InputError if it contradicts loaded texts; with `replace`, drops those instead."""
        keys = {reading.key for reading in new.readings}
        for added_file in [added_file for added_file in self.manifest.added if added_file.editions() & keys]:
            self._add_beside(added_file, new)
        for other in self.fresh:
            if clash := _conflicting_locators(other.readings, new):
                raise _conflict_error(new, other.document.name, clash)
        self.fresh.append(new)

    def _add_beside(self, added_file: AddedFile, new: Parsed) -> None:
        old = self.sources.parse_source(added_file).readings
        clash = _conflicting_locators(old, new)
        if clash and not self.replace:
            raise _conflict_error(new, added_file.name, clash)
        if clash:
            self._give_up(added_file, [reading for reading in new.readings if conflicting_locators(old, reading)])

    def _give_up(self, added_file: AddedFile, readings: Sequence[Reading]) -> None:
        """Drops the replaced readings of a file; its other readings are kept."""
        names = {reading_name(reading.key, reading.lang) for reading in readings}
        rows = tuple(row for row in added_file.readings if reading_name(key_of_row(row), row["lang"]) not in names)
        place = self.manifest.added.index(added_file)
        rest = added_file._replace(readings=rows, without=(*added_file.without, *sorted(names)))
        self.manifest.added[place : place + 1] = [rest] if rows else []


def _filed_otherwise_error(path: Path, added_file: AddedFile) -> InputError:
    editions = ", ".join(f"{key}" for key in sorted(added_file.editions(), key=str))
    return InputError(
        "{file}: is already loaded as {filed}; give --replace to load it with the new options", file=path.name, filed=editions
    )


def _conflicting_locators(old: Sequence[Reading], new: Parsed) -> list[str]:
    return [locator for reading in new.readings for locator in conflicting_locators(old, reading)]


def _conflict_error(new: Parsed, other: str, clash: Sequence[str]) -> InputError:
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
