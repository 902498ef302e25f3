"""Whether Milvus answers as the arrays do, and what it costs by size: python -m bench.speed.milvus [--home DIR] [--sizes 10000 …].

Without RULESTONE_INDEX it is Milvus Lite, a file in a folder of its own. A home's index is pushed to it and every question of
`bench/speed/queries.txt` and of two files of questions in `bench/search` is asked of both; then invented rules of
each size are indexed, pushed and asked the same way. Figures of one line are of one process; times are those of the whole ranking.
"""

import argparse
import os
import statistics
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from bench.speed.sizes import QUERIES, alone, cut, ours, peak, queries
from ontology.store.home import Home, checksums
from ontology.store.knowledge import Knowledge
from search.encode.choice import encoder
from search.index.index import FOLDER, Index
from search.index.milvus.collections import INDEX, TOKEN, Collections, address
from search.index.milvus.engine import opening
from search.index.milvus.publish import publish
from search.query.query import understand
from search.rank.ranker import Ranker
from search.rulings.index import FOLDER as RULINGS
from search.searcher import Request, Searcher

LIMIT = 10
ASKED = ("search/judge_questions.toml", "search/forum_questions.toml")
Ask = Callable[[str], list[str]]


class Told(NamedTuple):
    """The first ten of one question, and what they took."""

    first: list[str]
    seconds: float
    processor: float


def asked(ask: Ask, texts: Sequence[str]) -> list[Told]:
    """What is answered; the first question is asked once before."""
    ask(texts[0])
    return [_told(ask, text) for text in texts]


def _told(ask: Ask, text: str) -> Told:
    began, own = time.perf_counter(), time.process_time()
    hits = ask(text)
    return Told(hits, time.perf_counter() - began, time.process_time() - own)


def questions() -> list[str]:
    """What is asked of a home."""
    bench = QUERIES.parents[1]
    texts = [said for name in ASKED for said in _strings(tomllib.loads((bench / name).read_text(encoding="utf-8")))]
    return [*QUERIES.read_text(encoding="utf-8").splitlines(), *texts]


def _strings(body: Any) -> Iterator[str]:  # noqa: ANN401
    """The questions in a table, however deep they lie."""
    for inner in body.values() if isinstance(body, dict) else body if isinstance(body, list) else ():
        yield from _strings(inner)
    if isinstance(body, dict) and isinstance(body.get("query"), str):
        yield body["query"]


def line(name: str, arrays: Sequence[Told], theirs: Sequence[Told]) -> str:
    """How often both give the same, and how long they take."""
    both = list(zip(arrays, theirs, strict=True))
    same = sum(mine.first == other.first for mine, other in both)
    first = sum(mine.first[:1] == other.first[:1] for mine, other in both)
    sets = sum(set(mine.first) == set(other.first) for mine, other in both)
    counts = f"{len(both)} questions: the same ten in order {same}, the same ten {sets}, the same first {first}"
    return f"{name} · {counts} · arrays {_times(arrays)} · Milvus {_times(theirs)}"


def _times(told: Sequence[Told]) -> str:
    seconds = sorted(answer.seconds for answer in told)
    own = statistics.median(answer.processor for answer in told)
    return f"{1000 * statistics.median(seconds):.1f} ms (95 % {1000 * seconds[int(len(seconds) * 0.95)]:.1f}, cpu {1000 * own:.1f})"


def of_home(home: Path, collections: Collections, most: int | None) -> None:
    """Compares all that a home answers."""
    bundle = Home(home).current()
    if bundle is None:
        raise SystemExit(f"{home} holds no knowledge base")
    knowledge, seal = Knowledge.open(bundle), checksums.sealed_with(bundle)
    own = Searcher(bundle, knowledge)
    began = time.perf_counter()
    count = publish(collections, seal, bundle / FOLDER, own.index.facts, encoded=own.index.is_encoded)
    if own.rulings:
        index = own.rulings.index
        count += publish(collections, seal, bundle / RULINGS, index.facts, encoded=index.is_encoded)
    print(f"{home.name} · {count} passages pushed in {time.perf_counter() - began:.0f} s", flush=True)
    theirs = Searcher(bundle, knowledge, opening=opening(collections, seal))
    texts = questions()[:most]
    for searcher in (own, theirs):
        searcher.wait()
    arrays, milvus = ([*asked(lambda text, of=engine: _iris(of, text), texts)] for engine in (own, theirs))  # type: ignore[misc]
    print(line(home.name, arrays, milvus))
    for text, mine, other in zip(texts, arrays, milvus, strict=True):
        if mine.first != other.first:
            print(f"  differs at {_where(mine.first, other.first)}: {text[:80]}")


def _iris(searcher: Searcher, text: str) -> list[str]:
    return [hit["iri"] for hit in searcher.search(Request(text, limit=LIMIT))["hits"]]


def _where(first: Sequence[str], other: Sequence[str]) -> int:
    """The first rank, from 1 on, at which two lists are not the same."""
    return next((rank for rank, pair in enumerate(zip(first, other, strict=False), 1) if pair[0] != pair[1]), len(first) + 1)


def of_size(count: int, collections: Collections, file: Path, most: int | None) -> None:
    """Compares the ranking of so many invented passages."""
    with tempfile.TemporaryDirectory() as folder:
        records, index = Path(folder) / "rules.json", Path(folder) / FOLDER
        alone(cut, None, count, records)
        alone(ours, None, records, index)
        own = Index(index)
        seal = sha256(f"{count} {(index / 'index.json').stat().st_size}".encode()).hexdigest()
        texts = queries(None)[:most]
        arrays = asked(_ranking(own), texts)
        before, held = _size(file), _held()
        began, processor = time.perf_counter(), time.process_time()
        pushed = publish(collections, seal, index, own.facts, encoded=own.is_encoded)
        took = f"{time.perf_counter() - began:.0f} s (cpu {time.process_time() - processor:.0f})"
        print(f"{pushed} passages · pushed in {took}, {_size(file) - before} MB beside {_size(index)} of the arrays", flush=True)
        milvus = asked(_ranking(Index(index, opening(collections, seal))), texts)
        print(line(f"{pushed} passages", arrays, milvus), flush=True)
        print(f"{pushed} passages · {(_held() - held) // 1_000_000} MB more in memory, {peak() // 1_000_000} at most", flush=True)


def _ranking(index: Index) -> Ask:
    ranker, words = Ranker(index), encoder()

    def ask(text: str) -> list[str]:
        ranking = ranker.rank(understand(text, index.lexicon, index.lexical), words.encode([text])[0], LIMIT)
        return [index.rules[hit.place].iri for hit in ranking.hits]

    return ask


def _size(file: Path) -> int:
    """Megabytes of a file or folder, 0 where it is on a server."""
    return sum(part.stat().st_size for part in file.rglob("*") if part.is_file()) // 1_000_000 if file.exists() else 0


def _held() -> int:
    """Bytes of memory that this process has, Milvus Lite's too; 0 where that is not told."""
    told = Path("/proc/self/statm")
    return int(told.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") if told.exists() else 0


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.milvus", description="Milvus beside the arrays.")
    parser.add_argument("--home", type=Path, help="a home folder whose index is pushed and asked")
    parser.add_argument("--sizes", type=int, nargs="*", default=[], help="passages of invented rules")
    parser.add_argument("--most", type=int, help="questions of each, at most")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        at = address(os.environ.get(INDEX, f"milvus://{folder}/bench.db"))
        collections = Collections(at, os.environ.get(TOKEN, ""))
        if given.home:
            of_home(given.home, collections, given.most)
        for size in given.sizes:
            of_size(size, collections, Path(at.uri), given.most)
        collections.close()


if __name__ == "__main__":
    main()
