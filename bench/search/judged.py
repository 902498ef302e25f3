"""The judged queries of the evaluation set: nDCG@10."""

import os
import random
import runpy
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import rulestone
from bench.measure import rulebook_folder, use_only_seed_digests
from bench.search.baseline import Baseline
from bench.search.homes import Library
from bench.search.runs import ABSTAINED, Group, Outcome, by, print_table
from bench.search.topics import Topic
from search.searcher import Request
from search.settings import SEARCH, Field, SearchSettings

NDCG = "nDCG@10"
Query = Mapping[str, Any]
Line = Mapping[str, Any]
Answers = Callable[[Query], Line]
"""A search in the formats of the scorer."""
_PLAIN_SETTINGS = replace(
    SEARCH, bm25_fields={Field.TEXT: 1.0, Field.CONTEXT: 0.4}, concept_weight=0.0, static_weight=0.0, counterpart_share=0.0
)
STEPS: Mapping[str, SearchSettings] = {
    "BM25 over texts and titles": _PLAIN_SETTINGS,
    "+ glosses": replace(_PLAIN_SETTINGS, bm25_fields={**SEARCH.bm25_fields, Field.QUESTION: 0.0}),
    "+ asked-as": replace(_PLAIN_SETTINGS, bm25_fields=SEARCH.bm25_fields),
    "+ concept tokens": replace(SEARCH, static_weight=0.0, counterpart_share=0.0),
    "+ dense": replace(SEARCH, counterpart_share=0.0),
    "+ mappings": SEARCH,
    "all but asked-as": replace(
        SEARCH, bm25_fields={**SEARCH.bm25_fields, Field.QUESTION: 0.0}, static_fields={**SEARCH.static_fields, Field.QUESTION: 0.0}
    ),
}
"""Every step of the ablation; the last but one is the shipped state."""
SETTINGS_GRID = tuple(
    replace(SEARCH, bm25_other_fields=others, counterpart_share=counterparts, static_weight=dense)
    for others, counterparts, dense in product((0.2, 0.4, 0.6), (0.3, 0.45, 0.6), (1.0, 2.0, 3.0))
)
"""The choices of the cross-validation."""


def folder() -> Path:
    """The evaluation set beside the rulebooks."""
    return rulebook_folder().parent / "eval"


def load_scorer() -> SimpleNamespace:
    """The scorer of the evaluation set; ends the program with a message if it is missing."""
    file = folder() / "score.py"
    if not file.exists():
        sys.exit(f"no {file}: the evaluation set is missing")
    return SimpleNamespace(**runpy.run_path(str(file)))


def product_lines(library: Library, settings: SearchSettings = SEARCH, *, use_abstention: bool = False) -> Answers:
    """The ten hits of search; with `use_abstention`, the scorer ignores them where search abstains."""
    searcher = library.searcher(settings)

    def answer(query: Query) -> Line:
        request = Request(query["query"], (query["game"],) if query["game"] else ())
        rules = (searcher.index.rules[hit.rule] for hit in searcher.rank(searcher.understand(request), request).hits)
        bodies = [{"game": rule.game, "number": rule.number, "text": library.texts[rule.iri]} for rule in rules]
        return {"hits": bodies, "abstained": use_abstention and searcher.search(request).abstained}

    return answer


def bm25_lines(library: Library) -> Answers:
    """The same of plain BM25 over the texts."""
    records = [record for record in library.knowledge.all_records() if library.texts[record["iri"]]]

    def answer(query: Query) -> Line:
        there = [record for record in records if query["game"] in (None, record["game"])]
        texts = [library.texts[record["iri"]] for record in there]
        places = Baseline(texts).best_places(query["query"], 10)
        bodies = [{"game": there[place]["game"], "number": there[place]["number"], "text": texts[place]} for place in places]
        return {"hits": bodies, "abstained": False}

    return answer


def score_lines(score: SimpleNamespace, queries: Sequence[Query], answer: Answers) -> list[Outcome]:
    """The outcomes of queries, with the figures of the scorer that they have."""
    outcomes = []
    for query in queries:
        line = answer(query)
        figures = {name: value for name, value in score.score_query(query, line).items() if value is not None}
        topic = Topic(query["id"], "judged", query["lang"], query["query"], kind=query["type"])
        outcomes.append(Outcome(topic, figures | {ABSTAINED: float(line["abstained"])}))
    return outcomes


def ablation(score: SimpleNamespace, library: Library, queries: Sequence[Query]) -> Iterator[Group]:
    """The outcomes of each step, with the gain over the step before."""
    steps = {f"  {name}": product_lines(library, settings) for name, settings in STEPS.items()}
    before: dict[str, float] = {}
    for name, answer in {"  plain BM25": bm25_lines(library), **steps}.items():
        outcomes = score_lines(score, queries, answer)
        values = ndcg_by_query(outcomes)
        gains = {ident: {"gain": values[ident] - value} for ident, value in before.items()}
        yield name, [Outcome(own.topic, {**own.figures, **gains.get(own.topic.ident, {})}) for own in outcomes]
        before = values


def ndcg_by_query(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Query → its figure."""
    return {outcome.topic.ident: outcome.figures[NDCG] for outcome in outcomes}


def cross_validated(score: SimpleNamespace, library: Library, queries: Sequence[Query], fold_count: int = 5) -> float:
    """nDCG@10 where each fifth of the queries is ranked with the weights that are best for the other four."""
    values = [ndcg_by_query(score_lines(score, queries, product_lines(library, settings))) for settings in SETTINGS_GRID]
    names = [query["id"] for query in queries]
    random.Random(0).shuffle(names)
    held_out: list[float] = []
    for fold in range(fold_count):
        out = set(names[fold::fold_count])
        best = max(values, key=lambda scores: statistics.fmean(value for name, value in scores.items() if name not in out))
        held_out += [best[name] for name in out]
    return statistics.fmean(held_out)


def groups(outcomes: Sequence[Outcome]) -> Iterator[Group]:
    """The answerable queries, those that cross languages or games, and those of each type and language."""
    answerable = [outcome for outcome in outcomes if NDCG in outcome.figures]
    yield "overall", answerable
    crossing = ("cross_lingual", "cross_game")
    yield " and ".join(crossing), [outcome for outcome in answerable if outcome.topic.kind in crossing]
    yield from by(outcomes, lambda topic: topic.kind, "  {}")
    yield from by(answerable, lambda topic: topic.lang, "  {}")


def main() -> None:
    """Prints every figure of the judged queries."""
    use_only_seed_digests()
    score, seeds = load_scorer(), sorted((rulebook_folder() / "seeds").glob("*.txt"))
    queries = score.load_queries(folder() / "queries.jsonl")
    answerable = [query for query in queries if query["relevant"]]
    with tempfile.TemporaryDirectory() as folder_name:
        scratch = Path(folder_name)
        rulestone.Library.open(scratch / "seeds").add(seeds)
        rulestone.Library.open(scratch / "digest").build()
        whole = Library(scratch / "seeds")
        fresh = Library(scratch / "digest", whole.texts)
        for name, library in (("the five seeds", whole), ("a fresh clone: the digest alone", fresh)):
            outcomes = score_lines(score, queries, product_lines(library, use_abstention=True))
            print_table(f"== {name}", (NDCG, "Recall@10", "MRR@10", ABSTAINED), groups(outcomes))
        print_table("  == ablation, abstention off", (NDCG, "gain"), ablation(score, whole, answerable))
        validated = cross_validated(score, whole, answerable)
        print(f"weights chosen by 5-fold cross-validation from {len(SETTINGS_GRID)}: {NDCG} {validated:.3f}")


if __name__ == "__main__":
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    main()
