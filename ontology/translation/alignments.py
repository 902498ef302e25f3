"""The checked alignments of a home: small tables beside its bundles, which every build reads."""

from collections.abc import Sequence
from pathlib import Path

from corpus.address import EditionKey
from corpus.store.home import Home
from corpus.store.home.disk import write_file
from ontology.translation.align import sheet

FOLDER = "alignments"


def alignments(home: Home) -> Sequence[sheet.Sheet]:
    """Every checked alignment, by name. Raises InputError for a file that somebody has broken."""
    return [sheet.read(file.read_text(encoding="utf-8"), file.name) for file in sorted(_folder(home).glob("*.tsv"))]


def keep(home: Home, given: sheet.Sheet) -> None:
    """Keeps a checked alignment in the place of an older one of the same editions. Call it inside `home.writing()`."""
    folder = _folder(home)
    folder.mkdir(parents=True, exist_ok=True)
    for name in {given.name, sheet.Sheet(given.new, given.old, ()).name} - {given.name}:
        (folder / name).unlink(missing_ok=True)
    write_file(folder / given.name, sheet.kept(given).encode())


def between(sheets: Sequence[sheet.Sheet], old: EditionKey, new: EditionKey) -> sheet.Sheet | None:
    """The checked alignment of two editions, read from the older one's side; None where there is none."""
    for pair in sheets:
        if (pair.old, pair.new) == (old, new):
            return pair
        if (pair.new, pair.old) == (old, new):
            return sheet.turned(pair)
    return None


def _folder(home: Home) -> Path:
    return home.path / FOLDER
