"""Adds alignments that a person has checked to the knowledge base."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.address import graph_iri
from corpus.errors import InputError
from corpus.store.home import Home
from corpus.store.home.manifest import Manifest, read_manifest
from ontology.shipped import mapping_quads, mappings
from ontology.translation.checked_alignments import Sheet, counterparts, read_sheet, save_alignment
from rulestone.progress import silent
from rulestone.writing.draft.copies import loaded
from rulestone.writing.draft.threads import pairs_of

_COUNTERPARTS = "counterparts"
_LARGEST = 16 << 20
"""Bytes of a table."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A checked alignment that was added. `joins` is `thread` for two editions of a book, else `counterparts`."""

    sheet: Sheet
    joins: str


def read(path: Path) -> Sheet:
    """A checked table. Raises InputError for another file."""
    if not path.is_file():
        raise InputError("there is no file {file}; expected a table that `rulestone align` wrote", file=path)
    data = path.read_bytes()
    if len(data) > _LARGEST:
        raise InputError("{file} has more than {megabytes} MB; split it", file=path, megabytes=_LARGEST >> 20)
    try:
        return read_sheet(data.decode("utf-8-sig"), path.name)
    except UnicodeDecodeError as fault:
        raise InputError("{file} is not UTF-8 text (byte {place}); save it as UTF-8", file=path, place=fault.start) from fault


def apply(home: Home, given: Sheet) -> Applied:
    """Adds a checked alignment to the knowledge base; later builds keep it.

    Raises InputError if its editions are not loaded or are already aligned, EnvironmentFault as `build` does.
    """
    from rulestone.writing.draft.bundle import Writer

    with home.writing() as draft:
        manifest = read_manifest(loaded(home, draft))
        joins = _joins(given, manifest)
        save_alignment(home, given)
        Writer(home, draft, manifest, silent).write([], [], ())
        return Applied(given, joins)


def _joins(given: Sheet, manifest: Manifest) -> str:
    for key in (given.old, given.new):
        if key not in manifest.editions:
            raise InputError("{edition} is not loaded; add it first: rulestone add FILE", edition=key)
    if given.old == given.new:
        raise InputError("both texts are {edition}; the languages of one edition are already aligned", edition=given.old)
    if not _are_neighbours(given, manifest):
        return _COUNTERPARTS
    languages, other = (manifest.editions[key].languages for key in (given.old, given.new))
    if common := languages.keys() & other.keys():
        raise InputError(
            "{old} and {new} are already joined by their words in {langs}; an alignment is for editions without a common language",
            old=given.old,
            new=given.new.edition,
            langs=", ".join(sorted(common)),
        )
    return "thread"


def _are_neighbours(given: Sheet, manifest: Manifest) -> bool:
    same = (given.old.game, given.old.book) == (given.new.game, given.new.book)
    return same and bool({(given.old, given.new), (given.new, given.old)} & pairs_of(manifest))


def with_counterparts(graphs: Mapping[str, bytes], sheets: Sequence[Sheet], manifest: Manifest) -> Mapping[str, bytes]:
    """The shipped graphs, with the links of checked alignments among the counterparts of rules."""
    there = [
        checked
        for checked in sheets
        if {checked.old, checked.new} <= manifest.editions.keys() and not _are_neighbours(checked, manifest)
    ]
    rows = [row for checked in there for row in counterparts(checked)]
    return {**graphs, graph_iri(_COUNTERPARTS): mapping_quads(_COUNTERPARTS, [*mappings(_COUNTERPARTS), *rows])} if rows else graphs
