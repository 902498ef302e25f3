"""What Milvus costs by size beside the arrays: an index of invented passages, and a process of its own for each of its works."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from bench.speed import copies
from bench.speed.answers import LIMIT, Ask, Told, agreement, asked, times, told
from bench.speed.processes import Held, held
from bench.speed.sizes import alone, cut, ours, queries
from search.encode.choice import encoder
from search.index.engine import Opening
from search.index.index import FOLDER, HEADER, Index
from search.index.mapped import Mapped
from search.index.milvus.collections import TOKEN, Address, Collections
from search.index.milvus.engine import opening
from search.index.milvus.push import push
from search.query.query import understand
from search.rank.ranker import Ranker


class Answered(NamedTuple):
    """What an engine answers, what it took to open it and to answer for the first time, and the memory that it holds then."""

    answers: list[Told]
    opened: Told
    held: Held


class Pushed(NamedTuple):
    """What it took to write an index into Milvus: passages, the time, and the memory of that process."""

    passages: int
    took: Told
    held: Held


class Older(Collections):
    """Milvus Lite 2, whose core is that of a server: it keeps no names back and writes at once, so a draft is no draft."""

    def __init__(self, at: Address, token: str = "") -> None:
        super().__init__(at, token)
        self._names: dict[tuple[str, str, str], str] = {}
        self.client.flush = self.client.rename_collection = lambda *names: None

    def name(self, seal: str, part: str, leg: str, *, draft: bool) -> str:
        """See Collections."""
        return self._names.setdefault((seal, part, leg), super().name(seal, part, leg, draft=False))


def of_size(count: int, at: Address, kept: Path, times: int, most: int | None) -> None:
    """Compares the ranking of so many invented passages, made by chance or as copies of fewer.

    An index that is kept in a folder from before is taken from there.
    """
    index = _index(count, kept, times)
    seal = sha256(f"{count} {(index / HEADER).stat().st_size}".encode()).hexdigest()
    arrays: Answered = alone(_arrays, index, most)
    _print(count, "arrays", _size(index), arrays)
    before = _size(Path(at.uri))
    pushed: Pushed = alone(_push, at, seal, index)
    print(
        f"{count} · {pushed.passages} passages pushed in {_time(pushed.took)}, {_megabytes(pushed.held.most)} at most", flush=True
    )
    theirs: Answered = alone(_milvus, at, seal, index, most)
    _print(count, "Milvus", _size(Path(at.uri)) - before, theirs)
    print(f"{count} · {agreement(arrays.answers, theirs.answers)}", flush=True)


def _print(count: int, name: str, disk: int, answered: Answered) -> None:
    resident, own, most = map(_megabytes, answered.held)
    memory = f"{resident} resident ({own} of no file), {most} at most"
    opened = f"first answer after {_time(answered.opened)}"
    print(f"{count} · {name}: {_megabytes(disk)} on disk, {memory}, {opened}, {times(answered.answers)}", flush=True)


def _time(took: Told) -> str:
    return f"{took.seconds:.1f} s (cpu {took.processor:.1f})"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


def _index(count: int, kept: Path, times: int = 1) -> Path:
    """An index of so many invented passages."""
    folder = kept / str(count)
    index = folder / FOLDER
    if (index / HEADER).exists():
        return index
    if times > 1:
        took = alone(_copy, _index(count // times, kept), index, times)
        print(f"{count} · passages copied in {_time(took)}", flush=True)
        return index
    folder.mkdir(parents=True, exist_ok=True)
    alone(cut, None, count, folder / "rules.json")
    built = alone(ours, None, folder / "rules.json", index)
    print(f"{count} · {built.passages} passages indexed in {built.seconds:.0f} s, {_megabytes(built.peak)} at most", flush=True)
    return index


def _copy(before: Path, index: Path, times: int) -> Told:
    def write(_: str) -> list[str]:
        copies.write(before, index, times)
        return []

    return told(write, "")


def _size(file: Path) -> int:
    """Bytes of a file or folder, 0 where it is on a server."""
    parts = [file, *file.parent.glob(f"{file.name}-*")] if file.is_file() else file.rglob("*")  # SQLite has more beside a file
    return sum(part.stat().st_size for part in parts if part.is_file())


def _arrays(index: Path, most: int | None) -> Answered:
    return _answered(index, Mapped, most)


def _milvus(at: Address, seal: str, index: Path, most: int | None) -> Answered:
    with connected(at) as collections:
        return _answered(index, opening(collections, seal), most)


def _push(at: Address, seal: str, index: Path) -> Pushed:
    own = Index(index)
    with connected(at) as collections:
        took = told(lambda _: [str(push(collections, seal, [own]))], "")
        return Pushed(int(took.first[0]), took, held())


def _answered(index: Path, engine: Opening, most: int | None) -> Answered:
    texts = queries(None)[:most]
    rankings: list[Ask] = []

    def open_and_ask(text: str) -> list[str]:
        rankings.append(_ranking(Index(index, engine)))
        return rankings[0](text)

    first = told(open_and_ask, texts[0])
    return Answered(asked(rankings[0], texts), first, held())


def _ranking(index: Index) -> Ask:
    ranker, words = Ranker(index), encoder()

    def ask(text: str) -> list[str]:
        ranking = ranker.rank(understand(text, index.lexicon, index.lexical), words.encode([text])[0], LIMIT)
        return [index.rules[hit.place].iri for hit in ranking.hits]

    return ask


@contextmanager
def connected(at: Address) -> Iterator[Collections]:
    """The collections at an address, of whichever Milvus Lite is installed."""
    older = not at.uri.startswith("http") and version("milvus-lite").startswith("2.")
    collections: Any = (Older if older else Collections)(at, os.environ.get(TOKEN, ""))
    try:
        yield collections
    finally:
        collections.close()
