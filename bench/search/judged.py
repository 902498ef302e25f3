"""The judged queries of the evaluation set: nDCG@10."""

import importlib.util
import io
import os
import random
import statistics
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import rulestone
from bench.measure import rulebook_folder, use_only_seed_digests
from bench.search.baseline import Baseline
from bench.search.homes import Library, library
from bench.search.runs import confidence_interval
from corpus.store.home import Home
from search.searcher import Request, Searcher
from search.settings import SEARCH, Field, SearchSettings

Hits = dict[str, dict[str, Any]]
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


def load_scorer() -> ModuleType:
    """The scorer of the evaluation set."""
    spec = importlib.util.spec_from_file_location("score", folder() / "score.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"no score.py in {folder()}: the evaluation set is missing")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def hits(
    library: Library, queries: Sequence[Mapping[str, Any]], settings: SearchSettings = SEARCH, *, use_abstention: bool = False
) -> Hits:
    """The ten hits of every query in the scorer's format; with `use_abstention`, the scorer ignores them where search abstains."""
    searcher = library.searcher(settings)
    return {query["id"]: _hits_of_query(library, searcher, query, use_abstention=use_abstention) for query in queries}


def _hits_of_query(library: Library, searcher: Searcher, query: Mapping[str, Any], *, use_abstention: bool) -> dict[str, Any]:
    request = Request(query["query"], (query["game"],) if query["game"] else ())
    rules = [searcher.index.rules[hit.rule] for hit in searcher.rank(searcher.understand(request), request).hits]
    abstained = use_abstention and searcher.search(request).abstained
    return _scored_line(library, query["id"], [(rule.iri, rule.game, rule.number) for rule in rules], abstained=abstained)


def _scored_line(library: Library, name: str, hits: Sequence[tuple[str, str, str | None]], *, abstained: bool) -> dict[str, Any]:
    hit_bodies = [{"game": game, "number": number, "text": library.texts[iri]} for iri, game, number in hits]
    return {"id": name, "abstained": abstained, "hits": hit_bodies}


def bm25_baseline(library: Library, queries: Sequence[Mapping[str, Any]]) -> Hits:
    """The same from plain BM25 over the texts."""
    records = [record for record in library.knowledge.all_records() if library.texts[record["iri"]]]
    hits_of: Hits = {}
    for query in queries:
        there = [record for record in records if query["game"] in (None, record["game"])]
        places = Baseline([library.texts[record["iri"]] for record in there]).best_places(query["query"], 10)
        hit_rows = [(there[place]["iri"], there[place]["game"], there[place]["number"]) for place in places]
        hits_of[query["id"]] = _scored_line(library, query["id"], hit_rows, abstained=False)
    return hits_of


def figures_by_query(
    score: ModuleType, queries: Sequence[Mapping[str, Any]], hits_of: Hits, metric: str = "nDCG@10"
) -> dict[str, float]:
    """Query → its figure, for answerable queries."""
    values = {query["id"]: score.score_query(query, hits_of[query["id"]])[metric] for query in queries if query["relevant"]}
    return {name: value for name, value in values.items() if value is not None}


def print_ablation(score: ModuleType, library: Library, queries: Sequence[Mapping[str, Any]]) -> None:
    """Prints each step with its gain over the step before."""
    before: dict[str, float] | None = None
    print(f"  {'step':<30}{'nDCG@10':>9}{'':>17}{'gain':>8}   95 % of the gain")
    rows: list[tuple[str, Hits]] = [("plain BM25 (bench/search/baseline.py)", bm25_baseline(library, queries))]
    rows += [(name, hits(library, queries, settings)) for name, settings in STEPS.items()]
    for name, hits_of in rows:
        values = figures_by_query(score, queries, hits_of)
        low, high = confidence_interval(list(values.values()))
        line = f"  {name:<30}{statistics.fmean(values.values()):>9.3f}  [{low:.3f}, {high:.3f}]"
        if before is not None:
            gains = [values[value] - before[value] for value in values]
            line += (
                f"{statistics.fmean(gains):>+8.3f}   [{confidence_interval(gains)[0]:+.3f}, {confidence_interval(gains)[1]:+.3f}]"
            )
        print(line, flush=True)
        before = values


def cross_validated(score: ModuleType, library: Library, queries: Sequence[Mapping[str, Any]], fold_count: int = 5) -> float:
    """nDCG@10 where each fifth of the queries is ranked with the weights that are best for the other four."""
    answerable = [query for query in queries if query["relevant"]]
    values = [figures_by_query(score, answerable, hits(library, answerable, settings)) for settings in SETTINGS_GRID]
    names = [query["id"] for query in answerable]
    random.Random(0).shuffle(names)
    held_out: list[float] = []
    for fold in range(fold_count):
        out = set(names[fold::fold_count])
        best = max(values, key=lambda scores: statistics.fmean(value for name, value in scores.items() if name not in out))
        held_out += [best[name] for name in out]
    return statistics.fmean(held_out)


def print_pooled(score: ModuleType, queries: Sequence[Mapping[str, Any]], hits_of: Hits) -> None:
    """Prints the pooled figure of the queries that cross languages or games, and every type with its interval."""
    values = figures_by_query(score, queries, hits_of)
    kinds = {"overall": score.TYPES, "cross_lingual and cross_game": ("cross_lingual", "cross_game")}
    for name, types in {**kinds, **{kind: (kind,) for kind in score.TYPES}}.items():
        own = [values[query["id"]] for query in queries if query["id"] in values and query["type"] in types]
        if own:
            low, high = confidence_interval(own)
            print(
                f"{name if len(types) > 1 else f'  {name}':<30}{statistics.fmean(own):>9.3f}  [{low:.3f}, {high:.3f}]  n={len(own)}"
            )


def table(score: ModuleType, queries: Sequence[Mapping[str, Any]], hits_of: Hits) -> None:
    """Prints the scorer's own table, and how often search wrongly abstains."""
    with redirect_stdout(io.StringIO()) as output:
        score.print_table(score.score_all(queries, hits_of))
    print(textwrap.indent(output.getvalue(), "  "), end="")
    wrong = [query["id"] for query in queries if query["relevant"] and hits_of[query["id"]]["abstained"]]
    print(f"answerable queries abstained from: {len(wrong)} of {sum(bool(query['relevant']) for query in queries)}")


def main() -> None:
    """Prints every figure of the judged queries."""
    use_only_seed_digests()
    score, seeds = load_scorer(), sorted((rulebook_folder() / "seeds").glob("*.txt"))
    queries = score.load_queries(folder() / "queries.jsonl")
    with tempfile.TemporaryDirectory() as folder_name:
        scratch = Path(folder_name)
        rulestone.Library.open(scratch / "seeds").add(seeds)
        seeds_library = library(Home(scratch / "seeds"))
        print("== the five seeds")
        table(score, queries, sure := hits(seeds_library, queries, use_abstention=True))
        print_pooled(score, queries, sure)
        print("  == ablation, abstention off")
        print_ablation(score, seeds_library, queries)
        print(
            f"weights chosen by 5-fold cross-validation from {len(SETTINGS_GRID)}: "
            f"nDCG@10 {cross_validated(score, seeds_library, queries):.3f}"
        )
        rulestone.Library.open(scratch / "digest").build()
        print("== a fresh clone: the digest alone")
        fresh = hits(library(Home(scratch / "digest"), seeds_library.texts), queries, use_abstention=True)
        table(score, queries, fresh)
        print_pooled(score, queries, fresh)


if __name__ == "__main__":
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    main()
