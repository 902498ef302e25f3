"""One look-up: the whole command against importing its libraries, and its route against a constant one."""

import http.client
import statistics
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from bench.measure import RULESTONE, books, in_turn, report, run, texts, timed
from bench.speed.serving import beside_constant, serving

MOST = 4
COMMANDS = {"show 400.3b": MOST, "term trample": 6, "compare zones": 6}
"""The commands, and the time that each may take as a multiple of importing its libraries."""
CLIENTS, REQUESTS, ROUNDS = 4, 300, 7
RULE, CONSTANT = "/v1/rules/dm/400.3b", "/bench/constant"


def command(home: Path, asked: str, most: float) -> bool:
    """Whether a command is within its target."""
    look_up = partial(run, [RULESTONE, *asked.split()], home)
    bare = partial(run, [sys.executable, "-c", "import pyoxigraph, typer"])
    looked_up, imported = in_turn(15, lambda: look_up().seconds, lambda: bare().seconds)
    own, other = statistics.median(looked_up), statistics.median(imported)
    behind = f"{own * 1000:.0f} ms against {other * 1000:.0f} ms, median of 15, whole processes in turn"
    return report(f"rulestone {asked} : import pyoxigraph, typer", own / other, most, "×", behind)


def ask(port: int, path: str) -> None:
    """One client: its requests one after another over one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    for _ in range(REQUESTS):
        connection.request("GET", path)
        response = connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise RuntimeError(f"{path} answers {response.status}: {body[:200]!r}")
    connection.close()


def route(home: Path) -> bool:
    """Whether the route is within its target, with several clients at once in processes of their own."""
    with serving(*beside_constant(home)) as port, ProcessPoolExecutor(CLIENTS) as clients:

        def together(path: str) -> float:
            return timed(lambda: list(clients.map(ask, [port] * CLIENTS, [path] * CLIENTS))) / (CLIENTS * REQUESTS)

        rule, constant = in_turn(ROUNDS, lambda: together(RULE), lambda: together(CONSTANT))
    look_up, other = statistics.median(rule), statistics.median(constant)
    behind = f"{look_up * 1000:.2f} ms against {other * 1000:.2f} ms a request, {CLIENTS} clients at once"
    return report(f"GET {RULE} : constant route", look_up / other, MOST, "×", behind)


def main() -> bool:
    """Whether all are within their targets, with every rulebook loaded."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        run([RULESTONE, "add", *books(texts())], home)
        return all([*(command(home, asked, most) for asked, most in COMMANDS.items()), route(home)])


if __name__ == "__main__":
    sys.exit(not main())
