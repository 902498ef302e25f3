"""Adds curators' verdicts on proposed mappings to a home, and takes them back."""

from collections.abc import Sequence
from pathlib import Path

from corpus.errors import InputError
from corpus.store.home import Draft, Home
from corpus.store.home.given import GivenKind
from corpus.store.home.manifest import read_base_manifest
from ingest.read.document import file_bytes
from ontology.knowledge import Knowledge
from ontology.proposed_counterparts import proposed_pairs
from ontology.shipped import hub_labels, shipped_links
from ontology.spokes import PROPOSED_HUB
from ontology.sssom import expand_curie, rows_in
from ontology.verdicts import (
    FILE_NAME,
    Judgeable,
    Verdict,
    existence_check,
    read_verdicts,
    saved_verdicts,
    unused_verdicts,
    verdicts_table,
    without_file,
)
from rulestone.progress import no_progress
from rulestone.writing.draft.bundle import BundleWriter
from rulestone.writing.draft.copies import base_bundle
from rulestone.writing.draft.tables import store_table


def add_verdicts(home: Home, path: Path) -> list[Verdict]:
    """Adds the verdicts of a curator's file; a new verdict on a concept or a pair of rules replaces an earlier one.

    Raises InputError with the line of a row that cannot be used; then nothing changes.
    """
    try:
        text = file_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InputError("{file}: is not UTF-8 text ({fault}); save it as UTF-8", file=path.name, fault=fault.reason) from None
    with home.writing_bundle() as draft:
        base = base_bundle(home, draft)
        earlier = saved_verdicts(base)
        new_verdicts = read_verdicts(text, path.name, _judgeable(Knowledge.open(base), earlier))
        if new_verdicts:
            _write(home, draft, list({verdict.pair: verdict for verdict in (*earlier, *new_verdicts)}.values()), new_verdicts)
        return new_verdicts


def remove_verdicts(home: Home, what: str) -> list[Verdict]:
    """Takes back the verdicts of a curator's file, given by name or path; empty if there are none."""
    with home.writing_bundle() as draft:
        earlier = saved_verdicts(draft.base) if draft.base else []
        rest = list(without_file(earlier, Path(what).name))
        dropped_verdicts = [verdict for verdict in earlier if verdict not in rest]
        if dropped_verdicts:
            _write(home, draft, rest, dropped_verdicts)
        return dropped_verdicts


def prune_verdicts(home: Home) -> list[Verdict]:
    """Takes back the verdicts on concepts and rules that are not there any more; returns them."""
    with home.writing_bundle() as draft:
        base = base_bundle(home, draft)
        earlier = saved_verdicts(base)
        unused = unused_verdicts(earlier, Knowledge.open(base))
        if unused:
            _write(home, draft, [verdict for verdict in earlier if verdict not in unused], unused)
        return unused


def _judgeable(knowledge: Knowledge, earlier: Sequence[Verdict]) -> Judgeable:
    """The mappings that a curator may judge: the current proposals and those that were judged before."""
    pairs = [(verdict.subject, verdict.object) for verdict in earlier if verdict.object]
    pairs += [(rule, other) for rule, other, _ in proposed_pairs(knowledge.store)]
    rows = rows_in(knowledge.store, PROPOSED_HUB)
    pairs += [(expand_curie(row["subject_id"]), expand_curie(row["object_id"])) for row in rows]
    targets: dict[str, list[str]] = {}
    for subject, target in pairs:
        targets.setdefault(subject, []).append(target)
    return Judgeable(targets, hub_labels(), shipped_links().hub, existence_check(knowledge))


def _write(home: Home, draft: Draft, verdicts: Sequence[Verdict], changed_verdicts: Sequence[Verdict]) -> None:
    """Replaces all verdicts and writes a bundle that follows from them."""
    manifest = read_base_manifest(base_bundle(home, draft))
    store_table(home, manifest, GivenKind.MAPPINGS, FILE_NAME, verdicts_table(verdicts))
    BundleWriter(home, draft, manifest, no_progress).write(
        [], [], (), judged=any(verdict.is_of_rules for verdict in changed_verdicts)
    )
