"""Splits passages into terms, half of them in a worker process, because Python runs on one core.

The worker is a new interpreter instead of a fork, because callers may have threads and may not guard their main module.
"""

import json
import os
import subprocess
import sys
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from corpus.words.lexicon import Lexicon
from corpus.words.tokens import terms, words
from search.encode.encoder import StaticEncoder, TokenIds
from search.index.concept_tokens import concept_tokens
from search.index.embeddings import StaticVectorBuilder
from search.index.passages import Passage
from search.settings import Field

_WORKER_FROM = 10_000
"""Amount of text above which a worker saves more time than its start takes."""
_SEPARATOR = "\n"
"""Separates terms in the worker's file; no term contains a line break."""
GameText = tuple[str, str]
"""A text and its game."""


class SplitTask(NamedTuple):
    """A text to split."""

    text: str
    game: str
    wants_ids: bool  # whether the static model needs its tokens


class SplitText(NamedTuple):
    """A text after splitting."""

    terms: list[str]
    ids: "TokenIds | None"  # its tokens in the static model, if they are wanted


def split_text(task: SplitTask, labels: Lexicon, model: StaticEncoder | None) -> SplitText:
    """Splits one text."""
    tokens = words(task.text)
    text_terms = [*terms(tokens), *concept_tokens(tokens, labels, task.game)]
    return SplitText(text_terms, model.token_ids(tokens) if model and task.wants_ids else None)


class PassageTokenizer:
    """Splits the passages of an index. Equal texts, such as titles above many rules and texts of several editions, are split once.

    The builder of static vectors receives the tokens of each text, since finding them takes most of its time.
    """

    def __init__(self, labels: Lexicon, file: Path, builder: StaticVectorBuilder) -> None:
        """`labels` is the lexicon of the index, and `file` its file."""
        self._labels, self._file, self._builder = labels, file, builder
        self._terms_of_text: dict[GameText, list[str]] = {}
        self._contexts: dict[GameText, list[str]] = {}

    def passage_bags(self, passages: Sequence[Passage], games: Sequence[str]) -> list[list[str]]:
        """The words, characters, pairs and concept tokens of each passage; `games` has the game of each."""
        own_games = list(zip(passages, games, strict=True))
        texts = dict.fromkeys((passage.text, game) for passage, game in own_games if passage.field != Field.CONTEXT)
        own, others = _split_in_halves([*texts])
        model = self._builder.model
        tasks = [self._make_task(*text) for text in others]
        with TokenizerWorker(self._file, model.folder if model else None, tasks) as worker:
            for text, game in own:
                self._split_once(text, game)
            for task, result in zip(tasks, worker.results(), strict=False):
                self._store_split(task, result)
        return [self._passage_bag(passage, game) for passage, game in own_games]

    def _passage_bag(self, passage: Passage, game: str) -> list[str]:
        if passage.field != Field.CONTEXT:
            return self._split_once(passage.text, game)
        if (passage.text, game) not in self._contexts:
            titles = passage.text.split("\n")
            self._contexts[passage.text, game] = [term for title in titles for term in self._split_once(title, game)]
        return self._contexts[passage.text, game]

    def _split_once(self, text: str, game: str) -> list[str]:
        if (text, game) not in self._terms_of_text:
            task = self._make_task(text, game)
            self._store_split(task, split_text(task, self._labels, self._builder.model))
        return self._terms_of_text[text, game]

    def _make_task(self, text: str, game: str) -> SplitTask:
        return SplitTask(text, game, self._builder.needs_tokens(text))

    def _store_split(self, task: SplitTask, result: SplitText) -> None:
        self._terms_of_text[task.text, task.game] = result.terms
        if result.ids is not None:
            self._builder.add_tokens(task.text, result.ids)


def _split_in_halves(texts: Sequence[GameText]) -> tuple[Sequence[GameText], Sequence[GameText]]:
    """Two parts with the same number of characters."""
    ends = list(accumulate(len(text) for text, _ in texts))
    middle = sum(end * 2 <= ends[-1] for end in ends)
    return texts[:middle], texts[middle:]


class TokenizerWorker:
    """A process that splits texts, active inside its `with` block. For few texts or on one core, there is no process."""

    def __init__(self, labels: Path, model: Path | None, tasks: Sequence[SplitTask], worker_from: int = _WORKER_FROM) -> None:
        """`labels` is the file of a lexicon, `model` the folder of a static model if tokens are wanted."""
        self._process: subprocess.Popen[bytes] | None = None
        if len(tasks) >= worker_from and (os.cpu_count() or 1) > 1:
            self._start_process(labels, model, tasks)

    def _start_process(self, labels: Path, model: Path | None, tasks: Sequence[SplitTask]) -> None:
        self._scratch = tempfile.TemporaryDirectory(dir=labels.parent)  # deleted with the draft if this process is killed
        tasks_file, self._result = (Path(self._scratch.name) / name for name in ("texts.json", "terms.json"))
        body = {"labels": str(labels), "model": model and str(model), "texts": tasks}
        tasks_file.write_text(json.dumps(body), encoding="utf-8")
        command = [sys.executable, "-m", __name__, str(tasks_file), str(self._result)]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._scratch.cleanup()

    def results(self) -> Iterator[SplitText]:
        """The texts in their order, when the process has ended; nothing if there was no process or it failed."""
        if self._process is not None and self._process.wait() == 0:
            for term_line, ids in json.loads(self._result.read_text(encoding="utf-8")):
                yield SplitText(term_line.split(_SEPARATOR) if term_line else [], None if ids is None else array("i", ids))


def main(tasks_file: Path, result: Path) -> None:
    """The main function of the process."""
    body = json.loads(tasks_file.read_text(encoding="utf-8"))
    labels = Lexicon.load(Path(body["labels"]))
    model = StaticEncoder(Path(body["model"])) if body["model"] else None
    splits = (split_text(SplitTask(*text), labels, model) for text in body["texts"])
    rows = [(_SEPARATOR.join(text_terms), None if ids is None else ids.tolist()) for text_terms, ids in splits]
    result.write_text(json.dumps(rows), encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
