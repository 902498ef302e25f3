"""A small local server that answers as a language model would: truly, falsely, or not at all."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def completion(content: object) -> bytes:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode()


class Handler(BaseHTTPRequestHandler):
    """One request, answered by the server's `behave`."""

    server: "Liar"

    def do_POST(self) -> None:
        self.server.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        with suppress(OSError):  # who is lied to hangs up
            self.server.behave(self)

    def do_GET(self) -> None:
        self.server.asked.append("GET")
        self.answer(completion("elsewhere"))

    def answer(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing is told."""


class Liar(ThreadingHTTPServer):
    """The server; `asked` are the bodies it was sent, `over` is set when it is closed."""

    daemon_threads = True

    def __init__(self, behave: Callable[[Handler], None]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.behave = behave
        self.asked: list[Any] = []
        self.over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


@contextmanager
def liar(behave: Callable[[Handler], None]) -> Iterator[Liar]:
    server = Liar(behave)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
