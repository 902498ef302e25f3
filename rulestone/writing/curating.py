"""Curated labels: stored in the home, written into every bundle, and attributed to the curator."""

import csv
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from io import StringIO

from corpus.address import concept_name, scheme_of, slug_of, slugify
from corpus.errors import InputError
from corpus.languages import LANGUAGES
from corpus.messages import Message, message
from corpus.spreadsheet import DELIMITERS, delimiter_of, quote_cell, unquote_cell
from corpus.store.home import Home
from corpus.store.home.given import GivenKind
from corpus.store.home.manifest import read_base_manifest
from ontology.translation.glossary import (
    FILE_NAME,
    STATUSES,
    CuratedLabel,
    GlossaryFinding,
    Proposal,
    curated_labels,
    curated_table,
    is_new_concept,
    names_of_made_concepts,
    nearest_concept,
    stated_concept,
)
from rulestone.progress import no_progress
from rulestone.writing.draft.bundle import BundleWriter
from rulestone.writing.draft.copies import base_bundle
from rulestone.writing.draft.tables import store_table

TAKE, DROP = "take", "drop"
_MAX_LENGTH = 200
_COLUMNS = frozenset(Proposal._fields)


def proposals_csv(proposals: Sequence[Proposal]) -> bytes:
    """Proposals as CSV with a byte order mark, to be edited in a spreadsheet; no cell is a formula."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(Proposal._fields)
    writer.writerows(map(quote_cell, map(str, proposal)) for proposal in proposals)
    return text.getvalue().encode("utf-8-sig")


def decisions_csv(labels: Sequence[CuratedLabel]) -> bytes:
    """Labels as the table that `read_decisions` reads, in which every row is taken and concepts that do not ship are new."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(("decision", "finding", *CuratedLabel._fields))
    new_concepts = {concept for concept, _, _ in names_of_made_concepts(labels)}
    findings = (GlossaryFinding.NEW_CONCEPT if label.concept in new_concepts else "" for label in labels)
    writer.writerows((TAKE, finding, *map(quote_cell, label)) for finding, label in zip(findings, labels, strict=True))
    return text.getvalue().encode("utf-8-sig")


def read_decisions(
    text: str, name: str, by: str, concept_iris: Iterable[str], games: Collection[str]
) -> tuple[list[CuratedLabel], list[CuratedLabel]]:
    """The labels to add and to drop, decided today by `by` unless a row names another person and day.

    `concept_iris` are the concepts, `games` the games in which a row may make another one. Raises InputError with the unusable
    line; then nothing changes.
    """
    concepts = frozenset(concept_iris)
    delimiter = delimiter_of(text, _COLUMNS.__contains__)
    table = csv.DictReader(StringIO(text), delimiter=delimiter)
    if not {"decision", "concept", "lang", "label"} <= set(table.fieldnames or ()):
        raise InputError(
            "{file} is not a file of proposals (separator: {separator}); make one with: rulestone terms import FILE",
            file=name,
            separator=DELIMITERS[delimiter],
        )
    rows = [{column: unquote_cell(cell or "") for column, cell in cells.items() if isinstance(column, str)} for cells in table]
    for row in rows:
        row["concept"] = stated_concept(row["concept"].strip())
    decided_rows = ((line, row) for line, row in enumerate(rows, 2) if row["decision"].strip())
    new = {line: row for line, row in decided_rows if row["concept"] not in concepts}
    _refuse_two_rows(new, name)
    concepts |= _made_concepts(new.values(), concepts, games)
    new_labels: list[CuratedLabel] = []
    dropped_labels: list[CuratedLabel] = []
    for line, row in enumerate(rows, 2):
        decision = row["decision"].strip().lower()
        if decision:
            _check_decision(decision, row, name, line, concepts, games)
            label = CuratedLabel(
                row["concept"],
                row["lang"],
                row["label"].strip(),
                row.get("status") or STATUSES[0],
                row.get("by") or by,
                row.get("note") or "",
                row.get("evidence") or "",
                row.get("date") or datetime.now(UTC).date().isoformat(),
            )
            (new_labels if decision == TAKE else dropped_labels).append(label)
    return new_labels, dropped_labels


def _check_decision(
    decision: str, row: Mapping[str, str], name: str, line: int, concepts: frozenset[str], games: Collection[str]
) -> None:
    label = row["label"].strip()
    wrong = (
        (decision not in (TAKE, DROP), "decision", decision, f"{TAKE}, {DROP}"),
        (
            row["concept"] not in concepts,
            "concept",
            concept_name(row["concept"]),
            _expected_concept(row["concept"], concepts, games),
        ),
        (row["lang"] not in LANGUAGES, "lang", row["lang"], ", ".join(LANGUAGES)),
        ((row.get("status") or STATUSES[0]) not in STATUSES, "status", row.get("status"), ", ".join(STATUSES)),
        (not label or len(label) > _MAX_LENGTH or not label.isprintable(), "label", label, f"1–{_MAX_LENGTH}"),
    )
    for is_wrong, column, value, expected in wrong:
        if is_wrong:
            raise InputError(
                "{file}, line {line}: {column} {given!r} cannot be used; expected {expected}",
                file=name,
                line=line,
                column=column,
                given=(value or "")[:60],
                expected=expected,
            )


def _refuse_two_rows(new: Mapping[int, Mapping[str, str]], name: str) -> None:
    """Raises InputError if two rows of a glossary would make one concept; the terms of one row have its line in `line`."""
    first: dict[str, int] = {}
    for line, row in new.items():
        earlier = first.setdefault(row["concept"], line)
        if row.get("line") != new[earlier].get("line"):
            raise InputError(
                "{file}, lines {first} and {second}: two rows of the glossary would make {concept}; write another address in "
                "`concept`, or the same number in `line` if they mean one concept",
                file=name,
                first=earlier,
                second=line,
                concept=concept_name(row["concept"]),
            )


def _made_concepts(new: Iterable[Mapping[str, str]], concepts: Collection[str], games: Collection[str]) -> set[str]:
    """The concepts that some rows make.

    `terms import` proposed it, or a person did in another knowledge base, by this name. An address very near to that of a concept
    is a typo unless a name says it and the row says that it is new.
    """
    new_concepts: set[str] = set()
    by_concept: dict[str, list[Mapping[str, str]]] = {}
    for row in new:
        by_concept.setdefault(row["concept"], []).append(row)
    for concept, rows in by_concept.items():
        is_named = any(slugify(row["label"]) == slug_of(concept) for row in rows)
        is_stated = any(row.get("finding") == GlossaryFinding.NEW_CONCEPT for row in rows)
        is_free = (is_named and is_stated) or ((is_named or is_stated) and not nearest_concept(concept, concepts))
        new_concepts |= {concept} if is_free and is_new_concept(concept, games) else set()
    return new_concepts


def _expected_concept(concept: str, concepts: Collection[str], games: Collection[str]) -> Message:
    """The advice for an unusable concept."""
    if near := nearest_concept(concept, concepts):
        return message("{near}, or `new concept` in the column `finding` to make another one", near=concept_name(near))
    if (game := scheme_of(concept)) and game not in games:
        return message("a game of the catalogue or of a loaded book before the slash, such as mtg/graveyard")
    return message("a concept, such as mtg/graveyard")


def apply_decisions(home: Home, new_labels: Sequence[CuratedLabel], dropped_labels: Sequence[CuratedLabel]) -> list[CuratedLabel]:
    """Adds labels to the knowledge base and drops others; later builds keep that. Returns all labels.

    Raises EnvironmentFault as `build` does.
    """
    with home.writing_bundle() as draft:
        manifest = read_base_manifest(base_bundle(home, draft))
        changed_names = {label[:3] for label in (*new_labels, *dropped_labels)}
        labels = [*(label for label in curated_labels(base_bundle(home, draft)) if label[:3] not in changed_names), *new_labels]
        store_table(home, manifest, GivenKind.LABELS, FILE_NAME, curated_table(labels))
        BundleWriter(home, draft, manifest, no_progress).write([], [], ())
        return sorted(labels)
