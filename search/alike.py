"""The rules of an edition whose words are like some words, by BM25 and static vectors: a few milliseconds, without torch."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

import numpy as np

from corpus.address import EditionKey
from corpus.editions.verify.verdict import Alike
from corpus.words.tokens import terms, words
from search.index.concept_tokens import concept_tokens
from search.index.passages import Ids, Scores
from search.searcher import Searcher
from search.settings import Field

_MAX_WORDS = 600
"""Number of characters of the words that count."""
_WORDS_SHARE = 0.6
"""Weight of BM25, as a share of the words' idf, beside the cosine of static vectors."""
_FIELDS: Mapping[Field, float] = {Field.TEXT: 1.0, Field.CONTEXT: 0.9, Field.GLOSS: 1.0, Field.QUESTION: 0.6}
"""Weight of each field of a rule: its text, its title and parents, its gloss, and questions about it."""


class AlikeRules:
    """Compares words with the rules of one edition at a time. For one text, whose clauses are compared with several editions."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher
        self._scores = lru_cache(maxsize=64)(self._score_rules)
        self._ids_of = lru_cache(maxsize=16)(self._find_ids)

    def alike(self, text: str, edition: EditionKey, compared: Iterable[str] = (), limit: int = 8) -> Alike:
        """The `limit` rules of an edition that are most like some words, and the likeness of those at the addresses `compared`."""
        rules = self._searcher.index.rules
        ids = self._ids_of(edition)
        if not len(ids) or not text.strip():
            return Alike({}, {})
        scores = self._scores(text[:_MAX_WORDS], edition.game)
        order = ids[np.argsort(-scores[ids], kind="stable")][:limit]
        addresses = frozenset(compared)
        own = [rule for rule in ids.tolist() if addresses and rules[rule].iri in addresses]
        return Alike(*({rules[rule].iri: float(scores[rule]) for rule in some} for some in (order.tolist(), own)))

    def _find_ids(self, edition: EditionKey) -> Ids:
        """The rules of an edition."""
        rules = self._searcher.index.rules
        return np.array([rule for rule, key in enumerate(rules.editions) if key == edition], dtype=np.intp)

    def _score_rules(self, text: str, game: str) -> Scores:
        """The likeness of every rule to some words."""
        index = self._searcher.index
        tokens = words(text)
        weights = dict.fromkeys((*terms(tokens), *concept_tokens(tokens, index.lexicon, game)), 1.0)
        static = self._searcher.encoder.encode([text])[0]
        signals = index.signals(weights, static, games=(game,))
        idf = sum(index.vocabulary.idf(term) for term in weights) or 1.0
        scores = np.zeros(len(index.rules), dtype=np.float32)
        for field, weight in _FIELDS.items():
            words_part = signals.bm25_scores.get(field, 0.0) / np.float32(idf)
            part = np.float32(weight) * (np.float32(_WORDS_SHARE) * words_part + signals.static_scores.get(field, 0.0))
            scores = np.maximum(scores, part)
        return scores
