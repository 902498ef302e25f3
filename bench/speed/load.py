"""Requests per second compared with a bare FastAPI route with responses of the same size, by wrk.

500 different rules, questions and terms are requested in turn, over 8 connections, from a server with one worker for each core; the
bare application is served in the same way, and both are measured alternately.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from bench.speed.serving import PORT_PLACEHOLDER, fetch, home_of_books, running_server, serve_command
from corpus.digest import digests
from rulestone import Library

COUNT, CONNECTIONS, SECONDS, ROUNDS = 500, 8, 4, 3
MIN_SHARES = {"rules": 0.5}
"""Minimum requests per second of a kind, as a share of the bare route's; other kinds are only printed."""
_WRK_SCRIPT = """
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
    """The figures of wrk: requests per second, milliseconds, failed requests."""

    rate: float
    p50: float
    p99: float
    failed: int


def paths(library: Library) -> dict[str, list[str]]:
    """The requests, by kind."""
    records = (json.loads(line) for piece in library.export("jsonl") for line in piece.splitlines())
    rules = [f"/v1/rules/{record['iri'].partition('/id/')[2]}" for record in records if record["number"]]
    questions = [words for digest in digests() for gloss in digest.glosses for words in gloss.questions.get("en", ())[:1]]
    names = [concept["label"] for concept in library.concepts(limit=1000, lang="en")["concepts"]]
    return {
        "rules": [quote(path) for path in _spread_sample(rules)],
        "search": [f"/v1/search?q={quote(words)}" for words in _spread_sample(questions)],
        "terms": [f"/v1/terms?label={quote(name)}" for name in _spread_sample(names)],
        "zones": ["/v1/zones?lang=en", "/v1/zones?lang=ja", "/v1/zones?lang=zh", "/v1/zones?games=dm,mtg&lang=en"],
    }


def _spread_sample(lines: Sequence[str]) -> list[str]:
    """A sample of this many lines, evenly spaced."""
    step = max(1, len(lines) // COUNT)
    return list(lines[::step][:COUNT])


def run_wrk(port: int, paths: Sequence[str], seconds: int = SECONDS) -> Load:
    """The load that a server sustains."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(_WRK_SCRIPT.format(paths=", ".join(json.dumps(path) for path in paths)))
        script.flush()
        options = ("-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "30s", "-s", script.name)
        command = ("wrk", *options, f"http://127.0.0.1:{port}")
        words = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rate, p50, p99, failed = next(line for line in words.splitlines() if line.startswith("FIGURES")).split()[1:]
    return Load(float(rate), float(p50), float(p99), int(failed))


def measure_kind(kind: str, paths: Sequence[str], port: int, bare: int) -> bool:
    """Prints the figures of one kind of request and of the bare route; returns whether the target is met."""
    long = int(statistics.median(len(fetch(port, path)) for path in paths))
    run_wrk(port, paths, 1)
    rounds = [(run_wrk(port, paths), run_wrk(bare, [f"/bare?size={long}"])) for _ in range(ROUNDS)]
    own, other = (sorted(column, key=lambda load: load.rate)[ROUNDS // 2] for column in zip(*rounds, strict=True))
    share, fault_count = own.rate / other.rate, sum(load.failed for load, _ in rounds)
    verdict = "ok  " if share >= MIN_SHARES.get(kind, 0) and not fault_count else "LESS"
    behind = f"p50 {own.p50:.1f} p99 {own.p99:.1f} ms; bare {other.rate:.0f} /s p50 {other.p50:.1f} p99 {other.p99:.1f} ms"
    print(f"{verdict} {kind:<8} {own.rate:8.0f} /s {share:6.2f} of bare  {behind};", end=" ")
    print(f"{long} bytes, {len(paths)} paths, {fault_count} failed", flush=True)
    return verdict == "ok  "


def main() -> bool:
    """Whether every kind of question is within its target."""
    if shutil.which("wrk") is None:
        sys.exit("wrk is not installed: apt-get install wrk")
    os.environ.setdefault("RULESTONE_MODEL", "static")
    with home_of_books() as home:
        return _measure_all(home)


def _measure_all(home: Path) -> bool:
    cores = len(os.sched_getaffinity(0))
    granian = (str(Path(sys.executable).with_name("granian")), "bench.speed.bare:create_app", "--factory", "--interface", "asgi")
    bare = (*granian, "--http", "1", "--no-ws", "--log-level", "error", "--workers", str(cores), "--port", PORT_PLACEHOLDER)
    with Library.open(home) as library:
        paths_by_kind = paths(library)
    with running_server(*serve_command(home, cores)) as own, running_server(*bare) as other:
        figures = [measure_kind(kind, some, own.port, other.port) for kind, some in paths_by_kind.items()]
    return all(figures)


if __name__ == "__main__":
    sys.exit(not main())
