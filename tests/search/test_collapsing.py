"""Parts of one rule give way to other rules; a rule knows where it stands in its book."""

from collections.abc import Sequence

import numpy as np
import pytest

from corpus.words.tokens import words
from search.index.rules import IndexedOutline, names_variant
from search.rank.ranker import collapse_siblings


@pytest.mark.parametrize(
    ("wholes", "order", "gone"),
    [
        ("abcd", [0, 1, 2, 3], {}),
        ("aaaab", [0, 1, 2, 4, 3], {0: [3]}),
        ("aaabaab", [0, 1, 2, 3, 6, 4, 5], {0: [4, 5]}),
        ("abbbbb", [0, 1, 2, 3, 4, 5], {1: [4, 5]}),  # nothing else is there to make room for
        ("aaabcdeaaf", [0, 1, 2, 3, 4, 5, 6, 9, 7, 8], {0: [7, 8]}),
    ],
)
def test_at_most_three_parts_of_a_rule_among_the_first(wholes: str, order: list[int], gone: dict[int, list[int]]) -> None:
    first, gave_way = collapse_siblings(range(len(wholes)), [ord(whole) for whole in wholes], 3, 10)
    assert (first, gave_way) == (order, gone)


def test_beyond_the_first_hits_nothing_gives_way() -> None:
    assert collapse_siblings(range(6), [1, 2, 3, 3, 3, 3], 1, 3) == ([0, 1, 2, 3, 4, 5], {})


def test_a_rule_knows_its_section_and_the_rule_it_is_a_part_of() -> None:
    #        chapter, its rule, a part, a part of the part, a section in the chapter, its rule, a rule of no chapter
    parents: Sequence[int] = (-1, 0, 1, 2, 0, 4, -1)
    heading = np.array([True, False, False, False, True, False, False])
    outline = IndexedOutline(parents, [5], heading, ["chapter", "rule", "rule", "rule", "section", "rule", "rule"])
    assert outline.section.tolist() == [-1, 0, 0, 0, 0, 4, -1]
    assert outline.top_rule.tolist() == [0, 1, 1, 1, 4, 5, 6]
    assert outline.variant.tolist() == [False] * 5 + [True, False]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how does a mulligan work", False),
        ("mulligans in Commander", True),
        ("team mulligan", True),
        ("指挥官死了可以回指挥区吗", True),
        ("調度怎么做", False),
        ("統率者が破壊されました", True),
        ("マリガンは何回できる", False),
    ],
)
def test_a_question_names_a_variant_or_not(question: str, expected: bool) -> None:
    assert names_variant(list(words(question))) is expected
