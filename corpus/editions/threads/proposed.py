"""Proposed matches between editions without a common language, by glosses and common concepts.

A match is proposed only if two rules are mutual best matches by a margin. Other rules stay open, neither added nor removed.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from corpus.address import split_rule
from corpus.editions.threads.matching import Shingles
from corpus.store.threads.rule import StoredRule, words_of
from corpus.store.threads.step import Step, kind_of

if TYPE_CHECKING:
    from corpus.contract import RuleRecord

_MIN, _MARGIN = 0.4, 0.8
"""Minimum similarity of a proposal, and the maximum similarity of the next best pair as a share of it."""
_GLOSS = ("en", "zh-Hans", "ja")


def glossed(records: "Iterable[RuleRecord]") -> list[StoredRule]:
    """The rules of an edition as glosses and concepts; rules without a gloss have concepts only."""
    return [_glossed(record) for record in records]


def proposals(old: Iterable[StoredRule], new: Iterable[StoredRule]) -> list[Step]:
    """Steps between rules, by locators, each proposed; `similarity` is the confidence."""
    before, after = [rule for rule in old if rule.words], [rule for rule in new if rule.words]
    shingles = Shingles([*before, *after])
    scores = {(rule.locator, other.locator): shingles.alike(rule, other) for rule, other in shingles.candidates(before, after)}
    rivals = _rivals(scores)
    return [
        Step(kind_of(here, there, edited=True), here, there, round(min(score, 0.99), 2), proposed=True)
        for (here, there), score in scores.items()
        if score >= _MIN and all(rivals[end][1] <= _MARGIN * score for end in ((0, here), (1, there)))
    ]


def _rivals(scores: Mapping[tuple[str, str], float]) -> dict[tuple[int, str], tuple[float, float]]:
    """The two best scores of each rule, by side and locator."""
    best: dict[tuple[int, str], tuple[float, float]] = {}
    for ends, score in scores.items():
        for end in enumerate(ends):
            first, second = best.get(end, (0.0, 0.0))
            best[end] = (score, first) if score > first else (first, max(second, score))
    return best


def _glossed(record: "RuleRecord") -> StoredRule:
    gloss = next((record["digest"][lang] for lang in _GLOSS if lang in record["digest"]), "")
    words = (*words_of(gloss), *_concepts(record))
    return StoredRule(
        locator=record["locator"],
        kind=record["kind"],
        order=record["order"],
        parent=split_rule(record["parent"]).locator if record["parent"] else None,
        lang="",
        text=gloss,
        plain=gloss,
        folded=gloss,
        masked=gloss,
        words=words if gloss else (),
        cites=(),
        title=record["kind"] in ("chapter", "section"),
    )


def _concepts(record: "RuleRecord") -> Iterator[str]:
    """Concepts that a rule defines count twice."""
    yield from sorted({mention["concept"] for mention in record["mentions"]})
    yield from (concept for concept in record["defines"] for _ in range(2))
