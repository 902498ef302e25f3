"""Static vectors of many texts made by a process of its own, while the one that asks goes on: Python reckons on one core.

The process is another interpreter, not a fork: whoever asks may have threads, and need not guard its main module.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from search.encode.encoder import Encoder, StaticEncoder, Vectors

_MANY = 10_000
"""Texts from which on it pays to start another interpreter."""


class Apart:
    """The vectors of some texts in the making: shape (texts, dimensions), as `Encoder.encode` gives them."""

    def __init__(self, encoder: Encoder, texts: Sequence[str], many: int = _MANY) -> None:
        self._encoder, self._texts = encoder, texts
        self._process: subprocess.Popen[bytes] | None = None
        if isinstance(encoder, StaticEncoder) and len(texts) >= many and (os.cpu_count() or 1) > 1:
            self._start(encoder.folder)

    def _start(self, model: Path) -> None:
        self._scratch = tempfile.TemporaryDirectory(prefix="rulestone.")
        self._given, self._made = (Path(self._scratch.name) / name for name in ("texts.json", "vectors.npy"))
        self._given.write_text(json.dumps(self._texts), encoding="utf-8")
        command = [sys.executable, "-m", __name__, str(model), str(self._given), str(self._made)]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._scratch.cleanup()

    def vectors(self) -> Vectors:
        """The vectors, waited for; where the process failed they are made here."""
        if self._process is not None and self._process.wait() == 0:
            return np.asarray(np.load(self._made), dtype=np.float32)
        return self._encoder.encode(self._texts)


def main(model: Path, given: Path, made: Path) -> None:
    """What the process does."""
    texts = json.loads(given.read_text(encoding="utf-8"))
    np.save(made, StaticEncoder(model).encode(texts).astype(np.float16))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
