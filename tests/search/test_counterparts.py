"""Candidates for counterparts of rules: the nearest rule of the other game, relative to how near any rule is."""

import numpy as np

from search.counterparts import FEATURES, ComparedRules, candidate_pairs

RARITY = {"c:graveyard": 2.0, "c:hand": 1.0, "c:card": 0.1}


def compared(first: int, *vectors: list[float]) -> ComparedRules:
    """Rules from a number on, each with one vector and a section of its own."""
    rows = np.array(vectors, dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    places = np.arange(len(rows))
    return ComparedRules(places + first, rows, places, places, rows)


def test_each_rule_has_one_candidate_with_every_feature() -> None:
    one = compared(0, [1, 0.1, 0], [0, 1, 0.1])
    other = compared(10, [0, 1, 0], [1, 0, 0], [0, 0.2, 1])
    pairs = list(candidate_pairs(one, other, {}, RARITY))
    assert [(pair.rule, pair.other) for pair in pairs] == [(0, 11), (1, 10)]
    assert all(set(pair.features) == set(FEATURES) and pair.features["lead"] > 0 for pair in pairs)


def test_a_rule_that_is_near_to_everything_is_no_candidate() -> None:
    one = compared(0, [1, 0, 0.9], [0, 1, 0.9], [0.1, 0.1, 1])
    other = compared(10, [1, 0, 0.2], [0, 1, 0.2], [0.35, 0.35, 1])
    assert [pair.other for pair in candidate_pairs(one, other, {}, RARITY)][:2] == [10, 11]


def test_rare_concepts_in_common_count_more() -> None:
    one, other = compared(0, [1, 0], [0, 1]), compared(10, [1, 0], [0, 1])
    concepts = {0: {"c:graveyard", "c:card"}, 10: {"c:graveyard", "c:hand"}, 1: {"c:card", "c:hand"}, 11: {"c:card", "c:graveyard"}}
    first, second = (pair.features for pair in candidate_pairs(one, other, concepts, RARITY))
    assert first["concepts"] == 2 / 3.1 and second["concepts"] == 0.1 / 3.1
    assert first["shared"] == second["shared"] == 1


def test_a_game_with_a_single_rule_has_no_candidates() -> None:
    assert list(candidate_pairs(compared(0, [1, 0]), compared(10, [1, 0], [0, 1]), {}, RARITY)) == []
