"""From a query to rules in order: legs, their fusion, counterparts, and no game or edition crowding the others out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from search.index.field import Field
from search.index.index import Index, Legs
from search.index.lexical import Scores
from search.index.outline import names_variant
from search.query.language import same_language
from search.query.query import Query
from search.rank.evidence import Evidence, gathered
from search.rank.families import give_way
from search.rank.games import levelled
from search.rank.settings import DEFAULT, Settings

LEGS = {Field.TEXT: "text", Field.CONTEXT: "context", Field.GLOSS: "gloss", Field.ASKED: "asked"}
_BEHIND = 0.99


@dataclass(frozen=True, slots=True)
class Ranked:
    """A rule in its rank."""

    place: int
    score: float  # where several games are asked, 1: the best of the game that is nearest to the question
    legs: Mapping[str, float] = field(default_factory=dict)
    """BM25 and cosine of its best passage of each field, what a typed number adds, and what a hit that it belongs to lends."""
    gave_way: tuple[int, ...] = ()
    """Places of other parts of its rule that would be among the first too."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Rules in order, best first."""

    hits: tuple[Ranked, ...]
    total: int  # hits that there are, those beyond the limit too
    evidence: Evidence


NOTHING = Ranking((), 0, Evidence())


class Ranker:
    """Ranks the rules of one index."""

    def __init__(self, index: Index, settings: Settings = DEFAULT) -> None:
        self.index = index
        self.settings = settings
        rules = index.rules
        weights = np.where(rules.heading, settings.heading, 1.0) * np.where(rules.current, 1.0, settings.stale)
        self._weights = weights.astype(np.float32)
        self._crowding = np.array([settings.crowding**rank for rank in range(settings.pool)], dtype=np.float32)
        self._base = np.where(index.outline.variant, settings.variant, 1.0).astype(np.float32)

    def rank(
        self, query: Query, vector: Scores | None, limit: int, within: str | None = None, sentence: Scores | None = None
    ) -> Ranking:
        """The rules for a query, `limit` at most, of its games and of books in a language.

        `vector` is the query's static embedding and `sentence` that of the pretrained encoder, None without one.
        """
        allowed = self.index.rules.of(query.games, within)
        numbered, defining = self._numbered(query), self._defining(query)
        places = np.flatnonzero(numbered + defining)
        near = self.index.legs(
            query.terms, vector, sentence, games=query.games, within=within, places=places, settings=self.settings
        )
        dense = self._joined(near.static, self.settings.dense, self.settings.dense_others) ** np.float32(self.settings.dense_power)
        own = self._words(query, near.words, within) + np.float32(self.settings.dense_weight) * dense
        if near.meant:
            own += np.float32(self.settings.sentence_weight) * self._sentences(near.meant)
        own = (own + self._above(own)) * self._weights
        if not names_variant(query.words):
            own *= self._base
        if allowed is not None:
            own = np.where(allowed, own, 0)
        if several := len(query.games) != 1:
            own = levelled(own, self._told(near.static, near.meant), query.game_terms, self.index.rules, self.settings)
        best = 1.0 if several else float(own.max(initial=0.0))
        gained = (numbered + np.float32(best) * defining) * self._weights
        own += gained if allowed is None else gained * allowed
        scores = self._lend(own, several=several)
        order, gave_way = self._room(self._spread(scores, several=several))
        legs = _legs(near, {"number": numbered * self._weights, "lifted": scores - own})
        hits = tuple(
            Ranked(self._latest(place, allowed), float(scores[place]), _met(legs, place), tuple(gave_way.get(place, ())))
            for place in order[:limit]
        )
        evidence = gathered(self.index, query, order, near, allowed)
        return Ranking(hits, len(order), evidence)

    def _words(self, query: Query, fields: Mapping[Field, Scores], within: str | None) -> Scores:
        """The lexical leg as a share of its best rule; in a book of another language, where words meet by chance, of all asked."""
        scores = self._joined(fields, self.settings.fields, self.settings.others)
        foreign = within is not None and not same_language(within, query.lang)
        asked = sum(weight * self.index.lexical.rarity(term) for term, weight in query.terms.items()) if foreign else 0.0
        best = max(float(scores.max(initial=0.0)), asked)
        return scores / np.float32(best) if best > 0 else scores

    def _joined(self, fields: Mapping[Field, Scores], weights: Mapping[Field, float], others: float) -> Scores:
        """Each rule's best field, and a part of the others: most rules have no gloss and no questions."""
        parts = [np.float32(weight) * fields[name] for name, weight in weights.items() if name in fields]
        if not parts:
            return np.zeros(len(self.index.rules), dtype=np.float32)
        best: Scores = reduce(np.maximum, parts)
        total: Scores = reduce(np.add, parts)
        return best + np.float32(others) * (total - best)

    def _sentences(self, meant: Mapping[Field, Scores]) -> Scores:
        """The leg of sentence embeddings, 0 for what has nothing to do with the question, 1 for the same meaning."""
        floor = np.float32(self.settings.sentence_floor)
        above = {name: np.maximum(scores - floor, 0) / (1 - floor) for name, scores in meant.items()}
        return self._joined(above, self.settings.sentence, self.settings.sentence_others) ** np.float32(
            self.settings.sentence_power
        )

    def _above(self, scores: Scores) -> Scores:
        """What a rule gains of the rule it is a part of and of the title above it: who asks for trample asks for its parts."""
        outline, ended = self.index.outline, np.append(scores, np.float32(0))  # NOWHERE is the last
        gained: Scores = np.float32(self.settings.parent) * ended.take(outline.parent)
        gained += np.float32(self.settings.section) * ended.take(outline.section)
        return gained

    def _defining(self, query: Query) -> Scores:
        """What rules gain that say what the thing is that is asked of, the first of each edition most: shares of the best score.

        Where several games are asked, those that define the thing come before those that have the words of asking.
        """
        gained = np.zeros(len(self.index.rules), dtype=np.float32)
        for told in (told for asked in query.defining for told in self.index.defining(*asked)):
            places = np.array(told, dtype=np.intp)
            gains = self.settings.definition * self.settings.definition_step ** np.arange(len(told), dtype=np.float32)
            gained[places] = np.maximum(gained[places], gains)
        return gained

    def _told(self, *legs: Mapping[Field, Scores]) -> list[Scores]:
        """How near the words of each rule are, or those of its gloss where its text is not loaded: of all games alike."""
        return [np.where(self.index.texts, leg[Field.TEXT], leg[Field.GLOSS]) for leg in legs if leg]

    def _numbered(self, query: Query) -> Scores:
        """What rules gain whose number is typed; a heading as much as a rule, but for a number that may mean anything else."""
        gained = np.zeros(len(self.index.rules), dtype=np.float32)
        asked = sum(0.5 if token.cjk else 1.0 for token in query.words)
        gain = self.settings.number * min(1.0, self.settings.number_words / asked) ** 2 if asked else 0.0
        for number in query.numbers:
            for place in self.index.rules.numbered.get(number, ()):
                is_heading = bool(self.index.rules.heading[place]) and (query.numbers_only or not number.isdigit())
                gained[place] = gain / (self.settings.heading if is_heading else 1)
        return gained

    def _lend(self, scores: Scores, *, several: bool) -> Scores:
        """What the first hits cite rises with them, and their counterparts, but never past the hit that lifts them."""
        raised = scores.copy()
        for place in self._ordered(scores)[: self.settings.counterpart_sources]:
            for other, share in self._lifted(int(place), several=several):
                lent = np.float32(share) * scores[place] * (scores[other] > 0)
                ceiling = np.maximum(scores[other], np.float32(_BEHIND) * scores[place])
                raised[other] = np.maximum(raised[other], np.minimum(raised[other] + lent, ceiling))
        return raised

    def _lifted(self, place: int, *, several: bool) -> Iterator[tuple[NDArray[np.intp], float]]:
        """The rules that a hit lifts, those of several editions together, and the share of its score that each gains."""
        if self.settings.cited:
            for target in self.index.cites[place]:
                yield np.array([target], dtype=np.intp), self.settings.cited
        if several and self.settings.counterparts:
            for counterpart in self.index.counterparts.get(int(self.index.rules.group[place]), ()):
                yield self.index.rules.members(counterpart.group), self.settings.counterparts * counterpart.share

    def _spread(self, scores: Scores, *, several: bool) -> list[int]:
        """Places in order, one of each group of editions, each game's hits making room for the others'."""
        order = self._ordered(scores)
        _, firsts = np.unique(self.index.rules.group[order], return_index=True)
        order = order[np.sort(firsts)]
        games = self.index.rules.game[order]
        worth = scores[order].copy()
        for game in np.unique(games) if several else ():
            own = np.flatnonzero(games == game)
            worth[own] *= self._crowding[: len(own)]
        places: list[int] = order[np.lexsort((order, -worth))].tolist()
        return places

    def _room(self, order: list[int]) -> tuple[list[int], Mapping[int, list[int]]]:
        """The order with room for other rules beside the parts of one; and the best of a rule → those that gave way to it."""
        wholes = self.index.rules.group[self.index.outline.whole[np.array(order, dtype=np.intp)]]
        return give_way(order, wholes.tolist(), self.settings.parts, self.settings.first)

    def _ordered(self, scores: Scores) -> NDArray[np.intp]:
        pool = min(self.settings.pool, int(np.count_nonzero(scores > 0)))
        if not pool:
            return np.zeros(0, dtype=np.intp)
        best = np.argpartition(-scores, pool - 1)[:pool]
        ordered: NDArray[np.intp] = best[np.lexsort((best, -scores[best]))]
        return ordered

    def _latest(self, place: int, allowed: NDArray[np.bool_] | None) -> int:
        """The same rule in its latest edition."""
        members = self.index.rules.members(int(self.index.rules.group[place]))
        return int(next((member for member in members if allowed is None or allowed[member]), place))


def _legs(near: Legs, more: Mapping[str, Scores]) -> dict[str, Scores]:
    words = {LEGS[leg]: scores for leg, scores in near.words.items()}
    static = {f"dense {LEGS[leg]}": scores for leg, scores in near.static.items()}
    return words | static | {f"sentence {LEGS[leg]}": scores for leg, scores in near.meant.items()} | dict(more)


def _met(legs: Mapping[str, Scores], place: int) -> dict[str, float]:
    return {leg: float(scores[place]) for leg, scores in legs.items() if scores[place] > 0}
