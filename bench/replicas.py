"""Two servers that follow a published knowledge base, behind HAProxy, while it changes under load: python -m bench.replicas.

One home is written to and published to a folder three times: as it is, with a book more, without it again. Clients ask all the
while; a failed request, an answer of none of the three, or a server that keeps the old bundle is an error. Needs `haproxy`.
"""

import http.client
import json
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.speed.serving import PORT, serving
from rulestone import Library

CLIENTS, LOOK, PATIENCE = 6, 1, 60
"""Clients at once; seconds between two looks of a server; seconds in which a change must have arrived."""
_BALANCER = """
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  timeout check 5s
frontend all
  bind 127.0.0.1:{port}
  default_backend replicas
backend replicas
  balance roundrobin
  option httpchk GET /healthz
  server one 127.0.0.1:{one} check inter 1s
  server two 127.0.0.1:{two} check inter 1s
"""
_BOOK = "100. The Weir\n\n" + "\n\n".join(
    f"100.{nth}. A goose that crosses weir number {nth} pays a toll of {nth + 1} reeds to its keeper." for nth in range(1, 13)
)
_PATHS = ("/v1/rules?ref=dm:400.3b", "/v1/search?q=graveyard", "/v1/zones?games=dm", "/v1/rules?ref=weir:100.1", "/v1/editions")


class Clients:
    """Clients that ask a server without a pause, and what they were answered."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._done = threading.Event()
        self._threads = [threading.Thread(target=self._ask, args=(nth,)) for nth in range(CLIENTS)]
        self.answered: Counter[tuple[str, int]] = Counter()
        self.failed: Counter[str] = Counter()

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Asks until the end of the block."""
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._done.set()
            for thread in self._threads:
                thread.join()

    def _ask(self, nth: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        while not self._done.is_set():
            nth += 1
            path = _PATHS[nth % len(_PATHS)]
            try:
                connection.request("GET", path)
                response = connection.getresponse()
                response.read()
                self.answered[path, response.status] += 1
            except (OSError, http.client.HTTPException) as fault:
                self.failed[f"{path}: {fault!r}"] += 1
                connection.close()


def status(port: int, path: str) -> int:
    """What a server answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    code = connection.getresponse().status
    connection.close()
    return code


def arrives(ports: tuple[int, int], wanted: int) -> float:
    """Seconds until every server answers for the book as it should."""
    begun = time.monotonic()
    while any(status(port, "/v1/rules?ref=weir:100.1") != wanted for port in ports):
        if time.monotonic() - begun > PATIENCE:
            raise SystemExit(f"no {wanted} after {PATIENCE} s")
        time.sleep(0.1)
    return time.monotonic() - begun


@contextmanager
def balancer(folder: Path, first: int, two: int) -> Iterator[int]:
    """HAProxy in front of two servers; gives its port."""
    settings = folder / "haproxy.cfg"
    with serving(sys.executable, "-c", _start(settings, first, two), PORT) as port:
        for _ in range(100):
            if status(port, "/healthz") == 200:
                break
            time.sleep(0.1)
        yield port


def _start(settings: Path, first: int, two: int) -> str:
    words = _BALANCER.format(port="{port}", one=first, two=two)
    write = f"import os, sys; open({str(settings)!r}, 'w').write({words!r}.format(port=sys.argv[1]))"
    return f"{write}; os.execvp('haproxy', ['haproxy', '-db', '-f', {str(settings)!r}])"


def main() -> bool:
    """Whether nothing failed and every change arrived."""
    if not shutil.which("haproxy"):
        print("skipped: no haproxy here (Debian: apt-get install haproxy)")
        return True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        library, published = Library.open(folder / "home"), folder / "published"
        library.ensure()
        library.publish(published)
        command = [sys.executable, "-m", "api.cli.app", "--home"]
        options = ["serve", "--from", str(published), "--every", str(LOOK), "--workers", "1", "--port", PORT]
        with (
            serving(*command, str(folder / "one"), *options) as first,
            serving(*command, str(folder / "two"), *options) as two,
            balancer(folder, first, two) as port,
        ):
            clients = Clients(port)
            with clients.asking():
                took = [arrives((first, two), 404)]
                book = folder / "weir.txt"
                book.write_text(_BOOK, encoding="utf-8")
                library.add(book, game="weir", book="cr", edition="2026-01-01", later=True)
                library.publish(published)
                took.append(arrives((first, two), 200))
                library.remove(book.name)
                library.publish(published)
                took.append(arrives((first, two), 404))
    allowed = {(path, 200) for path in _PATHS} | {(_PATHS[3], 404)}
    wrong = {key: count for key, count in clients.answered.items() if key not in allowed}
    print(json.dumps({"arrived after": [round(seconds, 1) for seconds in took], "requests": sum(clients.answered.values())}))
    print(f"failed: {dict(clients.failed)}; wrong: {wrong}")
    return not clients.failed and not wrong


if __name__ == "__main__":
    sys.exit(not main())
