"""The links of checked alignments among the counterparts of rules."""

from collections.abc import Mapping, Sequence

from corpus.address import graph_iri
from corpus.store.home.manifest import Manifest
from ontology.shipped import mapping_quads, shipped_mappings
from ontology.translation.checked_alignments import AlignmentSheet, sheet_mappings
from rulestone.writing.draft.threads import pairs_of

COUNTERPARTS = "counterparts"
"""The folder of shipped counterparts, and the last part of their graph."""


def are_neighbours(sheet: AlignmentSheet, manifest: Manifest) -> bool:
    """Whether a sheet aligns neighbouring editions of a book."""
    same = (sheet.old.game, sheet.old.book) == (sheet.new.game, sheet.new.book)
    return same and bool({(sheet.old, sheet.new), (sheet.new, sheet.old)} & pairs_of(manifest))


def add_counterparts(graphs: Mapping[str, bytes], sheets: Sequence[AlignmentSheet], manifest: Manifest) -> Mapping[str, bytes]:
    """The shipped graphs, with the links of checked alignments among the counterparts of rules."""
    there = [
        checked
        for checked in sheets
        if {checked.old, checked.new} <= manifest.editions.keys() and not are_neighbours(checked, manifest)
    ]
    rows = [row for checked in there for row in sheet_mappings(checked)]
    return (
        {
            **graphs,
            graph_iri(COUNTERPARTS): mapping_quads(COUNTERPARTS, [*shipped_mappings(COUNTERPARTS), *rows]),
        }
        if rows
        else graphs
    )
