"""Every weight and limit of ranking in one table. Fitted by `make eval`, which prints how (docs/search.md)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from search.index.field import Field


@dataclass(frozen=True, slots=True)
class Widening:
    """How much of a card counts in a question that names it."""

    name: float = 0.3
    """What a word of the card's name counts beside another word: rules hardly speak of single cards."""
    concepts: float = 0.5
    """What a concept counts that the card's text speaks of, beside a word of the question."""
    share: float = 0.5
    """What all of them count together at most, as a share of what is asked."""
    text: int = 160
    """Characters of the card's text that are compared by their meaning together with the question."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How search ranks."""

    fields: Mapping[Field, float] = field(
        default_factory=lambda: {Field.TEXT: 1.0, Field.CONTEXT: 0.4, Field.GLOSS: 1.0, Field.ASKED: 1.0}
    )
    """What a field's BM25 score counts."""
    asked_share: float = 0.2
    """Power of the share of the query, weighed by rarity, that a passage holds: its score is multiplied with that."""
    asks_else: float = 0.4
    """Power of the share of a question that the query holds: one that asks much else is another question."""
    question: float = 1.35
    """What a question counts that asks nothing else."""
    concepts: float = 1.0
    """What a concept token counts beside a word."""
    others: float = 0.4
    """What the fields of a rule beside its best one count."""
    dense: Mapping[Field, float] = field(default_factory=lambda: {Field.TEXT: 1.0, Field.GLOSS: 1.0, Field.ASKED: 1.0})
    """What a field's cosine counts within the dense leg."""
    dense_others: float = 0.15
    """The same within the dense leg."""
    dense_power: float = 1.0
    """Power of the dense leg. More than 1 makes nothing of the low cosines of a book in another language that has no gloss."""
    dense_weight: float = 2.0
    """What the dense leg counts beside the lexical one."""
    sentence: Mapping[Field, float] = field(default_factory=lambda: {Field.TEXT: 1.0, Field.GLOSS: 1.0})
    """What a field's cosine counts within the leg of sentence embeddings."""
    sentence_others: float = 0.2
    """The same within that leg."""
    sentence_floor: float = 0.3
    """Cosine of what has nothing to do with a question; what is above it counts."""
    sentence_power: float = 2.0
    """Power of what is above it."""
    sentence_weight: float = 3.0
    """What the leg of sentence embeddings counts beside the lexical one."""
    games: tuple[float, float] = (3.0, 5.0)
    """Where no game is named: logarithm of what a game loses that lies behind another by a cosine of 1, in the nearest words by the
    static model and by the encoder."""
    game_terms: float = 0.3
    """Where no game is named: logarithm of what a game gains for a term of the question that it alone has; of one that several have
    each gains a share."""
    game_terms_most: float = 1.0
    """The most that it gains so."""
    heading: float = 0.3
    """What a heading counts beside a rule: its words are its children's."""
    parent: float = 0.1
    """What a rule gains of the score of the rule it is a part of."""
    section: float = 0.1
    """What a rule gains of the score of the title above it."""
    variant: float = 0.9
    """What a rule of a variant of the game counts where the question names none."""
    parts: int = 3
    """So many parts of one rule, itself among them, are among the first hits."""
    first: int = 10
    """The first hits in that."""
    stale: float = 0.8
    """What a rule counts that no current edition has."""
    crowding: float = 0.95
    """Each hit of one game makes the next of that game count this much less, where several games are asked."""
    counterparts: float = 0.45
    """What a counterpart of a top hit gains of that hit's score."""
    counterpart_sources: int = 5
    """So many hits lend score to their counterparts."""
    cited: float = 0.2
    """What a rule gains of a top hit's score that cites it: who must read the one must read the other."""
    pool: int = 200
    """Candidates that are looked at closely."""
    definition: float = 1.5
    """What the rule gains of the best score that says first what a thing is, where a question asks that and no more."""
    definition_step: float = 0.9
    """What each further rule that says it gains of the one before."""
    number: float = 2.0
    """What a rule gains whose number is typed."""
    number_words: float = 10
    """Words of a question, two characters of CJK for one, beyond which a number in it is less and less what it asks about, by the
    square: in a whole rule that is pasted numbers point elsewhere."""
    cards: Widening = Widening()
    """What the cards count that a question names."""


DEFAULT = Settings()
