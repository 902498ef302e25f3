"""Mappings between games as stored in the graph: concepts beside concepts, rules beside rules, and the differences."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from corpus.address import CONCEPT, RS, SCHEME, graph_iri, is_concept, local_name, scheme_of, skos_curie, split_rule
from corpus.catalogue import game_rank
from corpus.languages import choose
from corpus.model import NEGATION_PREFIX
from corpus.store.engine import Solution, Store, values_clause
from ontology.spokes import JUDGED_HUB, PROPOSED_HUB, SPOKES_GRAPH
from ontology.sssom import COMMENT_COLUMNS, LABEL_COLUMNS, NO_TERM_FOUND, SSSOM, expand_curie

if TYPE_CHECKING:
    from corpus.contract import Match, RuleCounterpart
    from ontology.knowledge import Knowledge

_MAPPINGS_QUERY = f"""
SELECT ?concept ?other ?predicate ?modifier ?comment ?comment_ja ?comment_zh ?confidence ?own ?rule ?source ?status WHERE {{
  %s GRAPH ?g {{ FILTER(STRSTARTS(STR(?concept), "{CONCEPT}") && ?g NOT IN (<{SPOKES_GRAPH}>, <{PROPOSED_HUB}>, <{JUDGED_HUB}>))
    ?mapping <{SSSOM}subject_id> ?concept ; <{SSSOM}object_id> ?other ; <{SSSOM}predicate_id> ?predicate ;
      <{SSSOM}confidence> ?confidence .
    OPTIONAL {{ ?mapping <{SSSOM}comment> ?comment }}
    OPTIONAL {{ ?mapping <{RS}comment> ?comment_ja FILTER(LANGMATCHES(LANG(?comment_ja), "ja")) }}
    OPTIONAL {{ ?mapping <{RS}comment> ?comment_zh FILTER(LANGMATCHES(LANG(?comment_zh), "zh")) }}
    OPTIONAL {{ ?mapping <{SSSOM}predicate_modifier> ?modifier }}
    OPTIONAL {{ ?mapping <{RS}subject_rule> ?own }}
    OPTIONAL {{ ?mapping <{RS}object_rule> ?rule }}
    OPTIONAL {{ ?mapping <{SSSOM}object_source> ?source }}
    OPTIONAL {{ ?mapping <{RS}status> ?status }}
  }}
}}"""
_JUDGED_CASES_QUERY = f"SELECT ?concept ?hub WHERE {{ GRAPH <{JUDGED_HUB}> {{ ?concept <{RS}hub> ?hub }} }}"
_BOOK_HUBS_QUERY = f"""
SELECT ?concept ?hub WHERE {{
  {{ GRAPH <{JUDGED_HUB}> {{ ?concept <{RS}hub> ?hub }} }}
  UNION {{ GRAPH <{PROPOSED_HUB}> {{
    ?mapping <{SSSOM}subject_id> ?concept ; <{SSSOM}object_id> ?hub ; <{RS}status> <{RS}proposed>
  }} }}
}}"""
_HUB_QUERY = f"SELECT ?concept ?hub WHERE {{ GRAPH ?g {{ ?concept <{RS}hub> ?hub }} }}"
COUNTERPARTS_GRAPH, PROPOSED_COUNTERPARTS = graph_iri("counterparts"), graph_iri("counterparts", "proposed")
"""The graphs of counterparts of rules: those that ship, and those that are proposed for games without annotations."""
JUDGED_COUNTERPARTS = graph_iri("counterparts", "judged")
"""The graph of the counterparts that curators judged."""
MAPPING_PREDICATES = ("skos:closeMatch", "skos:broadMatch", "skos:narrowMatch", "skos:relatedMatch")
"""The nearest first: the same question, a more general rule, a special case, useful context."""
_RULE_MAPPINGS_QUERY = f"""
SELECT ?rule ?other ?label ?object_label_ja ?object_label_zh ?predicate ?comment ?comment_ja ?comment_zh ?confidence
WHERE {{ %s GRAPH <%s> {{
  ?mapping <{SSSOM}subject_id> ?rule ; <{SSSOM}object_id> ?other ;
    <{SSSOM}predicate_id> ?predicate ; <{SSSOM}comment> ?comment ; <{SSSOM}confidence> ?confidence .
  FILTER NOT EXISTS {{ ?mapping <{SSSOM}predicate_modifier> ?modifier }}
  OPTIONAL {{ ?mapping <{SSSOM}object_label> ?label }}
  OPTIONAL {{ ?mapping <{RS}objectLabel> ?object_label_ja FILTER(LANGMATCHES(LANG(?object_label_ja), "ja")) }}
  OPTIONAL {{ ?mapping <{RS}objectLabel> ?object_label_zh FILTER(LANGMATCHES(LANG(?object_label_zh), "zh")) }}
  OPTIONAL {{ ?mapping <{RS}comment> ?comment_ja FILTER(LANGMATCHES(LANG(?comment_ja), "ja")) }}
  OPTIONAL {{ ?mapping <{RS}comment> ?comment_zh FILTER(LANGMATCHES(LANG(?comment_zh), "zh")) }}
}} }}"""


def mappings_in(store: Store, concepts: Iterable[str] | None = None) -> list[Solution]:
    """The mappings of some concepts (None: of all), by concept; the most confident first, then negated ones, then proposals.

    No game lacks a concept of which a curator found a case in it.
    """
    cases, nothing = judged_cases(store), expand_curie(NO_TERM_FOUND)
    hubs = {row["concept"]: row["hub"] for row in store.select(_HUB_QUERY)} if cases else {}
    return sorted(
        (
            row
            for row in store.select(_MAPPINGS_QUERY % values_clause("concept", concepts))
            if row["other"] != nothing or (row.get("source", "").removeprefix(SCHEME), hubs.get(row["concept"], "")) not in cases
        ),
        key=lambda row: (
            row["concept"],
            _is_proposed(row),
            "modifier" in row,
            -float(row["confidence"]),
            row["other"],
            row.get("source", ""),
        ),
    )


def judged_cases(store: Store) -> set[tuple[str, str]]:
    """The games and cross-game concepts of which a curator found a case in that game."""
    return {(scheme_of(row["concept"]), row["hub"]) for row in store.select(_JUDGED_CASES_QUERY)}


def hubs_of_books(store: Store) -> dict[str, str]:
    """Concept of a loaded book → the cross-game concept that a curator confirmed or the program proposes for it."""
    return {row["concept"]: row["hub"] for row in store.select(_BOOK_HUBS_QUERY) if is_concept(row["hub"])}


def _is_proposed(row: Solution) -> bool:
    return row.get("status") == f"{RS}proposed"


def matches_by_concept(mappings: Iterable[Solution], lang: str) -> dict[str, list["Match"]]:
    """Concept → its counterparts in other games in the order of its mappings; negated predicates begin with `not`.

    `concept` is null if the other game has no counterpart; `rule` is a rule of the other game, `own_rule` one of the concept's
    own game. Comments are in `lang`, or the next available language.
    """
    by_concept: dict[str, list[Match]] = {}
    for row in mappings:
        by_concept.setdefault(row["concept"], []).append(_match_body(row, lang))
    return by_concept


def _match_body(row: Solution, lang: str) -> "Match":
    other, scheme = row["other"], row.get("source", "").removeprefix(SCHEME)
    predicate = skos_curie(row["predicate"])
    return {
        "concept": None if other == expand_curie(NO_TERM_FOUND) else other,
        "game": scheme_of(other) if is_concept(other) else scheme or None,
        "predicate": f"{NEGATION_PREFIX}{predicate}" if "modifier" in row else predicate,
        "comment": comment(row, lang),
        "confidence": float(row["confidence"]),
        "own_rule": row.get("own"),
        "rule": row.get("rule"),
        "status": local_name(row["status"]) if "status" in row else "accepted",
    }


def comments_by_language(row: Solution) -> dict[str, str]:
    """Language → the comment of a mapping."""
    return {lang: row[column] for lang, column in COMMENT_COLUMNS.items() if column in row}


def comment(row: Solution, lang: str) -> str:
    """The comment of a mapping in a language, or in the next available language."""
    by_language = comments_by_language(row)
    return by_language.get(choose(lang, by_language) or "", "")


def rule_mappings_in(store: Store, rules: Iterable[str] | None = None, graph: str = COUNTERPARTS_GRAPH) -> list[Solution]:
    """The mappings of rules (None: of all) in a graph, without negated ones.

    `rule`, `other`, `label` (of judged ones), `predicate`, `comment` in each language, `confidence`.
    """
    return store.select(_RULE_MAPPINGS_QUERY % (values_clause("rule", rules), graph))


def counterparts(store: Store, iri: str, lang: str = "en") -> "list[RuleCounterpart]":
    """The shipped counterparts of a rule, the nearest first; none for an unknown rule.

    `number` is the locator, since many of these rules are unnumbered; `label` is the question that the rule answers. The predicate
    reads from the rule to its counterpart: `skos:broadMatch` is a more general rule. Label and comment are in `lang`, or the next
    available language.
    """
    return sorted((_counterpart_body(row, lang, "accepted") for row in rule_mappings_in(store, [iri])), key=_counterpart_order)


def every_counterpart(knowledge: "Knowledge", iri: str, lang: str = "en") -> "list[RuleCounterpart]":
    """The counterparts of a rule that ship, then those that a curator accepted, then those that are proposed.

    Of the last two, `label` is the title above the counterpart, or its number.
    """
    bodies_of_rule = counterparts(knowledge.store, iri, lang)
    for graph, status in ((JUDGED_COUNTERPARTS, "accepted"), (PROPOSED_COUNTERPARTS, "proposed")):
        rows = rule_mappings_in(knowledge.store, [iri], graph)
        records = knowledge.by_iri([row["other"] for row in rows]) if rows else {}
        stated_iris = {counterpart["iri"] for counterpart in bodies_of_rule}
        bodies = [
            _counterpart_body(row, lang, status) for row in rows if row["other"] in records and row["other"] not in stated_iris
        ]
        for body in bodies:
            titles = records[body["iri"]]["headings"]
            body["label"] = next(iter(titles.get(choose(lang, titles) or "", [])[-1:]), "") or body["number"]
        bodies_of_rule += sorted(bodies, key=_counterpart_order)
    return bodies_of_rule


def _counterpart_body(row: Solution, lang: str, status: str) -> "RuleCounterpart":
    key, locator = split_rule(row["other"])
    labels = {label_lang: row[column] for column, label_lang in {"label": "en", **LABEL_COLUMNS}.items() if column in row}
    return {
        "iri": row["other"],
        "game": key.game,
        "number": locator,
        "label": labels.get(choose(lang, labels) or "", ""),
        "predicate": skos_curie(row["predicate"]),
        "comment": comment(row, lang),
        "confidence": float(row["confidence"]),
        "status": status,
    }


def _counterpart_order(counterpart: "RuleCounterpart") -> tuple[int, float, int, str]:
    nearness = MAPPING_PREDICATES.index(counterpart["predicate"])
    return nearness, -counterpart["confidence"], game_rank(counterpart["game"]), counterpart["iri"]
