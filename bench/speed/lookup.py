"""One look-up: the command compared with importing its libraries, and its route compared with a constant one."""

import statistics
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

from bench.measure import RULESTONE, alternate, elapsed_seconds, report_figure, run_command
from bench.speed.serving import connect, get_body, home_of_books, running_server, with_constant_server

MAX_FACTOR = 4
COMMANDS = {"show 400.3b": MAX_FACTOR, "term trample": 6, "compare zones": 6}
"""The commands, and the maximum time of each as a multiple of importing its libraries."""
CLIENTS, REQUESTS, ROUNDS = 4, 300, 7
RULE, CONSTANT = "/v1/rules/dm/400.3b", "/bench/constant"


def is_command_fast(home: Path, words: str, max_factor: float) -> bool:
    """Whether a command is within its target."""
    look_up = partial(run_command, [RULESTONE, *words.split()], home)
    bare = partial(run_command, [sys.executable, "-c", "import pyoxigraph, typer"])
    looked_up, import_times = alternate(15, lambda: look_up().seconds, lambda: bare().seconds)
    own, other = statistics.median(looked_up), statistics.median(import_times)
    behind = f"{own * 1000:.0f} ms against {other * 1000:.0f} ms, median of 15, whole processes in turn"
    return report_figure(f"rulestone {words} : import pyoxigraph, typer", own / other, max_factor, "×", behind)


def ask(port: int, path: str) -> None:
    """One client, which sends requests one by one over one connection."""
    with closing(connect(port)) as connection:
        for _ in range(REQUESTS):
            get_body(connection, path)


def is_route_fast(home: Path) -> bool:
    """Whether the route is within its target, with several concurrent clients, each in its own process."""
    with running_server(*with_constant_server(home)) as server, ProcessPoolExecutor(CLIENTS) as clients:

        def ask_concurrently(path: str) -> float:
            return elapsed_seconds(lambda: list(clients.map(ask, [server.port] * CLIENTS, [path] * CLIENTS))) / (CLIENTS * REQUESTS)

        rule, constant = alternate(ROUNDS, lambda: ask_concurrently(RULE), lambda: ask_concurrently(CONSTANT))
    look_up, other = statistics.median(rule), statistics.median(constant)
    behind = f"{look_up * 1000:.2f} ms against {other * 1000:.2f} ms a request, {CLIENTS} clients at once"
    return report_figure(f"GET {RULE} : constant route", look_up / other, MAX_FACTOR, "×", behind)


def main() -> bool:
    """Whether all are within their targets, with every rulebook loaded."""
    with home_of_books() as home:
        return all([*(is_command_fast(home, words, most) for words, most in COMMANDS.items()), is_route_fast(home)])


if __name__ == "__main__":
    sys.exit(not main())
