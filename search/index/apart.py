"""Texts split into terms by a process of its own, while the one that asks splits others: Python reckons on one core.

The process is another interpreter, not a fork: whoever asks may have threads, and need not guard its main module.
"""

import json
import os
import subprocess
import sys
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from corpus.words.lexicon import Lexicon
from corpus.words.tokens import terms, words
from search.encode.encoder import Places, StaticEncoder
from search.index.concept_tokens import tokens_of

_MANY = 10_000
"""Texts from which on it pays to start another interpreter."""
_BETWEEN = "\n"
"""Between the terms of a text; none has a line break."""


class Given(NamedTuple):
    """A text of a game to split, and whether the places of its tokens are asked for too."""

    text: str
    game: str
    vector: bool


class Split(NamedTuple):
    """The terms of a text, and the places of its tokens in the static model; None where they are not asked for."""

    terms: list[str]
    places: "Places | None"


class Apart:
    """Some texts in the making, with the labels in a file and the static model in a folder, none: without places."""

    def __init__(self, labels: Path, model: Path | None, texts: Sequence[Given], many: int = _MANY) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        if len(texts) >= many and (os.cpu_count() or 1) > 1:
            self._start(labels, model, texts)

    def _start(self, labels: Path, model: Path | None, texts: Sequence[Given]) -> None:
        self._scratch = tempfile.TemporaryDirectory(dir=labels.parent)  # of the draft: it goes with that if we are killed
        given, self._made = (Path(self._scratch.name) / name for name in ("texts.json", "terms.json"))
        asked = {"labels": str(labels), "model": model and str(model), "texts": texts}
        given.write_text(json.dumps(asked), encoding="utf-8")
        command = [sys.executable, "-m", __name__, str(given), str(self._made)]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._scratch.cleanup()

    def splits(self) -> Iterator[Split]:
        """What the texts are split into, in their order, waited for; nothing where there was no process, or where it failed."""
        if self._process is not None and self._process.wait() == 0:
            for joined, places in json.loads(self._made.read_text(encoding="utf-8")):
                yield Split(joined.split(_BETWEEN) if joined else [], None if places is None else array("i", places))


def split(given: Given, labels: Lexicon, model: StaticEncoder | None) -> Split:
    """One text."""
    tokens = words(given.text)
    said = [*terms(tokens), *tokens_of(tokens, labels, given.game)]
    return Split(said, model.known(tokens) if model and given.vector else None)


def main(given: Path, made: Path) -> None:
    """What the process does."""
    asked = json.loads(given.read_text(encoding="utf-8"))
    labels = Lexicon.load(Path(asked["labels"]))
    model = StaticEncoder(Path(asked["model"])) if asked["model"] else None
    splits = (split(Given(*text), labels, model) for text in asked["texts"])
    rows = [(_BETWEEN.join(said), None if places is None else places.tolist()) for said, places in splits]
    made.write_text(json.dumps(rows), encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
