"""Requests a second beside a bare FastAPI route with answers of the same size, by wrk: python -m bench.speed.load [--home DIR].

500 different rules, questions and terms are asked in turn, over 8 connections, of a server with one worker for each core; the bare
application is served in the same way, and both are measured in turn.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from bench.measure import RULESTONE
from bench.speed.serving import PORT, home_of_books, serving
from corpus.digest import digests
from rulestone import Library

COUNT, CONNECTIONS, SECONDS, ROUNDS = 500, 8, 4, 3
LEAST = {"rules": 0.5}
"""Requests a second that a kind must reach, as a share of the bare route's; the others are told."""
_SCRIPT = """
local paths = {{ {paths} }}
local place = 0
function request()
  place = place % #paths + 1
  return wrk.format("GET", paths[place])
end
function done(summary, latency, requests)
  local failed = summary.errors.status + summary.errors.read + summary.errors.timeout
  local rate = summary.requests / summary.duration * 1e6
  io.write(string.format("FIGURES %f %f %f %d\\n", rate, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, failed))
end
"""


class Load(NamedTuple):
    """The figures of wrk: requests a second, milliseconds, failed requests."""

    rate: float
    p50: float
    p99: float
    failed: int


def paths(library: Library) -> dict[str, list[str]]:
    """The requests, by kind."""
    records = (json.loads(line) for piece in library.export("jsonl") for line in piece.splitlines())
    rules = [f"/v1/rules/{record['iri'].partition('/id/')[2]}" for record in records if record["number"]]
    asked = [words for digest in digests() for gloss in digest.glosses for words in gloss.asked.get("en", ())[:1]]
    names = [concept["label"] for concept in library.concepts(limit=1000, lang="en")["concepts"]]
    return {
        "rules": [quote(path) for path in _spread(rules)],
        "search": [f"/v1/search?q={quote(words)}" for words in _spread(asked)],
        "terms": [f"/v1/terms?label={quote(name)}" for name in _spread(names)],
        "zones": ["/v1/zones?lang=en", "/v1/zones?lang=ja", "/v1/zones?lang=zh", "/v1/zones?games=dm,mtg&lang=en"],
    }


def _spread(lines: Sequence[str]) -> list[str]:
    """So many of them, from the first to the last."""
    step = max(1, len(lines) // COUNT)
    return list(lines[::step][:COUNT])


def wrk(port: int, asked: Sequence[str], seconds: int = SECONDS) -> Load:
    """The load that a server bears."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(_SCRIPT.format(paths=", ".join(json.dumps(path) for path in asked)))
        script.flush()
        command = [
            "wrk",
            "-t1",
            f"-c{CONNECTIONS}",
            f"-d{seconds}s",
            "--timeout",
            "30s",
            "-s",
            script.name,
            f"http://127.0.0.1:{port}",
        ]
        words = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    figures = next(line for line in words.splitlines() if line.startswith("FIGURES")).split()
    return Load(float(figures[1]), float(figures[2]), float(figures[3]), int(figures[4]))


def size(port: int, asked: Sequence[str]) -> int:
    """Bytes of the middle one of the answers; asks each once, as the first client does."""
    sizes = []
    for path in asked:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
            sizes.append(len(answer.read()))
    return int(statistics.median(sizes))


def measured(kind: str, asked: Sequence[str], port: int, bare: int) -> bool:
    """Prints what one kind of question bears beside the bare route; gives whether it is enough."""
    long = size(port, asked)
    wrk(port, asked, 1)
    rounds = [(wrk(port, asked), wrk(bare, [f"/bare?size={long}"])) for _ in range(ROUNDS)]
    own, other = (sorted(column, key=lambda load: load.rate)[ROUNDS // 2] for column in zip(*rounds, strict=True))
    share, failed = own.rate / other.rate, sum(load.failed for load, _ in rounds)
    verdict = "ok  " if share >= LEAST.get(kind, 0) and not failed else "LESS"
    behind = f"p50 {own.p50:.1f} p99 {own.p99:.1f} ms; bare {other.rate:.0f} /s p50 {other.p50:.1f} p99 {other.p99:.1f} ms"
    print(f"{verdict} {kind:<8} {own.rate:8.0f} /s {share:6.2f} of bare  {behind};", end=" ")
    print(f"{long} bytes, {len(asked)} paths, {failed} failed", flush=True)
    return verdict == "ok  "


def main() -> bool:
    """Whether every kind of question is within its target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="a knowledge base that is there; without it one of every rulebook")
    home = parser.parse_args().home
    if shutil.which("wrk") is None:
        sys.exit("wrk is not installed: apt-get install wrk")
    os.environ.setdefault("RULESTONE_MODEL", "static")
    with home_of_books(home) as served:
        return _all(served)


def _all(home: Path) -> bool:
    cores = str(len(os.sched_getaffinity(0)))
    granian = (str(Path(sys.executable).with_name("granian")), "bench.speed.bare:create", "--factory", "--interface", "asgi")
    bare = (*granian, "--http", "1", "--no-ws", "--log-level", "error", "--workers", cores, "--port", PORT)
    with Library.open(home) as library:
        asked = paths(library)
    own = (RULESTONE, "--home", str(home), "serve", "--port", PORT, "--workers", cores)
    with serving(*own) as port, serving(*bare) as other:
        figures = [measured(kind, some, port, other) for kind, some in asked.items()]
        return all(figures)


if __name__ == "__main__":
    sys.exit(not main())
