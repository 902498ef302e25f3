"""Our index and plain BM25 over the same passages: time to build and to answer, memory and disk, a process for each figure."""

import json
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from bench.search.baseline import Baseline
from bench.speed.synthetic import Chance
from corpus.address import EditionKey
from corpus.contract import RuleRecord
from corpus.store.engine import Store
from corpus.store.home import Home
from corpus.store.home.checksums import STORE
from corpus.store.home.manifest import EditionEntry, Manifest
from corpus.store.records import edition_of
from ontology.knowledge import Knowledge
from search.encode.choice import encoder
from search.index import index
from search.index.passages import passages, questions_by_rule
from search.query.query import understand
from search.rank.ranker import Ranker
from search.searcher import Request, Searcher

QUERIES = Path(__file__).with_name("queries.txt")
LIMIT, ROUNDS = 10, 5


class Built(NamedTuple):
    """The cost of building an index: seconds, peak memory of the process and size on disk in bytes, passages."""

    seconds: float
    peak: int
    disk: int
    passages: int


class Asked(NamedTuple):
    """The cost of answering: seconds of every query (its best of some rounds), and peak memory of the process in bytes."""

    seconds: list[float]
    peak: int

    def percentile(self, share: int) -> float:
        """So many percent of the queries took at most this long, in milliseconds."""
        return 1000 * statistics.quantiles(self.seconds, n=100, method="inclusive")[share - 1]


class Cut(Knowledge):
    """A library of some rules, with the questions and the counterparts that a store has of them."""

    def __init__(self, records: Sequence[RuleRecord], store: Store) -> None:
        super().__init__(store, Manifest(editions=_editions(records)))
        self._listed = records
        self.words = list(self._passages())

    def every_record(self) -> Iterator[RuleRecord]:
        """Every rule."""
        return iter(self._listed)

    briefly = every_record

    def _passages(self) -> Iterator[str]:
        questions = questions_by_rule(self)
        above = {record["iri"]: record for record in self._listed}
        for place, record in enumerate(self._listed):
            texts = passages(place, record, questions.get(record["iri"], ()), above.get(record["parent"] or ""))
            yield from (passage.text for passage in texts)


def _editions(records: Sequence[RuleRecord]) -> dict[EditionKey, EditionEntry]:
    """The editions that some rules stand in: what no edition has is not searched."""
    entries: dict[EditionKey, EditionEntry] = {}
    for record in records:
        key = edition_of(record)
        known = entries[key].languages if key in entries else {}
        languages = {**known, **{lang: text["authority"] for lang, text in record["texts"].items()}}
        entries[key] = EditionEntry(key.game, key.book, key.edition, "", 0, (), (), {}, languages, {}, 0, "", {})
    return entries


def cut(home: Path | None, count: int, file: Path) -> None:
    """Writes rules with about so many passages: from everywhere in a home's books, or invented ones without a home."""
    records: list[Any] = Chance(1).records(count) if home is None else list(Knowledge.open(_bundle(home)).every_record())
    if home is not None:
        every = len(Cut(records, _store(home)).words)
        records = [records[int(place * every / count)] for place in range(int(len(records) * count / every))]
    file.write_text(json.dumps(records), encoding="utf-8")


def library(home: Path | None, file: Path) -> Cut:
    """The rules of a file."""
    return Cut(json.loads(file.read_text(encoding="utf-8")), _store(home))


def _store(home: Path | None) -> Store:
    return Store(_bundle(home) / STORE, read_only=True) if home else Store()


def _bundle(home: Path) -> Path:
    bundle = Home(home).current()
    if bundle is None:
        raise SystemExit(f"{home} holds no knowledge base")
    return bundle


def queries(home: Path | None) -> Sequence[str]:
    """The queries."""
    return Chance(2).queries(60) if home is None else QUERIES.read_text(encoding="utf-8").splitlines()


def ours(home: Path | None, file: Path, folder: Path) -> Built:
    """Builds our index."""
    rules = library(home, file)
    return _built(lambda: index.write(folder, rules, encoder()), folder, len(rules.words))


def ours_asked(home: Path | None, folder: Path) -> Asked:
    """Understands, encodes and ranks with our index."""
    read, words = index.Index(folder), encoder()
    ranker = Ranker(read)

    def answer(query: str) -> object:
        return ranker.rank(understand(query, read.lexicon, read.vocabulary), words.encode([query])[0], LIMIT)

    return _asked(queries(home), answer)


def plain(home: Path | None, file: Path, folder: Path) -> Built:
    """Builds plain BM25."""
    rules = library(home, file)
    return _built(lambda: Baseline(rules.words).save(folder), folder, len(rules.words))


def plain_asked(home: Path | None, folder: Path) -> Asked:
    """Answers with plain BM25."""
    read = Baseline.open(folder)
    return _asked(queries(home), lambda query: read.first(query, LIMIT))


def answered(home: Path) -> Asked:
    """Answers whole requests from a home's bundle."""
    bundle = _bundle(home)
    searcher = Searcher(bundle, Knowledge.open(bundle))
    searcher.wait_for_encoder()
    return _asked(queries(home), lambda query: searcher.search(Request(query)))


def _built(work: Callable[[], object], folder: Path, count: int) -> Built:
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    return Built(seconds, peak(), sum(file.stat().st_size for file in folder.rglob("*")), count)


def _asked(texts: Sequence[str], work: Callable[[str], object]) -> Asked:
    for text in texts[:5]:  # what is read once
        work(text)
    seconds = []
    for text in texts:
        took = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            work(text)
            took.append(time.perf_counter() - start)
        seconds.append(min(took))  # the machine may be busy with something else
    return Asked(seconds, peak())


def peak() -> int:
    """The most memory that this process has held, in bytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most * (1 if sys.platform == "darwin" else 1024)


def alone(work: Callable[..., Any], *arguments: object) -> Any:  # noqa: ANN401
    """The result of a call in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(work, *arguments).result()


def compared(home: Path | None, count: int) -> Asked:
    """Prints one size of both, ours first; gives our answers."""
    with tempfile.TemporaryDirectory() as scratch:
        file, mine, other = (Path(scratch) / name for name in ("records.json", "ours", "plain"))
        alone(cut, home, count, file)
        rows: list[tuple[str, Built, Asked]] = [
            ("rulestone", alone(ours, home, file, mine), alone(ours_asked, home, mine)),
            ("plain bm25s", alone(plain, home, file, other), alone(plain_asked, home, other)),
        ]
    for name, built, answered in rows:
        times = " ".join(f"{answered.percentile(share):7.2f}" for share in (50, 95, 99))
        megabytes = " ".join(f"{size / 1e6:7.1f}" for size in (built.peak, answered.peak, built.disk))
        what = "invented" if home is None else "real"
        print(f"     {name:<12}{built.passages:>8} {what:<9}{built.seconds:7.2f} s   {times} ms   {megabytes} MB", flush=True)
    return rows[0][2]
