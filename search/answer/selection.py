"""Selects the clauses that become the claims of an answer: scores, selection without duplicates, and the order of the claims."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from corpus.words.tokens import terms, words
from search.answer.clauses import (
    AnswerCandidate,
    Clause,
    QuotedRule,
    continues_previous,
    introduces_list,
    is_exception,
    is_reference,
    language_phrases,
    split_clauses,
)
from search.index.concept_tokens import concept_tokens
from search.query.query import Query, same_language
from search.searcher import Searcher
from search.settings import AnswerSettings


class Role(StrEnum):
    """The role of a claim."""

    DEFINITION = "definition"
    RULE = "rule"
    EXCEPTION = "exception"


@dataclass(frozen=True, slots=True)
class ScoredClause:
    """A candidate with its score and its terms."""

    candidate: AnswerCandidate
    score: float
    terms: frozenset[str]


@dataclass(frozen=True, slots=True)
class SelectedClaim:
    """A claim: `source.text[start:end]`."""

    source: QuotedRule
    start: int
    end: int
    role: Role
    part_of: str | None = None  # IRI of the rule whose list contains it
    left_out: int = 0  # number of items in the list that it introduces, if they are too many
    defines: bool = False  # whether the claims of the answer are those of `defining_claims`

    @property
    def text(self) -> str:
        """Its words."""
        return self.source.text[self.start : self.end]


class ClauseScorer:
    """Scores clauses for one query: by the rank of their rule, by the words they contain, and by their meaning."""

    def __init__(self, searcher: Searcher, query: Query, settings: AnswerSettings) -> None:
        self._searcher = searcher
        self._query = query
        self._settings = settings
        vocabulary = searcher.index.vocabulary
        self._idf: Mapping[str, float] = {term: weight * vocabulary.idf(term) for term, weight in query.terms.items()}

    def scored_clauses(self, candidates: Sequence[AnswerCandidate]) -> list[ScoredClause]:
        """The clauses with their scores, the best first."""
        if not candidates:
            return []
        bags = [self._terms(candidate.text, candidate.source.record["game"]) for candidate in candidates]
        scores = self._without_encoder(candidates, bags)
        scores += self._settings.dense_weight * self._dense_scores(candidates, scores)
        order = np.argsort(-scores, kind="stable")
        return [ScoredClause(candidates[nth], float(scores[nth]), bags[nth]) for nth in order.tolist()]

    def _terms(self, text: str, game: str) -> frozenset[str]:
        tokens = words(text)
        return frozenset((*terms(tokens), *concept_tokens(tokens, self._searcher.index.lexicon, game)))

    def _without_encoder(self, candidates: Sequence[AnswerCandidate], bags: Sequence[frozenset[str]]) -> NDArray[np.float64]:
        settings = self._settings
        coverage = [
            max(self._query_coverage(bag), self._gloss_coverage(candidate)) for candidate, bag in zip(candidates, bags, strict=True)
        ]
        vectors = self._searcher.encoder.encode([self._query.encoder_text, *(candidate.text for candidate in candidates)])
        cosines = np.maximum(np.einsum("ij,j->i", vectors[1:], vectors[0]), 0)
        of_rule = np.array(
            [settings.rule_weight * clause.source.score + settings.first_clause_bonus * (clause.nth == 0) for clause in candidates]
        )
        scores: NDArray[np.float64] = settings.coverage_weight * np.array(coverage) + settings.static_weight * cosines + of_rule
        return scores

    def _query_coverage(self, bag: frozenset[str]) -> float:
        """The share of the query, weighted by idf, that some terms cover."""
        return sum(idf for term, idf in self._idf.items() if term in bag) / (sum(self._idf.values()) or 1.0)

    def _gloss_coverage(self, candidate: AnswerCandidate) -> float:
        """The coverage of the gloss in the query's language if the rule is in another; less at a distance from the clause."""
        source, lang = candidate.source, self._query.lang
        gloss = source.record["digest"].get(lang, "")
        if not gloss or same_language(source.lang, lang):
            return 0.0
        at = (candidate.clause.start + candidate.clause.end) / 2 / len(source.text)
        parts = [
            (gloss[part.start : part.end], abs(at - (part.start + part.end) / 2 / len(gloss)))
            for part in split_clauses(gloss, lang)
        ]
        game = source.record["game"]
        return max(
            (self._query_coverage(self._terms(text, game)) * max(0.0, 1 - 2 * distance) for text, distance in parts), default=0.0
        )

    def _dense_scores(self, candidates: Sequence[AnswerCandidate], scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The cosine of sentence embeddings above the floor. Only the best clauses are encoded; the others get the minimum."""
        encoder = self._searcher.sentence_encoder
        if encoder is None:
            return np.zeros(len(candidates))
        best = np.argsort(-scores, kind="stable")[: self._settings.encoded_clauses]
        query = encoder.encode_query([self._query.encoder_text])[0]
        cosines = np.einsum("ij,j->i", encoder.encode([candidates[nth].text for nth in best.tolist()]), query)
        above = np.maximum(cosines - self._settings.dense_floor, 0)
        every = np.full(len(candidates), float(above.min()))
        every[best] = above
        return every


def select_claims(
    clauses: Sequence[ScoredClause], settings: AnswerSettings, defines: Callable[[AnswerCandidate], bool]
) -> list[SelectedClaim]:
    """The claims of an answer in order; `defines` recognises clauses of rules that define the subject of the question."""
    scores = {(clause.candidate.source.rule, clause.candidate.nth): clause.score for clause in clauses}
    candidates = [clause.candidate for clause in _select_clauses(clauses, settings)]
    claims = [_make_claim(candidate, _role(candidate, defines=defines(candidate)), scores, settings) for candidate in candidates]
    return order_claims(_merge_overlapping(claims))


def order_claims(claims: Iterable[SelectedClaim]) -> list[SelectedClaim]:
    """Claims in the order of the hits of their rules, exceptions last: search ranks rules better than clauses can."""
    return sorted(claims, key=lambda claim: (claim.role is Role.EXCEPTION, claim.source.rank))


def whole_rules(candidates: Sequence[AnswerCandidate], numbers: Sequence[str], settings: AnswerSettings) -> list[SelectedClaim]:
    """For a question that is only a rule number, each rule with that number as one claim."""
    cited = [candidate for candidate in candidates if candidate.source.record["locator"] in numbers]
    by_rule: dict[int, list[AnswerCandidate]] = {}
    for candidate in cited:
        by_rule.setdefault(candidate.source.rule, []).append(candidate)
    every = (SelectedClaim(own[0].source, own[0].clause.start, own[-1].clause.end, Role.RULE) for own in by_rule.values())
    return list(every)[: settings.max_claims]


def defining_claims(rules: Sequence[QuotedRule], settings: AnswerSettings) -> list[SelectedClaim]:
    """The claims of a definition: the rule that defines a thing, and the next ones of its section, which state its effect.

    A rule that is too long for the rest of the room is quoted up to the end of a clause; half of the room is for the next rules. Of
    the first rule at least one clause is quoted.
    """
    claims: list[SelectedClaim] = []
    budget = settings.max_defining_chars
    for source in rules:
        room = budget if claims or len(rules) == 1 else budget // 2
        clauses = split_clauses(source.text, source.lang)
        ends = [clause.end for clause in clauses if not is_reference(source.text[clause.start : clause.end], source.lang)]
        fitting = [end for end in ends if end <= room] or ([] if claims else ends[:1])
        if len(claims) == settings.max_defining_claims or (ends and not fitting):
            break
        if not fitting:
            continue
        claims.append(SelectedClaim(source, 0, fitting[-1], Role.RULE if claims else Role.DEFINITION, defines=True))
        budget -= fitting[-1]
    return claims


def _select_clauses(clauses: Sequence[ScoredClause], settings: AnswerSettings) -> list[ScoredClause]:
    """The best clause of the first hit, then the best others, with a penalty for each further clause of a rule; no duplicates.

    Every hit near the first one makes a claim, as far as there is room.
    """
    selection: list[ScoredClause] = []
    of_rule: Counter[int] = Counter()
    first = min((clause.candidate.source.rank for clause in clauses), default=0)
    rest = list(clauses)

    def penalised_score(clause: ScoredClause) -> float:
        return clause.score - settings.repeat_penalty * of_rule[clause.candidate.source.rule]

    def is_claim(clause: ScoredClause) -> bool:
        source = clause.candidate.source
        if not selection:
            return source.rank == first
        is_good = penalised_score(clause) >= settings.min_share * selection[0].score or (source.near and not of_rule[source.rule])
        return is_good and of_rule[source.rule] < settings.max_claims_per_rule and not _is_duplicate(clause, selection, settings)

    while len(selection) < settings.max_claims and (able := [clause for clause in rest if is_claim(clause)]):
        best = max(able, key=penalised_score)
        rest.remove(best)
        of_rule[best.candidate.source.rule] += 1
        selection.append(best)
    return selection


def _is_duplicate(clause: ScoredClause, others: Sequence[ScoredClause], settings: AnswerSettings) -> bool:
    game = clause.candidate.source.record["game"]
    same_game = (other for other in others if other.candidate.source.record["game"] == game)
    jaccard = settings.duplicate_jaccard
    return any(len(clause.terms & other.terms) >= jaccard * len(clause.terms | other.terms) for other in same_game)


def _role(candidate: AnswerCandidate, *, defines: bool) -> Role:
    if defines and language_phrases(candidate.source.lang).definitions.search(candidate.text):
        return Role.DEFINITION
    return Role.EXCEPTION if _is_exception(candidate.clause, candidate.source) else Role.RULE


def _make_claim(
    candidate: AnswerCandidate, role: Role, scores: Mapping[tuple[int, int], float], settings: AnswerSettings
) -> SelectedClaim:
    """A whole statement: a clause with the previous clauses that it depends on, and with its list, steps, cases and exceptions.

    Clauses with nearly the same score also belong to it, up to the maximum length of a claim. Bare references at its end are left
    out.
    """
    source = candidate.source
    every = split_clauses(source.text, source.lang)
    first = candidate.nth
    while first > 0 and every[first].dependent and candidate.clause.end - every[first - 1].start <= settings.max_chars:
        first -= 1
    room = every[first].start + settings.max_chars
    last = candidate.nth
    while last + 1 < len(every) and every[last + 1].end <= room and _extends_claim(candidate, last + 1, every, scores, settings):
        last += 1
    while last > candidate.nth and is_reference(source.text[every[last].start : every[last].end], source.lang):
        last -= 1
    alone = role is not Role.EXCEPTION or first == candidate.nth
    return SelectedClaim(source, every[first].start, every[last].end, role if alone else Role.RULE)


def _extends_claim(
    candidate: AnswerCandidate,
    nth: int,
    clauses: Sequence[Clause],
    scores: Mapping[tuple[int, int], float],
    settings: AnswerSettings,
) -> bool:
    """Whether the nth clause of a rule belongs to the statement of a selected earlier one, or has nearly the same score."""
    source = candidate.source
    if is_reference(source.text[clauses[nth].start : clauses[nth].end], source.lang):
        return True
    if continues_previous(source.text, clauses[nth], clauses[nth - 1], source.lang):
        return True
    own = scores[source.rule, candidate.nth] - settings.first_clause_bonus * (candidate.nth == 0)
    return scores.get((source.rule, nth), 0.0) >= own - settings.next_drop


def add_parts(
    claims: Sequence[SelectedClaim], parts_of: Callable[[SelectedClaim], Sequence[QuotedRule]], settings: AnswerSettings
) -> list[SelectedClaim]:
    """Claims, where a claim that introduces a list is followed by the rules that are its items.

    These rules make no claims elsewhere.
    If there are more than `max_parts`, the claim says how many are left out.
    """
    parts_of_claims = [parts_of(claim) if _introduces_list(claim) else () for claim in claims]
    parts_in_lists = {part.record["iri"] for parts in parts_of_claims if len(parts) <= settings.max_parts for part in parts}
    with_parts: list[SelectedClaim] = []
    for claim, parts in zip(claims, parts_of_claims, strict=True):
        if claim.source.record["iri"] in parts_in_lists and not parts:
            continue
        if len(parts) > settings.max_parts:
            with_parts.append(replace(claim, left_out=len(parts)))
            continue
        iri = claim.source.record["iri"]
        with_parts += [claim, *(SelectedClaim(part, 0, len(part.text.rstrip()), claim.role, part_of=iri) for part in parts)]
    return with_parts


def _introduces_list(claim: SelectedClaim) -> bool:
    """Whether a clause of a claim introduces a list."""
    lang = claim.source.lang
    return any(introduces_list(claim.text[clause.start : clause.end], lang) for clause in split_clauses(claim.text, lang))


def _is_exception(clause: Clause, source: QuotedRule) -> bool:
    """Whether a clause restricts the preceding text."""
    return clause.dependent and is_exception(source.text[clause.start : clause.end], source.lang)


def _merge_overlapping(claims: Sequence[SelectedClaim]) -> list[SelectedClaim]:
    """Merges overlapping claims of one rule."""
    distinct: list[SelectedClaim] = []
    for claim in claims:
        overlapping = next((at for at, other in enumerate(distinct) if _do_overlap(claim, other)), None)
        if overlapping is None:
            distinct.append(claim)
        else:
            distinct[overlapping] = _union_of_claims(distinct[overlapping], claim)
    return distinct


def _do_overlap(claim: SelectedClaim, other: SelectedClaim) -> bool:
    return claim.source.rule == other.source.rule and claim.start < other.end and other.start < claim.end


def _union_of_claims(claim: SelectedClaim, other: SelectedClaim) -> SelectedClaim:
    role = min(claim.role, other.role, key=list(Role).index)
    return SelectedClaim(claim.source, min(claim.start, other.start), max(claim.end, other.end), role)
