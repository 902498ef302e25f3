"""Rulings beside rules: those that answer a question, told apart from rules and never crowding them out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.address import concept_iri
from corpus.contract import Hit, Ruling
from corpus.editions.rulings.rulings import with_changes
from corpus.editions.rulings.stood import Moment
from corpus.languages import choose, readable
from corpus.store.rulings import StoredRulings
from ontology.knowledge import Knowledge
from search.index.concept_tokens import MARK
from search.index.engine import Opening
from search.index.lexical import Scores
from search.index.mapped import Mapped
from search.query.query import Query
from search.rank.highlight import Highlighter
from search.rank.highlight import words_of as met_words
from search.rulings.index import RulingsIndex
from search.rulings.ranker import RankedRuling, rank

BESIDE, ALONE = 0.5, 0.55
"""How near a ruling must be to what is asked to be shown beside rules, and where no rule is sure. `python -m bench.rulings`."""


@dataclass(frozen=True, slots=True)
class RulingsFound:
    """Rulings in order, best first, and how many there are."""

    ranked: tuple[RankedRuling, ...] = ()
    total: int = 0

    def near(self, least: float) -> "RulingsFound":
        """Those that are near enough."""
        kept = tuple(ruling for ruling in self.ranked if ruling.sure >= least)
        return RulingsFound(kept, len(kept))


class RulingSearch:
    """Search in the rulings of one bundle. Thread-safe."""

    def __init__(self, index: RulingsIndex) -> None:
        self.index = index
        self.games = tuple(sorted({ruling.game for ruling in index.rulings}))

    @classmethod
    def open(cls, bundle: Path, opening: Opening = Mapped) -> "RulingSearch | None":
        """Search in the rulings of a bundle, whose terms and vectors `opening` gives; None where it has none."""
        index = RulingsIndex.open(bundle, opening)
        return cls(index) if index else None

    def matching(
        self, query: Query, vector: Scores, sentence: Scores | None, limit: int, within: str | None, knowledge: Knowledge
    ) -> RulingsFound:
        """The rulings for a query, of its games and in a language."""
        allowed = self._allowed(query.games, within, knowledge)
        ranked, total = rank(self.index, query, vector, sentence, limit, allowed)
        return RulingsFound(tuple(ranked), total)

    def hits(
        self, ranked: Sequence[RankedRuling], query: Query, lang: str, highlighter: Highlighter, knowledge: Knowledge
    ) -> list[Hit]:
        """Rulings as hits: question and answer are one text."""
        iris = [self.index.rulings[ruling.place].iri for ruling in ranked]
        stored = StoredRulings(knowledge.store).by_iri(iris)
        bodies = with_changes(knowledge, (stored[iri] for iri in iris))
        met = self.index.terms_of([ruling.place for ruling in ranked], query.said)
        return [_hit(*row, query, lang, highlighter) for row in zip(ranked, bodies, met, strict=True)]

    def _allowed(self, games: Sequence[str], within: str | None, knowledge: Knowledge) -> NDArray[np.bool_]:
        every = self.index.rulings
        moment = Moment(knowledge)
        allowed = self.index.holds.copy() if moment.is_today else self._stood(moment)
        if games:
            allowed &= np.isin(self.index.games, games)
        if within:
            allowed &= np.array([within in ruling.langs for ruling in every])
        return allowed

    def _stood(self, moment: Moment) -> NDArray[np.bool_]:
        """Which answers stood at a moment: of each ruling the first that is not later, as they lie from new to old."""
        first: dict[int, int] = {}
        for place, ruling in enumerate(self.index.rulings):
            if ruling.newest not in first and not moment.is_later(ruling.game, ruling.date):
                first[ruling.newest] = place
        stood = np.zeros(len(self.index.rulings), dtype=np.bool_)
        stood[list(first.values())] = True
        return stood


def _hit(ruling: RankedRuling, body: Ruling, met: Sequence[str], query: Query, lang: str, highlighter: Highlighter) -> Hit:
    shown = next((other for other in readable(lang) if other in body["answer"]), None) or choose(lang, body["answer"]) or lang
    text = words_of(body, shown)
    return {
        "iri": body["iri"],
        "game": body["game"],
        "book": "rulings",
        "edition": body["source"],
        "current": True,
        "superseded_by": None,
        "latest_in": None,
        "order_unknown": [],
        "kind": "ruling",
        "number": None,
        "locator": body["id"],
        "lang": shown,
        "authority": body["authority"],
        "heading": list(body["cards"]),
        "text": text,
        "gloss": None,
        "score": round(ruling.sure, 4),
        "counterparts": [],
        "same_rule": None,
        "highlights": highlighter.spans(text, query),
        "why": {
            "legs": {leg: round(score, 3) for leg, score in ruling.legs.items()},
            "terms": met_words(query, met),
            "concepts": [concept_iri(concept) for concept in query.concepts if MARK + concept in met],
            "parent": None,
            "children": [],
            "parts": 0,
        },
        "ruling": body,
    }


def words_of(body: Ruling, lang: str) -> str:
    """Question and answer of a ruling in one language, each on lines of its own."""
    return "\n".join(filter(None, (body["question"].get(lang, ""), body["answer"].get(lang, ""))))
