"""Proposed counterparts of rules of games that nobody annotated, in a graph of their own: `…/graph/counterparts/proposed`.

Each row has `rs:status` and no direct triple, so that no query mixes it with a judged counterpart. They are made together with the
sentence embeddings (`search/counterparts.py`).
"""

from collections.abc import Collection, Iterable

from corpus.address import path_of, split_rule
from corpus.store.engine import Store
from ontology.mappings import PROPOSED_COUNTERPARTS
from ontology.spokes import CLOSE
from ontology.sssom import COLUMNS, COMMENT_COLUMNS, MappingRow, expand_curie, node_quads, rows_in, with_inverses
from ontology.vocabulary import comparison_words

_SIMILARITY = "semapv:SemanticSimilarityThresholdMatching"
_MAX_CONFIDENCE = 0.99
"""A confidence has two digits, and no proposal is certain."""


def write_counterparts(store: Store, pairs: Iterable[tuple[str, str, float]]) -> None:
    """Replaces the proposed counterparts in a store, each as two rules by IRI and the confidence; flushes it."""
    _replace(store, list(with_inverses(_row(*pair) for pair in pairs)))


def drop_counterparts(store: Store, games: Collection[str]) -> None:
    """Drops the proposed counterparts of the rules of some games from a store; flushes it."""
    store.flush()
    rows = rows_in(store, PROPOSED_COUNTERPARTS)
    kept = [row for row in rows if _games(row).isdisjoint(games)]
    if len(kept) < len(rows):
        _replace(store, kept)


def _replace(store: Store, rows: Iterable[MappingRow]) -> None:
    store.drop([PROPOSED_COUNTERPARTS])
    store.load(node_quads(PROPOSED_COUNTERPARTS, rows, status="proposed"))
    store.flush()


def _row(rule: str, other: str, confidence: float) -> MappingRow:
    comments = {column: comparison_words()[lang]["similar"] for lang, column in COMMENT_COLUMNS.items()}
    return (
        dict.fromkeys(COLUMNS, "")
        | {
            "subject_id": f"rule:{path_of(rule)}",
            "predicate_id": CLOSE,
            "object_id": f"rule:{path_of(other)}",
            "mapping_justification": _SIMILARITY,
            "confidence": f"{min(confidence, _MAX_CONFIDENCE):.2g}",
        }
        | comments
    )


def _games(row: MappingRow) -> set[str]:
    return {split_rule(expand_curie(row[side])).key.game for side in ("subject_id", "object_id")}
