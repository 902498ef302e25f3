"""The counterparts of a concept in other games: what answers to it, what only looks like it, and what has none."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from corpus.address import NS, SCHEME, is_concept, scheme_of, skos_curie
from corpus.comparison import DENIED
from corpus.languages import choose
from ontology.sssom import NOTHING, SSSOM, expand
from ontology.store.engine import Solution, Store, values

if TYPE_CHECKING:
    from corpus.contract import Match

_MATCHES = f"""
SELECT ?concept ?other ?predicate ?modifier ?comment ?comment_ja ?comment_zh ?confidence ?own ?rule ?source WHERE {{
  %s GRAPH ?g {{
    ?mapping <{SSSOM}subject_id> ?concept ; <{SSSOM}object_id> ?other ; <{SSSOM}predicate_id> ?predicate ;
      <{SSSOM}confidence> ?confidence .
    OPTIONAL {{ ?mapping <{SSSOM}comment> ?comment }}
    OPTIONAL {{ ?mapping <{NS}comment_ja> ?comment_ja }}
    OPTIONAL {{ ?mapping <{NS}comment_zh> ?comment_zh }}
    OPTIONAL {{ ?mapping <{SSSOM}predicate_modifier> ?modifier }}
    OPTIONAL {{ ?mapping <{NS}subject_rule> ?own }}
    OPTIONAL {{ ?mapping <{NS}object_rule> ?rule }}
    OPTIONAL {{ ?mapping <{SSSOM}object_source> ?source }}
  }}
}}"""


_COMMENTS = {"en": "comment", "ja": "comment_ja", "zh-Hans": "comment_zh"}


def matches_of(store: Store, lang: str, concepts: Collection[str] | None = None) -> dict[str, list["Match"]]:
    """Concept → its counterparts in other games, the surest first, the denied last, with `not` before their predicate.

    `concept` is null where the other game has none; `rule` is a rule of the other game, `own_rule` one of the concept's
    own. `concepts` limits it; None is all. `lang` is that of the comments.
    """
    by_concept: dict[str, list[Match]] = {}
    rows = store.select(_MATCHES % values("concept", concepts))
    for row in sorted(rows, key=_sureness):
        by_concept.setdefault(row["concept"], []).append(_match(row, lang))
    return by_concept


def _sureness(row: Solution) -> tuple[str, bool, float, str, str]:
    return row["concept"], "modifier" in row, -float(row["confidence"]), row["other"], row.get("source", "")


def _match(row: Solution, lang: str) -> "Match":
    other, scheme = row["other"], row.get("source", "").removeprefix(SCHEME)
    predicate = skos_curie(row["predicate"])
    return {
        "concept": None if other == expand(NOTHING) else other,
        "game": scheme_of(other) if is_concept(other) else scheme or None,
        "predicate": f"{DENIED}{predicate}" if "modifier" in row else predicate,
        "comment": comment(row, lang),
        "confidence": float(row["confidence"]),
        "own_rule": row.get("own"),
        "rule": row.get("rule"),
    }


def comments(row: Solution) -> dict[str, str]:
    """Language → what is said of a mapping."""
    return {known: row[name] for known, name in _COMMENTS.items() if name in row}


def comment(row: Solution, lang: str) -> str:
    """What is said of a mapping, in the language asked for or the next that there is."""
    there = comments(row)
    return there.get(choose(lang, there) or "", "")
