"""The counterparts of a concept in other games: what answers to it, what only looks like it, and what has none."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from corpus.address import SCHEME, is_concept, scheme_of, skos_curie
from corpus.comparison import DENIED
from corpus.languages import choose
from corpus.store.engine import Solution
from ontology.sssom import NOTHING, expand

if TYPE_CHECKING:
    from corpus.contract import Match

_COMMENTS = {"en": "comment", "ja": "comment_ja", "zh-Hans": "comment_zh"}


def matches_of(mappings: Iterable[Solution], lang: str) -> dict[str, list["Match"]]:
    """Concept → its counterparts in other games in the order of their mappings, with `not` before a denied predicate.

    `concept` is null where the other game has none; `rule` is a rule of the other game, `own_rule` one of the concept's
    own. `lang` is that of the comments.
    """
    by_concept: dict[str, list[Match]] = {}
    for row in mappings:
        by_concept.setdefault(row["concept"], []).append(_match(row, lang))
    return by_concept


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
