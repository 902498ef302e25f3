"""Proposing the rules that a ruling rests on: its question and its answer are searched for among the rules of its game."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from corpus.languages import choose
from search.grounds.confidence import FIRST, confidence
from search.rank.ranker import Ranking
from search.searcher import Request, Searcher

LEAST = 0.3
"""Probability below which nothing is proposed."""
_LOOKED_AT = 10
_LONGEST = 1500
"""Characters of a ruling that are searched for: of a question the beginning, of an answer what is left."""


class Proposed(NamedTuple):
    """A rule by its address, and the probability that a ruling rests on it."""

    rule: str
    confidence: float


def propose(searcher: Searcher, game: str, text: str) -> list[Proposed]:
    """The rules of a game that a ruling of some words probably rests on, the surest first; none of a game without rules."""
    if game not in searcher.index.games or not text:
        return []
    ranking = ranked(searcher, game, text)
    return sorted(_sure(searcher, ranking), key=lambda proposed: (-proposed.confidence, proposed.rule))


def words(question: Mapping[str, str], answer: Mapping[str, str]) -> str:
    """What is searched for: question and answer in one language, in English if there is a choice."""
    lang = choose("en", answer) or ""
    asked = question.get(lang, "")[: _LONGEST // 2]
    return f"{asked} {answer.get(lang, '')[: _LONGEST - len(asked)]}".strip()


def ranked(searcher: Searcher, game: str, text: str) -> Ranking:
    """The rules of a game for some words, the first ten."""
    request = Request(text, (game,), limit=_LOOKED_AT)
    query = searcher.understood(request)
    opened = searcher.sentence_encoder
    vector = searcher.encoder.encode([query.asked])[0]
    return searcher.ranker.rank(query, vector, _LOOKED_AT, None, opened.encode_query([query.asked])[0] if opened else None)


def _sure(searcher: Searcher, ranking: Ranking) -> Iterator[Proposed]:
    for nth, hit in enumerate(ranking.hits[:FIRST]):
        sure = confidence(ranking.hits, nth, encoded=searcher.sentence_encoder is not None)
        if sure >= LEAST:
            yield Proposed(searcher.index.rules[hit.place].iri, round(sure, 3))
