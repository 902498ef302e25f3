"""Counterparts of a rule: the rules of the other games that answer the same question, and what differs.

`counterparts/*.sssom.tsv` names each pair once, in the editions that the digest glosses; the graph holds it in both directions.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from corpus.address import NS, graph_iri, skos_curie, split_rule
from corpus.catalogue import catalogue
from corpus.languages import choose
from corpus.store.engine import Solution, Store, values
from ontology.concepts.matches import comment
from ontology.sssom import LABELS, SSSOM

if TYPE_CHECKING:
    from corpus.contract import RuleCounterpart

GRAPH = graph_iri("counterparts")
PREDICATES = ("skos:closeMatch", "skos:broadMatch", "skos:narrowMatch", "skos:relatedMatch")
"""The nearest first: the same question, a more general rule, a special case, useful context."""
_STATED = f"""
SELECT ?rule ?other ?label ?object_label_ja ?object_label_zh ?predicate ?comment ?comment_ja ?comment_zh ?confidence
WHERE {{ %s GRAPH <{GRAPH}> {{
  ?mapping <{SSSOM}subject_id> ?rule ; <{SSSOM}object_id> ?other ; <{SSSOM}object_label> ?label ;
    <{SSSOM}predicate_id> ?predicate ; <{SSSOM}comment> ?comment ; <{SSSOM}confidence> ?confidence .
  OPTIONAL {{ ?mapping <{NS}object_label_ja> ?object_label_ja }}
  OPTIONAL {{ ?mapping <{NS}object_label_zh> ?object_label_zh }}
  OPTIONAL {{ ?mapping <{NS}comment_ja> ?comment_ja }}
  OPTIONAL {{ ?mapping <{NS}comment_zh> ?comment_zh }}
}} }}"""


def stated(store: Store, rules: Iterable[str] | None = None) -> list[Solution]:
    """What is stated of rules (None: of all): `rule`, `other`, `label`, `predicate`, `comment` in each language, `confidence`."""
    return store.select(_STATED % values("rule", rules))


def counterparts(store: Store, iri: str, lang: str = "en") -> "list[RuleCounterpart]":
    """The counterparts of the rule with that address, the nearest first.

    `number` is the locator, since many of these rules are unnumbered; `label` names the question that the rule
    answers. The predicate reads from the rule asked for to its counterpart: `skos:broadMatch` is a more general rule. []
    for a rule that has none or is not known. Label and comment are in `lang`, or the next language that there is.
    """
    return sorted((_body(row, lang) for row in stated(store, [iri])), key=_rank)


def _body(row: Solution, lang: str) -> "RuleCounterpart":
    key, locator = split_rule(row["other"])
    return {
        "iri": row["other"],
        "game": key.game,
        "number": locator,
        "label": _label(row, lang),
        "predicate": skos_curie(row["predicate"]),
        "comment": comment(row, lang),
        "confidence": float(row["confidence"]),
    }


def _label(row: Solution, lang: str) -> str:
    said = {to: row[column] for column, to in {"label": "en", **LABELS}.items() if column in row}
    return said[choose(lang, said) or "en"]


def _rank(counterpart: "RuleCounterpart") -> tuple[int, float, int, str]:
    games = list(catalogue().games)
    nearness = PREDICATES.index(counterpart["predicate"])
    place = games.index(counterpart["game"]) if counterpart["game"] in games else len(games)
    return nearness, -counterpart["confidence"], place, counterpart["iri"]
