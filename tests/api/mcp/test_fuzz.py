"""`/mcp` is sent whatever one may think of: broken JSON-RPC, other types, too much of it. Never a 5xx, and it goes on answering."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from api.http.app import create_app
from api.mcp.http import MAX_MESSAGE_BYTES
from api.mcp.tools import tools
from rulestone import Library

EXAMPLES = int(os.environ.get("RULESTONE_FUZZ", "25"))
TOOLS = tuple(tools())
METHODS = (
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "resources/read",
    "prompts/get",
    "notifications/initialized",
    "logging/x",
    "",
)
FIELDS = (
    "name",
    "arguments",
    "query",
    "question",
    "ref",
    "text",
    "label",
    "names",
    "uri",
    "cursor",
    "tokens",
    "lang",
    "book",
    "from",
    "_meta",
)
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}

leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40) | st.sampled_from(TOOLS)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=5)
)
messages = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | values,
        "id": st.integers() | st.text(max_size=9) | values,
        "method": st.sampled_from(METHODS) | values,
        "params": st.dictionaries(st.sampled_from(FIELDS), values, max_size=5) | values,
    },
)
calls = st.builds(
    lambda name, arguments, ident: {
        "jsonrpc": "2.0",
        "id": ident,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    },
    st.sampled_from(TOOLS),
    st.dictionaries(st.sampled_from(FIELDS), values, max_size=4),
    st.integers(),
)
bodies = (calls | messages | st.lists(messages, max_size=3) | values).map(lambda message: json.dumps(message).encode())
broken = st.binary(max_size=200) | st.builds(lambda body, at: body[: at % (len(body) + 1)], bodies, st.integers(min_value=0))
kinds = st.sampled_from((HEADERS, HEADERS | {"Accept": "text/html"}, HEADERS | {"Content-Type": "text/plain"}, {}))


@pytest.fixture(scope="module")
def client(home: Path) -> Iterator[TestClient]:
    app = create_app(Library.open(home, create=False))
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        yield client


def answers(client: TestClient) -> bool:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_rule", "arguments": {"ref": "ferry:101.1"}}}
    body: dict[str, Any] = client.post("/mcp", json=call, headers=HEADERS).json()
    return "structuredContent" in body["result"] and not body["result"].get("isError")


@settings(max_examples=EXAMPLES, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(bodies | broken, kinds, st.sampled_from(("POST", "POST", "POST", "GET", "DELETE", "PUT")))
@example(b"", HEADERS, "POST")
@example(b"[" * 100_000, HEADERS, "POST")
@example(b'{"a":' * 50_000, HEADERS, "POST")
@example(b"\xff\xfe", HEADERS, "POST")
@example(b'{"jsonrpc":"2.0","id":1e400,"method":"ping"}', HEADERS, "POST")
@example(b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', HEADERS, "POST")
@example(
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_rules","arguments":{"query":"\\ud800"}}}',
    HEADERS,
    "POST",
)
@example(
    json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "y" * MAX_MESSAGE_BYTES}}).encode(), HEADERS, "POST"
)
def test_whatever_it_is_sent_is_no_fault_of_the_server(
    client: TestClient, body: bytes, headers: dict[str, str], method: str
) -> None:
    answer = client.request(method, "/mcp", content=body, headers=headers)
    assert answer.status_code < 500, (answer.status_code, answer.text[:300])


def test_it_goes_on_answering(client: TestClient) -> None:
    for body in (
        b"[" * 100_000,
        b"x" * (MAX_MESSAGE_BYTES + 1),
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}',
    ):
        assert 400 <= client.post("/mcp", content=body, headers=HEADERS).status_code < 500 or body.startswith(b"{")
    assert answers(client)


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_there_is_no_stream_to_hold_open(client: TestClient, method: str) -> None:
    answer = client.request(method, "/mcp", headers=HEADERS)
    assert (answer.status_code, answer.headers["allow"], answer.headers["content-type"]) == (
        405,
        "POST",
        "application/problem+json",
    )
