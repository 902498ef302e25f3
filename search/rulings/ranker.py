"""From a question to rulings in order: by words, by static vectors, by meaning; the ruling that answers the very question first."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from search.index.lexical import Scores
from search.query.query import Query
from search.rank.settings import DEFAULT, Settings
from search.rulings.index import Near, RulingsIndex

_ANSWER, _BESIDE, _CARDS = 0.7, 0.15, 0.5
"""What an answer counts beside a question, what the weaker of the two adds, and what a card that is named adds."""
_STATIC, _MEANT = 1.0, 3.0
"""What the cosines count beside the words, which count 1."""
_FLOOR = 0.6
"""Cosine of sentence vectors of what has little to do with a question; what is above it counts, squared."""
_ENOUGH = 0.5
"""Share of a question in the ruling that has most of it, from which on its words count in full: one word in common says little."""
_STATIC_SURE, _MEANT_SURE = (-4.3, 5.5, 7.0, 0.0), (-21.2, 5.5, 4.0, 25.0)
"""Logits of a ruling being about what is asked: a constant, then for the share of the question in it, squared, for the cosine of
the static vectors and for that of the sentence vectors. `python -m bench.found` prints what they let through."""
_SAME = 10.0
"""What a ruling gains that answers the very question."""


@dataclass(frozen=True, slots=True)
class RankedRuling:
    """A ruling in its rank."""

    place: int
    score: float
    legs: Mapping[str, float]
    same: bool  # its question is the very one that was asked
    sure: float  # how near it is to what was asked, 0 to 1, whatever else there is


def rank(
    index: RulingsIndex,
    query: Query,
    vector: Scores,
    sentence: Scores | None,
    limit: int,
    allowed: NDArray[np.bool_],
    settings: Settings = DEFAULT,
) -> tuple[list[RankedRuling], int]:
    """The rulings for a query among those that are allowed, the best first, and how many have anything of it."""
    if not allowed.any():
        return [], 0
    words, near, meant = index.legs(query.said, vector, sentence, query.games, settings)
    said = _joined(words) + _CARDS * words.cards
    same = index.asked(query.text)
    close = _joined(meant) if meant else np.zeros_like(said)
    best = _weighed(said, index, query, allowed)
    total = best + _STATIC * _joined(near) + _MEANT * np.square(np.maximum(close - _FLOOR, 0) / (1 - _FLOOR)) + _SAME * same
    total = np.where(allowed, total, -1.0).astype(np.float32)
    order = _first(total, limit)
    cover = _covered(index, query, order)
    ranked = [
        RankedRuling(
            place,
            float(total[place]),
            _legs(place, words, near, meant),
            bool(same[place]),
            1.0 if same[place] else _sureness(cover[nth], float(_joined(near)[place]), float(close[place]) if meant else None),
        )
        for nth, place in enumerate(order)
    ]
    return ranked, int(((said > 0) & allowed).sum())


def _weighed(said: Scores, index: RulingsIndex, query: Query, allowed: NDArray[np.bool_]) -> Scores:
    """Scores by words, 1 for the best; less where even that has little of the question."""
    masked = np.where(allowed, said, 0)
    top = int(masked.argmax())
    share = _covered(index, query, [top])[0] if masked[top] > 0 else 0.0
    weighed: Scores = (masked / max(float(masked[top]), 1e-6) * min(1.0, share / _ENOUGH)).astype(np.float32)
    return weighed


def _joined(near: Near) -> Scores:
    """One score for each ruling: that of its question or its answer, and a little of the other."""
    answer = np.float32(_ANSWER) * near.answer
    joined: Scores = np.maximum(near.question, answer) + np.float32(_BESIDE) * np.minimum(near.question, answer)
    return joined


def _first(total: Scores, limit: int) -> list[int]:
    few = np.argpartition(-total, min(limit, len(total)) - 1)[:limit]
    ordered = few[np.lexsort((few, -total[few]))]
    return [int(place) for place in ordered if total[place] > 0]


def _covered(index: RulingsIndex, query: Query, order: Sequence[int]) -> list[float]:
    """The share of the query, weighed by rarity, that some rulings have."""
    worth = {term: weight * index.lexical.rarity(term) for term, weight in query.said.items()}
    whole = sum(worth.values()) or 1.0
    met = index.terms_of(order, worth)
    return [sum(worth[term] for term in terms) / whole for terms in met]


def _legs(place: int, words: Near, near: Near, meant: Near | None) -> dict[str, float]:
    legs = {"question": words.question, "answer": words.answer, "cards": words.cards}
    legs |= {"question near": near.question, "answer near": near.answer}
    legs |= {"question meant": meant.question, "answer meant": meant.answer} if meant else {}
    return {name: float(scores[place]) for name, scores in legs.items() if scores[place] > 0}


def _sureness(cover: float, near: float, meant: float | None) -> float:
    """The probability that a ruling is about what is asked."""
    constant, of_cover, of_near, of_meant = _STATIC_SURE if meant is None else _MEANT_SURE
    return 1 / (1 + math.exp(-(constant + of_cover * cover**2 + of_near * near + of_meant * (meant or 0.0))))
