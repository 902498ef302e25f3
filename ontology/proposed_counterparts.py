"""Counterparts of rules beside those that ship: proposed ones for games without annotations, and those that curators judged.

`…/graph/counterparts/proposed` has no direct triples, so that no query mixes proposals with judged counterparts. They are made
together with the sentence embeddings (`search/counterparts.py`). `…/graph/counterparts/judged` has the counterparts
that curators accepted (`verdicts.py`), with direct triples, and those that they refused, with the modifier `Not`. Each row has
`rs:status`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from corpus.address import path_of, split_rule
from corpus.store.engine import Store
from ontology.mappings import JUDGED_COUNTERPARTS, PROPOSED_COUNTERPARTS
from ontology.spokes import CLOSE, with_lines
from ontology.sssom import (
    COLUMNS,
    COMMENT_COLUMNS,
    INVERSION_JUSTIFICATION,
    MappingRow,
    direct_quads,
    expand_curie,
    node_quads,
    rows_in,
    with_inverses,
)
from ontology.verdicts import JUDGED_CONFIDENCE, Verdict
from ontology.vocabulary import comparison_words

_SIMILARITY = "semapv:SemanticSimilarityThresholdMatching"
_CURATION = "semapv:ManualMappingCuration"
_MAX_CONFIDENCE = 0.99
"""A confidence has two digits, and no proposal is certain."""
RulePair = tuple[str, str, float]
"""Two rules by IRI, and the probability that they decide the same."""


def proposed_pairs(store: Store) -> list[RulePair]:
    """The proposed counterparts in a store, each once."""
    rows = (row for row in rows_in(store, PROPOSED_COUNTERPARTS) if row["mapping_justification"] != INVERSION_JUSTIFICATION)
    return [(*_rules(row), float(row["confidence"])) for row in rows]


def write_counterparts(store: Store, pairs: Iterable[RulePair], verdicts: Iterable[Verdict] = ()) -> None:
    """Replaces the proposed and the judged counterparts in a store; flushes it."""
    _replace_proposed(store, list(with_inverses(_proposed_row(*pair) for pair in pairs)))
    store.drop([JUDGED_COUNTERPARTS])
    if verdict_rows := list(with_inverses(row for verdict in verdicts for row in _judged_rows(verdict))):
        store.load(
            with_lines(
                node_quads(JUDGED_COUNTERPARTS, verdict_rows, status="accepted"), direct_quads(JUDGED_COUNTERPARTS, verdict_rows)
            )
        )
    store.flush()


def drop_counterparts(store: Store, games: Collection[str]) -> None:
    """Drops the proposed counterparts of the rules of some games from a store; flushes it."""
    store.flush()
    rows = rows_in(store, PROPOSED_COUNTERPARTS)
    rest = [row for row in rows if games_of(_rules(row)).isdisjoint(games)]
    if len(rest) < len(rows):
        _replace_proposed(store, rest)
        store.flush()


def games_of(rules: Iterable[str]) -> set[str]:
    """The games of some rules."""
    return {split_rule(rule).key.game for rule in rules}


def _replace_proposed(store: Store, rows: Iterable[MappingRow]) -> None:
    store.drop([PROPOSED_COUNTERPARTS])
    store.load(node_quads(PROPOSED_COUNTERPARTS, rows, status="proposed"))


def _proposed_row(rule: str, other: str, confidence: float) -> MappingRow:
    return _row(rule, other, min(confidence, _MAX_CONFIDENCE), "similar") | {"mapping_justification": _SIMILARITY}


def _judged_rows(verdict: Verdict) -> Iterator[MappingRow]:
    """The counterpart that a curator accepts, and the proposed one if the curator refuses it."""
    signature = {**verdict.signature, "mapping_justification": _CURATION}
    if accepted_rule := verdict.accepted:
        yield _row(verdict.subject, accepted_rule, JUDGED_CONFIDENCE, "judged") | signature
    if accepted_rule != verdict.object:
        yield _row(verdict.subject, verdict.object, JUDGED_CONFIDENCE) | signature | {"predicate_modifier": "Not"}


def _row(rule: str, other: str, confidence: float, comment: str = "") -> dict[str, str]:
    comments = {column: comparison_words()[lang][comment] if comment else "" for lang, column in COMMENT_COLUMNS.items()}
    return (
        dict.fromkeys(COLUMNS, "")
        | {
            "subject_id": f"rule:{path_of(rule)}",
            "predicate_id": CLOSE,
            "object_id": f"rule:{path_of(other)}",
            "confidence": f"{confidence:.2g}",
        }
        | comments
    )


def _rules(row: Mapping[str, str]) -> tuple[str, str]:
    return expand_curie(row["subject_id"]), expand_curie(row["object_id"])
