"""From a query to ranked rules: fusion of retrieval signals, score propagation, a learned order of the first ones, collapsing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import chain, zip_longest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from search.index.index import Index, RetrievalSignals
from search.index.passages import Ids, Scores
from search.index.rules import Flags, IndexedRules, names_variant
from search.query.query import Query, same_language
from search.rank.answerability import AnswerabilityFeatures, extract_features
from search.rank.authority import behind_authoritative
from search.rank.game_words import game_logits
from search.rank.reranking import DEPTH, Reranker, features, reordered, rerank
from search.settings import SEARCH, Field, SearchSettings

_FIELD_NAMES = {Field.TEXT: "text", Field.CONTEXT: "context", Field.GLOSS: "gloss", Field.QUESTION: "asked"}
"""Names of fields in `why.legs` of a hit."""
_PROPAGATED = 0.99
"""Share of the score of the propagating hit up to which other rules rise."""


@dataclass(frozen=True, slots=True)
class RankedRule:
    """A rule in a ranking."""

    rule: int  # id in the index
    score: float  # of the rule in this place before re-ranking; if several games are searched, 1 is the best of the nearest game
    signals: Mapping[str, float] = field(default_factory=dict)
    """BM25 and cosine of its best passage in each field, the boost for its number, and the propagated score; all above 0."""
    collapsed: tuple[int, ...] = ()
    """Other parts of the same rule that it represents."""
    relevance: float | None = None  # the sum by which re-ranking orders it; None if it was not re-ranked


@dataclass(frozen=True, slots=True)
class Ranking:
    """Ranked rules, the best first."""

    hits: tuple[RankedRule, ...]
    total: int  # number of hits without a limit
    features: AnswerabilityFeatures
    head: tuple[int, ...] = ()  # the first rules, before siblings are collapsed, without a limit
    relevance: tuple[float, ...] = ()  # of the rules in `head`; empty if they were not re-ranked

    @property
    def margin(self) -> float | None:
        """The lead of the first hit over the second in relevance; None if they were not re-ranked, or there is no second."""
        relevance = [hit.relevance for hit in self.hits[:2] if hit.relevance is not None]
        return relevance[0] - relevance[1] if len(relevance) > 1 else None


class _Scored(NamedTuple):
    """The scores of all rules for a query, before re-ranking."""

    signals: RetrievalSignals
    whole: Mapping[str, Scores]  # the score, and the static and the dense signal of every rule
    order: list[int]  # the candidates, the best first, one of each group of editions
    signal_scores: Mapping[str, Scores]  # the signals by their names in `why.legs`


NO_RANKING = Ranking((), 0, AnswerabilityFeatures())


class Ranker:
    """Ranks the rules of one index."""

    def __init__(
        self, index: Index, settings: SearchSettings = SEARCH, reranker: Reranker = rerank, authoritative: Flags | None = None
    ) -> None:
        """`authoritative` are the rules that may precede others, see `authoritative_rules`; None: no rule is moved."""
        self.index = index
        self.settings = settings
        self.reranker = reranker
        self.authoritative = authoritative
        rules = index.rules
        weights = np.where(rules.heading, settings.heading_weight, 1.0) * np.where(rules.current, 1.0, settings.superseded_weight)
        self._weights = weights.astype(np.float32)
        self._crowding = np.array([settings.game_crowding**rank for rank in range(settings.candidates)], dtype=np.float32)
        self._variant_weights = np.where(index.outline.variant, settings.variant_weight, 1.0).astype(np.float32)

    def rank(
        self,
        query: Query,
        static: Scores | None,
        limit: int,
        book_lang: str | None = None,
        dense: Scores | None = None,
        own: tuple[Scores, Scores | None] | None = None,
    ) -> Ranking:
        """The best `limit` rules for a query, of its games and of books in a language (None: in any).

        `static` and `dense` are the query's static vector and sentence embedding, None without one; `own` are both for its own
        words, if it names cards: their texts choose candidates, and do not outvote these words. `features` are those of its own
        words then.
        """
        mask = self.index.rules.mask(query.games, book_lang)
        scores = self._score(query, static, dense, book_lang, mask)
        alone = self._score(query.in_own_words, *own, book_lang, mask) if own else None
        order_of_rules, final, sums = self._rerank(query, scores, alone, mask)
        order, siblings = self._collapse(order_of_rules)
        hits = tuple(
            RankedRule(
                self._latest(rule, mask),
                float(final[rule]),
                _values(scores.signal_scores, rule),
                tuple(siblings.get(rule, ())),
                sums.get(rule),
            )
            for rule in order[:limit]
        )
        head = tuple(self._latest(rule, mask) for rule in order_of_rules[:DEPTH])
        relevance = tuple(sums[rule] for rule in order_of_rules[:DEPTH]) if sums else ()
        evidence = alone or scores
        by_score, _ = self._collapse(evidence.order)
        features = extract_features(self.index, query.in_own_words if alone else query, by_score, evidence.signals, mask)
        return Ranking(hits, len(order), features, head, relevance)

    def _score(
        self, query: Query, static: Scores | None, dense: Scores | None, book_lang: str | None, mask: Flags | None
    ) -> "_Scored":
        """The scores of all rules before re-ranking."""
        settings = self.settings
        number_boost, defining = self._number_boost(query), self._definition_boost(query)
        boosted_rules = np.flatnonzero(number_boost + defining)
        signals = self.index.signals(
            query.terms, static, dense, games=query.games, book_lang=book_lang, rules=boosted_rules, settings=settings
        )
        vectors = {"static": self._static(signals.static_scores), "dense": self._dense(signals.dense_scores)}
        scores = self._fused(self._bm25(query, signals.bm25_scores, book_lang), **vectors)
        scores = (scores + self._inherited(scores)) * self._weights
        if not names_variant(query.words):
            scores *= self._variant_weights
        if mask is not None:
            scores = np.where(mask, scores, 0)
        if several := len(query.games) != 1:
            cosines = self._comparable_cosines(signals)
            scores = normalise_by_game(scores, cosines, game_logits(self.index, query, settings), self.index.rules, settings)
        best = 1.0 if several else float(scores.max(initial=0.0))
        number_boost[self._rules_numbered(query.named_numbers)] *= np.float32(max(1.0, best))  # they outweigh all words
        boost = (number_boost + np.float32(best) * defining) * self._weights
        scores += boost if mask is None else boost * mask
        final_scores = self._propagate(scores, several=several)
        scores_by_name = _named_signals(signals) | {"number": number_boost * self._weights, "lifted": final_scores - scores}
        return _Scored(
            signals, {"score": final_scores, **vectors}, self._spread_games(final_scores, several=several), scores_by_name
        )

    def _rerank(
        self, query: Query, scored_rules: "_Scored", alone: "_Scored | None", mask: Flags | None
    ) -> tuple[list[int], Scores, Mapping[int, float]]:
        """The order and scores after re-ranking, and the relevance of the re-ranked rules.

        `alone` are the scores by the question's own words, if it names cards. The relevance by these words is added to that with
        the texts of the cards, in part if the words are few. Nothing is re-ranked without vectors, and for a number or a definition
        that is asked for.
        """
        scores = scored_rules.whole["score"]
        if not scored_rules.order or not scored_rules.signals.static_scores or query.numbers or query.definition_targets:
            return scored_rules.order, scores, {}
        order = (
            [rule for rule in chain(*zip_longest(scored_rules.order, alone.order)) if rule is not None]
            if alone
            else scored_rules.order
        )

        def relevance_of(head: Ids) -> Scores:
            relevance = self._relevance(query, head, scored_rules, mask)
            if alone:
                share = min(1.0, query.word_count / self.settings.cards.own_words)
                relevance = relevance + np.float32(share) * self._relevance(query.in_own_words, head, alone, mask)
            relevance = self._with_headings_behind_rules(head, relevance)
            return self.behind_authoritative(relevance, [self._latest(rule, mask) for rule in head.tolist()])

        return reordered(list(dict.fromkeys(order)), scores, relevance_of)

    def _relevance(self, query: Query, head: Ids, scores: "_Scored", mask: Flags | None) -> Scores:
        return self.reranker(head, features(self.index, query, head, scores.whole, scores.signals, mask))

    def _with_headings_behind_rules(self, head: Ids, relevance: Scores) -> Scores:
        """The relevance where no heading is above the best of its rules, because these have its words and answer."""
        new_relevance, sections = relevance.copy(), self.index.outline.section[head]
        headings = np.flatnonzero(self.index.rules.heading[head])
        for place in headings[np.argsort(-head[headings])]:  # headings within others first: their ids are greater
            own = new_relevance[sections == head[place]]
            if len(own):
                new_relevance[place] = min(relevance[place], np.nextafter(own.max(), np.float32(-np.inf)))
        return new_relevance

    def behind_authoritative(self, relevance: Scores, rules: Sequence[int]) -> Scores:
        """The relevance of rules, or of the sections that begin with them; see `behind_authoritative`."""
        if self.authoritative is None:
            return relevance
        rule_ids, games = np.array(rules, dtype=np.intp), self.index.rules.game
        return behind_authoritative(
            relevance,
            games[rule_ids],
            self.authoritative[rule_ids],
            lambda some, others: self.index.likeness(rule_ids[some].tolist(), rule_ids[others].tolist()),
            self.settings,
        )

    def _fused(self, bm25: Scores, static: Scores, dense: Scores) -> Scores:
        """The weighted sum of the signals, shape (rules,)."""
        settings = self.settings
        static_powers = static ** np.float32(settings.static_power)
        sums: Scores = bm25 + np.float32(settings.static_weight) * static_powers + np.float32(settings.dense_weight) * dense
        return sums

    def _bm25(self, query: Query, fields: Mapping[Field, Scores], book_lang: str | None) -> Scores:
        """BM25 as a share of the best rule's.

        For books in another language, where words match by chance, it is a share of the query's idf.
        """
        scores = self._over_fields(fields, self.settings.bm25_fields, self.settings.bm25_other_fields)
        foreign = book_lang is not None and not same_language(book_lang, query.lang)
        query_idf = sum(weight * self.index.vocabulary.idf(term) for term, weight in query.terms.items()) if foreign else 0.0
        best = max(float(scores.max(initial=0.0)), query_idf)
        return scores / np.float32(best) if best > 0 else scores

    def _static(self, fields: Mapping[Field, Scores]) -> Scores:
        """The static signal: the cosine of the best field, and a share of the others."""
        return self._over_fields(fields, self.settings.static_fields, self.settings.static_other_fields)

    def _dense(self, fields: Mapping[Field, Scores]) -> Scores:
        """The dense signal: 0 for unrelated texts, 1 for the same meaning."""
        floor = np.float32(self.settings.dense_floor)
        above = {name: np.maximum(scores - floor, 0) / (1 - floor) for name, scores in fields.items()}
        similarities = self._over_fields(above, self.settings.dense_fields, self.settings.dense_other_fields)
        return similarities ** np.float32(self.settings.dense_power)

    def _over_fields(self, fields: Mapping[Field, Scores], weights: Mapping[Field, float], others: float) -> Scores:
        """The best field of each rule plus a share of the others: most rules have no gloss and no questions."""
        parts = [np.float32(weight) * fields[name] for name, weight in weights.items() if name in fields]
        if not parts:
            return np.zeros(len(self.index.rules), dtype=np.float32)
        best: Scores = reduce(np.maximum, parts)
        total: Scores = reduce(np.add, parts)
        return best + np.float32(others) * (total - best)

    def _inherited(self, scores: Scores) -> Scores:
        """The score that each rule inherits from its parent and heading: a question about trample also asks for its parts."""
        outline, scores_and_zero = self.index.outline, np.append(scores, np.float32(0))  # NO_RULE is the last
        gains: Scores = np.float32(self.settings.parent_share) * scores_and_zero.take(outline.parent)
        gains += np.float32(self.settings.section_share) * scores_and_zero.take(outline.section)
        return gains

    def _definition_boost(self, query: Query) -> Scores:
        """The boost of each rule that defines the subject of a definition question, as a share of the best score.

        If several games are searched, defining rules precede rules that merely contain the words of the question.
        """
        boosts = np.zeros(len(self.index.rules), dtype=np.float32)
        for rules in (rules for target in query.definition_targets for rules in self.index.defining_rules(*target)):
            ids = np.array(rules, dtype=np.intp)
            decay = self.settings.definition_decay ** np.arange(len(rules), dtype=np.float32)
            boosts[ids] = np.maximum(boosts[ids], self.settings.definition_boost * decay)
        return boosts

    def _number_boost(self, query: Query) -> Scores:
        """The boost of each rule whose number is in the question.

        A heading gets the same boost as a rule, unless the number is a bare integer that no word calls a rule's.
        """
        boosts = np.zeros(len(self.index.rules), dtype=np.float32)
        words = sum(0.5 if token.cjk else 1.0 for token in query.words)
        boost = self.settings.number_boost * min(1.0, self.settings.number_words / words) ** 2 if words else 0.0
        for number in query.numbers:
            for rule in self._rules_numbered([number]):
                is_heading = bool(self.index.rules.heading[rule]) and (number in query.named_numbers or not number.isdigit())
                boosts[rule] = boost / (self.settings.heading_weight if is_heading else 1)
        return boosts

    def _rules_numbered(self, numbers: Iterable[str]) -> list[int]:
        return [rule for number in numbers for rule in self.index.rules.by_number.get(number, ())]

    def _comparable_cosines(self, signals: RetrievalSignals) -> list[Scores]:
        """For each vector signal, the cosine of each rule's text, or else its gloss: the fields that rules of all games have."""
        static, dense = signals.static_scores, signals.dense_scores
        cosines = [np.where(self.index.has_text, static[Field.TEXT], static[Field.GLOSS])] if static else []
        return [*cosines, np.where(dense[Field.TEXT] > 0, dense[Field.TEXT], dense[Field.GLOSS])] if dense else cosines

    def _propagate(self, scores: Scores, *, several: bool) -> Scores:
        """Scores after top hits have propagated theirs to the rules they cite and to their counterparts, never above their own."""
        new_scores = scores.copy()
        for rule in self._candidates(scores)[: self.settings.propagation_sources]:
            for targets, share in self._targets(int(rule), several=several):
                gain = np.float32(share) * scores[rule] * (scores[targets] > 0)
                ceiling = np.maximum(scores[targets], np.float32(_PROPAGATED) * scores[rule])
                new_scores[targets] = np.maximum(new_scores[targets], np.minimum(new_scores[targets] + gain, ceiling))
        return new_scores

    def _targets(self, rule: int, *, several: bool) -> Iterator[tuple[Ids, float]]:
        """The rules, all editions of each together, to which a hit propagates a share of its score."""
        if self.settings.citation_share:
            for target in self.index.cites[rule]:
                yield np.array([target], dtype=np.intp), self.settings.citation_share
        if several and self.settings.counterpart_share:
            for counterpart in self.index.counterparts.get(int(self.index.rules.group[rule]), ()):
                yield self.index.rules.members(counterpart.group), self.settings.counterpart_share * counterpart.share
            share = self.settings.counterpart_share * self.settings.proposed_weight
            for counterpart in self.index.proposed.get(int(self.index.rules.group[rule]), ()) if share else ():
                yield self.index.rules.members(counterpart.group), share * counterpart.share

    def _spread_games(self, scores: Scores, *, several: bool) -> list[int]:
        """The candidates in order, one of each group of editions; if several games are searched, they alternate earlier."""
        order = self._candidates(scores)
        _, firsts = np.unique(self.index.rules.group[order], return_index=True)
        order = order[np.sort(firsts)]
        games = self.index.rules.game[order]
        crowded_scores = scores[order].copy()
        for game in np.unique(games) if several else ():
            own = np.flatnonzero(games == game)
            crowded_scores[own] *= self._crowding[: len(own)]
        rules: list[int] = order[np.lexsort((order, -crowded_scores))].tolist()
        return rules

    def _collapse(self, order: list[int]) -> tuple[list[int], Mapping[int, list[int]]]:
        """The order with collapsed siblings; see `collapse_siblings`."""
        families = self.index.rules.group[self.index.outline.top_rule[np.array(order, dtype=np.intp)]]
        return collapse_siblings(order, families.tolist(), self.settings.max_siblings, self.settings.collapse_depth)

    def _candidates(self, scores: Scores) -> Ids:
        """The rules with the best scores above 0, the best first."""
        count = min(self.settings.candidates, int(np.count_nonzero(scores > 0)))
        if not count:
            return np.zeros(0, dtype=np.intp)
        best = np.argpartition(-scores, count - 1)[:count]
        best_first: Ids = best[np.lexsort((best, -scores[best]))]
        return best_first

    def _latest(self, rule: int, mask: Flags | None) -> int:
        """The same rule in its latest edition."""
        members = self.index.rules.members(int(self.index.rules.group[rule]))
        return int(next((member for member in members if mask is None or mask[member]), rule))


def _named_signals(signals: RetrievalSignals) -> dict[str, Scores]:
    """The signals by their names in `why.legs` of a hit, which are part of the contract."""
    bm25 = {_FIELD_NAMES[field]: scores for field, scores in signals.bm25_scores.items()}
    static = {f"dense {_FIELD_NAMES[field]}": scores for field, scores in signals.static_scores.items()}
    return bm25 | static | {f"sentence {_FIELD_NAMES[field]}": scores for field, scores in signals.dense_scores.items()}


def _values(signals: Mapping[str, Scores], rule: int) -> dict[str, float]:
    return {name: float(scores[rule]) for name, scores in signals.items() if scores[rule] > 0}


def collapse_siblings(
    order: Sequence[int], families: Sequence[int], max_siblings: int, depth: int
) -> tuple[list[int], Mapping[int, list[int]]]:
    """Rules in order, with at most `max_siblings` of each family among the first `depth`.

    The second value maps the first rule of each family to its collapsed siblings.
    `families` has the family of each rule in `order`, which is the rule that it is a part of.
    """
    heads: list[int] = []
    siblings: dict[int, list[int]] = {}
    siblings_of: dict[int, list[int]] = {}
    for rule, family in zip(order, families, strict=True):
        own = siblings.setdefault(family, [])
        if len(heads) == depth:
            break
        if len(own) < max_siblings:
            own.append(rule)
            heads.append(rule)
        else:
            siblings_of.setdefault(own[0], []).append(rule)
    first = set(heads)
    return [*heads, *(rule for rule in order if rule not in first)], siblings_of


def normalise_by_game(
    scores: Scores, cosines: Sequence[Scores], own_words: Scores, rules: IndexedRules, settings: SearchSettings
) -> Scores:
    """Scores as shares of the best of each game, times a factor of the game: its best cosines and its own words in the question.

    A rule with a gloss and questions matches more easily than a rule that has only its words, so glossed books would outrank all
    others. Cosines of texts are comparable between games, because the encoders map one meaning to one place in every language.

    `cosines` are those of static vectors and, if they exist, of sentence embeddings; `own_words` is the gain of each game from the
    words of the question, see `game_logits`.
    """
    best = _best_of_games(scores, rules)
    has_score = best > 0
    if not has_score.any():
        return scores
    logits = sum(
        (weight * _best_of_games(cosine, rules) for weight, cosine in zip(settings.game_cosine_weights, cosines, strict=False)),
        own_words,
    )
    factor = np.zeros_like(best)
    factor[has_score] = np.exp(logits[has_score] - logits[has_score].max()) / best[has_score]
    shares: Scores = scores * factor[rules.game]
    return shares


def _best_of_games(scores: Scores, rules: IndexedRules) -> NDArray[np.float32]:
    """The best score of each game, shape (games,)."""
    order, begins = rules.by_game
    return np.maximum(np.maximum.reduceat(scores.take(order), begins), np.float32(0)) if len(begins) else np.zeros(0, np.float32)
