"""Runs: the ranked rules of a search for each topic, measured with ir_measures."""

import random
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from bench.search.baseline import Baseline
from bench.search.homes import Library
from bench.search.topics import Topic
from corpus.model import HEADING_KINDS
from search.rank.ranker import NO_RANKING
from search.searcher import Request, Searcher

TEN = 10
ABSTAINED = "abstained"
WITH_INTERVAL = ("R@10", "nDCG@10", "gain")
"""Measures whose means are printed with an interval."""
_DRAWS = 2000


class RankedList(NamedTuple):
    """The rules that a search found for a topic, the best first, as `game:locator`; and whether it abstained."""

    rules: Sequence[str]
    abstained: bool = False


Search = Callable[[Topic], RankedList]


class Outcome(NamedTuple):
    """A topic with its figures: ABSTAINED and, if it needs rules, R@10, R@50, Success@1, Success@3, Success@10 and RR@10."""

    topic: Topic
    figures: Mapping[str, float]


Group = tuple[str, Sequence[Outcome]]
"""Outcomes with a name."""


def evaluate(topics: Sequence[Topic], search: Search) -> list[Outcome]:
    """The outcomes of topics with different identifiers, in their order. A rule that is found twice counts once."""
    from ir_measures import RR, R, Success, iter_calc

    measures = (R @ TEN, R @ 50, Success @ 1, Success @ 3, Success @ TEN, RR @ TEN)
    rankings = {topic.ident: search(topic) for topic in topics}
    figures: dict[str, dict[str, float]] = defaultdict(dict)
    relevance = {topic.ident: dict.fromkeys(topic.needs, 1) for topic in topics if topic.needs}
    run = {ident: _scores(ranked.rules) for ident, ranked in rankings.items() if ranked.rules}
    for metric in iter_calc(measures, relevance, run):
        figures[metric.query_id][str(metric.measure)] = metric.value
    return [Outcome(topic, figures[topic.ident] | {ABSTAINED: float(rankings[topic.ident].abstained)}) for topic in topics]


def _scores(rules: Sequence[str]) -> dict[str, float]:
    """A falling score for each rule. A repeated rule keeps its rank under a name that no topic needs."""
    names = (f"{rule} again at {rank}" if rule in rules[:rank] else rule for rank, rule in enumerate(rules))
    return {name: float(-rank) for rank, name in enumerate(names)}


def product_search(searcher: Searcher, limit: int = TEN) -> Search:
    """The product's search; the rules are ranked even if it abstains."""

    def rank(topic: Topic) -> RankedList:
        request = Request(topic.query, topic.games, limit=limit)
        query, vectors, ranking = retrieval = searcher.retrieve(request)
        if ranking is NO_RANKING:
            ranking = searcher.rank(query, request, vectors)
        rules = (searcher.index.rules[hit.rule] for hit in ranking.hits)
        return RankedList([f"{rule.game}:{rule.locator}" for rule in rules], searcher.search(request, retrieval).abstained)

    return rank


def plain_bm25(library: Library) -> Search:
    """Plain BM25 over the texts, which a home with only the digest lacks."""
    records = [
        record for record in library.knowledge.all_records() if library.texts[record["iri"]] and record["kind"] not in HEADING_KINDS
    ]
    if not records:
        return lambda _: RankedList(())
    index = Baseline([library.texts[record["iri"]] for record in records])
    rules = [f"{record['game']}:{record['locator']}" for record in records]
    return lambda topic: RankedList([rules[place] for place in index.best_places(topic.query, TEN)])


def by(outcomes: Iterable[Outcome], key: Callable[[Topic], str], name: str = "{}") -> list[Group]:
    """The outcomes with the same key, in the order of the keys."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[key(outcome.topic)].append(outcome)
    return [(name.format(value), groups[value]) for value in sorted(groups)]


def print_table(title: str, measures: Sequence[str], groups: Iterable[Group]) -> None:
    """Prints the number of topics of each group, and the mean of each measure over its topics that have it."""
    rows = [(name, str(len(outcomes)), [_value(outcomes, measure) for measure in measures]) for name, outcomes in groups]
    for name, count, texts in [(title, "topics", measures), *rows]:
        columns = zip(measures, texts, strict=True)
        print(f"{name:<32}{count:>7}" + "".join(f"{text:>{24 if measure in WITH_INTERVAL else 13}}" for measure, text in columns))
    sys.stdout.flush()


def _value(outcomes: Sequence[Outcome], measure: str) -> str:
    values = [outcome.figures[measure] for outcome in outcomes if measure in outcome.figures]
    if not values or measure not in WITH_INTERVAL:
        return f"{statistics.fmean(values):.3f}" if values else ""
    low, high = confidence_interval(values)
    return f"{statistics.fmean(values):.3f} [{low:.3f}, {high:.3f}]"


def confidence_interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % bootstrap interval of a mean."""
    draw = random.Random(0)
    means = sorted(statistics.fmean(draw.choices(values, k=len(values))) for _ in range(_DRAWS))
    return means[_DRAWS // 40], means[-_DRAWS // 40]
