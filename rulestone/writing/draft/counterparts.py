"""Counterparts of rules in a draft: the links of checked alignments, and those that are proposed."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from corpus.address import graph_iri
from corpus.catalogue import RULES
from corpus.store.engine import Store
from corpus.store.home.checksums import STORE_FOLDER
from corpus.store.home.manifest import Manifest
from ontology.knowledge import Knowledge
from ontology.proposed_counterparts import write_counterparts
from ontology.shipped import has_annotations, mapping_quads, shipped_mappings
from ontology.translation.checked_alignments import AlignmentSheet, sheet_mappings
from rulestone.writing.draft.threads import pairs_of
from search.counterparts import propose_counterparts
from search.index.index import FOLDER as INDEX
from search.index.index import Index, is_complete, rewrite_proposed

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


def propose_in_draft(draft: Path, manifest: Manifest) -> None:
    """Writes the proposed counterparts of rules into the store of a draft that already has the index, and into that index.

    Only games without annotations have some, and only where all texts are encoded.
    """
    games = {key.game for key in manifest.editions if not has_annotations(key.game)}
    if not games or not is_complete(draft / INDEX):
        return
    knowledge = Knowledge.open(draft)
    books = {(key.game, key.book) for key in manifest.editions if knowledge.document(key.game, key.book) == RULES}
    proposed = propose_counterparts(Index(draft / INDEX), games, books)
    store = Store(draft / STORE_FOLDER)
    write_counterparts(store, proposed)
    store.close()
    rewrite_proposed(draft / INDEX, Knowledge.open(draft))
