"""Our index and plain BM25 over the same passages: time to build and to query, memory and disk, each in its own process."""

import json
import resource
import statistics
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from bench.measure import elapsed_seconds
from bench.search.baseline import Baseline
from bench.search.homes import bundle_of
from bench.speed.synthetic import TextGenerator
from corpus.address import EditionKey
from corpus.contract import RuleRecord
from corpus.store.engine import Store
from corpus.store.home.checksums import STORE_FOLDER
from corpus.store.home.manifest import EditionEntry, Manifest
from corpus.store.records import edition_of
from ontology.knowledge import Knowledge
from rulestone.search_bodies import search_body
from search.encode.choice import configured_encoder
from search.index import index
from search.index.passages import passages, questions_by_rule
from search.query.query import understand
from search.rank.ranker import Ranker
from search.searcher import Request, Searcher

QUERIES = Path(__file__).with_name("queries.txt")
LIMIT, ROUNDS = 10, 5


class BuildFigures(NamedTuple):
    """The cost of building an index: seconds, peak memory of the process and size on disk in bytes, passages."""

    seconds: float
    peak: int
    disk: int
    passages: int


class QueryFigures(NamedTuple):
    """The cost of answering: seconds of every query (its best of some rounds), and peak memory of the process in bytes."""

    seconds: list[float]
    peak: int

    def percentile(self, share: int) -> float:
        """The given percentile of the query times in milliseconds."""
        return 1000 * statistics.quantiles(self.seconds, n=100, method="inclusive")[share - 1]


class RuleSample(Knowledge):
    """A library of some rules, with their questions and counterparts in a store."""

    def __init__(self, records: Sequence[RuleRecord], store: Store) -> None:
        super().__init__(store, Manifest(editions=_editions(records)))
        self._listed = records
        self.words = list(self._passages())

    def all_records(self) -> Iterator[RuleRecord]:
        """Every rule."""
        return iter(self._listed)

    def compact_records(self, editions: Collection[EditionKey] | None = None) -> Iterator[RuleRecord]:
        """The rules of some editions (None: of all)."""
        return (record for record in self._listed if editions is None or edition_of(record) in editions)

    def _passages(self) -> Iterator[str]:
        questions = questions_by_rule(self)
        above = {record["iri"]: record for record in self._listed}
        for place, record in enumerate(self._listed):
            texts = passages(place, record, questions.get(record["iri"], ()), above.get(record["parent"] or ""))
            yield from (passage.text for passage in texts)


def _editions(records: Sequence[RuleRecord]) -> dict[EditionKey, EditionEntry]:
    """The editions of some rules; rules without an edition are not searchable."""
    entries: dict[EditionKey, EditionEntry] = {}
    for record in records:
        key = edition_of(record)
        known_languages = entries[key].languages if key in entries else {}
        languages = {**known_languages, **{lang: text["authority"] for lang, text in record["texts"].items()}}
        entries[key] = EditionEntry(key.game, key.book, key.edition, "", 0, (), (), {}, languages, {}, 0, "", {})
    return entries


def write_cut(home: Path | None, count: int, file: Path) -> None:
    """Writes rules with about this many passages: from all parts of a home's books, or generated ones without a home."""
    records: list[Any] = TextGenerator(1).records(count) if home is None else list(Knowledge.open(bundle_of(home)).all_records())
    if home is not None:
        every = len(RuleSample(records, _store(home)).words)
        records = [records[int(place * every / count)] for place in range(int(len(records) * count / every))]
    file.write_text(json.dumps(records), encoding="utf-8")


def read_library(home: Path | None, file: Path) -> RuleSample:
    """The rules of a file."""
    return RuleSample(json.loads(file.read_text(encoding="utf-8")), _store(home))


def _store(home: Path | None) -> Store:
    return Store(bundle_of(home) / STORE_FOLDER, read_only=True) if home else Store()


def queries(home: Path | None) -> Sequence[str]:
    """The queries."""
    return TextGenerator(2).queries(60) if home is None else QUERIES.read_text(encoding="utf-8").splitlines()


def build_ours(home: Path | None, file: Path, folder: Path) -> BuildFigures:
    """Builds our index."""
    rules = read_library(home, file)
    return _measure_build(lambda: index.write_index(folder, rules, configured_encoder()), folder, len(rules.words))


def ask_ours(home: Path | None, folder: Path) -> QueryFigures:
    """Understands, encodes and ranks with our index."""
    own_index, words = index.Index(folder), configured_encoder()
    ranker = Ranker(own_index)

    def answer(query: str) -> object:
        return ranker.rank(understand(query, own_index.lexicon, own_index.vocabulary), words.encode([query])[0], LIMIT)

    return _measure_questions(queries(home), answer)


def build_plain(home: Path | None, file: Path, folder: Path) -> BuildFigures:
    """Builds plain BM25."""
    rules = read_library(home, file)
    return _measure_build(lambda: Baseline(rules.words).save(folder), folder, len(rules.words))


def ask_plain(home: Path | None, folder: Path) -> QueryFigures:
    """Answers with plain BM25."""
    baseline = Baseline.open(folder)
    return _measure_questions(queries(home), lambda query: baseline.best_places(query, LIMIT))


def answer_requests(home: Path) -> QueryFigures:
    """Answers complete requests from a home's bundle."""
    bundle = bundle_of(home)
    searcher = Searcher(bundle, Knowledge.open(bundle))
    searcher.wait_for_encoder()
    return _measure_questions(queries(home), lambda query: search_body(searcher, Request(query)))


def _measure_build(function: Callable[[], object], folder: Path, count: int) -> BuildFigures:
    return BuildFigures(elapsed_seconds(function), peak_memory(), sum(file.stat().st_size for file in folder.rglob("*")), count)


def _measure_questions(texts: Sequence[str], function: Callable[[str], object]) -> QueryFigures:
    for text in texts[:5]:  # read once
        function(text)
    seconds = [min(elapsed_seconds(partial(function, text)) for _ in range(ROUNDS)) for text in texts]  # the machine may be busy
    return QueryFigures(seconds, peak_memory())


def peak_memory() -> int:
    """The peak memory of this process in bytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most * (1 if sys.platform == "darwin" else 1024)


def run_in_process(function: Callable[..., Any], *arguments: object) -> Any:  # noqa: ANN401
    """The result of a call in a new process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(function, *arguments).result()


def compare_size(home: Path | None, count: int) -> QueryFigures:
    """Prints the figures of both for one size, ours first; returns our query times."""
    with tempfile.TemporaryDirectory() as scratch:
        file, mine, other = (Path(scratch) / name for name in ("records.json", "ours", "plain"))
        run_in_process(write_cut, home, count, file)
        rows: list[tuple[str, BuildFigures, QueryFigures]] = [
            ("rulestone", run_in_process(build_ours, home, file, mine), run_in_process(ask_ours, home, mine)),
            ("plain bm25s", run_in_process(build_plain, home, file, other), run_in_process(ask_plain, home, other)),
        ]
    for name, build_cost, answer_figures in rows:
        times = " ".join(f"{answer_figures.percentile(share):7.2f}" for share in (50, 95, 99))
        megabytes = " ".join(f"{size / 1e6:7.1f}" for size in (build_cost.peak, answer_figures.peak, build_cost.disk))
        what = "invented" if home is None else "real"
        print(
            f"     {name:<12}{build_cost.passages:>8} {what:<9}{build_cost.seconds:7.2f} s   {times} ms   {megabytes} MB",
            flush=True,
        )
    return rows[0][2]
