"""Determines the game of a question by its words: names that only some games use for a thing, and words that only one game uses.

A word is specific to a game if it is several times as frequent in the passages of that game as in those of any other. Only
passages in the languages of the word's script are compared: a book without a Japanese text naturally has no kana.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from search.index.concept_tokens import CONCEPT
from search.index.index import Index
from search.index.passages import Scores
from search.query.query import Query
from search.settings import SearchSettings

_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa\u30fc]")
_UNSEEN_COUNT = 0.5
"""Pseudo-count of passages for a game without a word, so that a globally rare word is specific to no game."""


def game_logits(index: Index, query: Query, settings: SearchSettings) -> Scores:
    """The log of the factor that each game gains from the words of a question, shape (games,).

    If the question names games, its words do not choose among them.
    """
    gains = name_logits(query.game_term_shares, index.games, settings)
    if not query.games:
        for term in query.required_terms:
            if game := game_of_term(index, term, settings.game_word_ratio):
                gains[game[0]] += settings.game_word_weight * game[1]
    return np.minimum(gains, np.float32(settings.game_term_cap))


def name_logits(shares: Mapping[str, float], games: Sequence[str], settings: SearchSettings) -> Scores:
    """The contribution of names to `game_logits`, without the cap; `shares` has the number of names specific to each game."""
    return np.array([settings.game_term_weight * shares.get(game, 0.0) for game in games], dtype=np.float32)


def game_of_term(index: Index, term: str, ratio: float) -> tuple[int, float] | None:
    """The position of the game to which a term is specific, and the log of its frequency over `ratio` times any other game's."""
    if term.startswith(CONCEPT) or term[0].isdigit() or (len(term) == 1 and not term.isascii()):
        return None
    having, passages = index.passages_by_game(term, _languages(term))
    games = np.flatnonzero(passages)
    if len(games) < 2:
        return None
    rates = having[games] / passages[games]
    first = int(rates.argmax())
    others = np.delete(having[games] + _UNSEEN_COUNT, first) / np.delete(passages[games], first)
    excess = float(np.log(max(rates[first], 1e-9) / (ratio * others.max())))
    return (int(games[first]), excess) if excess > 0 else None


def _languages(term: str) -> tuple[str, ...]:
    """The languages to which a word may belong, by its script."""
    if term.isascii():
        return ("en",)
    return ("ja",) if _KANA.search(term) else ("ja", "zh-Hans", "zh-Hant")
