"""Abusive clients, to run in a process of their own beside ordinary ones: they never read, vary a header, or ask what is costly."""

import http.client
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from itertools import count

from bench.speed.serving import connect, get

WORDS = "A ferry that leaves its pier carries its tokens, and a ferry at a pier waits for the bell of another ferry. "
LARGE_BOOK = "The Game of Ferrymen: Comprehensive Rules\n\n" + "".join(
    f"{chapter}. Piers\n" + "".join(f"{chapter}.{rule}. {WORDS * 2}Pier {rule} is not pier {chapter}.\n" for rule in range(1, 31))
    for chapter in range(100, 200)
)
"""3,000 rules, in which `ferry` occurs 18,000 times."""
LARGE = "/v1/concordance?q=ferry&limit=10000"
"""An answer of 3 MB about this book, which is cached."""
COSTLY = ("/pack", "/v1/termbase?format=xlsx", "/v1/concordance?q=ferry&limit={}")
UNREAD, UNREAD_SECONDS = 700, 45.0
"""Number of clients that never read, and of seconds until they leave, if the server has not disconnected them, and others come."""
VARIANTS_PER_SECOND, HEADER_BYTES = 40, 61_000
"""Number of requests, each with another header, and the size of the header: 24,000 of them in ten minutes."""
COSTLY_CLIENTS = 10
_REFUSED = 503


def attack(port: int, seconds: float) -> Counter[str]:
    """Attacks a server for some seconds; returns the number of responses by kind and status, and of clients that never read."""
    until, counts, lock = time.monotonic() + seconds, Counter[str](), threading.Lock()

    def note(name: str) -> None:
        with lock:
            counts[name] += 1

    with ThreadPoolExecutor(COSTLY_CLIENTS + 2) as pool:
        threads = [
            pool.submit(_never_read, port, until, note),
            pool.submit(_vary_header, port, until, note),
            *(pool.submit(_ask_costly, port, until, note, nth) for nth in range(COSTLY_CLIENTS)),
        ]
    for each in threads:
        each.result()
    return counts


def allowed_only(counts: Counter[str]) -> bool:
    """Whether every response was a success, or the refusal of a costly request."""
    return all(status == "200" or (kind, status) == ("costly", str(_REFUSED)) for kind, status in map(str.split, counts))


def _never_read(port: int, until: float, note: Callable[[str], None]) -> None:
    while time.monotonic() < until:
        with ExitStack() as stack:
            for _ in range(UNREAD):
                client = stack.enter_context(socket.socket())
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.settimeout(60)
                client.connect(("127.0.0.1", port))
                client.sendall(f"GET {LARGE} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
                note("unread 200")
            time.sleep(max(0.0, min(UNREAD_SECONDS, until - time.monotonic())))


def _vary_header(port: int, until: float, note: Callable[[str], None]) -> None:
    start = time.monotonic()
    with closing(connect(port)) as connection:
        for nth in count():
            time.sleep(max(0.0, start + nth / VARIANTS_PER_SECOND - time.monotonic()))
            if time.monotonic() > until:
                break
            made_up = f"x/{nth}{'z' * HEADER_BYTES}"
            note(f"varied {_status(connection, '/v1/zones?lang=en', made_up)}")


def _ask_costly(port: int, until: float, note: Callable[[str], None], client: int) -> None:
    with closing(connect(port, 120)) as connection:
        for nth in count(client):
            if time.monotonic() > until:
                break
            note(f"costly {_status(connection, COSTLY[nth % len(COSTLY)].format(1 + (client * 997 + nth) % 9999))}")


def _status(connection: http.client.HTTPConnection, path: str, accept: str = "*/*") -> int:
    """The status of a response, which is read completely; 0 if the server closed the connection."""
    with suppress(OSError, http.client.HTTPException):
        return get(connection, path, accept)[0]
    connection.close()
    return 0
