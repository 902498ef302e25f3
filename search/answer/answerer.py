"""From a question to the claims that answer it, or why none is made: every claim is words of a rule at a span of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

from corpus.messages import Message, message
from corpus.model import HEADINGS
from search.answer.candidate import Candidate, Shown, candidates, shown_in
from search.answer.choose import Chosen, chosen, in_order, whole
from search.answer.settings import DEFAULT, Settings
from search.answer.weigh import Scales
from search.index.concept_tokens import shared_concept
from search.query.query import Query
from search.rank.ranker import Ranked
from search.searcher import Request, Searcher

if TYPE_CHECKING:
    from corpus.contract import RuleRecord


@dataclass(frozen=True, slots=True)
class Answered:
    """What is told: claims in their order, or why there are none."""

    query: Query
    lang: str
    reason: Message | None
    claims: tuple[Chosen, ...]


class Answerer:
    """Answers questions by what a searcher finds. Thread-safe."""

    def __init__(self, searcher: Searcher, settings: Settings = DEFAULT) -> None:
        self.searcher = searcher
        self.settings = settings

    def answer(self, request: Request) -> Answered:
        """The claims that answer a question, or why none is made. Its own limit of hits is taken, not that of the request."""
        request = replace(request, limit=self.settings.rules, offset=0)
        query = self.searcher.understood(request)
        lang = request.lang or query.lang
        reason, hits = self._found(query, request)
        claims = [] if reason else self._of_games(query, request, lang, hits)
        if not claims and reason is None:
            reason = message("the rules that were found say nothing in words that can be quoted; try: rulestone search")
        return Answered(query, lang, reason, tuple(claims))

    def _found(self, query: Query, request: Request) -> tuple[Message | None, Sequence[Ranked]]:
        """Why a question is not answered, or the rules that answer it."""
        refused = self.searcher.refusal(query, request.within)
        if refused:
            return refused, ()
        made = self.searcher.vectors(query)
        ranking = self.searcher.ranked(query, request, made)
        return self.searcher.doubt(query, ranking, request, self.settings.least, made), ranking.hits

    def _of_games(self, query: Query, request: Request, lang: str, hits: Sequence[Ranked]) -> list[Chosen]:
        """The claims; where several games are named, some of each that answers."""
        parts: list[list[Chosen]] = []
        if len(query.games) > 1:
            share = replace(self.settings, claims=max(1, ceil(self.settings.claims / len(query.games))))
            for game in query.games:
                reason, own = self._found(replace(query, games=(game,)), request)
                parts += [] if reason else [self._claims(query, lang, own, share)]
        return in_order(picked for some in parts for picked in some) or self._claims(query, lang, hits, self.settings)

    def _claims(self, query: Query, lang: str, hits: Sequence[Ranked], settings: Settings) -> list[Chosen]:
        clauses = [candidate for shown in _current(list(self._shown(lang, hits))) for candidate in candidates(shown)]
        if query.numbers_only:
            return whole(clauses, query.numbers, settings)
        weighed = Scales(self.searcher, query, settings).weighed(clauses)
        return chosen(weighed, settings, lambda candidate: self._defines(query, candidate))

    def _shown(self, lang: str, hits: Sequence[Ranked]) -> Iterator[Shown]:
        """The rules as they are quoted; titles say nothing."""
        rules = self.searcher.index.rules
        records = self.searcher.knowledge.by_iri(rules[hit.place].iri for hit in hits)
        for rank, hit in enumerate(hits):
            record = records[rules[hit.place].iri]
            quoted = None if record["kind"] in HEADINGS else shown_in(record, lang)
            if quoted is not None:
                yield Shown(hit.place, rank, hit.score / hits[0].score, record, *quoted)

    def _defines(self, query: Query, candidate: Candidate) -> bool:
        """Whether a clause is of a rule that says what something is that the question names."""
        return _is_of_glossary(candidate.shown.record) or bool(_defined(candidate.shown.record).intersection(query.concepts))


def _current(some: Sequence[Shown]) -> list[Shown]:
    """The rules of current editions; of a game that has none among them all."""
    games = {shown.record["game"] for shown in some if shown.record["current"]}
    return [shown for shown in some if shown.record["current"] or shown.record["game"] not in games]


def _is_of_glossary(record: "RuleRecord") -> bool:
    return record["kind"] == "glossary"


def _defined(record: "RuleRecord") -> set[str]:
    """The concepts that a rule defines, as queries name them."""
    return {shared_concept(concept) for concept in record["defines"]}
