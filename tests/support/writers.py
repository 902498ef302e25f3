"""Homes written by hand: small bundles, writers in processes of their own, and what lies in a folder."""

import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from corpus.store.home import Home
from corpus.store.home.given import Given, GivenKind
from corpus.store.home.manifest import Manifest

ROOT = Path(__file__).parents[2]
LIMIT = 300
"""Seconds after which a process is held to hang: far more than any takes on a busy machine."""


START = """
import os, sys, time
from pathlib import Path
from corpus.store.home import Home
from corpus.store.home.manifest import Manifest
home = Home(Path(sys.argv[1]))

def pause(*_, **__):
    print("paused", flush=True)
    time.sleep(600)

def commit(text):
    with home.writing_bundle() as draft:
        Manifest().write(draft.path)
        (draft.path / "a.txt").write_text(text)
        (draft.path / "b.txt").write_text(text)
        return draft.commit(())
"""


def start(script: str, *args: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", START + script, *map(str, args)]
    pipe = subprocess.PIPE
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment)


def run(script: str, *args: object) -> str:
    """Run a script to its end and give its output; fails with the script's own traceback."""
    with start(script, *args) as process:
        try:
            out, err = process.communicate(timeout=LIMIT)
        finally:
            process.kill()
    assert process.returncode == 0, err
    return out


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def kill(process: subprocess.Popen[str]) -> None:
    with process:
        process.send_signal(signal.SIGKILL)


def commit(home: Home, text: str, *files: Given) -> Path:
    with home.writing_bundle() as draft:
        Manifest().write(draft.path)
        (draft.path / "deep").mkdir()
        (draft.path / "deep" / "a.txt").write_text(text)
        return draft.commit(files)


def book(data: bytes) -> Given:
    """A book in the list of what a user gave."""
    return Given(GivenKind.BOOK, sha(data), f"{data.decode()}.txt", {})


def text(bundle: Path) -> str:
    return (bundle / "deep" / "a.txt").read_text()


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refuse(number: int) -> None:
    raise OSError(number, os.strerror(number))
