"""The mapping of each game to the cross-game concepts, and the rows between two games that follow from it.

A game is mapped once: `data/mappings/{game}.sssom.tsv` for concepts of Turtle files, the column `hub` of its keywords, the cells of
the topics. `rs:hub` and the rows of pairs of games are derived from these; a pair that a person has judged is never derived.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from corpus.address import RDF_TYPE, RS, concept_iri, concept_name, graph_iri, path_of, scheme_of
from ontology import keywords, sssom
from ontology.comparison import Claims, compared_claims, have_equal_claims
from ontology.sssom import COLUMNS, COMMENT_COLUMNS, NO_TERM_FOUND, MappingRow
from ontology.topics import topic_cells
from ontology.vocabulary import comparison_words

HUB_SOURCE = "scheme:hub"
SPOKES_GRAPH, PROPOSED_HUB = graph_iri("mappings", "hub"), graph_iri("mappings", "proposed-hub")
"""The graphs of the rows to cross-game concepts: those that ship, and those that are proposed for books without annotations."""
JUDGED_HUB = graph_iri("mappings", "judged-hub")
"""The graph of the rows to cross-game concepts that curators judged."""
HUB_PREDICATES = ("skos:exactMatch", "skos:closeMatch", "skos:broadMatch")
"""A concept with one of these predicates is a case of the cross-game concept (`rs:hub`)."""
EXACT, CLOSE, BROAD, NARROW, RELATED = (f"skos:{name}Match" for name in ("exact", "close", "broad", "narrow", "related"))
COMPOSED = {
    (EXACT, EXACT): EXACT,
    (EXACT, CLOSE): CLOSE,
    (CLOSE, EXACT): CLOSE,
    (CLOSE, CLOSE): CLOSE,
    (EXACT, BROAD): NARROW,
    (CLOSE, BROAD): NARROW,
    (BROAD, EXACT): BROAD,
    (BROAD, CLOSE): BROAD,
    (BROAD, BROAD): RELATED,
    (EXACT, NARROW): BROAD,
    (CLOSE, NARROW): BROAD,
    (NARROW, EXACT): NARROW,
    (NARROW, CLOSE): NARROW,
}
"""The predicates from two games' concepts to one cross-game concept → the predicate from the first concept to the second.

No pair is derived from other predicates (docs/coding.md).
"""
CHAINED = "semapv:MappingChaining"
HubLabels = Mapping[str, Mapping[str, str]]
"""Cross-game concept → language → its preferred label."""
_KEYWORD_CONFIDENCE = "0.9"
"""Of a keyword's cross-game concept: conditions may differ (docs/agreement.md)."""


class Shipped(NamedTuple):
    """The rows of the files of a folder: those of pairs of games, and those to the cross-game concepts."""

    pairs: Sequence[MappingRow]
    spokes: Sequence[MappingRow]


@cache
def shipped_files() -> Shipped:
    """The rows of `data/mappings`."""
    rows = sssom.tables("mappings")
    return Shipped(
        [row for row in rows if row["object_source"] != HUB_SOURCE], [row for row in rows if row["object_source"] == HUB_SOURCE]
    )


def shipped_spokes(english_name: Callable[[str], str]) -> Sequence[MappingRow]:
    """The rows from the shipped games to the cross-game concepts, by concept; `english_name` returns a concept's label."""
    rows = [*shipped_files().spokes, *_keyword_rows(english_name), *_topic_rows(english_name)]
    return sorted(rows, key=lambda row: (row["subject_source"], row["subject_id"], row["object_id"]))


def _keyword_rows(english_name: Callable[[str], str]) -> Iterator[MappingRow]:
    for word in keywords.keywords():
        if word.hub:
            hub = concept_iri(word.hub)
            yield spoke_row(word.concept, CLOSE, hub, english_name, confidence=_KEYWORD_CONFIDENCE, rule=word.rule)


def _topic_rows(english_name: Callable[[str], str]) -> Iterator[MappingRow]:
    for cell in topic_cells():
        if cell.label:
            hub = concept_iri(cell.topic)
            yield spoke_row(cell.concept, CLOSE, hub, english_name, confidence=f"{cell.sure:.2g}", rule=cell.rule)


def spoke_row(
    concept: str, predicate: str, hub: str, english_name: Callable[[str], str], *, confidence: str, rule: str
) -> dict[str, str]:
    """A row from a concept of a game to a cross-game concept, both by IRI; `rule` is an IRI or ""."""
    return dict.fromkeys(COLUMNS, "") | {
        "subject_id": f"concept:{concept_name(concept)}",
        "subject_label": english_name(concept),
        "predicate_id": predicate,
        "object_id": f"concept:{concept_name(hub)}",
        "object_label": english_name(hub),
        "mapping_justification": "semapv:ManualMappingCuration",
        "subject_source": f"scheme:{scheme_of(concept)}",
        "object_source": HUB_SOURCE,
        "confidence": confidence,
        "subject_rule": f"rule:{path_of(rule)}" if rule else "",
    }


def hub_links(spokes: Iterable[MappingRow]) -> dict[str, str]:
    """Concept → its cross-game concept, by IRI."""
    return {
        sssom.expand_curie(row["subject_id"]): sssom.expand_curie(row["object_id"])
        for row in spokes
        if row["predicate_id"] in HUB_PREDICATES and not row["predicate_modifier"] and row["subject_id"] != NO_TERM_FOUND
    }


def hub_quads(graph: str, hubs: Mapping[str, str]) -> list[bytes]:
    """The lines that state the cross-game concept of each concept in a named graph."""
    return [f"<{concept}> <{RS}hub> <{hub}> <{graph}> .".encode() for concept, hub in hubs.items()]


def spoke_quads(spokes: Iterable[MappingRow]) -> bytes:
    """The rows as the sorted N-Quads of their named graph, from the game to the cross-game concept alone."""
    return sssom.node_quads(SPOKES_GRAPH, spokes)


def with_hubs(graphs: Mapping[str, bytes], hubs: Mapping[str, str]) -> dict[str, bytes]:
    """Graphs of concepts as sorted N-Quads, with `rs:hub` in the graph that describes each concept."""
    kind = f" <{RDF_TYPE}> ".encode()
    homes = {line.partition(b" ")[0]: graph for graph, lines in graphs.items() for line in lines.splitlines() if kind in line}
    new_lines: dict[str, list[bytes]] = {}
    for concept, hub in hubs.items():
        if graph := homes.get(f"<{concept}>".encode()):
            new_lines.setdefault(graph, []).extend(hub_quads(graph, {concept: hub}))
    return {graph: with_lines(lines, new_lines[graph]) if graph in new_lines else lines for graph, lines in graphs.items()}


def with_lines(lines: bytes, more: Iterable[bytes]) -> bytes:
    """Sorted N-Quads with more lines."""
    return b"\n".join(sorted({*lines.splitlines(), *more})) + b"\n"


def chained_rows(
    spokes: Iterable[MappingRow], verdict_rows: Iterable[MappingRow], hub_labels: HubLabels, claims: Callable[[MappingRow], Claims]
) -> Iterator[MappingRow]:
    """A row for each pair of concepts of two games with one cross-game concept, and for each concept that a game is known to lack.

    Nothing is derived between a concept and a game about which one of `verdict_rows` informs, nor for a pair that it denies.
    `claims` returns the claims of the concepts of a row.
    """
    verdict_rows = list(verdict_rows)
    pairs = {
        frozenset(((row["subject_id"], row["subject_source"]), (row["object_id"], row["object_source"]))) for row in verdict_rows
    }
    ends_with_verdict = set(_informed(verdict_rows))
    by_hub: dict[str, list[MappingRow]] = {}
    for row in sorted(spokes, key=lambda row: (row["subject_source"], row["subject_id"])):
        if not row["predicate_modifier"]:
            by_hub.setdefault(row["object_id"], []).append(row)
    for hub, rows in by_hub.items():
        for first, second in combinations(rows, 2):
            pair = [(row["subject_id"], row["subject_source"]) for row in (first, second)]
            ends = [(first["subject_id"], second["subject_source"]), (second["subject_id"], first["subject_source"])]
            is_open = not ends_with_verdict.intersection(ends) and frozenset(pair) not in pairs
            if first["subject_source"] != second["subject_source"] and is_open:
                yield from _chained(first, second, hub_labels[sssom.expand_curie(hub)], claims)


def _informed(rows: Iterable[MappingRow]) -> Iterator[tuple[str, str]]:
    """The concepts of which a row names the counterpart in another scheme, or states that there is none."""
    for row in rows:
        if is_informative(row):
            ends = (row["subject_id"], row["object_source"]), (row["object_id"], row["subject_source"])
            yield from (end for end in ends if end[0] != NO_TERM_FOUND)


def without_lifted(rows: Iterable[MappingRow], cases: Collection[tuple[str, str]], hubs: Mapping[str, str]) -> list[MappingRow]:
    """The rows except for those by which a game lacks a concept of which it has a case.

    `cases` are schemes (`scheme:mtg`) with a cross-game concept, `hubs` the cross-game concepts of the games' concepts.
    """
    return [row for row in rows if _lack(row, hubs) not in cases]


def _lack(row: MappingRow, hubs: Mapping[str, str]) -> tuple[str, str] | None:
    """The scheme that lacks something by a row, and the cross-game concept; None for other rows."""
    for side, other in (("subject", "object"), ("object", "subject")):
        if row[f"{side}_id"] == NO_TERM_FOUND:
            had = sssom.expand_curie(row[f"{other}_id"])
            return row[f"{side}_source"], hubs.get(had, had)
    return None


def is_informative(row: MappingRow) -> bool:
    """Whether it names the counterpart of a concept, or states that there is none."""
    return not row["predicate_modifier"] and row["predicate_id"] != RELATED


def _chained(
    first: MappingRow, second: MappingRow, hub: Mapping[str, str], claims: Callable[[MappingRow], Claims]
) -> Iterator[MappingRow]:
    lacking = [row for row in (first, second) if row["subject_id"] == NO_TERM_FOUND]
    if len(lacking) == 1:
        had = second if lacking[0] is first else first
        if had["predicate_id"] in (EXACT, CLOSE):
            yield _joined(had, lacking[0]) | {column: lacking[0][column] for column in COMMENT_COLUMNS.values()}
    elif not lacking and (predicate := COMPOSED.get((first["predicate_id"], second["predicate_id"]))):
        row = _joined(first, second) | {"predicate_id": predicate, "object_rule": second["subject_rule"]}
        if predicate == EXACT and not have_equal_claims(row, claims(row)):
            row["predicate_id"] = CLOSE
        for lang, column in COMMENT_COLUMNS.items():
            through = comparison_words()[lang]["through"].format(hub=hub[lang])
            row[column] = f"{through}{compared_claims(row, claims(row), lang)}"
        yield row


def _joined(row: MappingRow, other: MappingRow) -> dict[str, str]:
    """A row between the subjects of two rows to one cross-game concept."""
    return dict.fromkeys(COLUMNS, "") | {
        "subject_id": row["subject_id"],
        "subject_label": row["subject_label"],
        "predicate_id": CLOSE,
        "object_id": other["subject_id"],
        "object_label": other["subject_label"],
        "mapping_justification": CHAINED,
        "subject_source": row["subject_source"],
        "object_source": other["subject_source"],
        "confidence": f"{float(row['confidence']) * float(other['confidence']):.2g}",
        "subject_rule": row["subject_rule"],
    }
