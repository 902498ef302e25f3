"""Where no game is named: the rules of all games on one level, whatever is known of each.

A rule with a gloss and questions is met by one of them more often than a rule that has only its words, and the rules of a glossed
book would stand before all others. So each rule counts by the best of its own game, and each game by how near its books' words are
to the question: all books have those, and the encoder puts what means the same in one place whatever the language. A term that one
game alone has tells which game is meant, too.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from search.index.lexical import Scores
from search.index.rules import Rules
from search.rank.settings import Settings


def levelled(scores: Scores, near: Sequence[Scores], terms: Mapping[str, float], rules: Rules, settings: Settings) -> Scores:
    """Scores as shares of the best of each game, less where the nearest words of another game are nearer or the terms are its.

    `near` are the cosines of the static model and of the encoder, where there are any, that all games have alike; `terms` how many
    terms of the question each game has for its own.
    """
    best = _best(scores, rules)
    there = best > 0
    if not there.any():
        return scores
    told = sum(
        (weight * _best(leg, rules) for weight, leg in zip(settings.games, near, strict=False)), _terms(terms, rules, settings)
    )
    factor = np.zeros_like(best)
    factor[there] = np.exp(told[there] - told[there].max()) / best[there]
    levels: Scores = scores * factor[rules.game]
    return levels


def _terms(terms: Mapping[str, float], rules: Rules, settings: Settings) -> NDArray[np.float32]:
    """The logarithm of what each game gains by the terms of the question, shape (games,)."""
    told = np.array([settings.game_terms * terms.get(game, 0.0) for game in rules.games], dtype=np.float32)
    return np.minimum(told, np.float32(settings.game_terms_most))


def _best(scores: Scores, rules: Rules) -> NDArray[np.float32]:
    """The best score of each game, shape (games,)."""
    order, begins = rules.by_game
    return np.maximum(np.maximum.reduceat(scores.take(order), begins), np.float32(0)) if len(begins) else np.zeros(0, np.float32)
