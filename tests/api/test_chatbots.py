"""The page for chatbots: its commands run against servers of their own, its snippets as they stand, its settings in a client."""

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from bench.speed.serving import free_port
from corpus.store.home import Home
from tests.support.texts import ROOT

pytestmark = pytest.mark.slow
PAGE = (ROOT / "docs" / "chatbots.md").read_text("utf-8")
PORTS = ("8000", "8001")
"""As the page has them; each stands for a free one."""


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.S)


class Terminal:
    """Somebody who types what the page says, in a folder with `docs/`, and `rulestone` and `python` at hand."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.ports = {port: str(free_port()) for port in PORTS}
        self.folder = folder
        self.servers: list[subprocess.Popen[bytes]] = []
        (folder / "docs").symlink_to(ROOT / "docs")
        tools = folder / "bin"
        tools.mkdir()
        for name, call in (("rulestone", "-m api.cli.app "), ("python", "")):
            (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {call}"$@"\n')
            (tools / name).chmod(0o755)
        path = f"{tools}:{os.environ['PATH']}"
        self.env = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "RULESTONE_HOME": str(home), "LC_ALL": "C.UTF-8"}

    def here(self, words: str) -> str:
        """The page's words with the ports of today."""
        for page_port, port in self.ports.items():
            words = words.replace(f"127.0.0.1:{page_port}", f"127.0.0.1:{port}").replace(f"--port {page_port}", f"--port {port}")
        return words

    def types(self, command: str) -> str:
        """The output of a command; its exported variables stay. A command that ends with `&` is a server."""
        if command.endswith("&"):
            self._serves(self.here(command.removesuffix("&")))
            return ""
        environment = self.folder / "environment"
        script = f"set -a; {self.here(command)}\nenv -0 >{environment}"
        shell = subprocess.run(["bash", "-c", script], cwd=self.folder, env=self.env, capture_output=True, timeout=300, check=False)
        assert shell.returncode == 0, (command, shell.stderr.decode())
        self.env = dict(pair.split("=", 1) for pair in environment.read_text().split("\0") if "=" in pair)
        return shell.stdout.decode()

    def _serves(self, command: str) -> None:
        alone = f"exec {command} --workers 1"  # as good as several, and quicker to start
        self.servers.append(subprocess.Popen(["sh", "-c", alone], cwd=self.folder, env=self.env))
        port = re.findall(r"--port (\d+)", command)[0]
        while self.servers[-1].poll() is None:
            with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60):
                return
            time.sleep(0.1)
        raise AssertionError(f"{command} has ended")

    def leaves(self) -> None:
        for server in self.servers:
            server.terminate()
            server.wait()


@pytest.fixture(scope="module")
def terminal(digest_home: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    if not shutil.which("curl") or not shutil.which("openssl"):
        pytest.skip("the page's commands need curl and openssl")
    terminal = Terminal(digest_home.path, tmp_path_factory.mktemp("desk"))
    yield terminal
    terminal.leaves()


def pattern(expected: str) -> re.Pattern[str]:
    """The expected output; `…` stands for anything, at the end of a line for the following lines, too."""
    return re.compile(".*?".join(map(re.escape, expected.strip().split("…"))), re.S)


def test_the_commands_print_what_the_page_says(terminal: Terminal) -> None:
    count = 0
    for block in blocks("console"):
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
            count += 1
            output = re.sub(r"\n{2,}", "\n", terminal.types(command)).strip()
            assert pattern(expected).fullmatch(output) or ("…" in expected and pattern(expected).match(output)), (command, output)
    assert count > 10


def test_the_snippets_run_as_they_stand(terminal: Terminal) -> None:
    if not terminal.servers:
        terminal.types("rulestone serve --port 8000 &")
    source = terminal.here("\n".join(blocks("python")))
    example = doctest.DocTestParser().get_doctest(source, {}, "chatbots.md", None, 0)
    failures: list[str] = []
    doctest.DocTestRunner().run(example, out=failures.append)
    assert (len(example.examples) > 10, "".join(failures)) == (True, "")


def test_a_client_starts_what_its_settings_say(terminal: Terminal) -> None:
    [settings] = [json.loads(block)["mcpServers"]["rulestone"] for block in blocks("json")]
    command = str(terminal.folder / "bin" / settings["command"])

    async def ask() -> list[str]:
        started = StdioServerParameters(command=command, args=settings["args"], env=terminal.env, cwd=terminal.folder)
        async with Client(stdio_client(started)) as client:
            answer = await client.call_tool("ask_rules", {"query": "order of cards in the graveyard", "game": "dm"})
            assert not answer.is_error
            return [tool.name for tool in (await client.list_tools()).tools]

    assert {"search_rules", "ask_rules", "get_rule", "verify_citations"} <= set(anyio.run(ask))
