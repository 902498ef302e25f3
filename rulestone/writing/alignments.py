"""Adds alignments that a person has checked to the knowledge base."""

from pathlib import Path

from corpus.errors import InputError
from corpus.store.home import Home
from corpus.store.home.given import GivenKind
from corpus.store.home.manifest import Manifest, read_base_manifest
from ontology.translation.checked_alignments import AlignmentSheet, read_sheet, without_words
from rulestone.progress import no_progress
from rulestone.writing.draft.bundle import BundleWriter
from rulestone.writing.draft.copies import base_bundle
from rulestone.writing.draft.counterparts import COUNTERPARTS, are_neighbours
from rulestone.writing.draft.tables import store_table

_MAX_BYTES = 16 << 20
"""Bytes of a table."""


def read_alignment(path: Path) -> AlignmentSheet:
    """A checked table. Raises InputError for another file."""
    if not path.is_file():
        raise InputError("there is no file {file}; expected a table that `rulestone align` wrote", file=path)
    data = path.read_bytes()
    if len(data) > _MAX_BYTES:
        raise InputError("{file} has more than {megabytes} MB; split it", file=path, megabytes=_MAX_BYTES >> 20)
    try:
        return read_sheet(data.decode("utf-8-sig"), path.name)
    except UnicodeDecodeError as fault:
        raise InputError("{file} is not UTF-8 text (byte {place}); save it as UTF-8", file=path, place=fault.start) from fault


def apply_alignment_sheet(home: Home, sheet: AlignmentSheet) -> str:
    """Adds a checked alignment to the knowledge base; later builds keep it.

    Returns how it joins the texts: `thread` for two editions of a book, else `counterparts`. Raises InputError if its editions are
    not loaded or are already aligned, EnvironmentFault as `build` does.
    """
    with home.writing_bundle() as draft:
        manifest = read_base_manifest(base_bundle(home, draft))
        joins = _joining_kind(sheet, manifest)
        data = without_words(sheet).encode()
        store_table(home, manifest, GivenKind.ALIGNMENT, sheet.name, data, replaced_names=[sheet.swapped().name])
        BundleWriter(home, draft, manifest, no_progress).write([], [], ())
        return joins


def _joining_kind(sheet: AlignmentSheet, manifest: Manifest) -> str:
    for key in (sheet.old, sheet.new):
        if key not in manifest.editions:
            raise InputError("{edition} is not loaded; add it first: rulestone add FILE", edition=key)
    if sheet.old == sheet.new:
        raise InputError("both texts are {edition}; the languages of one edition are already aligned", edition=sheet.old)
    if not are_neighbours(sheet, manifest):
        return COUNTERPARTS
    languages, other = (manifest.editions[key].languages for key in (sheet.old, sheet.new))
    if common := languages.keys() & other.keys():
        raise InputError(
            "{old} and {new} are already joined by their words in {langs}; an alignment is for editions without a common language",
            old=sheet.old,
            new=sheet.new.edition,
            langs=", ".join(sorted(common)),
        )
    return "thread"
