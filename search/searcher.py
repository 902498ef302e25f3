"""Search in one bundle: from a request to hits, or to the reason for an abstention."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from corpus.address import citation_of, concept_iri
from corpus.catalogue import RULES, document_of
from corpus.contract import Hit, HitCounterpart, RuleRecord, RuleRef, SameRule, Search, Section, Understood
from corpus.editions.history import history, is_threaded
from corpus.editions.sections import section_body
from corpus.errors import EnvironmentFault
from corpus.languages import choose, readable
from corpus.messages import Message, message
from corpus.store.home.manifest import titles_of
from ontology.knowledge import Knowledge
from search.encode import pretrained
from search.encode.encoder import Encoder, Vectors
from search.encode.pretrained import PretrainedEncoder
from search.index.bm25 import Vocabulary
from search.index.concept_tokens import CONCEPT
from search.index.embeddings import matching_encoder
from search.index.engine import MappedEngine, OpenEngine
from search.index.index import FOLDER, Index
from search.index.passages import full_text
from search.index.rules import IndexedCounterpart, IndexedRule
from search.index.thesaurus import is_in_ontology
from search.query.cards import CardIndex
from search.query.query import Query, needs_no_correction, understand
from search.rank import abstention
from search.rank.abstention import NearestRule
from search.rank.answerability import TOP, answerable_probability
from search.rank.authority import authoritative_rules
from search.rank.explain import Highlighter, card_mentions, matched_cards, matched_words
from search.rank.out_of_scope import OutOfScopeDetector
from search.rank.ranker import NO_RANKING, RankedRule, Ranker, Ranking
from search.rank.sections import MAX_SECTIONS, rank_sections
from search.rulings.index import RulingsIndex
from search.rulings.search import RankedRuling, RulingSearch, RulingsFound, interleave
from search.settings import MIN_PROBABILITY, RULINGS, SEARCH, SearchSettings

RULE, RULING = "rule", "ruling"
"""The kinds of hits to which a request can be limited."""
_MAX_REFS = 8
"""Maximum number of children and counterparts that a hit names."""


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

    def search(self, request: Request, retrieval: Retrieved | None = None) -> Search:
        """The rules that answer a question, with rulings among them, or the reason for an abstention.

        `retrieval` is the result of `retrieve` for the request, if there is one.
        """
        retrieval = retrieval or self.retrieve(request)
        query, vectors = retrieval.query, retrieval.vectors
        lang = request.lang or query.lang
        ranking, reason, is_foreign = self._rules(retrieval, request)
        rulings = RulingsFound() if is_foreign else self._rulings(query, request, vectors, alone=reason is not None)
        if rulings.total:
            reason = None
        elif request.kind == RULING:
            reason = reason or message("no ruling has any of these words")
        ranked_hits: list[RankedRule | RankedRuling] = [*ranking.hits, *rulings.ranked]
        if not request.kind:
            ruling_first = any(ruling.same_question for ruling in rulings.ranked[:1])
            ranked_hits = interleave(ranking.hits, rulings.ranked, ruling_first=ruling_first)
        return {
            "query": request.query,
            "lang": lang,
            "abstained": reason is not None,
            "reason": reason.in_language(lang) if reason else None,
            "total": ranking.total + rulings.total,
            "offset": request.offset,
            "limit": request.limit,
            "understood": self._understood(query, retrieval.ranking),
            "hits": self._hits(ranked_hits[request.offset : request.offset + request.limit], query, lang, request.book_lang),
            "sections": self._sections(ranking, query, lang, request.book_lang),
        }

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
        mask = self.index.rules.mask(query.games, book_lang)
        return abstention.no_book_in(query, book_lang) if book_lang and mask is not None and not mask.any() else None

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
        )

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

    def _understood(self, query: Query, ranking: Ranking) -> Understood:
        """The interpretation of a query, to explain its hits."""
        body: Understood = {
            "lang": query.lang,
            "games": list(query.games),
            "numbers": list(query.numbers),
            "concepts": [concept_iri(concept) for concept in query.concepts if is_in_ontology(concept)],
            "corrected": dict(query.corrected),
            "model": self.index.encoder_info.name,
        }
        if query.cards:
            body["cards"] = card_mentions(query)
        if self.cards is not None and (names := abstention.unknown_card_names(query, ranking.features.absent_terms)):
            body["unknown_cards"] = names
        return body

    def _hits(self, ranked_hits: Sequence[RankedRule | RankedRuling], query: Query, lang: str, book_lang: str | None) -> list[Hit]:
        """Rules and rulings as hits, in their order."""
        rules = iter(self._rule_hits([hit for hit in ranked_hits if isinstance(hit, RankedRule)], query, lang, book_lang))
        ranked_rulings = [hit for hit in ranked_hits if isinstance(hit, RankedRuling)]
        rulings = iter(self.rulings.hits(ranked_rulings, query, lang, self.highlighter, self.knowledge) if self.rulings else ())
        return [next(rules if isinstance(hit, RankedRule) else rulings) for hit in ranked_hits]

    def _sections(self, ranking: Ranking, query: Query, lang: str, book_lang: str | None) -> list[Section]:
        """The best sections, with the ranked rules marked in them."""
        rules = self.index.rules
        return [
            section_body(self.knowledge, rules[section.root].iri, lang, book_lang, {rules[rule].iri for rule in section.marked})
            for section in rank_sections(self.ranker, query, ranking)[:MAX_SECTIONS]
        ]

    def _rule_hits(self, hits: Sequence[RankedRule], query: Query, lang: str, book_lang: str | None) -> list[Hit]:
        records = self.knowledge.by_iri(self.index.rules[hit.rule].iri for hit in hits)
        terms_of_hits = self.index.matched_terms([hit.rule for hit in hits], query.terms)
        return [
            self._hit(hit, records[self.index.rules[hit.rule].iri], query, lang, book_lang, terms)
            for hit, terms in zip(hits, terms_of_hits, strict=True)
        ]

    def _hit(
        self, hit: RankedRule, record: RuleRecord, query: Query, lang: str, book_lang: str | None, matched_terms: Sequence[str]
    ) -> Hit:
        rule_entry = self.index.rules[hit.rule]
        text_lang = book_lang or _shown_language(record, lang)
        text = full_text(record, text_lang)
        body: Hit = {
            "iri": record["iri"],
            "ref": citation_of(record["iri"]),
            "game": record["game"],
            "book": record["book"],
            "edition": record["edition"],
            "current": record["current"],
            "superseded_by": record["superseded_by"],
            "latest_in": record["latest_in"],
            "order_unknown": record["order_unknown"],
            "kind": record["kind"],
            "number": record["number"],
            "locator": record["locator"],
            "lang": text_lang,
            "authority": record["texts"][text_lang]["authority"] if text_lang in record["texts"] else None,
            "heading": record["headings"].get(lang) or record["heading"],
            "text": text,
            "gloss": record["digest"].get(choose(lang, record["digest"]) or lang),
            "score": round(hit.score, 4),
            "counterparts": self._counterparts(rule_entry, lang),
            "same_rule": self._same_rule(rule_entry, record, lang),
            "highlights": self.highlighter.spans(text, query),
            "why": {
                "legs": {name: round(value, 3) for name, value in hit.signals.items()},
                "terms": matched_words(query, matched_terms),
                "concepts": [
                    concept_iri(concept)
                    for concept in query.concepts
                    if CONCEPT + concept in matched_terms and is_in_ontology(concept)
                ],
                "parent": record["parent"],
                "children": self._children(hit, record),
                "parts": len(record["children"]),
            },
        }
        if (document := self.knowledge.document(record["game"], record["book"])) != RULES:
            body["document"] = document
        if query.cards:
            body["why"]["cards"] = matched_cards(query, matched_terms)
        if is_threaded(self.knowledge, record):
            body["history"] = history(self.knowledge, record)
        return body

    def _children(self, hit: RankedRule, record: RuleRecord) -> list[RuleRef]:
        """The parts that a hit represents, then its other parts."""
        collapsed_rules = [self.index.rules[rule] for rule in hit.collapsed]
        refs: list[RuleRef] = [
            {"iri": rule.iri, "number": rule.number, "locator": rule.locator, "kind": rule.kind} for rule in collapsed_rules
        ]
        iris = {ref["iri"] for ref in refs}
        return [*refs, *(ref for ref in record["children"] if ref["iri"] not in iris)][:_MAX_REFS]

    def _counterparts(self, rule_entry: IndexedRule, lang: str) -> list[HitCounterpart]:
        """The counterparts of a hit, judged ones first; a pair that is judged is not shown as proposed."""
        rules, judgements = self.index.rules, self.index.counterparts.get(rule_entry.group, ())
        groups = {other.group for other in judgements}
        proposals = [other for other in self.index.proposed.get(rule_entry.group, ()) if other.group not in groups]
        every = ((other, rules.members(other.group)) for other in (*judgements, *proposals))
        return [_counterpart(other, rules[members[0]], lang) for other, members in every if len(members)][:_MAX_REFS]

    def _same_rule(self, rule_entry: IndexedRule, record: RuleRecord, lang: str) -> SameRule | None:
        """The rule in another edition that has it in the answer's language, if this edition lacks that language."""
        if lang in record["texts"] or not record["texts"]:
            return None
        rules = self.index.rules
        with_text = [member for member in rules.members(rule_entry.group) if lang in rules[member].langs]
        if not with_text:
            return None
        iri = rules[with_text[0]].iri
        other = self.knowledge.by_iri([iri])[iri]
        text = full_text(other, lang)
        return {"iri": iri, "edition": other["edition"], "number": other["number"], "lang": lang, "text": text}


def _counterpart(counterpart: IndexedCounterpart, rule_entry: IndexedRule, lang: str) -> HitCounterpart:
    return {
        "iri": rule_entry.iri,
        "game": rule_entry.game,
        "number": rule_entry.number,
        "locator": rule_entry.locator,
        "predicate": counterpart.predicate,
        "comment": counterpart.comments.get(choose(lang, counterpart.comments) or "", ""),
        "confidence": counterpart.confidence,
        "status": counterpart.status,
    }


def _shown_language(record: RuleRecord, lang: str) -> str:
    """The language in which a rule is shown: the answer's if the book has it, else the book's first."""
    return next((other for other in (*readable(lang), *record["texts"]) if other in record["texts"]), lang)
