"""Counterparts of a rule: the rules of the other games that answer the same question, and what differs.

`counterparts/*.sssom.tsv` names each pair once, in the editions that the digest glosses; the graph has it from both sides.
"""

from typing import Any

from corpus.address import graph_iri, skos_curie, split_rule
from corpus.catalogue import catalogue
from ontology.sssom import SSSOM
from ontology.store.engine import Row, Store

Body = dict[str, Any]
GRAPH = graph_iri("counterparts")
PREDICATES = ("skos:closeMatch", "skos:broadMatch", "skos:narrowMatch", "skos:relatedMatch")
"""The nearest first: the same question, a more general rule, a special case, useful context."""
_QUERY = f"""
SELECT ?iri ?label ?predicate ?comment ?confidence WHERE {{ GRAPH <{GRAPH}> {{
  ?mapping <{SSSOM}subject_id> <%s> ; <{SSSOM}object_id> ?iri ; <{SSSOM}object_label> ?label ; <{SSSOM}predicate_id> ?predicate ;
    <{SSSOM}comment> ?comment ; <{SSSOM}confidence> ?confidence .
}} }}"""


def counterparts(store: Store, iri: str) -> list[Body]:
    """The counterparts of the rule with that address, the nearest first.

    Each is `{"iri", "game", "number", "label", "predicate", "comment", "confidence"}`; `number` is the locator, since many of
    these rules are unnumbered; `label` names in English the question that the rule answers. The predicate reads from the
    rule asked for to its counterpart: `skos:broadMatch` is a more general rule. [] for a rule that has none or is not known.
    """
    return sorted(map(_body, store.select(_QUERY % iri)), key=_rank)


def _body(row: Row) -> Body:
    key, locator = split_rule(row["iri"])
    return {
        "iri": row["iri"],
        "game": key.game,
        "number": locator,
        "label": row["label"],
        "predicate": skos_curie(row["predicate"]),
        "comment": row["comment"],
        "confidence": float(row["confidence"]),
    }


def _rank(one: Body) -> tuple[int, float, int, str]:
    games = list(catalogue().games)
    return PREDICATES.index(one["predicate"]), -one["confidence"], games.index(one["game"]), one["iri"]
