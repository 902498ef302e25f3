"""Files of curators: verdicts on the rules that rulings rest on. They overrule proposals.

A table separated by tabs: `ruling`, `rule`, `verdict` (yes or no) and `who`; a row without a verdict has not been judged.
`rulestone grounds` prints such a table.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from corpus.address import iri_of, is_iri, is_ruling
from corpus.errors import InputError, NotFoundError, RulestoneError
from corpus.reference import parse_reference, reference_in
from corpus.store.home import Home
from corpus.store.home.given import Given
from corpus.store.home.manifest import JudgementsEntry, read_base_manifest
from ingest.read.document import file_bytes
from ontology.knowledge import Knowledge
from rulestone.writing.draft.copies import base_bundle, copy_bundle
from rulestone.writing.sources import intact_copy

REQUIRED_COLUMNS = ("ruling", "rule", "verdict", "who")
INFORMATIVE_COLUMNS = ("confidence", "question", "words")
"""Columns for the curator's information, which are ignored."""
_VERDICTS = {"yes": True, "no": False}


class Judgement(NamedTuple):
    """A curator's verdict on a ruling and a rule, given by address or, in a file, by any other name."""

    ruling: str
    rule: str
    holds: bool
    who: str
    line: int = 0  # of the file


def add_judgements(home: Home, path: Path) -> tuple[JudgementsEntry, bool]:
    """Adds a curator's file; returns whether it is new. Raises InputError for an unusable row; then nothing changes."""
    data = file_bytes(path)
    rows = list(_parse_rows(data, path.name))
    with home.writing_bundle() as draft:
        base, entry = base_bundle(home, draft), JudgementsEntry(sha256(data).hexdigest(), path.name, len(rows))
        manifest = read_base_manifest(base)
        if entry in manifest.judgements:
            return entry, False
        _check(Knowledge.open(base), rows, path.name)
        home.store_source(data, path.name)
        manifest.judgements.append(entry)
        copy_bundle(base, draft.path)
        manifest.write(draft.path)
        draft.commit(manifest.given())
        return entry, True


def remove_judgements(home: Home, what: str) -> JudgementsEntry | None:
    """Removes a curator's file by its name, path or SHA-256; None if there is none."""
    path = Path(what)
    checksum = sha256(file_bytes(path)).hexdigest() if path.is_file() else what
    with home.writing_bundle() as draft:
        manifest = read_base_manifest(draft.base)
        entry = next((file for file in reversed(manifest.judgements) if checksum in (file.sha256, file.name)), None)
        if entry is not None and draft.base is not None:
            manifest.judgements.remove(entry)
            copy_bundle(draft.base, draft.path)
            manifest.write(draft.path)
            draft.commit(manifest.given())
        return entry


def verdicts_by_ruling(home: Home, knowledge: Knowledge) -> dict[str, list[Judgement]]:
    """Address of a ruling → the last verdict on each rule; rows whose rule is not loaded are left out."""
    latest: dict[tuple[str, str], Judgement] = {}
    for entry in knowledge.manifest.judgements:
        for row in _stored_rows(home, entry):
            ruling = _parse_ruling(row.ruling)
            if rule := _parse_rule(knowledge, ruling, row.rule):
                latest[ruling, rule] = Judgement(ruling, rule, row.holds, row.who)
    by_ruling: dict[str, list[Judgement]] = {}
    for judgement in latest.values():
        by_ruling.setdefault(judgement.ruling, []).append(judgement)
    return by_ruling


def _stored_rows(home: Home, entry: JudgementsEntry) -> Iterator[Judgement]:
    """The rows of a stored file. Raises EnvironmentFault if its copy is missing or damaged."""
    yield from _parse_rows(file_bytes(intact_copy(home, entry.sha256, entry.name)), entry.name)


def listed_judgements(home: Home, given_entry: Given) -> JudgementsEntry:
    """A file of the list of the user's files. Raises EnvironmentFault if its copy is missing or damaged."""
    entry = JudgementsEntry(given_entry.sha256, given_entry.name, 0)
    return entry._replace(rows=sum(1 for _ in _stored_rows(home, entry)))


def _parse_rows(data: bytes, name: str) -> Iterator[Judgement]:
    """The rows that have been judged. Raises InputError with the line of one that cannot be used."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InputError("{file}: is not UTF-8 text ({fault}); save it as UTF-8", file=name, fault=fault.reason) from None
    lines = csv.reader(io.StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE)
    columns = [column.strip().lower() for column in next(lines, [])]
    if missing := [column for column in REQUIRED_COLUMNS if column not in columns]:
        raise InputError(
            "{file}: has no column {missing}; expected ruling, rule, verdict (yes or no) and who, separated by tabs",
            file=name,
            missing=", ".join(missing),
        )
    if unknown := [column for column in columns if column not in (*REQUIRED_COLUMNS, *INFORMATIVE_COLUMNS)]:
        raise InputError("{file}: column {name!r} is unknown; expected ruling, rule, verdict, who", file=name, name=unknown[0][:40])
    for cells in lines:
        if any(cell.strip() for cell in cells):
            row = _parse_row(dict(zip(columns, cells, strict=False)), lines.line_num, name)
            if row:
                yield row


def _parse_row(cells: Mapping[str, str], line: int, name: str) -> Judgement | None:
    ruling, rule, verdict, who = (cells.get(column, "").strip() for column in REQUIRED_COLUMNS)
    if not verdict:
        return None
    if verdict.lower() not in _VERDICTS:
        raise InputError(
            "{file}, line {count}: {verdict!r} is not a verdict; expected yes or no", file=name, count=line, verdict=verdict[:40]
        )
    if not (ruling and rule and who):
        raise InputError("{file}, line {count}: a verdict needs a ruling, a rule and its author (who)", file=name, count=line)
    return Judgement(ruling, rule, _VERDICTS[verdict.lower()], who, line)


def _check(knowledge: Knowledge, rows: Sequence[Judgement], name: str) -> None:
    """Raises InputError for a row whose ruling or rule is unknown."""
    there = knowledge.rulings.by_iri(_parse_ruling(row.ruling) for row in rows)
    for row in rows:
        if _parse_ruling(row.ruling) not in there:
            raise InputError(
                "{file}, line {count}: no ruling {ruling} is loaded", file=name, count=row.line, ruling=row.ruling[:80]
            )
        if _parse_rule(knowledge, _parse_ruling(row.ruling), row.rule) is None:
            raise InputError("{file}, line {count}: no rule {rule} is loaded", file=name, count=row.line, rule=row.rule[:80])


def _parse_ruling(name: str) -> str:
    """The address of a ruling, given by address or path."""
    return name if is_iri(name) else iri_of(name)


def _parse_rule(knowledge: Knowledge, ruling: str, name: str) -> str | None:
    """The address of a rule, given by address, path or reference; a bare number refers to the ruling's game."""
    if "/" in name and (there := knowledge.by_iri([name if is_iri(name) else iri_of(name)])):
        return next(iter(there))
    game = ruling.removeprefix(iri_of("")).partition("/")[0] if is_ruling(ruling) else ""
    try:
        plain = not game or is_iri(name) or ":" in name or "/" in name
        return knowledge.rules(parse_reference(name) if plain else reference_in(game, name))[0]["iri"]
    except (NotFoundError, RulestoneError):
        return None
