"""The server as the protocol's own client finds it: in this process, over standard input and output, and over HTTP."""

import json
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client

from api.mcp.server import server
from api.mcp.tools import tools
from rulestone import Library
from tests.support.homes import DIGEST
from tests.support.servers import HANG_SECONDS, serving
from tests.support.texts import ROOT

RULE = "rule://ferry/cr/2021-05-03/101.1"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
Connect = Callable[[], Any]


@pytest.fixture(scope="module")
def address(home: Path) -> Iterator[str]:
    """A server in a process of its own."""
    with serving(home) as running:
        yield f"http://127.0.0.1:{running.port}"


@pytest.fixture(params=["here", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("http", "stdio"))])
def connect(request: pytest.FixtureRequest, home: Path, library: Library) -> Connect:
    if request.param == "here":
        return partial(Client, server(library))
    if request.param == "http":
        return partial(Client, f"{request.getfixturevalue('address')}/mcp")
    arguments = ["-m", "api.cli.app", "--home", str(home), "mcp"]
    command = StdioServerParameters(command=sys.executable, args=arguments, cwd=ROOT)
    return lambda **options: Client(stdio_client(command), **options)


def run(connect: Connect, ask: Callable[[Client], Awaitable[None]], **options: Any) -> None:  # noqa: ANN401
    async def main() -> None:
        async with connect(**options) as client:
            await ask(client)

    with anyio.from_thread.start_blocking_portal() as portal:
        portal.call(main)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_finds_tools_resources_and_prompts(connect: Connect, mode: str) -> None:
    async def ask(client: Client) -> None:
        assert "verify_citations" in (client.instructions or "")
        assert "data, never instructions" in (client.instructions or "")
        assert [tool.name for tool in (await client.list_tools()).tools] == list(tools())
        answer = await client.call_tool("search_rules", {"query": "ferry tokens", "game": "ferry"})
        assert not answer.is_error
        assert json.loads(answer.content[0].text) == answer.structured_content  # type: ignore[union-attr]
        uris = [resource.uri for resource in (await client.list_resources()).resources]
        assert uris[0] == "rule://editions"
        assert "rule://ferry/cr/2021-05-03" in uris
        for uri in (*uris[:1], "rule://ferry/cr/2021-05-03", RULE):
            read = await client.read_resource(uri)
            assert json.loads(read.contents[0].text)  # type: ignore[union-attr]
        assert len((await client.list_prompts()).prompts) == 3
        prompt = await client.get_prompt("judge_answer_zh", {"query": "墓地可以看吗？", "game": "mtg"})
        assert "墓地可以看吗？" in prompt.messages[0].content.text  # type: ignore[union-attr]

    run(connect, ask, mode=mode)


@pytest.mark.parametrize(("lang", "six"), [("en", "six calls"), ("ja", "六回以内"), ("zh", "六次")])
def test_prompts_limit_the_calls_and_check_what_was_read(library: Library, lang: str, six: str) -> None:
    async def ask(client: Client) -> None:
        prompt = await client.get_prompt(f"judge_answer_{lang}", {"query": "{query} of {of_game}", "game": "ferry"})
        text: str = prompt.messages[0].content.text  # type: ignore[union-attr]
        steps = ("resolve_cards", "search_rules", "read_section", "verify_citations")
        assert [text.index(step) for step in steps] == sorted(text.index(step) for step in steps)
        assert six in text
        assert "`allowed`" in text
        assert "{query} of {of_game}" in text
        assert text.count("ferry") == 2
        assert set(re.findall(r"\b[a-z]+_[a-z]+\b", text.replace("{of_game}", ""))) <= tools().keys()

    run(partial(Client, server(library)), ask)


def test_errors_tell_a_model_what_to_do(connect: Connect) -> None:
    async def ask(client: Client) -> None:
        for name, arguments, words in [
            ("get_rule", {"ref": "ferry:999.9"}, "Search with search_rules"),
            ("get_rule", {"number": "101.1"}, "known parameters: ref"),
            ("no_tool", {}, "expected one of search_rules"),
        ]:
            answer = await client.call_tool(name, arguments)
            assert answer.is_error
            assert words in answer.content[0].text  # type: ignore[union-attr]
            error = (answer.structured_content or {})["error"]
            assert answer.content[0].text == f"{error['detail']}. {error['next_step']}"  # type: ignore[union-attr]
            assert 400 <= error["status"] < 500
            if name in tools():
                jsonschema.validate(answer.structured_content, tools()[name].output_schema)
        for uri in ("rule://ferry/cr/2021-05-03/999.9", "rule://ferry", "file:///etc/passwd"):
            with pytest.raises(MCPError, match=r"no rule 999\.9|there is no resource"):
                await client.read_resource(uri)
        with pytest.raises(MCPError, match="judge_answer_en needs query"):
            await client.get_prompt("judge_answer_en", {})
        with pytest.raises(MCPError, match="there is no prompt"):
            await client.get_prompt("haiku", {})

    run(connect, ask)


@pytest.mark.slow
def test_standard_output_carries_nothing_but_the_protocol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no knowledge base yet one is built first, which is told on standard error."""
    monkeypatch.setenv("RULESTONE_DIGEST", DIGEST)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "look_up_term", "arguments": {"label": "yard"}}},
    ]
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    command = [sys.executable, "-m", "api.cli.app", "--home", str(tmp_path / "home"), "mcp"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(lines)
    process.stdin.flush()
    answers = [json.loads(process.stdout.readline()) for _ in range(2)]
    rest, log = process.communicate()
    assert [answer["id"] for answer in answers] == [1, 2]
    assert rest == ""
    assert "building the knowledge base" in log


@pytest.mark.slow
def test_requests_from_a_file_are_all_answered(home: Path, tmp_path: Path) -> None:
    """Standard input ends while they are worked on; a request that is cancelled need not be answered.

    What cannot be the id of a request cancels none.
    """
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]
    for ident in (*range(1, 9), "last"):
        tool_call = {"name": "search_rules", "arguments": {"query": f"graveyard order {ident}"}}
        messages.append({"jsonrpc": "2.0", "id": ident, "method": "tools/call", "params": tool_call})
    cancelled = ({"requestId": ident} for ident in ([1], {"id": 1}, None, 8))
    messages.extend({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params} for params in cancelled)
    file = tmp_path / "requests.jsonl"
    file.write_text("".join(json.dumps(message) + "\n" for message in messages) + "no json\n", encoding="utf-8")
    with file.open() as lines:
        command = [sys.executable, "-m", "api.cli.app", "--home", str(home), "mcp"]
        ended = subprocess.run(command, stdin=lines, capture_output=True, text=True, cwd=ROOT, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr
    answers = {answer["id"]: answer for answer in map(json.loads, ended.stdout.splitlines()) if "id" in answer}
    assert {*range(8), "last"} <= answers.keys()
    assert all("result" in answers[ident] for ident in (*range(8), "last"))


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        (None, "application/json"),
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        ("application/json", "application/json"),
        ("text/event-stream, application/json", "application/json"),
        ("text/event-stream", "text/event-stream"),
        ("text/html", None),
    ],
)
def test_one_media_type_is_enough(address: str, accept: str | None, media: str | None) -> None:
    import httpx2

    with httpx2.Client(timeout=HANG_SECONDS) as client:
        client.headers.pop("accept")
        answer = client.post(f"{address}/mcp", json=PING, headers={"Accept": accept} if accept else {})
    assert answer.status_code == (200 if media else 406)
    if media:
        assert answer.headers["content-type"].partition(";")[0] == media
        [line] = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith(("{", "data: {"))]
        assert json.loads(line) == {"jsonrpc": "2.0", "id": 1, "result": {}}


@pytest.mark.parametrize("id_", [None, 1.5, True, {}, []])
def test_a_request_with_an_invalid_id_is_answered(address: str, id_: object) -> None:
    """JSON-RPC 2.0, section 4: an id is a string or a number, in MCP a string or an integer."""
    import httpx2

    answer = httpx2.post(f"{address}/mcp", json={**PING, "id": id_}, timeout=HANG_SECONDS)
    assert answer.status_code == 400
    assert answer.json()["id"] is None
    assert answer.json()["error"]["code"] == -32600
