"""Copies that are missing or damaged: stored again when their files are given again, or given up."""

from collections.abc import Sequence
from pathlib import Path

from corpus.store.home import Home
from corpus.store.home.checksums import TABLES_FOLDER
from corpus.store.home.disk import file_sha256
from corpus.store.home.given import Given
from ingest.rulings.read import STRUCTURED_SUFFIXES
from rulestone.writing.admission import RULEBOOK_SUFFIXES
from rulestone.writing.sources import has_intact_copy


def restore_copies(home: Home, paths: Sequence[Path]) -> None:
    """Stores the copies of files that were given before and are given again, if the copy is missing or damaged.

    Of a folder, the files that `add` may read are looked at. Raises EnvironmentFault as `Home.restore_source` does.
    """
    files = [file for path in paths for file in (_files_within(path) if path.is_dir() else [path]) if file.is_file()]
    hashes = {entry.sha256 for entry in home.given()} if files else set()
    for file in files if hashes else ():
        digest = file_sha256(file)
        if digest in hashes and not has_intact_copy(home, digest):
            home.restore_source(file, digest)


def restore_tables(home: Home) -> None:
    """Stores the copies of tables again that are whole in the current bundle."""
    bundle = home.current_folder()
    for entry in home.given() if bundle else ():
        if (table := kept_table(bundle, entry)) and not has_intact_copy(home, entry.sha256):
            home.restore_source(table, entry.sha256)


def kept_table(bundle: Path | None, entry: Given) -> Path | None:
    """The file of a table in a bundle; None if the bundle has no whole one."""
    file = bundle / TABLES_FOLDER / entry.kind / entry.name if bundle else None
    return file if file and file.is_file() and file_sha256(file) == entry.sha256 else None


def give_up(home: Home, what: str) -> list[Given]:
    """Takes a file, by name, path or SHA-256, from the list of the user's files; returns its entries.

    For a home that must be built again first: its bundle cannot be changed, and the build may stop at this very file.
    """
    path = Path(what)
    digest = file_sha256(path) if path.is_file() else what
    lost_entries = [entry for entry in home.given() if digest == entry.sha256 or (what == entry.name and not path.is_file())]
    if lost_entries:
        home.drop_given(lost_entries)
    return lost_entries


def _files_within(folder: Path) -> list[Path]:
    suffixes = (*RULEBOOK_SUFFIXES, *STRUCTURED_SUFFIXES)
    return [file for file in sorted(folder.rglob("*")) if file.suffix.lower() in suffixes]
