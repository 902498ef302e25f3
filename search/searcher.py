"""Search in one bundle: from a request to ranked hits, or to the reason for an abstention."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from corpus.catalogue import RULES, document_of
from corpus.errors import EnvironmentFault
from corpus.messages import Message, message
from corpus.store.home.manifest import titles_of
from ontology.knowledge import Knowledge
from search.encode import pretrained
from search.encode.encoder import Encoder, Vectors
from search.encode.pretrained import PretrainedEncoder
from search.index.bm25 import Vocabulary
from search.index.embeddings import matching_encoder
from search.index.engine import MappedEngine, OpenEngine
from search.index.index import FOLDER, Index
from search.query.cards import CardIndex
from search.query.query import Query, needs_no_correction, understand
from search.rank import abstention
from search.rank.abstention import NearestRule
from search.rank.answerability import TOP, answerable_probability
from search.rank.authority import authoritative_rules
from search.rank.explain import Highlighter
from search.rank.out_of_scope import OutOfScopeDetector
from search.rank.ranker import NO_RANKING, RankedRule, Ranker, Ranking
from search.rulings.index import RulingsIndex
from search.rulings.search import RankedRuling, RulingSearch, RulingsFound, interleave
from search.settings import MIN_PROBABILITY, RULINGS, SEARCH, SearchSettings

RULE, RULING = "rule", "ruling"
"""The kinds of hits to which a request can be limited."""


@dataclass(frozen=True, slots=True)
class Request:
    """A search request."""

    query: str
    games: tuple[str, ...] = ()
    lang: str | None = None  # of the answer; None: that of the query
    book_lang: str | None = None  # of the books; None: any
    limit: int = 10
    offset: int = 0
    kind: str | None = None  # RULE or RULING; None: both


class QueryVectors(NamedTuple):
    """The vectors of a query, of unit length."""

    static: Vectors
    dense: Vectors | None  # sentence embedding; None if the encoder or the embeddings of the index are missing
    own: "QueryVectors | None" = None  # of its own words, if it names cards


class Retrieved(NamedTuple):
    """A query with its ranking, from which both hits and an answer are made."""

    query: Query
    vectors: QueryVectors
    ranking: Ranking  # NO_RANKING if no search is made for the query


class Found(NamedTuple):
    """The result of a search."""

    retrieval: Retrieved
    hits: Sequence[RankedRule | RankedRuling]  # those that the request asks for; none after an abstention
    total: int  # number of hits without a limit
    reason: Message | None  # why the search abstains; None if it does not
    ranking: Ranking  # of the rules, from which sections are made; NO_RANKING after an abstention

    @property
    def abstained(self) -> bool:
        """Whether the search abstains."""
        return self.reason is not None


class Searcher:
    """Search in one bundle. Thread-safe."""

    def __init__(
        self, bundle: Path, knowledge: Knowledge, settings: SearchSettings = SEARCH, open_engine: OpenEngine = MappedEngine
    ) -> None:
        """Raises EnvironmentFault for a bundle without an index of this version."""
        self.knowledge = knowledge
        self.index = Index(bundle / FOLDER, open_engine)
        self.ranker = Ranker(self.index, settings, authoritative=authoritative_rules(self.index, knowledge.manifest))
        self.highlighter = Highlighter(self.index.lexicon)
        self.folder = bundle / FOLDER
        self.cards = knowledge.cards
        self.rulings = RulingSearch.open(bundle, open_engine)
        self._sentence_encoder: PretrainedEncoder | None = None

    def as_of(self, knowledge: Knowledge) -> "Searcher":
        """The searcher in the knowledge base of another date."""
        other = copy(self)
        other.knowledge = knowledge
        other.index = self.index.as_of(knowledge)
        authoritative = authoritative_rules(other.index, knowledge.manifest)
        other.ranker = Ranker(other.index, self.ranker.settings, authoritative=authoritative)
        return other

    @property
    def indexes(self) -> "list[Index | RulingsIndex]":
        """The index of the rules, and that of the rulings if there are any."""
        return [self.index, *([self.rulings.index] if self.rulings else [])]

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder of the static vectors. Raises EnvironmentFault if RULESTONE_MODEL names another one."""
        return matching_encoder(self.index.encoder_info)

    @property
    def sentence_encoder(self) -> PretrainedEncoder | None:
        """The pretrained encoder if it has been built and the sentence embeddings of the index are by it; else None."""
        if self._sentence_encoder is None and self._uses_sentence_encoder:
            self._sentence_encoder = pretrained.shared_encoder()
        return self._sentence_encoder

    @cached_property
    def _uses_sentence_encoder(self) -> bool:
        info = self.index.sentence_info
        return info is not None and info.encoded > 0 and pretrained.is_enabled() and pretrained.encoder_sha256() == info.sha256

    def wait_for_encoder(self) -> None:
        """Blocks until the pretrained encoder is built, if this bundle uses it and it can be built."""
        if self._uses_sentence_encoder:
            with suppress(EnvironmentFault):
                self._sentence_encoder = pretrained.wait_for_encoder()

    @cached_property
    def out_of_scope(self) -> OutOfScopeDetector:
        """Compares questions with out-of-scope examples."""
        return OutOfScopeDetector(self.games, self.index.mean)

    @cached_property
    def games(self) -> Sequence[str]:
        """The games with rules or rulings."""
        return tuple(dict.fromkeys((*self.index.games, *(self.rulings.games if self.rulings else ()))))

    @cached_property
    def tournament_games(self) -> frozenset[str]:
        """The games with tournament rules or a penalty guide: for them, questions about policy are in scope."""
        entries = [entry for entry in self.knowledge.manifest.editions.values() if entry.languages]
        return frozenset(entry.game for entry in entries if document_of(entry.game, entry.book, entry.titles) != RULES)

    def retrieve(self, request: Request) -> Retrieved:
        """The interpretation of a request's query, its vectors, and its ranking, whether or not the rules answer it."""
        query = self.understand(request)
        vectors = self.encode_query(query)
        is_ranked = request.kind != RULING and self.refusal(query, request.book_lang) is None
        return Retrieved(query, vectors, self.rank(query, request, vectors) if is_ranked else NO_RANKING)

    def search(self, request: Request, retrieval: Retrieved | None = None) -> Found:
        """The rules that answer a question, with rulings among them, or the reason for an abstention.

        `retrieval` is the result of `retrieve` for the request, if there is one.
        """
        retrieval = retrieval or self.retrieve(request)
        ranking, reason, is_foreign = self._rules(retrieval, request)
        rulings = RulingsFound()
        if not is_foreign:
            rulings = self._rulings(retrieval.query, request, retrieval.vectors, alone=reason is not None)
        if rulings.total:
            reason = None
        elif request.kind == RULING:
            reason = reason or message("no ruling has any of these words")
        hits: list[RankedRule | RankedRuling] = [*ranking.hits, *rulings.ranked]
        if not request.kind:
            ruling_first = any(ruling.same_question for ruling in rulings.ranked[:1])
            hits = interleave(ranking.hits, rulings.ranked, ruling_first=ruling_first)
        page = tuple(hits[request.offset : request.offset + request.limit])
        return Found(retrieval, page, ranking.total + rulings.total, reason, ranking)

    def understand(self, request: Request) -> Query:
        """The interpretation of the query of a request."""
        return self._understand(request, self.index.vocabulary)

    def _understand(self, request: Request, vocabulary: Vocabulary) -> Query:
        index, settings = self.index, self.ranker.settings
        cards = CardIndex(self.cards, index.games, settings.cards)
        query = understand(
            request.query, index.lexicon, vocabulary, request.games, settings, cards, index.definitions, self._located
        )
        return replace(query, titles=titles_of(self.knowledge.manifest))

    def _located(self, article: str) -> Iterator[str]:
        """The locators of the rules that an article (第2章第3条) is in any edition."""
        return (record["locator"] for record in self.knowledge.by_locator(article))

    def encode_query(self, query: Query) -> QueryVectors:
        """The vectors of a query."""
        encoder = self.sentence_encoder
        dense = encoder.encode_query([query.encoder_text])[0] if encoder else None
        own = self.encode_query(query.in_own_words) if query.cards and query.word_count else None
        return QueryVectors(self.encoder.encode([query.encoder_text])[0], dense, own)

    def _rules(self, retrieval: Retrieved, request: Request) -> tuple[Ranking, Message | None, bool]:
        """The ranked rules or the reason for an abstention, and whether that also excludes rulings.

        No ruling answers a question about a game that the library lacks, or a question that resembles out-of-scope examples.
        """
        query, vectors, ranking = retrieval
        if reason := abstention.unknown_game(query, self.games):
            return NO_RANKING, reason, True
        if request.kind == RULING:
            return NO_RANKING, None, False
        reason = self.refusal(query, request.book_lang) or self.abstention(query, ranking, request, vectors=vectors)
        if reason is None:
            return ranking, None, False
        return NO_RANKING, reason, abstention.out_of_scope_kind(ranking.features) is not None

    def refusal(self, query: Query, book_lang: str | None) -> Message | None:
        """The reason why no search is made for a question; None if there is none."""
        if reason := abstention.unknown_game(query, self.games) or abstention.only_a_game(query):
            return reason
        if self.knowledge is not self.knowledge.today and not self._has_rules(query.games):
            return abstention.no_book_so_old(query)
        mask = self.index.rules.mask(query.games, book_lang)
        return abstention.no_book_in(query, book_lang) if book_lang and mask is not None and not mask.any() else None

    def _has_rules(self, games: Sequence[str]) -> bool:
        """Whether one of some games (none: any) has a rule at this date."""
        mask = self.index.rules.mask(games, None)
        return mask is None or bool(mask.any())

    def rank(self, query: Query, request: Request, vectors: QueryVectors | None = None) -> Ranking:
        """The rules for a query, whether or not they answer it; without `vectors`, the query is encoded."""
        vectors = vectors or self.encode_query(query)
        static, dense, own = vectors
        alone = (own.static, own.dense) if own else None
        ranking = self.ranker.rank(query, static, request.offset + request.limit, request.book_lang, dense, alone)
        policy = not self.tournament_games.intersection(query.games or self.games)
        own_vectors = own or vectors
        own_dense = own_vectors.dense if ranking.features.encoded else None
        similarity = self.out_of_scope.similarity(self.encoder, own_vectors.static, own_dense, self.sentence_encoder, policy=policy)
        return replace(ranking, features=replace(ranking.features, out_of_scope=similarity))

    def abstention(
        self,
        query: Query,
        ranking: Ranking,
        request: Request,
        min_probability: float = MIN_PROBABILITY,
        vectors: QueryVectors | None = None,
    ) -> Message | None:
        """The reason why a ranking is not shown; None if the library answers the question with at least `min_probability`."""
        if self._has_asked_number(query, ranking):
            return None
        if reason := abstention.nothing_found(query, ranking):
            return reason
        probability = answerable_probability(ranking.features, self.index.rules.group_count)
        if probability >= min_probability or self._is_definition(query, ranking):
            return None
        lang = request.lang or query.lang
        return abstention.low_probability(
            query,
            ranking.features,
            probability,
            self._named_rule(ranking.hits[0].rule, lang),
            lambda: self._rule_of_other_game(query, ranking, request, lang, vectors),
            self._book_languages(query.games),
        )

    def _book_languages(self, games: Sequence[str]) -> list[str]:
        """The languages of the texts and glosses of some games."""
        loaded = (game for game in games if game in self.index.games)
        return list(dict.fromkeys(lang for game in loaded for lang in self.index.languages(game)))

    def _rule_of_other_game(
        self, query: Query, ranking: Ranking, request: Request, lang: str, vectors: QueryVectors | None
    ) -> NearestRule | None:
        """The best rule of another game that contains a term which no rule of the searched games contains."""
        other = replace(query, games=tuple(game for game in self.index.games if game not in query.games))
        hits = self.rank(other, replace(request, offset=0), vectors).hits[:TOP] if other.games else ()
        terms_of_hits = self.index.matched_terms([hit.rule for hit in hits], ranking.features.absent_terms)
        return next((self._named_rule(hit.rule, lang) for hit, terms in zip(hits, terms_of_hits, strict=True) if terms), None)

    def _named_rule(self, rule: int, lang: str) -> NearestRule:
        rule_entry = self.index.rules[rule]
        record = self.knowledge.by_iri([rule_entry.iri])[rule_entry.iri]
        titles = record["headings"].get(lang) or record["heading"]
        return NearestRule(rule_entry.game, f"{rule_entry.game}:{rule_entry.locator}", titles[-1] if titles else "")

    def _has_asked_number(self, query: Query, ranking: Ranking) -> bool:
        """Whether the first hit has, in any edition, a number from the question."""
        rules = self.index.rules
        members = (member for hit in ranking.hits[:1] for member in rules.members(rules[hit.rule].group))
        return any(rules[member].locator in query.numbers for member in members)

    def _is_definition(self, query: Query, ranking: Ranking) -> bool:
        """Whether a question asks for a definition and the first hit is a defining rule."""
        defining = (rules for target in query.definition_targets for rules in self.index.defining_rules(*target))
        return any(ranking.hits[0].rule in rules for rules in defining)

    def _rulings(self, query: Query, request: Request, vectors: QueryVectors, *, alone: bool) -> RulingsFound:
        """The rulings for a query; only relevant ones unless rulings are requested. `alone`: there are no rules to show."""
        if self.rulings is None or request.kind == RULE or query.game_only:
            return RulingsFound()
        vocabulary = self.rulings.index.vocabulary
        if self.cards is not None or not needs_no_correction(query, vocabulary):
            query = self._understand(request, vocabulary)  # a word that only rulings contain is not mistyped
        limit = request.offset + request.limit
        rulings = self.rulings.search(query, vectors.static, vectors.dense, limit, request.book_lang, self.knowledge)
        return rulings if request.kind == RULING else rulings.relevant(RULINGS.min_alone if alone else RULINGS.min_beside_rules)
