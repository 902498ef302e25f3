"""Every weight and limit of search, rulings and answers; docs/search.md and docs/answers.md describe how they were fitted."""

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
    CONTEXT = 3  # the titles above it, its number, its headword; last, because it is the only one without vectors


@dataclass(frozen=True, slots=True)
class CardExpansion:
    """The effect on the query of a card that the question names."""

    name_weight: float = 0.3
    """Weight of a word of the card's name; a word of the question itself weighs 1. Rules rarely mention single cards."""
    concept_weight: float = 0.5
    """Weight of a concept that the card's text mentions."""
    max_share: float = 0.5
    """Maximum total weight of these concepts, as a share of the question's own terms."""
    text_chars: int = 160
    """Number of characters of the card's text that are encoded with the question."""
    own_words: float = 10
    """Number of words of a question, besides the names of cards (a CJK character is half a word), from which the question alone
    weighs as much as the question with the cards' texts; fewer words weigh less. Results are similar from 8 to 12.
    """


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The weights of rule ranking, chosen by hand; `make eval` measures them."""

    bm25_k1: float = 1.2
    """Saturation of term frequency in BM25 (Robertson and Zaragoza 2009), stored in the index; from 0.6 to 2, results are
    similar.
    """
    bm25_b: float = 0.6
    """Length normalisation in BM25, stored in the index; from 0.3 to 0.9, results are similar."""
    bm25_fields: Mapping[Field, float] = field(
        default_factory=lambda: {Field.TEXT: 1.0, Field.CONTEXT: 0.4, Field.GLOSS: 1.0, Field.QUESTION: 1.0}
    )
    """Weight of each field's BM25 score."""
    bm25_other_fields: float = 0.4
    """Weight of the other fields of a rule beside its best one."""
    coverage_power: float = 0.2
    """Exponent of the share of the query, weighted by rarity, that a passage contains; a factor of its score."""
    question_coverage_power: float = 0.4
    """Exponent of the share of an indexed question that the query contains: if the indexed question asks much else, it is a
    different question.
    """
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
    """Exponent of the static signal. Above 1, it suppresses the low cosines of a book in another language that has no gloss."""
    static_weight: float = 2.0
    """Weight of the static signal; BM25 weighs 1."""
    dense_fields: Mapping[Field, float] = field(default_factory=lambda: {Field.TEXT: 1.0, Field.GLOSS: 1.0})
    """Weight of each field's cosine of sentence embeddings."""
    dense_other_fields: float = 0.2
    """Weight of the other fields of a rule beside its best one."""
    dense_floor: float = 0.3
    """Cosine of unrelated texts; only the excess over it counts."""
    dense_power: float = 2.0
    """Exponent of the excess over the floor."""
    dense_weight: float = 3.0
    """Weight of the dense signal; BM25 weighs 1."""
    game_cosine_weights: tuple[float, float] = (3.0, 5.0)
    """For questions without a game: a game's penalty per unit of cosine below the best game (log of a factor), static and dense."""
    game_term_weight: float = 0.3
    """For questions without a game: a game's bonus for each of its own terms (log of a factor); games that share a term share the
    bonus.
    """
    game_word_ratio: float = 4.0
    """A word is specific to a game if it is this many times as frequent in that game's passages as in any other's."""
    game_word_weight: float = 0.3
    """For questions without a game: a game's bonus for each word specific to it, per unit of the log of the ratio above the
    threshold.
    """
    game_term_cap: float = 0.6
    """Maximum gain of a game from its own terms and words."""
    heading_weight: float = 0.3
    """Factor for headings: their children repeat their words."""
    parent_share: float = 0.1
    """Share of its parent's score that a rule gains."""
    section_share: float = 0.1
    """Share of the score of the heading above it that a rule gains."""
    variant_weight: float = 0.9
    """Factor for rules of a variant of the game if the question names no variant."""
    superseded_weight: float = 0.8
    """Factor for rules that no current edition has."""
    authority_lead: float = 2.0
    """Lead in relevance (log of odds) up to which a superseded, community or digest-only rule is moved behind the best current one
    of its game that has official or translated words.
    """
    authority_likeness: float = 0.8
    """Cosine of static vectors from which two rules say the same: then the lead does not matter."""
    game_crowding: float = 0.95
    """If several games are searched: factor for each further hit of the same game."""
    counterpart_share: float = 0.45
    """Share of a top hit's score that its counterparts in other games gain."""
    proposed_weight: float = 0.5
    """Factor of that share for counterparts that are proposed and not judged."""
    citation_share: float = 0.2
    """Share of a top hit's score that the rules it cites gain."""
    propagation_sources: int = 5
    """Number of top hits that propagate their score."""
    candidates: int = 200
    """Number of candidates that are ranked."""
    max_siblings: int = 3
    """Maximum number of parts of one rule, including the rule itself, among the first `collapse_depth` hits."""
    collapse_depth: int = 10
    definition_boost: float = 1.5
    """The bonus of the first defining rule, as a share of the best score, for a question that only asks for a definition."""
    definition_decay: float = 0.9
    """Factor of this boost for each further defining rule."""
    number_boost: float = 2.0
    """The bonus of a rule whose number is in the question."""
    number_words: float = 10
    """Number of words of a question (a CJK character is half a word) above which this boost decreases with the square of their
    number.
    """
    cards: CardExpansion = CardExpansion()


SEARCH = SearchSettings()
MIN_PROBABILITY = 0.35
"""Probability of an answerable question below which search abstains."""


@dataclass(frozen=True, slots=True)
class RulingSettings:
    """The weights of rulings, and how they are mixed with rules. `python -m bench.rulings` fits the thresholds."""

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
    """Cosine of unrelated texts; the excess over it counts, squared."""
    full_coverage: float = 0.5
    """Share of the query in the best match above which BM25 counts in full: a single common word is weak evidence."""
    same_question: float = 10.0
    """The bonus of a ruling that answers exactly this question."""
    static_logits: tuple[float, float, float, float] = (-4.3, 5.5, 7.0, 0.0)
    """Logistic regression of relevance without sentence embeddings: constant, then weights of squared coverage, static cosine and
    dense cosine. `python -m bench.found` prints the accepted ones."""
    dense_logits: tuple[float, float, float, float] = (-21.2, 5.5, 4.0, 25.0)
    """The same with sentence embeddings."""
    min_beside_rules: float = 0.5
    """Minimum relevance of a ruling that is shown beside rules."""
    min_alone: float = 0.55
    """Minimum relevance of a ruling that is shown if search abstains on rules."""
    every: int = 3
    """In a mixed list, every third hit may be a ruling."""
    first: int = 10
    most_in_first: int = 3
    """Maximum number of rulings among the first ten hits, however few rules there are."""


RULINGS = RulingSettings()


@dataclass(frozen=True, slots=True)
class LinkSettings:
    """How links from rulings to rules are proposed."""

    most: int = 3
    """Maximum number of rules that are proposed for a ruling."""
    min_confidence: float = 0.3
    """Confidence below which no rule is proposed."""
    candidates: int = 10
    """Number of hits whose scores are compared."""
    max_chars: int = 1500
    """Number of characters of a ruling in the query: at most half of them from the question, the rest from the answer."""


LINKS = LinkSettings()


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """How an extractive answer selects clauses."""

    hits: int = 6
    """Number of search hits whose clauses are candidates."""
    encoded_clauses: int = 16
    """Number of clauses, the best by the other signals, that the pretrained encoder compares (20 ms each)."""
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
    """The bonus of the first clause of a rule: usually the other clauses elaborate it."""
    repeat_penalty: float = 0.4
    """The penalty of each further clause of the same rule."""
    max_claims: int = 5
    """Maximum number of claims of one answer, without the parts that follow."""
    max_claims_per_rule: int = 2
    """Maximum number of claims of one rule."""
    max_parts: int = 8
    """Maximum number of parts of a rule that follow a claim which introduces them; if there are more, none follow."""
    max_gap: float = 3.5
    """Maximum lead in relevance of the first hit over another that makes claims. On the tuning half of the judges' questions, a hit
    at this distance answers in one case of six."""
    max_second_gap: float = 5.0
    """The same for the second hit: below the lead of a sure answer, it answers in one case of three."""
    max_defining_claims: int = 3
    """Maximum number of claims of an answer to a question about what a thing is or does."""
    max_defining_chars: int = 600
    """Maximum number of characters of these claims together."""
    min_share: float = 0.88
    """Minimum share of the best clause's weight for further claims of a rule, and for all claims if hits were not re-ranked."""
    next_drop: float = 0.05
    """Allowed difference in weight of a following clause that is not part of the same statement."""
    max_chars: int = 900
    """Characters of a claim. A longer claim loses the clauses that it depends on, and those that continue it."""
    duplicate_jaccard: float = 0.8
    """Share of common terms (Jaccard) above which two clauses are duplicates."""
    min_probability: float = 0.5
    """Probability of an answerable question below which no claim is made; search shows rules above MIN_PROBABILITY."""
    sure_margin: float = 5.0
    """Minimum lead in relevance of the first hit of a sure answer. `bench.search.ranking` prints how often first hits that have it
    answer."""
    sure_static_margin: float = 6.0
    """The same without sentence embeddings."""
    sure_probability: float = 0.95
    """Minimum probability of a sure answer."""
    sure_coverage: float = 0.5
    """Minimum share of the query, weighted by rarity, that the first hit of a sure answer contains if hits were not re-ranked."""
    sure_lead: float = 0.85
    """Maximum score of the second hit of such an answer, as a share of the first hit's."""


ANSWERS = AnswerSettings()
