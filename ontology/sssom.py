"""Cross-game mappings as SSSOM/TSV (https://w3id.org/sssom): reading, writing, and conversion to quads.

`confidence` is the probability that a trained judge agrees with the mapping.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from corpus.address import BASE, PREFIXES, RS, graph_iri, iri_of
from corpus.errors import InputError
from corpus.languages import canonical_tag
from corpus.messages import Message, message

if TYPE_CHECKING:
    from corpus.store.engine import Store

DATA = Path(__file__).parent / "data"  # importlib.resources imports zipfile and tempfile, which would slow look-ups down
SSSOM = "https://w3id.org/sssom/"
COLUMNS = (
    "subject_id",
    "subject_label",
    "predicate_id",
    "predicate_modifier",
    "object_id",
    "object_label",
    "mapping_justification",
    "subject_source",
    "object_source",
    "confidence",
    "subject_rule",
    "object_rule",
    "comment",
    "comment_ja",
    "comment_zh",
)
_REQUIRED_COLUMNS = ("subject_id", "predicate_id", "object_id", "mapping_justification", "confidence")
INVERSE_PREDICATES = {"skos:broadMatch": "skos:narrowMatch", "skos:narrowMatch": "skos:broadMatch"}
NO_TERM_FOUND = "sssom:NoTermFound"
INVERSION_JUSTIFICATION = "semapv:MappingInversion"
_PREDICATE_MODIFIERS = ("", "Not")
_EXTENSIONS = {
    "subject_rule": "linkml:Uriorcurie",
    "object_rule": "linkml:Uriorcurie",
    "comment_ja": "xsd:string",
    "comment_zh": "xsd:string",
}
"""Rulestone's own columns and their types: a rule of each game on which the mapping rests, and the comment in the other
languages.
"""
MORE_COLUMNS = {"status": "linkml:Uriorcurie", "author_label": "", "mapping_date": "", "mapping_tool": ""}
"""Columns of mappings that a program proposes or a curator judges, with the types of those that are ours."""
COMMENT_COLUMNS = {"en": "comment", "ja": "comment_ja", "zh-Hans": "comment_zh"}
"""Language → the column of its comment; in the graph, a comment has its language instead (`rs:comment`)."""
_COMMENT, _OBJECT_LABEL = ox.NamedNode(f"{RS}comment"), ox.NamedNode(f"{RS}objectLabel")
_STATUS = ox.NamedNode(f"{RS}status")
_COMMENT_LANGUAGES = {column: lang for lang, column in COMMENT_COLUMNS.items()}
_TRANSLATED_COMMENTS = ("comment_ja", "comment_zh")
LABEL_COLUMNS = {"object_label_ja": "ja", "object_label_zh": "zh-Hans"}
"""The question that the rule of a counterpart answers, in the other languages: stored in the graph (`rs:objectLabel`), not in the
files.
"""
_VERSION, _DATE = "0.1.0", "2026-11-22"
"""For every shipped mapping set: the version that introduced it, and the day when its rows were last compared with the rules."""
MAPPING_FOLDERS = ("mappings", "counterparts")
"""The folders of the files: mappings of concepts, and of rules. Each folder is a named graph."""
OLDER_SUFFIX = "older"
"""Within a folder: rows that rest on texts that are not current."""
MappingRow = Mapping[str, str]


def read_mappings(text: str, name: str) -> Sequence[MappingRow]:
    """The rows of a file; a missing column is "". Raises InputError with the line of an invalid value."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    reader = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    if list(reader.fieldnames or ()) != _columns(reader.fieldnames or ()):
        raise InputError(
            "{file}: the columns are {given}; expected {columns}",
            file=name,
            given=", ".join(reader.fieldnames or ()),
            columns=", ".join(COLUMNS),
        )
    rows = [dict.fromkeys(COLUMNS, "") | row for row in reader]
    for place, row in enumerate(rows, 2):
        _check_row(row, message("{file}, mapping {number}", file=name, number=place - 1))
    return rows


def _columns(header: Sequence[str]) -> list[str]:
    """The columns that a file should have: the required ones and those that it has, in their order."""
    return [name for name in COLUMNS if name in header or name in _REQUIRED_COLUMNS]


def _check_row(row: MappingRow, place: Message) -> None:
    if None in row.values() or None in row:
        raise InputError("{where}: expected {count} columns separated by tabs", where=place, count=len(COLUMNS))
    for column in _REQUIRED_COLUMNS[:-1]:
        if row[column].split(":")[0] not in PREFIXES:
            raise InputError(
                "{where}: {column} is {value!r}; expected one of the prefixes {prefixes}",
                where=place,
                column=column,
                value=row[column],
                prefixes=", ".join(PREFIXES),
            )
    if row["predicate_modifier"] not in _PREDICATE_MODIFIERS:
        raise InputError(
            "{where}: predicate_modifier is {value!r}; expected nothing or Not", where=place, value=row["predicate_modifier"]
        )
    for side in ("subject", "object"):
        if row[f"{side}_id"] == NO_TERM_FOUND and not row[f"{side}_source"]:
            raise InputError(
                "{where}: {side}_id is {nothing}; in {side}_source, name the scheme that lacks the term",
                where=place,
                side=side,
                nothing=NO_TERM_FOUND,
            )
    try:
        sure = 0 <= float(row["confidence"]) <= 1
    except ValueError:
        sure = False
    if not sure:
        raise InputError("{where}: confidence is {value!r}; expected a number from 0 to 1", where=place, value=row["confidence"])


def write_mappings(rows: Iterable[MappingRow], name: str = "mappings", more: Sequence[str] = ()) -> str:
    """An SSSOM/TSV file with its header; `name` is that of the mapping set: its folder and file without suffix.

    `more` are columns of `MORE_COLUMNS` after the usual ones.
    """
    extensions = _EXTENSIONS | {column: kind for column, kind in MORE_COLUMNS.items() if column in more and kind}
    header = ["#curie_map:", *(f'#  {prefix}: "{iri}"' for prefix, iri in PREFIXES.items())]
    header += ["#extension_definitions:"]
    for slot, kind in extensions.items():
        header += [f"#  - slot_name: {slot}", f"#    property: rs:{slot}", f'#    type_hint: "{kind}"']
    header += [f'#mapping_set_id: "{BASE}{name}"', f'#mapping_set_version: "{_VERSION}"', f'#mapping_date: "{_DATE}"']
    header += ["#creator_label:", '#  - "The Rulestone authors"', '#license: "https://www.apache.org/licenses/LICENSE-2.0"']
    out = io.StringIO()
    writer = csv.DictWriter(
        out,
        [*COLUMNS, *more],
        restval="",
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
        lineterminator="\n",
        escapechar=None,
        quotechar=None,
    )
    writer.writeheader()
    writer.writerows(rows)
    return "\n".join(header) + "\n" + out.getvalue()


@cache
def tables(folder: str = "mappings") -> Sequence[MappingRow]:
    """Every mapping in the files of a folder, those of superseded texts last."""
    places = [DATA.joinpath(*parts) for parts in ((folder,), (folder, OLDER_SUFFIX))]
    tables_there = [file for place in places if place.is_dir() for file in sorted(place.iterdir(), key=lambda file: file.name)]
    return [
        row
        for file in tables_there
        if file.name.endswith(".sssom.tsv")
        for row in read_mappings(file.read_text(encoding="utf-8"), file.name)
    ]


def with_inverses(rows: Iterable[MappingRow]) -> Iterator[MappingRow]:
    """The rows and, for those that name two concepts, their inverse."""
    for row in rows:
        yield row
        if NO_TERM_FOUND not in (row["subject_id"], row["object_id"]):
            inverse = {**row, **{name: row[_other_side(name)] for name in COLUMNS}}
            predicate = INVERSE_PREDICATES.get(row["predicate_id"], row["predicate_id"])
            yield inverse | {"predicate_id": predicate, "mapping_justification": INVERSION_JUSTIFICATION}


def _other_side(column: str) -> str:
    side, _, rest = column.partition("_")
    return {"subject": f"object_{rest}", "object": f"subject_{rest}"}.get(side, column)


def expand_curie(curie: str) -> str:
    """A CURIE as an IRI; an IRI is returned unchanged."""
    prefix, _, local = curie.partition(":")
    return PREFIXES[prefix] + local if prefix in PREFIXES else curie


def nquads(folder: str, rows: Iterable[MappingRow], question_labels: Mapping[str, Mapping[str, str]]) -> bytes:
    """Mappings, in both directions, as the sorted N-Quads of a folder's named graph.

    Each mapping is a node; a mapping that is not negated is also a direct triple. `question_labels` maps the English label of a
    rule's question to the label in each language.
    """
    graph = ox.NamedNode(graph_iri(folder))
    return sorted_nquads(
        quad
        for row in with_inverses(rows)
        for quad in (*_mapping_node(row, graph, question_labels), *_direct_statement(row, graph))
    )


def rows_in(store: "Store", graph: str) -> list[MappingRow]:
    """The rows of a graph of mappings with their status and the judge, sorted by both concepts."""
    rows: dict[str, dict[str, str]] = {}
    for cell in store.select(f"SELECT ?mapping ?column ?value WHERE {{ GRAPH <{graph}> {{ ?mapping ?column ?value }} }}"):
        column = cell["column"].removeprefix(SSSOM).removeprefix(RS)
        if column in (*COLUMNS, *MORE_COLUMNS):
            rows.setdefault(cell["mapping"], dict.fromkeys((*COLUMNS, *MORE_COLUMNS), ""))[column] = _curie(cell["value"])
    for cell in store.select(
        f"SELECT ?mapping ?value (LANG(?value) AS ?lang) WHERE {{ GRAPH <{graph}> {{ ?mapping <{RS}comment> ?value }} }}"
    ):
        rows[cell["mapping"]][COMMENT_COLUMNS[canonical_tag(cell["lang"])]] = cell["value"]
    return sorted(rows.values(), key=lambda row: (row["subject_id"], row["object_id"]))


def _curie(value: str) -> str:
    """An IRI as a CURIE with the longest known prefix; other values are returned unchanged."""
    fitting = [prefix for prefix, iri in PREFIXES.items() if value.startswith(iri)]
    prefix = max(fitting, key=lambda prefix: len(PREFIXES[prefix]), default=None)
    return value if prefix is None else f"{prefix}:{value.removeprefix(PREFIXES[prefix])}"


def node_quads(graph_name: str, rows: Iterable[MappingRow], status: str | None = None) -> bytes:
    """The nodes of mappings as the sorted N-Quads of a named graph, in the direction of the rows and without direct triples.

    `status` (accepted | proposed) is added to each node if it is given, and its judge, if a row names one.
    """
    graph = ox.NamedNode(graph_name)
    quads = [quad for row in rows for quad in _mapping_node(row, graph, {})]
    nodes = {quad.subject for quad in quads} if status else ()
    return sorted_nquads([*quads, *(ox.Quad(node, _STATUS, ox.NamedNode(f"{RS}{status}"), graph) for node in nodes)])


def direct_quads(graph_name: str, rows: Iterable[MappingRow]) -> list[bytes]:
    """The direct triples of the mappings that are not negated, as lines of N-Quads in a named graph."""
    graph = ox.NamedNode(graph_name)
    return [line for line in sorted_nquads(quad for row in rows for quad in _direct_statement(row, graph)).splitlines() if line]


def sorted_nquads(quads: Iterable[ox.Quad]) -> bytes:
    """Quads as sorted N-Quads lines, without duplicates."""
    lines = ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b""
    return b"\n".join(sorted(set(lines.splitlines()))) + b"\n"


def _mapping_node(row: MappingRow, graph: ox.NamedNode, question_labels: Mapping[str, Mapping[str, str]]) -> Iterator[ox.Quad]:
    key = "|".join(row[column] for column in COLUMNS)
    mapping = ox.NamedNode(iri_of(f"mapping/{sha256(key.encode()).hexdigest()[:12]}"))
    for column in (*COLUMNS, "author_label", "mapping_date", "mapping_tool"):
        if row.get(column):
            resource = column.endswith(("_id", "_rule", "_source")) or column == "mapping_justification"
            value = ox.NamedNode(expand_curie(row[column])) if resource else ox.Literal(row[column])
            if column not in _TRANSLATED_COMMENTS:
                yield ox.Quad(mapping, ox.NamedNode((RS if column in _EXTENSIONS else SSSOM) + column), value, graph)
            if lang := _COMMENT_LANGUAGES.get(column):
                yield ox.Quad(mapping, _COMMENT, ox.Literal(row[column], language=lang), graph)
    if row["object_id"].startswith("rule:"):
        labels = question_labels.get(row["object_label"], {})
        for lang in ("en", *LABEL_COLUMNS.values()):
            if lang in labels:
                yield ox.Quad(mapping, _OBJECT_LABEL, ox.Literal(labels[lang], language=lang), graph)


def _direct_statement(row: MappingRow, graph: ox.NamedNode) -> Iterator[ox.Quad]:
    if not row["predicate_modifier"] and row["object_id"] != NO_TERM_FOUND:
        subject, predicate, value = (ox.NamedNode(expand_curie(row[f"{part}_id"])) for part in ("subject", "predicate", "object"))
        yield ox.Quad(subject, predicate, value, graph)
