"""An export that says which mark it has, whole or only what changed since another one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.address import iri_of, path_of
from ontology.answers import whole
from ontology.store.home.journal import Difference, Journal, Since
from ontology.store.knowledge import Knowledge

if TYPE_CHECKING:
    from corpus.contract import DeltaChange, DeltaEnd, DeltaLine


@dataclass(frozen=True, slots=True)
class Export:
    """The lines of an export. `mark` names what it holds, `tag` tells it from every other answer to the same question."""

    mark: str
    tag: str
    lines: Iterator[bytes]


def export(knowledge: Knowledge, journal: Journal, since: str | None) -> Export:
    """All lines, or those that bring a copy of `since` up to date. Raises what `Journal.since` raises."""
    tag = f"{journal.mark}-{journal.place}"
    if since is None:
        return Export(journal.mark, tag, map(whole.line, whole.everything(knowledge)))
    return Export(journal.mark, tag, delta(knowledge, journal, journal.since(since)))


def delta(knowledge: Knowledge, journal: Journal, since: Since) -> "Iterator[bytes]":
    """What was removed, then what was added or changed, as it is now and in the order of the export; at last the new mark."""
    difference = journal.difference(since)
    for path in difference.removed:
        gone: DeltaLine = {"change": "removed", "iri": iri_of(path), "line": None}
        yield whole.line(gone)
    for body in whole.at(knowledge, difference.added | difference.changed):
        how: DeltaChange = "added" if path_of(body["iri"]) in difference.added else "changed"
        line: DeltaLine = {"change": how, "iri": body["iri"], "line": body}
        yield whole.line(line)
    yield whole.line(_end(journal.mark, difference))


def _end(mark: str, difference: Difference) -> "DeltaEnd":
    return {"mark": mark, "added": len(difference.added), "changed": len(difference.changed), "removed": len(difference.removed)}
