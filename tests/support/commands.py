"""Commands of Rulestone, in this process or in one of their own."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import IO, Any

from api.cli.app import main
from corpus.store.home.checksums import checksum, listed_files
from tests.support.texts import ROOT


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str

    def json(self) -> dict[str, Any]:
        assert self.code == 0, self.err
        body: dict[str, Any] = json.loads(self.out)
        return body


def call(home: Path, *arguments: object) -> Ended:
    """One command in this process."""
    out, err = TextIOWrapper(BytesIO(), "utf-8"), TextIOWrapper(BytesIO(), "utf-8")
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["--home", str(home), *map(str, arguments)])
    return Ended(code, _stream_text(out), _stream_text(err))


def _stream_text(stream: TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def start(home: Path, *arguments: object, stdout: int | IO[str] = subprocess.PIPE) -> subprocess.Popen[str]:
    """One command in a process of its own."""
    command = [sys.executable, "-m", "api.cli.app", "--home", str(home), *map(str, arguments)]
    return subprocess.Popen(command, stdout=stdout, stderr=subprocess.PIPE, text=True, cwd=ROOT)


_PAUSED = """
import signal, sys, time
from ontology import shipped
from corpus.store.home import Draft

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it

def pause(*_):
    print("paused", flush=True)
    time.sleep(600)

Draft.commit = pause
shipped.shipped_graphs, shipped.graphs_version = dict, lambda: "none"  # a bundle without the ontology is written sooner
from api.cli.app import main
sys.exit(main(sys.argv[1:]))
"""


def paused(home: Path, *arguments: object) -> subprocess.Popen[str]:
    """A command that writes, in a process of its own, which has written its draft and waits before it commits."""
    command = [sys.executable, "-c", _PAUSED, "--home", str(home), *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    assert process.stdout.readline() == "paused\n"
    return process


def quads(home: Path) -> str:
    """Every quad in the current bundle."""
    dumped = call(home, "export", "nquads")
    assert dumped.code == 0, dumped.err
    return dumped.out


def state(home: Path) -> tuple[str, dict[str, str]]:
    """The current bundle's name and the checksum of every file that says what is in it."""
    name = (home / "current").read_text()
    return name, {part: checksum(file) for part, file in listed_files(home / "bundles" / name.strip())}


@contextmanager
def untouched(home: Path) -> Iterator[None]:
    before = state(home)
    yield
    assert state(home) == before
