"""Search in one bundle: a query in, rules with everything a judge needs to trust them out."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from corpus.address import concept_iri
from corpus.contract import Hit, HitCounterpart, RuleRecord, RuleRef, SameRule, Search, Understood
from corpus.editions.history import history, is_threaded
from corpus.errors import EnvironmentFault
from corpus.languages import choose, readable
from corpus.messages import Message, message
from ontology.cards import Cards
from ontology.knowledge import Knowledge
from search.encode import opening, pretrained
from search.encode.encoder import Encoder, Vectors
from search.encode.pretrained import PretrainedEncoder
from search.index import vectors
from search.index.concept_tokens import MARK
from search.index.counterparts import Counterpart
from search.index.engine import Opening
from search.index.floor import has_address
from search.index.index import FOLDER, Index
from search.index.lexical import Vocabulary
from search.index.mapped import Mapped
from search.index.passages import full_text
from search.index.rules import IndexedRule
from search.query.query import Query, is_plain, understand
from search.query.shelf import Shelf
from search.rank import abstain
from search.rank.by_cards import cards_in, named_cards
from search.rank.decoys import Decoys
from search.rank.doubt import Shown, doubt
from search.rank.evidence import TOGETHER
from search.rank.highlight import Highlighter, words_of
from search.rank.ranker import NOTHING, Ranked, Ranker, Ranking
from search.rank.settings import DEFAULT, Settings
from search.rank.sureness import LEAST, sureness
from search.rulings.beside import beside
from search.rulings.index import RulingsIndex
from search.rulings.ranker import RankedRuling
from search.rulings.searching import ALONE, BESIDE, RulingSearch, RulingsFound

CARDS = "cards"
"""Folder of a bundle with its cards."""
RULE, RULING = "rule", "ruling"
"""The kinds that can be asked for."""
Made = tuple[Vectors, Vectors | None]
"""The static vector of a question, and the sentence vector where the encoder is there."""
_CHILDREN = 8
_SHOWN = 8
"""Children and counterparts that are named beside a hit."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked: the words, and how far to look. `lang` is the answer's language, `within` the book's."""

    query: str
    games: tuple[str, ...] = ()
    lang: str | None = None
    within: str | None = None
    limit: int = 10
    offset: int = 0
    kind: str | None = None  # "rule" or "ruling": those alone


class Searcher:
    """Answers from one bundle. Thread-safe."""

    def __init__(self, bundle: Path, knowledge: Knowledge, settings: Settings = DEFAULT, opening: Opening = Mapped) -> None:
        """`opening` gives who holds terms and vectors. Raises EnvironmentFault for a bundle without an index of this version."""
        self.knowledge = knowledge
        self.index = Index(bundle / FOLDER, opening)
        self.ranker = Ranker(self.index, settings)
        self.highlighter = Highlighter(self.index.lexicon)
        self.folder = bundle / FOLDER
        self.cards = Cards.of(bundle / CARDS)
        self.rulings = RulingSearch.open(bundle, opening)
        self._sentence_encoder: PretrainedEncoder | None = None

    def at(self, knowledge: Knowledge) -> "Searcher":
        """Search in what there was at another moment."""
        then = copy(self)
        then.knowledge = knowledge
        then.index = self.index.at(knowledge)
        then.ranker = Ranker(then.index, self.ranker.settings)
        return then

    @property
    def indexes(self) -> "list[Index | RulingsIndex]":
        """The index of the rules, and that of the rulings where there are any."""
        return [self.index, *([self.rulings.index] if self.rulings else [])]

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder of the index. Raises EnvironmentFault where a setting names another one."""
        return vectors.fitting(self.folder, self.index.encoder_info)

    @property
    def sentence_encoder(self) -> PretrainedEncoder | None:
        """The pretrained encoder, where it made the sentence embeddings of the index and is still the same; else None."""
        if self._sentence_encoder is None and self._encodes:
            self._sentence_encoder = opening.ready()
        return self._sentence_encoder

    @cached_property
    def _encodes(self) -> bool:
        made = self.index.sentences_by
        return made is not None and made.encoded > 0 and pretrained.wanted() and pretrained.digest() == made.digest

    def wait(self) -> None:
        """Waits until the pretrained encoder is made, where it is of use and can be made."""
        if self._encodes:
            with suppress(EnvironmentFault):
                self._sentence_encoder = opening.waited_for()

    @cached_property
    def decoys(self) -> Decoys:
        """What else a question may be about."""
        return Decoys(self.index.games, self.index.mean)

    def search(self, request: Request) -> Search:
        """The rules that answer a question, with rulings beside them, or why none is sure."""
        query = self.understood(request)
        lang = request.lang or query.lang
        made = self.vectors(query)
        ranking, reason = (NOTHING, None) if request.kind == RULING else self._sure(query, request, made)
        rulings = self._rulings(query, request, made, alone=reason is not None)
        if request.kind == RULING and not rulings.total:
            reason = message("no ruling has any of these words; add rulings with: rulestone add FILE --game GAME")
        elif rulings.total:
            reason = None
        ranked: list[Ranked | RankedRuling] = [*ranking.hits, *rulings.ranked]
        if not request.kind:
            ranked = beside(ranking.hits, rulings.ranked, before=_leads(rulings))
        return {
            "query": request.query,
            "lang": lang,
            "abstained": reason is not None,
            "reason": reason.said(lang) if reason else None,
            "total": ranking.total + rulings.total,
            "offset": request.offset,
            "limit": request.limit,
            "understood": _understood(query, self.index.encoder_info.name),
            "hits": self._told(ranked[request.offset : request.offset + request.limit], query, lang, request.within),
        }

    def _sure(self, query: Query, request: Request, made: Made) -> tuple[Ranking, Message | None]:
        """The rules for a query; where they are not sure none, and why."""
        reason = self.refusal(query, request.within)
        ranking = NOTHING if reason else self.ranked(query, request, made)
        reason = reason or self.doubt(query, ranking, request, made=made)
        return (NOTHING, reason) if reason else (ranking, None)

    def _rulings(self, query: Query, request: Request, made: Made, *, alone: bool) -> RulingsFound:
        """The rulings for a query: all of them where they are asked for, else those that are near; `alone` beside no rule."""
        if self.rulings is None or request.kind == RULE or query.names_only:
            return RulingsFound()
        own = self._beside(query, request, self.rulings.index.lexical)
        most = request.offset + request.limit
        rulings = self.rulings.matching(own, *made, most, request.within, self.knowledge)
        return rulings if request.kind == RULING else rulings.near(ALONE if alone else BESIDE)

    def _told(self, mixed: Sequence[Ranked | RankedRuling], query: Query, lang: str, within: str | None) -> list[Hit]:
        """Rules and rulings as hits, in their order."""
        rules = iter(self._hits([hit for hit in mixed if isinstance(hit, Ranked)], query, lang, within))
        ranked = [ruling for ruling in mixed if isinstance(ruling, RankedRuling)]
        rulings = iter(self.rulings.hits(ranked, query, lang, self.highlighter, self.knowledge) if self.rulings else ())
        return [next(rules if isinstance(hit, Ranked) else rulings) for hit in mixed]

    def doubt(
        self, query: Query, ranking: Ranking, request: Request, least: float = LEAST, made: Made | None = None
    ) -> Message | None:
        """Why a ranking is not shown; None where it is, or where the library answers with a probability of `least`."""
        if self._numbered(query, ranking):
            return None
        if reason := abstain.nothing_found(query, ranking):
            return reason
        sure = sureness(ranking.evidence, self.index.rules.distinct)
        if sure >= least or self._is_defined(query, ranking):
            return None
        lang = request.lang or query.lang
        nearest = self._shown(ranking.hits[0].place, lang)
        return doubt(query, ranking.evidence, sure, nearest, lambda: self._elsewhere(query, ranking, request, lang, made))

    def _elsewhere(self, query: Query, ranking: Ranking, request: Request, lang: str, made: Made | None) -> Shown | None:
        """The best rule of another game that has a word which no rule of the games asked has."""
        other = replace(query, games=tuple(game for game in self.index.games if game not in query.games))
        hits = self.ranked(other, replace(request, offset=0), made).hits[:TOGETHER] if other.games else ()
        met = self.index.terms_of([hit.place for hit in hits], ranking.evidence.lacking)
        return next((self._shown(hit.place, lang) for hit, terms in zip(hits, met, strict=True) if terms), None)

    def _shown(self, place: int, lang: str) -> Shown:
        rule = self.index.rules[place]
        record = self.knowledge.by_iri([rule.iri])[rule.iri]
        titles = record["headings"].get(lang) or record["heading"]
        return Shown(rule.game, f"{rule.game}:{rule.locator}", titles[-1] if titles else "")

    def _numbered(self, query: Query, ranking: Ranking) -> bool:
        """Whether the first hit bears a number that is typed, in any of its editions."""
        rules, first = self.index.rules, ranking.hits[:1]
        return any(rules[member].locator in query.numbers for hit in first for member in rules.members(rules[hit.place].group))

    def _is_defined(self, query: Query, ranking: Ranking) -> bool:
        """Whether a question asks what a thing is, and the first hit is a rule that says so."""
        told = (place for asked in query.defining for places in self.index.defining(*asked) for place in places)
        return ranking.hits[0].place in set(told)

    def refusal(self, query: Query, within: str | None) -> Message | None:
        """Why a question is not searched for; None where it is."""
        if reason := abstain.unknown_game(query, self.games) or abstain.nothing_asked(query):
            return reason
        there = self.index.rules.of(query.games, within)
        return abstain.no_book_in(query, within) if within and there is not None and not there.any() else None

    @cached_property
    def games(self) -> Sequence[str]:
        """The games that there are rules or rulings of."""
        return tuple(dict.fromkeys((*self.index.games, *(self.rulings.games if self.rulings else ()))))

    def understood(self, request: Request) -> Query:
        """How a query is read."""
        return self._read(request, self.index.lexical)

    def _read(self, request: Request, lexical: Vocabulary) -> Query:
        settings = self.ranker.settings
        shelf = Shelf(self.cards, self.index.games, settings.cards)
        index = self.index
        return understand(request.query, index.lexicon, lexical, request.games, settings.concepts, shelf, index.definitions)

    def _beside(self, query: Query, request: Request, lexical: Vocabulary) -> Query:
        """The query as it is read beside the words of rulings, which are no slips of the finger: mostly it is the same."""
        alike = self.cards is None and is_plain(query, lexical)
        return query if alike else self._read(request, lexical)

    def vectors(self, query: Query) -> Made:
        """The vectors of a question; whoever ranks it twice has them made once."""
        opened = self.sentence_encoder
        return self.encoder.encode([query.asked])[0], opened.encode_query([query.asked])[0] if opened else None

    def ranked(self, query: Query, request: Request, made: Made | None = None) -> Ranking:
        """The rules for a query, whether sure or not; `made` are its static and its sentence vector, where they are there."""
        vector, sentence = made or self.vectors(query)
        ranking = self.ranker.rank(query, vector, request.offset + request.limit, request.within, sentence)
        near = self.decoys.nearness(self.encoder, vector, sentence, self.sentence_encoder)
        return replace(ranking, evidence=replace(ranking.evidence, decoys=near))

    def _hits(self, hits: Sequence[Ranked], query: Query, lang: str, within: str | None) -> list[Hit]:
        records = self.knowledge.by_iri(self.index.rules[hit.place].iri for hit in hits)
        met = self.index.terms_of([hit.place for hit in hits], query.terms)
        return [
            self._with_history(self._hit(hit, records[self.index.rules[hit.place].iri], query, lang, within, terms), records)
            for hit, terms in zip(hits, met, strict=True)
        ]

    def _with_history(self, hit: Hit, records: Mapping[str, RuleRecord]) -> Hit:
        """A hit and what a reader must know of its rule in other editions, if there are any."""
        record = records[hit["iri"]]
        if is_threaded(self.knowledge, record):
            hit["history"] = history(self.knowledge, record)
        return hit

    def _hit(self, hit: Ranked, record: RuleRecord, query: Query, lang: str, within: str | None, met: Sequence[str]) -> Hit:
        indexed = self.index.rules[hit.place]
        shown = within or _book_language(record, lang)
        text = full_text(record, shown)
        gloss = record["digest"].get(choose(lang, record["digest"]) or lang)
        body: Hit = {
            "iri": record["iri"],
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
            "lang": shown,
            "authority": record["texts"][shown]["authority"] if shown in record["texts"] else None,
            "heading": record["headings"].get(lang) or record["heading"],
            "text": text,
            "gloss": gloss,
            "score": round(hit.score, 4),
            "counterparts": self._counterparts(indexed, lang),
            "same_rule": self._same_rule(indexed, record, lang),
            "highlights": self.highlighter.spans(text, query),
            "why": {
                "legs": {leg: round(score, 3) for leg, score in hit.legs.items()},
                "terms": words_of(query, met),
                "concepts": [concept_iri(concept) for concept in query.concepts if MARK + concept in met and has_address(concept)],
                "parent": record["parent"],
                "children": self._children(hit, record),
                "parts": len(record["children"]),
            },
        }
        if query.cards:
            body["why"]["cards"] = cards_in(query, met)
        return body

    def _children(self, hit: Ranked, record: RuleRecord) -> list[RuleRef]:
        """The parts of its rule that gave way to a hit, then its own."""
        gone = [self.index.rules[place] for place in hit.gave_way]
        refs: list[RuleRef] = [
            {"iri": rule.iri, "number": rule.number, "locator": rule.locator, "kind": rule.kind} for rule in gone
        ]
        known = {ref["iri"] for ref in refs}
        return [*refs, *(ref for ref in record["children"] if ref["iri"] not in known)][:_CHILDREN]

    def _counterparts(self, indexed: IndexedRule, lang: str) -> list[HitCounterpart]:
        rules, every = self.index.rules, self.index.counterparts.get(indexed.group, ())
        return [
            self._counterpart(counterpart, rules[there[0]], lang)
            for counterpart in every
            if len(there := rules.members(counterpart.group))
        ][:_SHOWN]

    @staticmethod
    def _counterpart(counterpart: Counterpart, indexed: IndexedRule, lang: str) -> HitCounterpart:
        return {
            "iri": indexed.iri,
            "game": indexed.game,
            "number": indexed.number,
            "locator": indexed.locator,
            "predicate": counterpart.predicate,
            "comment": counterpart.comments.get(choose(lang, counterpart.comments) or "", ""),
            "confidence": counterpart.confidence,
        }

    def _same_rule(self, indexed: IndexedRule, record: RuleRecord, lang: str) -> SameRule | None:
        """The rule in another edition that is loaded in the answer's language, where this edition is not."""
        if lang in record["texts"] or not record["texts"]:
            return None
        readable_members = [member for member in self.index.rules.members(indexed.group) if lang in self.index.rules[member].langs]
        if not readable_members:
            return None
        iri = self.index.rules[readable_members[0]].iri
        other = self.knowledge.by_iri([iri])[iri]
        text = full_text(other, lang)
        return {"iri": iri, "edition": other["edition"], "number": other["number"], "lang": lang, "text": text}


def _leads(rulings: RulingsFound) -> bool:
    """Whether a ruling answers the very question."""
    return any(ruling.same for ruling in rulings.ranked[:1])


def _understood(query: Query, model: str) -> Understood:
    """How a query was read, for people who wonder about its hits."""
    body: Understood = {
        "lang": query.lang,
        "games": list(query.games),
        "numbers": list(query.numbers),
        "concepts": [concept_iri(concept) for concept in query.concepts if has_address(concept)],
        "corrected": dict(query.corrected),
        "model": model,
    }
    if query.cards:
        body["cards"] = named_cards(query)
    return body


def _book_language(record: RuleRecord, lang: str) -> str:
    """The language of the book that is shown: the query's where the book has it, else that of the original."""
    there = [other for other in (*readable(lang), *record["texts"]) if other in record["texts"]]
    return there[0] if there else lang
