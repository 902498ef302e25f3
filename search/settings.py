"""Every weight and limit of search, rulings and answers; docs/search.md and docs/answers.md say how they were fitted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

DATA = Path(__file__).parent / "data"
"""Folder of the shipped models, word lists and fitted weights."""


class Field(IntEnum):
    """A searchable field of a rule. The values are stored in indexes."""

    TEXT = 0  # its own sentences, examples and notes
    GLOSS = 1  # the plain-language gloss of the digest
    QUESTION = 2  # one question that the rule answers
    CONTEXT = 3  # the titles above it, its number, its headword; last, because it alone has no vector


@dataclass(frozen=True, slots=True)
class CardExpansion:
    """How much the card that a question names adds to the query."""

    name_weight: float = 0.3
    """Weight of a word of the card's name; a question's own word weighs 1. Rules rarely mention single cards."""
    concept_weight: float = 0.5
    """Weight of a concept that the card's text mentions."""
    max_share: float = 0.5
    """Most that these concepts weigh together, as a share of the question's own terms."""
    text_chars: int = 160
    """Characters of the card's text that are encoded with the question."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How rules are ranked. `make eval` fits the weights."""

    bm25_k1: float = 1.2
    """Saturation of term frequency in BM25 (Robertson and Zaragoza 2009), stored in the index; from 0.6 to 2, results are alike."""
    bm25_b: float = 0.6
    """Length normalisation in BM25, stored in the index; from 0.3 to 0.9, results are alike."""
    bm25_fields: Mapping[Field, float] = field(
        default_factory=lambda: {Field.TEXT: 1.0, Field.CONTEXT: 0.4, Field.GLOSS: 1.0, Field.QUESTION: 1.0}
    )
    """Weight of each field's BM25 score."""
    bm25_other_fields: float = 0.4
    """Weight of the other fields of a rule beside its best one."""
    coverage_power: float = 0.2
    """Exponent of the share of the query, weighted by rarity, that a passage contains; a factor of its score."""
    question_coverage_power: float = 0.4
    """Exponent of the share of an indexed question that the query contains: if it asks much else, it is another question."""
    question_weight: float = 1.35
    """Weight of an indexed question that asks nothing else."""
    concept_weight: float = 1.0
    """Weight of a concept token; a word weighs 1."""
    typo_weight: float = 0.7
    """Weight of a word that replaces a mistyped one."""
    static_fields: Mapping[Field, float] = field(default_factory=lambda: {Field.TEXT: 1.0, Field.GLOSS: 1.0, Field.QUESTION: 1.0})
    """Weight of each field's cosine of static vectors."""
    static_other_fields: float = 0.15
    """Weight of the other fields of a rule beside its best one."""
    static_power: float = 1.0
    """Exponent of the static signal. Above 1, it mutes the low cosines of a book in another language that has no gloss."""
    static_weight: float = 2.0
    """Weight of the static signal; BM25 weighs 1."""
    dense_fields: Mapping[Field, float] = field(default_factory=lambda: {Field.TEXT: 1.0, Field.GLOSS: 1.0})
    """Weight of each field's cosine of sentence embeddings."""
    dense_other_fields: float = 0.2
    """Weight of the other fields of a rule beside its best one."""
    dense_floor: float = 0.3
    """Cosine of unrelated texts; only what exceeds it counts."""
    dense_power: float = 2.0
    """Exponent of what exceeds the floor."""
    dense_weight: float = 3.0
    """Weight of the dense signal; BM25 weighs 1."""
    game_cosine_weights: tuple[float, float] = (3.0, 5.0)
    """If no game is named: log of the factor that a game loses per unit of cosine to the best game, static and dense."""
    game_term_weight: float = 0.3
    """If no game is named: log of the factor that a game gains for each of its own terms in the question; games share a term."""
    game_word_ratio: float = 4.0
    """A word is a game's own if it is this many times as frequent in that game's passages as in any other's."""
    game_word_weight: float = 0.3
    """If no game is named: what a game gains for each of its own words, per unit of the log of the ratio beyond the least."""
    game_term_cap: float = 0.6
    """The most that a game gains from its own terms and words."""
    heading_weight: float = 0.3
    """Factor for headings: their words are their children's."""
    parent_share: float = 0.1
    """Share of its parent's score that a rule gains."""
    section_share: float = 0.1
    """Share of the score of the heading above it that a rule gains."""
    variant_weight: float = 0.9
    """Factor for rules of a variant of the game if the question names no variant."""
    superseded_weight: float = 0.8
    """Factor for rules that are in no current edition."""
    game_crowding: float = 0.95
    """If several games are searched: factor for each further hit of the same game."""
    counterpart_share: float = 0.45
    """Share of a top hit's score that its counterparts in other games gain."""
    citation_share: float = 0.2
    """Share of a top hit's score that the rules it cites gain."""
    propagation_sources: int = 5
    """Top hits that propagate their score."""
    candidates: int = 200
    """Candidates that are ranked."""
    max_siblings: int = 3
    """Most parts of one rule, the rule itself included, among the first `collapse_depth` hits."""
    collapse_depth: int = 10
    definition_boost: float = 1.5
    """What the first defining rule gains, as a share of the best score, if a question asks only what a thing is."""
    definition_decay: float = 0.9
    """Factor of this boost for each further defining rule."""
    number_boost: float = 2.0
    """What a rule gains whose number is in the question."""
    number_words: float = 10
    """Words of a question (a CJK character is half one) above which this boost falls with the square of their number."""
    cards: CardExpansion = CardExpansion()


SEARCH = SearchSettings()
MIN_PROBABILITY = 0.35
"""Probability of an answerable question below which search abstains."""


@dataclass(frozen=True, slots=True)
class RulingSettings:
    """How rulings are ranked, and mixed with rules. `python -m bench.rulings` fits the thresholds."""

    answer: float = 0.7
    """Weight of a ruling's answer; its question weighs 1."""
    other_part: float = 0.15
    """Weight of the weaker of the two."""
    cards: float = 0.5
    """BM25 weight of the names of the ruling's cards."""
    static_weight: float = 1.0
    dense_weight: float = 3.0
    """Weights of the cosines; BM25 weighs 1."""
    dense_floor: float = 0.6
    """Cosine of unrelated texts; what exceeds it counts, squared."""
    full_coverage: float = 0.5
    """Share of the query in the best match from which BM25 counts in full: a single common word means little."""
    same_question: float = 10.0
    """What a ruling gains that answers this very question."""
    static_logits: tuple[float, float, float, float] = (-4.3, 5.5, 7.0, 0.0)
    """Logistic regression of relevance without sentence embeddings: constant, then weights of squared coverage, static cosine and
    dense cosine. `python -m bench.found` prints what passes."""
    dense_logits: tuple[float, float, float, float] = (-21.2, 5.5, 4.0, 25.0)
    """The same with sentence embeddings."""
    min_beside_rules: float = 0.5
    """Relevance from which a ruling is shown beside rules."""
    min_alone: float = 0.55
    """Relevance from which a ruling is shown if search abstains on rules."""
    every: int = 3
    """In a mixed list, each third hit may be a ruling."""
    first: int = 10
    most_in_first: int = 3
    """Most rulings among the first ten hits, however few rules there are."""


RULINGS = RulingSettings()


@dataclass(frozen=True, slots=True)
class LinkSettings:
    """How links from rulings to rules are proposed."""

    most: int = 3
    """Most rules that are proposed for a ruling."""
    min_confidence: float = 0.3
    """Confidence below which no rule is proposed."""
    candidates: int = 10
    """Hits whose scores are compared."""
    max_chars: int = 1500
    """Characters of a ruling in the query: at most half of them of the question, the rest of the answer."""


LINKS = LinkSettings()


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """How an extractive answer chooses clauses."""

    hits: int = 6
    """Hits of search whose clauses are candidates."""
    encoded_clauses: int = 16
    """Clauses, the best by the other signals, that the pretrained encoder compares (20 ms each)."""
    rule_weight: float = 1.5
    """Weight of the rule's search score, as a share of the best: search ranks rules better than clauses can."""
    coverage_weight: float = 0.3
    """Weight of the share of the query, weighted by rarity, that a clause contains."""
    static_weight: float = 0.3
    """Weight of the cosine of static vectors."""
    dense_weight: float = 1.5
    """Weight of the cosine of sentence embeddings above `dense_floor`."""
    dense_floor: float = 0.3
    """Cosine of unrelated texts."""
    first_clause_bonus: float = 0.1
    """What the first clause of a rule gains: usually it states what the others elaborate."""
    repeat_penalty: float = 0.4
    """What each further clause of the same rule loses."""
    max_claims: int = 5
    """Claims of one answer, without parts that follow."""
    max_claims_per_rule: int = 2
    """Claims of one rule."""
    max_parts: int = 8
    """Parts of a rule that follow a claim which introduces them; if there are more, none do."""
    min_share: float = 0.88
    """Share of the best clause's weight that every claim must reach: what hardly answers is left out. From 0.8 to 0.88, the claims
    whose rule answers rise from 39 to 49 % and the answers with none of them from 21 to 23 %."""
    next_drop: float = 0.05
    """How much less a following clause may weigh that is no part of the same statement."""
    max_chars: int = 900
    """Characters of a claim. A longer one loses the clauses that it depends on, and those that continue it."""
    duplicate_jaccard: float = 0.8
    """Share of common terms (Jaccard) from which two clauses are duplicates."""
    min_probability: float = 0.5
    """Probability of an answerable question below which no claim is made; search shows rules from MIN_PROBABILITY."""
    sure_probability: float = 0.95
    """Probability from which an answer may be sure. Of 74 answers that reach these three, the first claim of 73 is right."""
    sure_coverage: float = 0.5
    """Share of the query, weighted by rarity, that the first hit of a sure answer contains."""
    sure_lead: float = 0.85
    """Share of the first hit's score that the second one of a sure answer does not exceed."""


ANSWERS = AnswerSettings()
