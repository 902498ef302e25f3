"""Adds curators' verdicts on proposed cross-game concepts to a home, and takes them back."""

from collections.abc import Sequence
from pathlib import Path

from corpus.errors import InputError
from corpus.store.home import Draft, Home
from corpus.store.home.given import GivenKind
from corpus.store.home.manifest import read_manifest
from ingest.read.document import file_bytes
from ontology.knowledge import Knowledge
from ontology.shipped import hub_labels
from ontology.spokes import PROPOSED_HUB
from ontology.sssom import expand_curie, rows_in
from ontology.verdicts import FILE_NAME, Verdict, read_verdicts, saved_verdicts, verdicts_table, without_file
from rulestone.progress import no_progress
from rulestone.writing.draft.bundle import BundleWriter
from rulestone.writing.draft.copies import base_bundle
from rulestone.writing.draft.tables import store_table


def add_verdicts(home: Home, path: Path) -> list[Verdict]:
    """Adds the verdicts of a curator's file; a new verdict on a concept replaces an earlier one.

    Raises InputError with the line of a row that cannot be used; then nothing changes.
    """
    try:
        text = file_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InputError("{file}: is not UTF-8 text ({fault}); save it as UTF-8", file=path.name, fault=fault.reason) from None
    with home.writing_bundle() as draft:
        base = base_bundle(home, draft)
        knowledge, earlier = Knowledge.open(base), saved_verdicts(base)
        rows = rows_in(knowledge.store, PROPOSED_HUB)
        proposed = {expand_curie(row["subject_id"]): expand_curie(row["object_id"]) for row in rows}
        judged = {verdict.concept: verdict.hub for verdict in earlier}
        added = read_verdicts(text, path.name, hub_labels(), judged | proposed, knowledge.names.labels)
        if added:
            _write(home, draft, list({verdict.concept: verdict for verdict in (*earlier, *added)}.values()))
        return added


def remove_verdicts(home: Home, what: str) -> list[Verdict]:
    """Takes back the verdicts of a curator's file, given by name or path; empty if there are none."""
    with home.writing_bundle() as draft:
        earlier = saved_verdicts(draft.base) if draft.base else []
        kept = list(without_file(earlier, Path(what).name))
        if len(kept) < len(earlier):
            _write(home, draft, kept)
        return [verdict for verdict in earlier if verdict not in kept]


def _write(home: Home, draft: Draft, verdicts: Sequence[Verdict]) -> None:
    """Replaces all verdicts and writes a bundle that follows from them."""
    manifest = read_manifest(base_bundle(home, draft))
    store_table(home, manifest, GivenKind.MAPPINGS, FILE_NAME, verdicts_table(verdicts))
    BundleWriter(home, draft, manifest, no_progress).write([], [], ())
