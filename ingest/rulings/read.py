"""Reads a file of rulings: decodes and recognises it, finds its records by their values, and groups them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from corpus.errors import InputError
from corpus.messages import Message, message
from corpus.model import Authority, Ruling
from ingest.cards import holds_cards
from ingest.cards import language as card_language
from ingest.language import language
from ingest.read.document import decode, displayable_name
from ingest.rulings import formats
from ingest.rulings.fields import FieldRoles, fit_roles, texts_of_value
from ingest.rulings.gather import gather_rulings
from ingest.rulings.record import RulingReader
from ingest.rulings.rows import RepeatedNames, Row, group_rows
from ingest.rulings.vocabulary import FIELD_ROLES

STRUCTURED_SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".tab", ".yaml", ".yml")
"""Suffixes of files that are always rulings."""
_TEXT_SUFFIXES = (".md", ".markdown", ".txt")
_MIN_RULING_SHARE = 0.5
"""Share of the best group's fit above which another group of rows is read as well."""
_MAX_FOREIGN_LENGTH = 40_000
"""Number of characters used to detect the language of a file."""


@dataclass(frozen=True, slots=True)
class RulingHints:
    """The user's options for a file of rulings. `fields` maps roles to fields."""

    game: str
    source: str | None = None
    lang: str | None = None
    authority: Authority | None = None
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RulingsFile:
    """The content of a file of rulings. `records` are those with an answer, `rows` is the number of all."""

    name: str
    sha256: str
    rulings: tuple[Ruling, ...]
    records: int
    rows: int
    why: tuple[Message, ...]


def is_rulings(data: bytes, path: Path) -> bool:
    """Whether a file is certainly rulings: by its suffix, or because most of it is questions with answers."""
    name = path.name.lower()
    if name.endswith(STRUCTURED_SUFFIXES):
        return True
    if not name.endswith(_TEXT_SUFFIXES):
        return False
    try:
        text, _ = decode(data, displayable_name(path))
    except InputError:
        return False
    return formats.is_rulings(text, displayable_name(path))


def read(data: bytes, path: Path, hints: RulingHints) -> RulingsFile:
    """The rulings in the bytes of a file.

    Raises InputError if there are none; the message shows the first invalid record, if any.
    """
    name = displayable_name(path)
    text, _ = decode(data, name)
    if not text.strip():
        raise InputError("{file}: is empty; give a file with questions and answers in it", file=name)
    tree = _parse_tree(text, name)
    rows, fitting = _select_rows(group_rows(tree), hints, data, name)
    _refuse_several(rows, fitting, name)
    usual = hints.lang or _language(rows, fitting, name)
    records = list(RulingReader(fitting, rows, hints.lang, usual).records(rows))
    if not records:
        raise InputError("{file}: no record has an answer; records read: {count}", file=name, count=len(rows))
    authorities = {by: Authority(rank) for by, rank in (fitting.shape.authority if fitting.shape else {}).items()}
    usual_rank = hints.authority or Authority.COMMUNITY
    rulings = gather_rulings(records, hints.game, hints.source, {} if hints.authority else authorities, usual_rank, name)
    return RulingsFile(
        name, sha256(data).hexdigest(), tuple(rulings), len(records), len(rows), tuple(_notes(fitting, len(rows), len(records)))
    )


def _parse_tree(text: str, name: str) -> formats.Node:
    lower, head = name.lower(), text.lstrip()[:1]
    if lower.endswith((".yaml", ".yml")):
        return formats.yaml_tree(text, name)
    if lower.endswith((".tsv", ".tab")):
        return formats.read_table(text, name, "\t")
    if lower.endswith(".csv"):
        return formats.read_table(text, name)
    if lower.endswith((".json", ".jsonl", ".ndjson")) or head in "[{":
        return formats.json_tree(text, name)
    return formats.running_records(text, name)


def _select_rows(by_way: Mapping[str, Sequence[Row]], hints: RulingHints, data: bytes, name: str) -> tuple[list[Row], FieldRoles]:
    """The rows that are records, and the roles of their fields: the best group and those of the same kind.

    Raises InputError if there are none, and for a file of cards.
    """
    if hints.fields:
        return _rows_with_field(by_way, hints.fields, name)
    fits = {way: fit_roles(rows) for way, rows in by_way.items()}
    best = max(fits, key=lambda way: (round(fits[way].score * (0.5 + min(len(by_way[way]), 20) / 40), 3), -len(way)), default=None)
    if (best is None or _may_be_cards(fits[best])) and holds_cards(data, Path(name).suffix.lower()):
        raise InputError("{file}: is a file of cards, not of rulings", command="rulestone cards FILE", file=name)
    if best is None or not fits[best].score:
        raise InputError(
            "{file}: no records with an answer were found in it; name their fields with --map question=FIELD,answer=FIELD",
            file=name,
        )
    same = [way for way in by_way if _has_same_roles(fits[way], fits[best])]
    rows = [row for way in same for row in by_way[way]]
    return rows, fits[best] if len(same) == 1 else fit_roles(rows)


def _may_be_cards(fit: FieldRoles) -> bool:
    """Whether the texts of records are the only sign of rulings: there is no question, no date and no known format.

    A table of rulings may have the columns `ja` and `en` for answers; in one of cards these are names.
    """
    has_sign = fit.shape or fit.roles.get("question") or fit.roles.get("date")
    return not has_sign and not any(map(card_language, fit.roles.get("answer", ())))


def _has_same_roles(other: FieldRoles, fit: FieldRoles) -> bool:
    """Whether rows from another place are of the same kind: the same fields have their questions and answers."""
    texts_ = ("question", "answer")
    return other is fit or (
        other.score >= _MIN_RULING_SHARE * fit.score > 0 and all(other.roles.get(role) == fit.roles.get(role) for role in texts_)
    )


def _rows_with_field(by_way: Mapping[str, Sequence[Row]], fields: Mapping[str, str], name: str) -> tuple[list[Row], FieldRoles]:
    """The rows with the answer field that a user names, with the recognised roles of other fields."""
    answer = fields.get("answer", "")
    having = {way: [row for row in rows if texts_of_value(row.fields.get(answer))] for way, rows in by_way.items()}
    rows = max(having.values(), key=len, default=[])
    field_names = {key for row in rows or (row for group in by_way.values() for row in group) for key in row.fields}
    for required_field in (answer, *fields.values()):
        if required_field not in field_names:
            field_list = ", ".join(sorted(field_names, key=lambda key: (key[0] in "^@", key))[:40])
            raise InputError(
                "{file}: no record has the field {field!r}; its fields are {known}",
                file=name,
                field=required_field,
                known=field_list,
            )
    stated_roles = {role: (field_name,) for role, field_name in fields.items()}
    other_roles = {role: names for role, names in fit_roles(rows).roles.items() if role not in ("question", "answer")}
    free = {role: names for role, names in other_roles.items() if not set(names) & set(fields.values())}
    return rows, FieldRoles({**free, **stated_roles}, 1.0)


def _refuse_several(rows: Sequence[Row], fitting: FieldRoles, name: str) -> None:
    """Raises InputError for a record with two answers under one name."""
    for row in rows:
        for role in ("question", "answer", "id"):
            for field_name in fitting.roles.get(role, ()):
                value = row.fields.get(field_name)
                if isinstance(value, RepeatedNames) or (role == "id" and isinstance(value, tuple) and len(set(value)) > 1):
                    raise InputError(
                        "{file}: record {record} has {field!r} twice, with different words",
                        file=name,
                        record=row.where,
                        field=field_name,
                    )


def _language(rows: Sequence[Row], fitting: FieldRoles, name: str) -> str:
    """The language of a file's words, or of its questions and answers only."""
    fields = (*fitting.roles.get("answer", ()), *fitting.roles.get("question", ()))
    sample, length = [], 0
    for row in rows:
        words = [text for field_ in fields for text in texts_of_value(row.fields.get(field_))]
        sample += words
        length += sum(map(len, words))
        if length > _MAX_FOREIGN_LENGTH:
            break
    try:
        return language("\n".join(sample), name)
    except InputError:
        if fitting.roles.get("lang") or len(fields) > 2:
            return "en"
        raise


def _notes(fitting: FieldRoles, rows: int, records: int) -> Sequence[Message]:
    field_list = ", ".join(f"{role}={'+'.join(fitting.roles[role])}" for role in FIELD_ROLES if fitting.roles.get(role))
    why = [message("shape {shape}: {fields}", shape=fitting.shape.name, fields=field_list)] if fitting.shape else []
    why = why or [message("fields recognised by their values: {fields}", fields=field_list)]
    if rows > records:
        why.append(message("records without an answer: {count} of {rows}", count=rows - records, rows=rows))
    return why
