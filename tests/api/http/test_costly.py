"""Routes that compute for seconds: few of their requests run at a time, and the others keep their threads."""

import asyncio
import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.responses import Response
from starlette.testclient import TestClient
from starlette.types import Message

from api.http import costly
from api.http.app import ROUTE_MODULES, THREAD_COUNT, create_app
from api.http.costly import COSTLY, COSTLY_REQUESTS, COSTLY_UNTIL_SENT
from api.web.offline import CompressedPacks
from rulestone import Library

OTHERS = ("/v1/rules/ferry/101.1", "/v1/search?q=ferry", "/healthz", "/id/ferry/cr/2021-05-03/101.1", "/library")
REQUESTS = [
    ("GET", "/v1/concordance?q=ferry&limit={}", Library, "concordance"),  # equal requests share one computation
    ("POST", "/v1/verify", Library, "verify"),
    ("POST", "/check", Library, "verify"),
    ("GET", "/pack", CompressedPacks, "pack_list"),
]


def until_released(method: Callable[..., object], release: threading.Event) -> Callable[..., object]:
    """The same method, which first blocks until it is released."""

    def call(*args: object, **kwargs: object) -> object:
        assert release.wait(60)
        return method(*args, **kwargs)

    return call


def send(client: TestClient, method: str, path: str) -> Response:
    body = b'{"text": "Ferries carry tokens (101.1)."}' if path.startswith("/v1") else b"text=101.1"
    return client.request(method, path, content=body if method == "POST" else None)  # type: ignore[return-value]


@pytest.mark.parametrize(("method", "path", "owner", "name"), REQUESTS, ids=[path for _, path, _, _ in REQUESTS])
def test_costly_requests_leave_threads_to_the_others(
    home: Path, monkeypatch: pytest.MonkeyPatch, method: str, path: str, owner: type, name: str
) -> None:
    release = threading.Event()
    monkeypatch.setattr(costly, "QUEUE_SECONDS", 0.2)
    monkeypatch.setattr(owner, name, until_released(getattr(owner, name), release))
    app = create_app(Library.open(home, create=False))
    with TestClient(app) as client, ThreadPoolExecutor(2 * THREAD_COUNT) as pool:
        try:
            futures = [pool.submit(send, client, method, path.format(nth + 1)) for nth in range(2 * THREAD_COUNT)]
            assert [client.get(other).status_code for other in OTHERS] == [200] * len(OTHERS)
            answers = [future.result() for future in islice(as_completed(futures), 2 * THREAD_COUNT - COSTLY_REQUESTS)]
        finally:
            release.set()
        assert [answer.status_code for answer in answers] == [503] * (2 * THREAD_COUNT - COSTLY_REQUESTS)
        assert {answer.headers["retry-after"] for answer in answers} == {"10"}
        assert [future.result().status_code for future in futures].count(200) == COSTLY_REQUESTS
        assert send(client, method, path.format(99)).status_code == 200


def test_costly_tools_share_the_limit_with_the_routes(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    monkeypatch.setattr(costly, "QUEUE_SECONDS", 0.2)
    monkeypatch.setattr(Library, "verify", until_released(Library.verify, release))
    app = create_app(Library.open(home, create=False))
    call = {"name": "verify_citations", "arguments": {"text": "Ferries carry tokens (101.1)."}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    with TestClient(app, base_url="http://127.0.0.1") as client, ThreadPoolExecutor(2 * THREAD_COUNT) as pool:

        def send_call(_: int) -> dict[str, Any]:
            answer = client.post("/mcp", json=message, headers={"Accept": "application/json"})
            body: dict[str, Any] = answer.json()["result"]["structuredContent"]
            return body

        try:
            futures = [pool.submit(send_call, nth) for nth in range(2 * THREAD_COUNT)]
            assert [client.get(other).status_code for other in OTHERS] == [200] * len(OTHERS)
            bodies = [future.result() for future in islice(as_completed(futures), len(futures) - COSTLY_REQUESTS)]
            assert send(client, "POST", "/v1/verify").status_code == 503
        finally:
            release.set()
        assert {body["error"]["status"] for body in bodies} == {503}
        assert ["citations" in future.result() for future in futures].count(True) == COSTLY_REQUESTS
        assert "citations" in send_call(0)


def test_a_client_that_reads_slowly_occupies_no_slot(home: Path) -> None:
    """Of the routes whose whole response is computed before it is sent, as `/v1/verify` is."""
    app, body = create_app(Library.open(home, create=False)), json.dumps({"text": "101.1 " * 2000}).encode()
    headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/v1/verify",
        "raw_path": b"/v1/verify",
        "query_string": b"",
        "headers": headers,
        "client": ("127.0.0.1", 50000),
    }

    async def main() -> None:
        sending, going_on = asyncio.Semaphore(0), asyncio.Event()

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send_slowly(message: Message) -> None:
            if message["type"] == "http.response.body":
                sending.release()
                await going_on.wait()

        async with app.router.lifespan_context(app):
            clients = [asyncio.ensure_future(app({**scope}, receive, send_slowly)) for _ in range(COSTLY_REQUESTS + 1)]
            for _ in clients:
                await asyncio.wait_for(sending.acquire(), 60)
            going_on.set()
            await asyncio.wait_for(asyncio.gather(*clients), 60)

    asyncio.run(main())


def test_the_routes_that_compute_for_seconds() -> None:
    routes = {
        route.path
        for module in ROUTE_MODULES
        for route in module.router.routes
        if isinstance(route, APIRoute) and {COSTLY, COSTLY_UNTIL_SENT} & set(route.dependencies)
    }
    assert routes == {
        *("/v1/alignments", "/v1/answers:batch", "/v1/bitext", "/v1/changes", "/v1/checks", "/v1/concordance", "/v1/drift"),
        *("/v1/search:batch", "/v1/termbase", "/v1/verify"),
    }
