"""The body of a search: its hits, rules and rulings, with their words, highlights and evidence, and its sections."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.address import citation_of, concept_iri
from corpus.catalogue import RULES
from corpus.contract import Hit, HitCounterpart, RuleRecord, RuleRef, Ruling, SameRule, Search, Section, Understood
from corpus.editions.history import history, is_threaded
from corpus.editions.rulings import add_changes
from corpus.editions.sections import section_body
from corpus.languages import choose, readable
from search.index.concept_tokens import CONCEPT
from search.index.passages import full_text
from search.index.rules import IndexedCounterpart, IndexedRule
from search.index.thesaurus import is_in_ontology
from search.query.query import Query
from search.rank import abstention
from search.rank.explain import card_mentions, matched_cards, matched_words
from search.rank.ranker import RankedRule, Ranking
from search.rank.sections import MAX_SECTIONS, rank_sections
from search.rulings.search import RankedRuling
from search.searcher import Request, Retrieved, Searcher

_MAX_REFS = 8
"""Maximum number of children and counterparts that a hit names."""


def search_body(searcher: Searcher, request: Request, retrieval: Retrieved | None = None) -> Search:
    """The answer to a search; `retrieval` is the result of `Searcher.retrieve` for the request, if there is one."""
    results = searcher.search(request, retrieval)
    query = results.retrieval.query
    lang = request.lang or query.lang
    return {
        "query": request.query,
        "lang": lang,
        "abstained": results.abstained,
        "reason": results.reason.in_language(lang) if results.reason else None,
        "total": results.total,
        "offset": request.offset,
        "limit": request.limit,
        "understood": _understood_body(searcher, results.retrieval),
        "hits": _HitBodies(searcher, query, lang, request.book_lang).of_hits(results.hits),
        "sections": _section_bodies(searcher, results.ranking, query, lang, request.book_lang),
    }


def _understood_body(searcher: Searcher, retrieval: Retrieved) -> Understood:
    """The interpretation of a query, to explain its hits."""
    query = retrieval.query
    body: Understood = {
        "lang": query.lang,
        "games": list(query.games),
        "numbers": list(query.numbers),
        "concepts": [concept_iri(concept) for concept in query.concepts if is_in_ontology(concept)],
        "corrected": dict(query.corrected),
        "model": searcher.index.encoder_info.name,
    }
    if query.cards:
        body["cards"] = card_mentions(query)
    if searcher.cards is not None and (names := abstention.unknown_card_names(query, retrieval.ranking.features.absent_terms)):
        body["unknown_cards"] = names
    return body


def _section_bodies(searcher: Searcher, ranking: Ranking, query: Query, lang: str, book_lang: str | None) -> list[Section]:
    """The best sections, with the ranked rules marked in them, and all parts of a rule or heading whose number is in question."""
    rules, outline = searcher.index.rules, searcher.index.outline
    numbered_rules = [rule for number in query.numbers for rule in rules.by_number.get(number, ())] if query.numbers_only else []
    parts = {rules[rule].iri for rule in outline.with_parts(numbered_rules)}
    return [
        section_body(
            searcher.knowledge,
            [rules[rule].iri for rule in outline.section_members(section.root)],
            lang,
            book_lang,
            parts | {rules[rule].iri for rule in section.marked},
        )
        for section in rank_sections(searcher.ranker, query, ranking)[:MAX_SECTIONS]
    ]


def ruling_bodies(searcher: Searcher, rulings: Sequence[RankedRuling]) -> list[Ruling]:
    """The bodies of ranked rulings, in their order."""
    if searcher.rulings is None:
        return []
    iris = [searcher.rulings.index.rulings[ruling.ruling].iri for ruling in rulings]
    bodies_by_iri = searcher.knowledge.rulings.by_iri(iris)
    return add_changes(searcher.knowledge, (bodies_by_iri[iri] for iri in iris))


@dataclass(frozen=True, slots=True)
class _HitBodies:
    """Makes the bodies of hits for a query, in the answer's language and the books' language (None: any)."""

    searcher: Searcher
    query: Query
    lang: str
    book_lang: str | None

    def of_hits(self, hits: Sequence[RankedRule | RankedRuling]) -> list[Hit]:
        """The bodies of ranked rules and rulings, in their order."""
        rules = iter(self._of_rules([hit for hit in hits if isinstance(hit, RankedRule)]))
        rulings = iter(self._of_rulings([hit for hit in hits if isinstance(hit, RankedRuling)]))
        return [next(rules if isinstance(hit, RankedRule) else rulings) for hit in hits]

    def _of_rules(self, hits: Sequence[RankedRule]) -> list[Hit]:
        index = self.searcher.index
        records = self.searcher.knowledge.by_iri(index.rules[hit.rule].iri for hit in hits)
        terms_of_hits = index.matched_terms([hit.rule for hit in hits], self.query.terms)
        return [
            self._of_rule(hit, records[index.rules[hit.rule].iri], terms) for hit, terms in zip(hits, terms_of_hits, strict=True)
        ]

    def _of_rulings(self, rulings: Sequence[RankedRuling]) -> list[Hit]:
        if self.searcher.rulings is None:
            return []
        index = self.searcher.rulings.index
        bodies = ruling_bodies(self.searcher, rulings)
        terms_of_rulings = index.matched_terms([ruling.ruling for ruling in rulings], self.query.literal_terms)
        return [self._of_ruling(*row) for row in zip(rulings, bodies, terms_of_rulings, strict=True)]

    def _of_rule(self, hit: RankedRule, record: RuleRecord, matched_terms: Sequence[str]) -> Hit:
        knowledge, query, lang = self.searcher.knowledge, self.query, self.lang
        rule_entry = self.searcher.index.rules[hit.rule]
        text_lang = self.book_lang or _shown_language(record, lang)
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
            "counterparts": self._counterparts(rule_entry),
            "same_rule": self._same_rule(rule_entry, record),
            "highlights": self.searcher.highlighter.spans(text, query),
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
        if (document := knowledge.document(record["game"], record["book"])) != RULES:
            body["document"] = document
        if query.cards:
            body["why"]["cards"] = matched_cards(query, matched_terms)
        if is_threaded(knowledge, record):
            body["history"] = history(knowledge, record)
        return body

    def _children(self, hit: RankedRule, record: RuleRecord) -> list[RuleRef]:
        """The parts that a hit represents, then its other parts."""
        collapsed_rules = [self.searcher.index.rules[rule] for rule in hit.collapsed]
        refs: list[RuleRef] = [
            {"iri": rule.iri, "number": rule.number, "locator": rule.locator, "kind": rule.kind} for rule in collapsed_rules
        ]
        iris = {ref["iri"] for ref in refs}
        return [*refs, *(ref for ref in record["children"] if ref["iri"] not in iris)][:_MAX_REFS]

    def _counterparts(self, rule_entry: IndexedRule) -> list[HitCounterpart]:
        """The counterparts of a hit, judged ones first; a pair that is judged is not shown as proposed."""
        index = self.searcher.index
        rules, judgements = index.rules, index.counterparts.get(rule_entry.group, ())
        groups = {other.group for other in judgements}
        proposals = [other for other in index.proposed.get(rule_entry.group, ()) if other.group not in groups]
        every = ((other, rules.members(other.group)) for other in (*judgements, *proposals))
        return [_counterpart(other, rules[members[0]], self.lang) for other, members in every if len(members)][:_MAX_REFS]

    def _same_rule(self, rule_entry: IndexedRule, record: RuleRecord) -> SameRule | None:
        """The rule in another edition that has it in the answer's language, if this edition lacks that language."""
        lang = self.lang
        if lang in record["texts"] or not record["texts"]:
            return None
        rules = self.searcher.index.rules
        with_text = [member for member in rules.members(rule_entry.group) if lang in rules[member].langs]
        if not with_text:
            return None
        iri = rules[with_text[0]].iri
        other = self.searcher.knowledge.by_iri([iri])[iri]
        text = full_text(other, lang)
        return {"iri": iri, "edition": other["edition"], "number": other["number"], "lang": lang, "text": text}

    def _of_ruling(self, ruling: RankedRuling, body: Ruling, matched_terms: Sequence[str]) -> Hit:
        """A ruling as a hit, whose text is question and answer."""
        query, lang = self.query, self.lang
        text_lang = (
            next((other for other in readable(lang) if other in body["answer"]), None) or choose(lang, body["answer"]) or lang
        )
        text = "\n".join(filter(None, (body["question"].get(text_lang, ""), body["answer"].get(text_lang, ""))))
        return {
            "iri": body["iri"],
            "ref": body["iri"],
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
            "lang": text_lang,
            "authority": body["authority"],
            "heading": list(body["cards"]),
            "text": text,
            "gloss": None,
            "score": round(ruling.relevance, 4),
            "counterparts": [],
            "same_rule": None,
            "highlights": self.searcher.highlighter.spans(text, query),
            "why": {
                "legs": {name: round(value, 3) for name, value in ruling.signals.items()},
                "terms": matched_words(query, matched_terms),
                "concepts": [concept_iri(concept) for concept in query.concepts if CONCEPT + concept in matched_terms],
                "parent": None,
                "children": [],
                "parts": 0,
            },
            "ruling": body,
        }


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
