"""Search in rulings: fusion of their signals, the probability that one is relevant, and their positions among rules."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from corpus.editions.rulings import RulingDate
from ontology.knowledge import Knowledge
from search.index.engine import MappedEngine, OpenEngine
from search.index.passages import Scores
from search.query.query import Query
from search.rulings.index import PartScores, RulingSignals, RulingsIndex
from search.settings import RULINGS, SEARCH, RulingSettings

Rule = TypeVar("Rule")
Other = TypeVar("Other")


@dataclass(frozen=True, slots=True)
class RankedRuling:
    """A ruling in a ranking."""

    ruling: int  # position in the index
    score: float
    signals: Mapping[str, float]
    same_question: bool  # it answers exactly the question that was asked
    relevance: float  # probability that it is about the question, regardless of other hits


@dataclass(frozen=True, slots=True)
class RulingsFound:
    """Ranked rulings, the best first, and the number of matches without a limit."""

    ranked: tuple[RankedRuling, ...] = ()
    total: int = 0

    def relevant(self, min_relevance: float) -> "RulingsFound":
        """The rulings that are sufficiently relevant."""
        relevant_rulings = tuple(ruling for ruling in self.ranked if ruling.relevance >= min_relevance)
        return RulingsFound(relevant_rulings, len(relevant_rulings))


def rank(
    index: RulingsIndex,
    query: Query,
    static: Scores,
    dense: Scores | None,
    limit: int,
    mask: NDArray[np.bool_],
    settings: RulingSettings = RULINGS,
) -> RulingsFound:
    """The best `limit` allowed rulings for a query; `static` and `dense` are its vectors."""
    if not mask.any():
        return RulingsFound()
    signals = index.signals(query.literal_terms, static, dense, query.games, SEARCH)
    bm25 = _combine_parts(signals.bm25, settings) + settings.cards * signals.bm25.cards
    same = index.same_question(query.text)
    static_cosines = _combine_parts(signals.static, settings)
    dense_cosines = _combine_parts(signals.dense, settings) if signals.dense else np.zeros_like(bm25)
    above = np.maximum(dense_cosines - settings.dense_floor, 0) / (1 - settings.dense_floor)
    total = (
        _bm25_share(bm25, index, query, mask, settings)
        + settings.static_weight * static_cosines
        + settings.dense_weight * np.square(above)
        + settings.same_question * same
    )
    total = np.where(mask, total, -1.0).astype(np.float32)
    order = _best_rulings(total, limit)
    coverage = _coverage(index, query, order)
    ranked_rulings = [
        RankedRuling(
            ruling,
            float(total[ruling]),
            _named_signals(signals, ruling),
            bool(same[ruling]),
            1.0
            if same[ruling]
            else _relevance(
                coverage[nth], float(static_cosines[ruling]), float(dense_cosines[ruling]) if signals.dense else None, settings
            ),
        )
        for nth, ruling in enumerate(order)
    ]
    return RulingsFound(tuple(ranked_rulings), int(((bm25 > 0) & mask).sum()))


def _bm25_share(bm25: Scores, index: RulingsIndex, query: Query, mask: NDArray[np.bool_], settings: RulingSettings) -> Scores:
    """BM25 as a share of the best ruling's, reduced if even the best covers little of the query."""
    allowed_scores = np.where(mask, bm25, 0)
    top = int(allowed_scores.argmax())
    coverage = _coverage(index, query, [top])[0] if allowed_scores[top] > 0 else 0.0
    share: Scores = (allowed_scores / max(float(allowed_scores[top]), 1e-6) * min(1.0, coverage / settings.full_coverage)).astype(
        np.float32
    )
    return share


def _combine_parts(scores: PartScores, settings: RulingSettings) -> Scores:
    """The score of each ruling's question or answer, whichever is better, plus a share of the other."""
    answer = np.float32(settings.answer) * scores.answer
    combined: Scores = np.maximum(scores.question, answer) + np.float32(settings.other_part) * np.minimum(scores.question, answer)
    return combined


def _best_rulings(total: Scores, limit: int) -> list[int]:
    few = np.argpartition(-total, min(limit, len(total)) - 1)[:limit]
    best_first = few[np.lexsort((few, -total[few]))]
    return [int(ruling) for ruling in best_first if total[ruling] > 0]


def _coverage(index: RulingsIndex, query: Query, rulings: Sequence[int]) -> list[float]:
    """The share of the query, weighted by idf, that each ruling contains."""
    idf = {term: weight * index.vocabulary.idf(term) for term, weight in query.literal_terms.items()}
    total = sum(idf.values()) or 1.0
    return [sum(idf[term] for term in terms) / total for terms in index.matched_terms(rulings, idf)]


def _named_signals(signals: RulingSignals, ruling: int) -> dict[str, float]:
    """The signals of a ruling above 0 by their names in `why.legs` of a hit, which are part of the contract."""
    scores_by_name = {"question": signals.bm25.question, "answer": signals.bm25.answer, "cards": signals.bm25.cards}
    scores_by_name |= {"question near": signals.static.question, "answer near": signals.static.answer}
    scores_by_name |= {"question meant": signals.dense.question, "answer meant": signals.dense.answer} if signals.dense else {}
    return {name: float(scores[ruling]) for name, scores in scores_by_name.items() if scores[ruling] > 0}


def _relevance(coverage: float, static: float, dense: float | None, settings: RulingSettings) -> float:
    """The probability that a ruling is about the question."""
    bias, of_coverage, of_static, of_dense = settings.static_logits if dense is None else settings.dense_logits
    return 1 / (1 + math.exp(-(bias + of_coverage * coverage**2 + of_static * static + of_dense * (dense or 0.0))))


class RulingSearch:
    """Search in the rulings of one bundle. Thread-safe."""

    def __init__(self, index: RulingsIndex) -> None:
        self.index = index
        self.games = tuple(sorted({ruling.game for ruling in index.rulings}))

    @classmethod
    def open(cls, bundle: Path, open_engine: OpenEngine = MappedEngine) -> "RulingSearch | None":
        """Search in the rulings of a bundle; None if it has none."""
        index = RulingsIndex.open_index(bundle, open_engine)
        return cls(index) if index else None

    def search(
        self, query: Query, static: Scores, dense: Scores | None, limit: int, answer_lang: str | None, knowledge: Knowledge
    ) -> RulingsFound:
        """The rulings for a query, of its games and with an answer in a language (None: in any)."""
        mask = self._allowed_rulings(query.games, answer_lang, knowledge)
        return rank(self.index, query, static, dense, limit, mask)

    def _allowed_rulings(self, games: Sequence[str], answer_lang: str | None, knowledge: Knowledge) -> NDArray[np.bool_]:
        moment = RulingDate(knowledge)
        mask = self.index.is_current.copy() if moment.is_today else self._valid_versions(moment)
        if games:
            mask &= np.isin(self.index.games, games)
        if answer_lang:
            mask &= np.array([answer_lang in ruling.langs for ruling in self.index.rulings])
        return mask

    def _valid_versions(self, moment: RulingDate) -> NDArray[np.bool_]:
        """The versions that were valid at a date: for each ruling, the newest one that is not later."""
        newest: dict[int, int] = {}
        for position, ruling in enumerate(self.index.rulings):
            if ruling.current not in newest and not moment.is_later(ruling.game, ruling.date):
                newest[ruling.current] = position
        valid = np.zeros(len(self.index.rulings), dtype=np.bool_)
        valid[list(newest.values())] = True
        return valid


def interleave(
    rules: Sequence[Rule], rulings: Sequence[Other], *, ruling_first: bool, settings: RulingSettings = RULINGS
) -> list[Rule | Other]:
    """Rules and rulings in one list: every third position may have a ruling, but at most three of the first ten.

    `ruling_first`: the first ruling precedes the first rule.
    """
    mixed: list[Rule | Other] = []
    next_rules, next_rulings = iter(rules), iter(rulings)
    turns = _ruling_turns(settings.every, ruling_first=ruling_first)
    count = 0
    while len(mixed) < len(rules) + len(rulings):
        is_ruling = next(turns) and (len(mixed) >= settings.first or count < settings.most_in_first)
        following = next(next_rulings, None) if is_ruling else next(next_rules, None)
        if following is not None:
            count += is_ruling
            mixed.append(following)
            continue
        room = None if len(mixed) >= settings.first else max(0, settings.most_in_first - count)
        return [*mixed, *(list(next_rules) if is_ruling else [*next_rulings][:room])]
    return mixed


def _ruling_turns(interval: int, *, ruling_first: bool) -> Iterator[bool]:
    """Whether each position of a mixed list may have a ruling."""
    place = 0 if ruling_first else 1
    while True:
        yield place % interval == 0
        place += 1
