"""The order of sections: rules that decide a case together stand together, so their evidence is added up.

The score of a section is a linear function of features of the candidates in it; the weights are in `data/sections.toml`, and
`python -m bench.search.sections --write` fits them.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from search.index.index import Index
from search.index.passages import Scores
from search.query.query import Query
from search.rank.ranker import Ranker, Ranking
from search.rank.reranking import Columns
from search.settings import DATA, Field

FILE = DATA / "sections.toml"
MAX_SECTIONS = 5
"""Maximum number of sections in an answer."""
_RANK_OFFSET = 3
"""The evidence of the rule at rank r, from 0, is 1 / (r + this)."""
_SAMENESS_POWER = 6
"""Power of the product of two shares, the heading's words in the question and the question's in the heading: only a question that
asks for the heading has nearly both.
"""
_MIN_IDF = 1e-6
_MARKED = 10
"""Number of first rules that are marked in their sections."""


class CandidateSection(NamedTuple):
    """A section that contains ranked rules."""

    root: int  # the rule or heading that it begins with
    rules: tuple[int, ...]  # the ranked rules in it, the best first
    ranks: tuple[int, ...]  # their ranks, from 0
    lag: float  # distance in relevance of its best rule from the best of all, at most 0
    mass: float  # its share of the relevance of all ranked rules, as probabilities

    @property
    def marked(self) -> tuple[int, ...]:
        """The rules that are marked: the best one, and those among the first ten of all."""
        return self.rules[: max(1, sum(rank < _MARKED for rank in self.ranks))]


def section_features(index: Index, query: Query, sections: Sequence[CandidateSection]) -> Columns:
    """Each feature as an array of shape (sections,)."""
    terms = list(query.terms)
    idf = np.array([query.terms[term] * index.vocabulary.idf(term) for term in terms], dtype=np.float32)
    total = float(idf.sum()) or 1.0
    in_title = index.engine.matched_terms([section.root for section in sections], terms)
    terms_of_sections = [index.engine.matched_terms(section.rules, terms).any(axis=1) for section in sections]
    evidence = [[1 / (rank + _RANK_OFFSET) for rank in section.ranks] for section in sections]
    columns = {
        "best": [_RANK_OFFSET * max(values) for values in evidence],
        "sum": [sum(values) for values in evidence],
        "same_words": [
            (coverage * float(idf @ in_title[:, at]) / total) ** _SAMENESS_POWER
            for at, coverage in enumerate(_heading_coverage(index, terms, [section.root for section in sections]))
        ],
        "coverage": [float(idf @ terms_found) / total for terms_found in terms_of_sections],
        "lag": [section.lag for section in sections],
        "mass": [section.mass for section in sections],
    }
    return {name: np.array(values, dtype=np.float32) for name, values in columns.items()}


def _heading_coverage(index: Index, terms: Sequence[str], roots: Sequence[int]) -> list[float]:
    """For each first rule or heading of a section, the share of its words that the question has, in the language that fits best.

    Words count by their idf: a question about the end step has all of that heading.
    """
    bounds = index.passages.bounds[[Field.TEXT, Field.GLOSS]][:, :, list(roots)]
    spans = [np.concatenate([np.arange(*bounds[field, :, nth]) for field in range(len(bounds))]) for nth in range(len(roots))]
    passages = np.unique(np.concatenate(spans)) if spans else np.zeros(0, dtype=np.intp)
    idf_sums = np.zeros(len(passages))
    for term, has_term in zip(terms, index.engine.terms_in(passages, terms), strict=True):
        idf_sums[has_term] += index.vocabulary.idf(term)
    shares = idf_sums / np.maximum(index.vocabulary.total_idf(passages), _MIN_IDF)
    return [float(shares[np.searchsorted(passages, span)].max(initial=0)) for span in spans]


def candidate_sections(index: Index, ranking: Ranking) -> list[CandidateSection]:
    """The sections of ranked rules, in the order of their best rule.

    A heading with too many rules to be a section is none.
    """
    head = ranking.head
    relevance = np.array(ranking.relevance or [0.0] * len(head))
    relevance -= relevance.max() if len(head) else 0.0
    shares = np.exp(relevance)
    shares /= shares.sum() or 1.0
    roots = index.outline.section_root
    ranks_by_root: dict[int, list[int]] = {}
    for rank, rule in enumerate(head):
        ranks_by_root.setdefault(int(roots[rule]), []).append(rank)
    return [
        CandidateSection(
            root, tuple(head[rank] for rank in ranks), tuple(ranks), float(relevance[ranks].max()), float(shares[ranks].sum())
        )
        for root, ranks in ranks_by_root.items()
        if index.outline.section_starts[root]
    ]


def rank_sections(ranker: Ranker, query: Query, ranking: Ranking) -> list[CandidateSection]:
    """The sections of ranked rules, the best first; of equal ones, that of the better rule.

    They keep the order of their best rules where these were not re-ranked, as for a number or a definition that is asked for.
    """
    sections = candidate_sections(ranker.index, ranking)
    if not ranking.relevance:
        return sections
    scores = weighted(section_features(ranker.index, query, sections), section_weights())
    scores = ranker.behind_authoritative(scores, [section.rules[0] for section in sections])
    return [sections[at] for at in np.lexsort((np.arange(len(sections)), -scores))]


def weighted(columns: Columns, weights: Mapping[str, float]) -> Scores:
    """The weighted sum of the features of each section."""
    total: Scores = np.sum([np.float32(weight) * columns[name] for name, weight in weights.items()], axis=0)
    return total


@cache
def section_weights() -> Mapping[str, float]:
    """Feature → its weight."""
    weights: Mapping[str, float] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return weights
