"""Turns a question into the claims that answer it, or into the reason for abstaining. Every claim is a span of a rule's text."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import ceil

import numpy as np

from corpus.messages import Message, message
from corpus.model import HEADING_KINDS, Kind
from corpus.words.lexicon import LabelMatch
from corpus.words.tokens import Token, words
from search.answer.clauses import AnswerCandidate, QuotedRule, candidates, is_long_enough, quotable_text
from search.answer.selection import (
    ClauseScorer,
    Role,
    SelectedClaim,
    add_parts,
    defining_claims,
    order_claims,
    select_claims,
    whole_rules,
)
from search.index.concept_tokens import find_concepts, shared_concept
from search.query.query import DefinitionTarget, Query
from search.rank.answerability import answerable_probability
from search.rank.ranker import NO_RANKING, RankedRule, Ranking
from search.searcher import Request, Retrieved, Searcher
from search.settings import ANSWERS, AnswerSettings


class Certainty(StrEnum):
    """The reliability of an answer."""

    SURE = "sure"  # one rule answers, and leads all others by far; it makes all claims, or its section if a definition is asked for
    LIKELY = "likely"
    UNSURE = "unsure"  # there is none


@dataclass(frozen=True, slots=True)
class Answer:
    """The claims in their order, or the reason why there are none."""

    query: Query
    lang: str
    reason: Message | None
    claims: tuple[SelectedClaim, ...]
    state: Certainty


class Answerer:
    """Answers questions from the results of a searcher. Thread-safe."""

    def __init__(self, searcher: Searcher, settings: AnswerSettings = ANSWERS) -> None:
        self.searcher = searcher
        self.settings = settings

    def answer(self, request: Request) -> Answer:
        """The answer to a question. The number of hits is limited by the settings, not by the request."""
        request = replace(request, limit=self.settings.hits, offset=0)
        query = self.searcher.understand(request)
        lang = request.lang or query.lang
        reason, ranking = self._search(query, request)
        claims = [] if reason else self._all_claims(query, request, lang, ranking.hits)
        return self._make_answer(query, lang, reason, ranking, claims)

    def sure_answer(self, request: Request, retrieval: Retrieved) -> Answer:
        """The answer to a question from its first hits, with claims only if it is sure: comparing clauses takes 20 ms each.

        `retrieval` is the result of `retrieve` for the request. An answer that is likely has no claims.
        """
        query, vectors, ranking = retrieval
        lang, hits = request.lang or query.lang, ranking.hits[: self.settings.hits]
        if reason := self.searcher.abstention(query, ranking, request, self.settings.min_probability, vectors):
            return Answer(query, lang, reason, (), Certainty.UNSURE)
        if not self._may_be_sure(query, ranking):
            return Answer(query, lang, None, (), Certainty.LIKELY)
        answer = self._make_answer(query, lang, None, ranking, self._claims(query, lang, hits, self.settings))
        return answer if answer.state == Certainty.SURE else replace(answer, claims=())

    def _make_answer(
        self, query: Query, lang: str, reason: Message | None, ranking: Ranking, claims: Sequence[SelectedClaim]
    ) -> Answer:
        if not claims and reason is None:
            reason = message("the rules found contain no words that can be quoted; a search lists them")
        if reason:
            return Answer(query, lang, reason, (), Certainty.UNSURE)
        if self._is_certain(query, ranking, claims):
            is_whole = query.numbers_only or claims[0].defines
            return Answer(query, lang, None, tuple(claims) if is_whole else _of_first_rule(claims), Certainty.SURE)
        return Answer(query, lang, None, tuple(claims), Certainty.LIKELY)

    def _search(self, query: Query, request: Request) -> tuple[Message | None, Ranking]:
        """The reason why a question is not answered, or the rules that answer it."""
        if refusal := self.searcher.refusal(query, request.book_lang):
            return refusal, NO_RANKING
        vectors = self.searcher.encode_query(query)
        ranking = self.searcher.rank(query, request, vectors)
        return self.searcher.abstention(query, ranking, request, self.settings.min_probability, vectors), ranking

    def _is_certain(self, query: Query, ranking: Ranking, claims: Sequence[SelectedClaim]) -> bool:
        """Whether the library probably answers, and the first hit makes the first claim and leads by a wide margin.

        If hits were not re-ranked, as for a definition, the first must also contain most of the question. A number is certain
        unless several games have it.
        """
        if query.numbers_only:
            rules = self.searcher.index.rules
            return len({rules[hit.rule].game for hit in ranking.hits if rules[hit.rule].locator in query.numbers}) <= 1
        return claims[0].source.rank == 0 and self._may_be_sure(query, ranking)

    def _may_be_sure(self, query: Query, ranking: Ranking) -> bool:
        """The same as `_is_certain`, before the claims are selected."""
        settings, features, scores = self.settings, ranking.features, [hit.score for hit in ranking.hits[:2]]
        probability = answerable_probability(features, self.searcher.index.rules.group_count)
        if len(query.games) > 1 or query.compared_targets or probability < settings.sure_probability:
            return False
        if ranking.margin is not None:
            return ranking.margin >= (settings.sure_margin if features.encoded else settings.sure_static_margin)
        return features.coverage >= settings.sure_coverage and (len(scores) < 2 or scores[1] <= settings.sure_lead * scores[0])

    def _all_claims(self, query: Query, request: Request, lang: str, hits: Sequence[RankedRule]) -> list[SelectedClaim]:
        """The claims; if several games are named, a share of them from each game that answers."""
        parts: list[list[SelectedClaim]] = []
        if len(query.games) > 1:
            share = replace(self.settings, max_claims=max(1, ceil(self.settings.max_claims / len(query.games))))
            for game in query.games:
                reason, own = self._search(replace(query, games=(game,)), request)
                if not reason:
                    parts.append(self._in_same_sense(query, game, lang, self._claims(query, lang, own.hits, share), share))
        claims = order_claims(claim for part in parts for claim in part) or self._claims(query, lang, hits, self.settings)
        return self._with_both_sides(query, lang, claims)

    def _with_both_sides(self, query: Query, lang: str, claims: list[SelectedClaim]) -> list[SelectedClaim]:
        """The claims on the difference of two things of a game, with a definition of each one that no claim is about."""
        if not query.compared_targets or len(query.games) > 1 or not claims:
            return claims
        rules_of_sides = [self._rules_defining(targets) for targets in query.compared_targets]
        definitions = [self._current_definitions(rules, lang) for rules in rules_of_sides]
        games = [{rule.record["game"] for rule in rules} for rules in definitions]
        common = set.intersection(*games).intersection(query.games or games[0])
        game = next(
            (claim.source.record["game"] for claim in claims if claim.source.record["game"] in common), min(common, default="")
        )
        about_sides: list[int] = []
        missing_sides: list[SelectedClaim] = []
        for rules, definition in zip(rules_of_sides, definitions, strict=True):
            about = (
                place
                for place, claim in enumerate(claims)
                if claim.source.rule in rules and game in ("", claim.source.record["game"])
            )
            if (place := next(about, None)) is not None:
                about_sides.append(place)
            else:
                of_game = [rule for rule in definition if game in ("", rule.record["game"])]
                missing_sides += [replace(claim, defines=False) for claim in defining_claims(of_game[:1], self.settings)]
        others = [place for place in range(len(claims)) if place not in about_sides]
        room = max(0, self.settings.max_claims - len(missing_sides) - len(set(about_sides)))
        kept = sorted({*about_sides, *others[:room]})
        return [*(claims[place] for place in kept), *missing_sides][: self.settings.max_claims]

    def _rules_defining(self, targets: Sequence[DefinitionTarget]) -> list[int]:
        """The rules that define some things at the date of the search, in reading order."""
        index = self.searcher.index
        editions = (rules for target in targets for rules in index.defining_rules(*target))
        return list(dict.fromkeys(rule for rules in editions for rule in rules if index.rules.searchable[rule]))

    def _current_definitions(self, rules: Sequence[int], lang: str) -> list[QuotedRule]:
        return _current_rules(list(self._quoted_rules(lang, [RankedRule(rule, 1.0) for rule in rules]))) if rules else []

    def _in_same_sense(
        self, query: Query, game: str, lang: str, claims: list[SelectedClaim], settings: AnswerSettings
    ) -> list[SelectedClaim]:
        """The claims of a game without those in which a name in a comparison is that of something else.

        Lorcana has a bag where Magic has the stack, and cards of its own that stack: the claims are then of the rules on the bag.
        """
        named_things = [
            (match, names) for match, names in self._named_things(query.words) if any("/" not in name for name in names)
        ]
        if not query.compares or len(named_things) != 1:
            return claims
        [(match, concepts)] = named_things
        rules = self._rules_defining([DefinitionTarget(concept, (game,)) for concept in concepts])
        norms = {token.norm for token in query.words[match.first : match.last]}
        in_this_sense = [claim for claim in claims if claim.source.rule in rules or not self._names_another(claim, norms, concepts)]
        if in_this_sense or not rules:
            return in_this_sense or claims
        return defining_claims(self._current_definitions(rules, lang), settings)[: settings.max_claims]

    def _named_things(self, tokens: Sequence[Token], games: Sequence[str] = ()) -> Iterator[tuple[LabelMatch, list[str]]]:
        return find_concepts(tokens, self.searcher.index.lexicon, games)

    def _names_another(self, claim: SelectedClaim, norms: Container[str], concepts: Sequence[str]) -> bool:
        """Whether a claim uses one of some words for a concept of its own game that is none of those asked for."""
        tokens, game = words(claim.text), claim.source.record["game"]
        for match, names in self._named_things(tokens, (game,)):
            is_asked = any(token.norm in norms for token in tokens[match.first : match.last])
            if is_asked and any(name.startswith(f"{game}/") and name not in concepts for name in names):
                return True
        return False

    def _claims(self, query: Query, lang: str, hits: Sequence[RankedRule], settings: AnswerSettings) -> list[SelectedClaim]:
        rules = _current_rules(list(self._quoted_rules(lang, hits)))
        if (defining := self._defining_rules(query, rules)) and (claims := defining_claims(defining, settings)):
            return claims
        clauses = [candidate for rule in rules for candidate in candidates(rule)]
        if query.numbers_only:
            claims = whole_rules(clauses, query.numbers, settings) or self._rules_under_heading(query, lang, hits)
        else:
            scored_clauses = ClauseScorer(self.searcher, query, settings).scored_clauses(clauses)
            claims = select_claims(scored_clauses, settings, lambda candidate: _is_definition(query, candidate))
        return add_parts(claims, lambda claim: self._parts_after_claim(claim, lang), settings)

    def _defining_rules(self, query: Query, rules: Sequence[QuotedRule]) -> list[QuotedRule]:
        """For a definition question about one game, the first hit if it defines the subject, and the other hits that do.

        They are of the section of the first one, or are cited by it if it is a glossary's entry.
        """
        targets = query.definition_targets
        if not targets or len({rule.record["game"] for rule in rules}) != 1:
            return []
        first, rule_lists = rules[0], [some for target in targets for some in self.searcher.index.defining_rules(*target)]
        defining = {rule for some in rule_lists if first.rule in some for rule in some}
        own = [rule for rule in rules if rule.rule in defining]
        if first.record["kind"] == Kind.GLOSSARY:
            return own
        section = (first.record["iri"], first.record["parent"])
        return [rule for rule in own if rule.rule == first.rule or rule.record["parent"] in section]

    def _rules_under_heading(self, query: Query, lang: str, hits: Sequence[RankedRule]) -> list[SelectedClaim]:
        """The rules directly under the first heading whose number is in question, if there are few enough to quote all."""
        rules, parent = self.searcher.index.rules, self.searcher.index.outline.parent
        heading = next((hit for hit in hits if rules[hit.rule].locator in query.numbers), None)
        if heading is None:
            return []
        parts = [RankedRule(int(part), heading.score) for part in np.flatnonzero(parent == heading.rule)]
        quoted = list(self._quoted_rules(lang, parts)) if len(parts) <= self.settings.max_parts else []
        is_whole = len(quoted) == len(parts)
        return [SelectedClaim(part, 0, len(part.text.rstrip()), Role.RULE) for part in quoted] if is_whole else []

    def _parts_after_claim(self, claim: SelectedClaim, lang: str) -> list[QuotedRule]:
        """The parts of a claim's rule if it ends with the claim."""
        source = claim.source
        if source.text[claim.end :].strip():
            return []
        parts = np.flatnonzero(self.searcher.index.outline.parent == source.rule)
        return list(self._quoted_rules(lang, [RankedRule(int(part), source.score) for part in parts]))

    def _quoted_rules(self, lang: str, hits: Sequence[RankedRule]) -> Iterator[QuotedRule]:
        """The rules with the quoted text, without headings and without those far behind the first that says anything."""
        rules = self.searcher.index.rules
        records = self.searcher.knowledge.by_iri(rules[hit.rule].iri for hit in hits)
        first: RankedRule | None = None
        for rank, hit in enumerate(hits):
            record = records[rules[hit.rule].iri]
            quotable = None if record["kind"] in HEADING_KINDS else quotable_text(record, lang)
            if first is None and quotable is not None and is_long_enough(quotable[1]):
                first = hit
            gap = _relevance_lead(first or hits[0], hit)
            max_gap = self.settings.max_second_gap if rank == 1 else self.settings.max_gap
            if quotable is not None and (gap is None or gap <= max_gap):
                yield QuotedRule(hit.rule, rank, hit.score / (hits[0].score or 1.0), gap is not None, record, *quotable)


def _relevance_lead(first: RankedRule, hit: RankedRule) -> float | None:
    """The lead in relevance of the first hit; None if re-ranking has not seen both."""
    return None if first.relevance is None or hit.relevance is None else first.relevance - hit.relevance


def _of_first_rule(claims: Sequence[SelectedClaim]) -> tuple[SelectedClaim, ...]:
    """The claims of the rule that makes the first one, and of its parts."""
    first = claims[0].source.record["iri"]
    return tuple(claim for claim in claims if first in (claim.part_of, claim.source.record["iri"]))


def _current_rules(rules: Sequence[QuotedRule]) -> list[QuotedRule]:
    """The rules of current editions; all rules of a game if none of them is current."""
    games = {rule.record["game"] for rule in rules if rule.record["current"]}
    return [rule for rule in rules if rule.record["current"] or rule.record["game"] not in games]


def _is_definition(query: Query, candidate: AnswerCandidate) -> bool:
    """Whether a clause belongs to a glossary entry, or to a rule that defines a concept of the question."""
    record = candidate.source.record
    return record["kind"] == "glossary" or any(shared_concept(concept) in query.concepts for concept in record["defines"])
