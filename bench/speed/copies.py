"""A large index of invented passages: a smaller one some times over, each time with every figure a little off."""

import json
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, vstack

from search.index import arrays, vectors
from search.index.index import HEADER, LABELS

_TERMS = "terms.json"
_WORTH, _LEVELS = 0.05, 6
"""So far off is what a term is worth, in parts of it, and each of the levels of a vector, which go to 127."""
Array = NDArray[Any]
Each = Callable[[Array, int], Array]


def write(before: Path, folder: Path, times: int) -> None:
    """Writes an index with each rule of another one so many times.

    Raises ValueError for rules that cite, define or have counterparts: those of invented books do not.
    """
    header = json.loads((before / HEADER).read_text(encoding="utf-8"))
    if any((*header["cites"], *header["definitions"], *header["counterparts"], header["sentences"])):
        raise ValueError("only an index of invented rules can be copied")
    folder.mkdir(parents=True)
    count, chance = len(header["rules"]), np.random.default_rng(times)
    for name in ("fields", "langs", "mass"):
        _fieldwise(before, folder, f"{name}.npy", times, lambda values, copy: values)
    _fieldwise(before, folder, "rules.npy", times, lambda values, copy: values + copy * count)
    _vectors(before, folder, times, chance)
    _terms(before, folder, times, chance)
    shutil.copyfile(before / LABELS, folder / LABELS)
    rows = [[*_named(row, copy), row[-1] + copy * count] for copy in range(times) for row in header["rules"]]
    body = header | {"rules": rows, "cites": [[]] * len(rows), "parents": [-1] * len(rows), "variants": []}
    (folder / HEADER).write_text(json.dumps(body, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def _named(row: list[Any], copy: int) -> list[Any]:
    """A rule of another book, without its group."""
    iri, game, book, *others = row[:-1]
    return [f"{iri}-{copy}", game, f"{book}{copy}", *others]


def _fieldwise(before: Path, folder: Path, name: str, times: int, each: Each) -> None:
    """Writes the copies of what is known of each passage: passages lie field by field."""
    values = arrays.load(before / name)
    runs = [each(values[run], copy) for run in _fields(before) for copy in range(times)]
    arrays.save(folder / name, np.concatenate(runs).astype(values.dtype))


def _fields(before: Path) -> list[slice]:
    """Where the passages of each field lie."""
    fields = arrays.load(before / "fields.npy")
    ends = [0, *(np.flatnonzero(np.diff(fields)) + 1).tolist(), len(fields)]
    return [slice(begin, end) for begin, end in pairwise(ends)]


def _vectors(before: Path, folder: Path, times: int, chance: np.random.Generator) -> None:
    levels, rows, keys = (arrays.load(before / name) for name in (vectors.FILE, vectors.ROWS, vectors.KEYS))
    if len(rows) > _fields(before)[0].stop:
        raise ValueError("only an index with vectors of one field can be copied")
    off = [levels + chance.integers(-_LEVELS, _LEVELS, levels.shape, dtype=np.int16, endpoint=True) for _ in range(times)]
    arrays.save(folder / vectors.FILE, np.concatenate(off).clip(-127, 127).astype(np.int8))
    arrays.save(folder / vectors.ROWS, np.concatenate([rows + copy * len(levels) for copy in range(times)]).astype(rows.dtype))
    arrays.save(folder / vectors.KEYS, np.tile(keys, times))


def _terms(before: Path, folder: Path, times: int, chance: np.random.Generator) -> None:
    words = json.loads((before / _TERMS).read_text(encoding="utf-8"))
    columns = tuple(arrays.load(before / f"{name}.npy") for name in ("data", "indices", "indptr"))
    rows = csc_matrix(columns, shape=(words["passages"], len(words["vocabulary"]))).tocsr()
    whole = vstack([rows[run] for run in _fields(before) for _ in range(times)], format="csr").tocsc()
    whole.data *= chance.uniform(1 - _WORTH, 1 + _WORTH, len(whole.data)).astype(np.float32)
    for name in ("data", "indices", "indptr"):
        values: Array = getattr(whole, name)
        arrays.save(folder / f"{name}.npy", values.astype(arrays.load(before / f"{name}.npy").dtype))
    shutil.copyfile(before / "rarity.npy", folder / "rarity.npy")
    words["passages"] = whole.shape[0]
    (folder / _TERMS).write_text(json.dumps(words, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
