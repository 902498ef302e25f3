"""Which clauses are told, and in which order: what a thing is, what the rule says, what it is not said of."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile

from search.answer.candidate import Candidate, Shown
from search.answer.clauses import Clause, clauses, says_enough
from search.answer.phrases import phrases
from search.answer.settings import Settings
from search.answer.weigh import Weighed


class Role(StrEnum):
    """What a claim does; the order of definition is the order of telling."""

    DEFINITION = "definition"
    RULE = "rule"
    EXCEPTION = "exception"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A claim: `shown.text[start:end]`."""

    shown: Shown
    start: int
    end: int
    role: Role

    @property
    def text(self) -> str:
        """Its words."""
        return self.shown.text[self.start : self.end]


def chosen(weighed: Sequence[Weighed], settings: Settings, defines: Callable[[Candidate], bool]) -> list[Chosen]:
    """The claims of an answer in the order of telling; `defines` tells the clauses that say what is asked of.

    Each rule is told with the exception that stands right behind its clause: who is told the one must be told the other.
    """
    weights = {(entry.candidate.shown.place, entry.candidate.nth): entry.weight for entry in weighed}
    picked = [entry.candidate for entry in _picked(weighed, settings)]
    told = [_told(candidate, _role(candidate, defines(candidate)), weights, settings) for candidate in picked]
    exceptions = [exception for claim in told if claim.role is not Role.EXCEPTION for exception in _exceptions(claim)]
    return in_order(_apart([*told, *exceptions[: settings.exceptions]]))


def in_order(some: Iterable[Chosen]) -> list[Chosen]:
    """Claims in the order of telling: definitions, rules, exceptions, each as they came."""
    return sorted(some, key=lambda said: list(Role).index(said.role))


def whole(some: Sequence[Candidate], numbers: Sequence[str], settings: Settings) -> list[Chosen]:
    """Where a rule is asked for by its number and nothing else, its clauses as they come, those of each rule as one claim."""
    asked = [candidate for candidate in some if candidate.shown.record["locator"] in numbers]
    rules = {candidate.shown.place: [other for other in asked if other.shown.place == candidate.shown.place] for candidate in asked}
    spans = ((own[0], own[0].clause.start, own[-1].clause.end) for own in rules.values())
    return [Chosen(first.shown, start, end, Role.RULE) for first, start, end in spans][: settings.claims]


def _picked(weighed: Sequence[Weighed], settings: Settings) -> list[Weighed]:
    """The heaviest clauses, each further one of a rule less, none that says what another says."""
    picked: list[Weighed] = []
    of_rule: Counter[int] = Counter()
    left = list(weighed)

    def worth(weighed: Weighed) -> float:
        return weighed.weight - settings.second * of_rule[weighed.candidate.shown.place]

    while left and len(picked) < settings.claims:
        best = max(left, key=worth)
        if picked and worth(best) < settings.share * picked[0].weight:
            break
        left.remove(best)
        if of_rule[best.candidate.shown.place] < settings.of_rule and not _is_said(best, picked, settings):
            of_rule[best.candidate.shown.place] += 1
            picked.append(best)
    return picked


def _is_said(weighed: Weighed, others: Sequence[Weighed], settings: Settings) -> bool:
    game = weighed.candidate.shown.record["game"]
    same = (other for other in others if other.candidate.shown.record["game"] == game)
    return any(len(weighed.terms & other.terms) >= settings.alike * len(weighed.terms | other.terms) for other in same)


def _role(candidate: Candidate, defines: bool) -> Role:
    if defines and phrases(candidate.shown.lang).defines.search(candidate.text):
        return Role.DEFINITION
    return Role.EXCEPTION if _is_exception(candidate.clause, candidate.shown) else Role.RULE


def _excepts(text: str, lang: str) -> bool:
    said = phrases(lang)
    return bool(said.excepts.search(text)) and not said.without.search(text)


def _told(candidate: Candidate, role: Role, weights: Mapping[tuple[int, int], float], settings: Settings) -> Chosen:
    """A clause with those before it that it leans on, and those behind that say hardly less, as long as a claim may be."""
    every = clauses(candidate.shown.text, candidate.shown.lang)
    first = candidate.nth
    while first > 0 and every[first].leans and candidate.clause.end - every[first - 1].start <= settings.longest:
        first -= 1
    room = every[first].start + settings.longest
    behind = takewhile(lambda nth: every[nth].end <= room, range(candidate.nth + 1, len(every)))
    last = deque(takewhile(lambda nth: _goes_with(candidate, nth, every[nth], weights, settings), behind), maxlen=1)
    alone = role is not Role.EXCEPTION or first == candidate.nth
    return Chosen(candidate.shown, every[first].start, every[last[0] if last else candidate.nth].end, role if alone else Role.RULE)


def _goes_with(
    candidate: Candidate, nth: int, behind: Clause, weights: Mapping[tuple[int, int], float], settings: Settings
) -> bool:
    """Whether a clause behind a chosen one says hardly less of what is asked; an exception is told by itself."""
    own = weights[candidate.shown.place, candidate.nth] - settings.lead * (candidate.nth == 0)
    less = settings.leaning if behind.leans else settings.following
    return not _is_exception(behind, candidate.shown) and weights.get((candidate.shown.place, nth), 0.0) >= own - less


def _exceptions(claim: Chosen) -> Iterator[Chosen]:
    """The exceptions that stand right behind a claim in its rule."""
    behind = (later for later in clauses(claim.shown.text, claim.shown.lang) if later.start >= claim.end)
    for clause in takewhile(lambda exception: _is_exception(exception, claim.shown), behind):
        yield Chosen(claim.shown, clause.start, clause.end, Role.EXCEPTION)


def _is_exception(clause: Clause, shown: Shown) -> bool:
    """Whether a clause takes back some of what stands before it."""
    text = shown.text[clause.start : clause.end]
    return clause.leans and says_enough(text) and _excepts(text, shown.lang)


def _apart(some: Sequence[Chosen]) -> list[Chosen]:
    """Claims without those that stand within another one; what overlaps or touches in one rule is one claim."""
    kept: list[Chosen] = []
    for span in some:
        near = next((at for at, other in enumerate(kept) if _meet(span, other)), None)
        if near is None:
            kept.append(span)
        else:
            kept[near] = _both(kept[near], span)
    return kept


def _meet(span: Chosen, other: Chosen) -> bool:
    return span.shown.place == other.shown.place and span.start < other.end and other.start < span.end


def _both(span: Chosen, other: Chosen) -> Chosen:
    role = min(span.role, other.role, key=list(Role).index)
    return Chosen(span.shown, min(span.start, other.start), max(span.end, other.end), role)
