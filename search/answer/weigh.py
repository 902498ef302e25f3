"""How well each clause answers a question: what its rule scored, which of the question's words it has, and what it means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpus.words.tokens import terms, words
from search.answer.candidate import Candidate
from search.answer.clauses import clauses
from search.answer.settings import Settings
from search.index.concept_tokens import tokens_of
from search.query.language import same_language

if TYPE_CHECKING:
    from search.query.query import Query
    from search.searcher import Searcher


@dataclass(frozen=True, slots=True)
class Weighed:
    """A clause, what it weighs, and its terms."""

    candidate: Candidate
    weight: float
    terms: frozenset[str]


class Scales:
    """Weighs clauses for one question."""

    def __init__(self, searcher: "Searcher", query: "Query", settings: Settings) -> None:
        self._searcher = searcher
        self._query = query
        self._settings = settings
        lexical = searcher.index.lexical
        self._worth: Mapping[str, float] = {term: weight * lexical.rarity(term) for term, weight in query.terms.items()}

    def weighed(self, some: Sequence[Candidate]) -> list[Weighed]:
        """The clauses with their weights, the heaviest first."""
        if not some:
            return []
        bags = [self._terms(candidate.text, candidate.shown.record["game"]) for candidate in some]
        weights = self._cheap(some, bags)
        weights += self._settings.meant * self._meant(some, weights)
        order = np.argsort(-weights, kind="stable")
        return [Weighed(some[place], float(weights[place]), bags[place]) for place in order.tolist()]

    def _terms(self, text: str, game: str) -> frozenset[str]:
        tokens = words(text)
        return frozenset((*terms(tokens), *tokens_of(tokens, self._searcher.index.lexicon, game)))

    def _cheap(self, some: Sequence[Candidate], bags: Sequence[frozenset[str]]) -> NDArray[np.float64]:
        """All but what the encoder tells."""
        said = np.array([max(self._said(bag), self._glossed(candidate)) for candidate, bag in zip(some, bags, strict=True)])
        vectors = self._searcher.encoder.encode([self._query.asked, *(candidate.text for candidate in some)])
        alike = np.maximum(np.einsum("ij,j->i", vectors[1:], vectors[0]), 0)
        plain = np.array(
            [self._settings.rule * candidate.shown.score + self._settings.lead * (candidate.nth == 0) for candidate in some]
        )
        weights: NDArray[np.float64] = self._settings.words * said + self._settings.static * alike + plain
        return weights

    def _said(self, bag: frozenset[str]) -> float:
        """The share of the question, weighed by rarity, that some terms are."""
        return sum(worth for term, worth in self._worth.items() if term in bag) / (sum(self._worth.values()) or 1.0)

    def _glossed(self, candidate: Candidate) -> float:
        """The same of the gloss in the asker's language, where the rule is in another: most at the clause's place."""
        shown, lang = candidate.shown, self._query.lang
        gloss = shown.record["digest"].get(lang, "")
        if not gloss or same_language(shown.lang, lang):
            return 0.0
        at = (candidate.clause.start + candidate.clause.end) / 2 / len(shown.text)
        there = [(text, abs(at - place)) for text, place in _placed(gloss, lang)]
        game = shown.record["game"]
        return max((self._said(self._terms(text, game)) * max(0.0, 1 - 2 * apart) for text, apart in there), default=0.0)

    def _meant(self, some: Sequence[Candidate], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """What the cosine of sentence vectors is above that of what has nothing to do with a question; of the others' the mean.

        Only the best by all else are compared: encoding takes long.
        """
        encoder = self._searcher.sentence_encoder
        if encoder is None:
            return np.zeros(len(some))
        best = np.argsort(-weights, kind="stable")[: self._settings.encoded]
        asked = encoder.encode_query([self._query.asked])[0]
        near = np.einsum("ij,j->i", encoder.encode([some[place].text for place in best.tolist()]), asked)
        above = np.maximum(near - self._settings.meant_floor, 0)
        cosines = np.full(len(some), float(above.min()))
        cosines[best] = above
        return cosines


def _placed(text: str, lang: str) -> list[tuple[str, float]]:
    """The clauses of a text, and where in it the middle of each stands, from 0 to 1."""
    return [(text[clause.start : clause.end], (clause.start + clause.end) / 2 / len(text)) for clause in clauses(text, lang)]
