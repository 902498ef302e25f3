"""Whether Milvus answers as the arrays do, and what it costs by size: python -m bench.speed.milvus [--home DIR] [--sizes 10000 …].

Without RULESTONE_INDEX it is Milvus Lite, a file in a folder of its own. A home's index is pushed to it and every question of
`bench/speed/queries.txt` and of two files of questions in `bench/search` is asked of both; then invented rules of each size are
indexed, pushed and asked the same way, each in a process of its own; times are those of the whole ranking.
"""

import argparse
import os
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.speed.answers import LIMIT, agreement, asked, times
from bench.speed.milvus_sizes import connected, of_size
from bench.speed.processes import held, processor
from bench.speed.sizes import QUERIES
from corpus.store.home import Home, checksums
from ontology.knowledge import Knowledge
from search.index.milvus.collections import INDEX, Collections, address
from search.index.milvus.engine import opening
from search.index.milvus.push import push
from search.searcher import Request, Searcher

ASKED = ("search/judge_questions.toml", "search/forum_questions.toml")


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


def of_home(home: Path, collections: Collections, most: int | None) -> None:
    """Compares all that a home answers."""
    bundle = Home(home).current()
    if bundle is None:
        raise SystemExit(f"{home} holds no knowledge base")
    knowledge, seal = Knowledge.open(bundle), checksums.sealed_with(bundle)
    own = Searcher(bundle, knowledge)
    before, began, own_time = held(), time.perf_counter(), processor()
    count = push(collections, seal, own.indexes)
    took = f"{time.perf_counter() - began:.0f} s (cpu {processor() - own_time:.0f})"
    print(f"{home.name} · {count} passages pushed in {took}", flush=True)
    theirs = Searcher(bundle, knowledge, opening=opening(collections, seal))
    texts = questions()[:most]
    for searcher in (own, theirs):
        searcher.wait()
    arrays, milvus = ([*asked(lambda text, of=engine: _iris(of, text), texts)] for engine in (own, theirs))  # type: ignore[misc]
    print(f"{home.name} · {agreement(arrays, milvus)} · arrays {times(arrays)} · Milvus {times(milvus)}")
    print(f"{home.name} · {(held().resident - before.resident) / 1e6:.0f} MB more in memory with both")
    for text, mine, other in zip(texts, arrays, milvus, strict=True):
        if mine.first != other.first:
            print(f"  differs at {_where(mine.first, other.first)}: {text[:80]}")


def _iris(searcher: Searcher, text: str) -> list[str]:
    return [hit["iri"] for hit in searcher.search(Request(text, limit=LIMIT))["hits"]]


def _where(first: Sequence[str], other: Sequence[str]) -> int:
    """The first rank, from 1 on, at which two lists are not the same."""
    return next((rank for rank, pair in enumerate(zip(first, other, strict=False), 1) if pair[0] != pair[1]), len(first) + 1)


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.milvus", description="Milvus beside the arrays.")
    parser.add_argument("--home", type=Path, help="a home folder whose index is pushed and asked")
    parser.add_argument("--sizes", type=int, nargs="*", default=[], help="passages of invented rules")
    parser.add_argument("--keep", type=Path, help="a folder where the indexes of invented rules are, or stay")
    parser.add_argument("--copies", type=int, default=1, help="so many copies of smaller indexes make up each of the sizes")
    parser.add_argument("--most", type=int, help="questions of each, at most")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        at = address(os.environ.get(INDEX, f"milvus://{folder}/bench.db"))
        for size in given.sizes:
            of_size(size, at, given.keep or Path(folder), given.copies, given.most)
        if given.home:
            with connected(at) as collections:
                of_home(given.home, collections, given.most)


if __name__ == "__main__":
    main()
