"""`tools/install` chooses the build of torch: the CPU build where its index answers, and says which."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOWHERE = "http://127.0.0.1:1"


class _Index(BaseHTTPRequestHandler):
    """The index of one package."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/torch/" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Writes nothing."""


@pytest.fixture
def index() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _Index) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def install(folder: Path, **settings: str) -> tuple[int, str, list[str]]:
    """The exit code, the output, and pip's options for torch; pip only writes down how it is called."""
    python, calls = folder / "python", folder / "calls"
    python.write_text(f'#!/bin/sh\n[ "$1" = -m ] && echo "$@" >> "{calls}" && exit\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "TORCH"))}
    environment = clean | {"PIP": f"{python} -m pip"} | settings
    ended = subprocess.run(
        ["sh", "tools/install", "requirements.lock", "."], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    lines = calls.read_text().splitlines() if calls.exists() else []
    return ended.returncode, ended.stdout + ended.stderr, next((line.split() for line in lines if line.endswith(" torch")), [])


def test_the_cpu_build_is_taken_where_its_index_answers(tmp_path: Path, index: str) -> None:
    code, output, options = install(tmp_path, TORCH_INDEX=index)
    assert (code, f"--extra-index-url={index}" in options) == (0, True)
    assert f"torch: the CPU build of {index}" in output


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"TORCH_INDEX": NOWHERE}, "does not answer within 5 s"),
        ({"TORCH": "cuda"}, "as TORCH=cuda asks"),
        ({"PIP_EXTRA_INDEX_URL": NOWHERE}, "from the index that pip is configured with"),
    ],
)
def test_otherwise_the_package_index_is_asked(tmp_path: Path, settings: dict[str, str], message: str) -> None:
    code, output, options = install(tmp_path, **settings)
    assert (code, options) == (0, ["-m", "pip", "install", "--no-compile", "--constraint", "constraints.txt", "torch"])
    assert message in output


def test_another_build_is_refused_before_anything_is_installed(tmp_path: Path) -> None:
    code, output, options = install(tmp_path, TORCH="rocm")
    assert (code, output, options) == (2, "TORCH=rocm: expected cpu or cuda\n", [])
