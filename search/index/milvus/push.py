"""Writing the passages of an index into Milvus, a collection for each leg."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from search.encode.cache import Levels
from search.index import sentences, vectors
from search.index.engine import Facts
from search.index.lexical import Lexical
from search.index.milvus.collections import LEGS, NEAR, WORDS, Collections
from search.index.milvus.engine import MEAN

if TYPE_CHECKING:
    from pymilvus import CollectionSchema

_ROWS = 1000
"""Rows in one request: about 4 MB of the longest vectors."""
_LEAST = 1e-6
"""What a term that every passage has is worth at least: Milvus keeps no zeros."""
_SCALARS = {"owner": "INT32", "field": "INT8", "lang": "INT8", "game": "INT16"}
Row = dict[str, Any]


class Pushed(Protocol):
    """An index of a bundle: of its rules, or of its rulings."""

    folder: Path
    facts: Facts
    is_encoded: bool


def push(collections: Collections, seal: str, indexes: Iterable[Pushed]) -> int:
    """Writes the indexes of the bundle with a seal, where they are not there yet; gives how many passages they have.

    The bundle before stays, older ones go. Raises EnvironmentFault where Milvus refuses.
    """
    _forget(collections, seal)
    return sum(_push(collections, seal, index) for index in indexes)


def _push(collections: Collections, seal: str, index: Pushed) -> int:
    part = index.folder.name
    there = collections.of(seal, part)
    for leg in LEGS if index.is_encoded else LEGS[:-1]:
        if leg not in there:
            draft, name = (collections.name(seal, part, leg, draft=draft) for draft in (True, False))
            _write(collections, draft, name, _rows(leg, index.folder, index.facts))
    return len(index.facts.whose)


def _forget(collections: Collections, seal: str) -> None:
    """Drops the bundles that are there but the one with a seal, and the last of the others; drafts of others, too."""
    others = [kept for kept in collections.ours() if not seal.startswith(kept.seal)]
    last = max(others, key=lambda kept: kept.made, default=None)
    with collections.told():
        for kept in others:
            if not kept.made or (last and kept.seal != last.seal):
                collections.client.drop_collection(kept.name)


def _rows(leg: str, folder: Path, facts: Facts) -> Iterator[Row]:
    if leg == WORDS:
        return _words(Lexical(folder), facts)
    if leg == NEAR:
        held, rows = vectors.read(folder)
        return _dense(held.levels, rows, np.arange(len(rows)), facts)
    own = sentences.read(folder)
    return _with_mean(own, _dense(own.vectors.levels, np.arange(len(own.rows)), own.rows, facts))


def _words(lexical: Lexical, facts: Facts) -> Iterator[Row]:
    """Of each passage with a term what each is worth, and in as many dimensions more how rare it is."""
    starts, terms, worth = lexical.by_passage()
    rarity = np.array([lexical.rarity(term) for term in lexical.vocabulary])
    for passage in np.flatnonzero(np.diff(starts)).tolist():
        own = slice(int(starts[passage]), int(starts[passage + 1]))
        dimensions = np.concatenate((terms[own], terms[own] + len(rarity))).tolist()
        values = np.maximum(np.concatenate((worth[own], rarity[terms[own]])), _LEAST).tolist()
        yield _row(passage, facts) | {"vector": dict(zip(dimensions, values, strict=True))}


def _dense(levels: Levels, rows: Sequence[int] | NDArray[Any], passages: NDArray[Any], facts: Facts) -> Iterator[Row]:
    """Of each of some passages its vector, in levels of 8 bits: what is compared are cosines."""
    for passage, row in zip(passages.tolist(), rows, strict=True):
        if levels[row].any():
            yield _row(passage, facts) | {"vector": levels[row].astype(np.float32)}


def _with_mean(own: sentences.Sentences, rows: Iterator[Row]) -> Iterator[Row]:
    yield {"id": MEAN, "owner": MEAN, "field": MEAN, "lang": MEAN, "game": MEAN, "vector": own.vectors.mean()}
    yield from rows


def _row(passage: int, facts: Facts) -> Row:
    owner = int(facts.whose[passage])
    scalars = int(facts.field[passage]), int(facts.lang[passage]), int(facts.game[owner])
    return {"id": passage, "owner": owner, **dict(zip(("field", "lang", "game"), scalars, strict=True))}


def _write(collections: Collections, draft: str, name: str, rows: Iterator[Row]) -> None:
    """Writes a collection; it gets its name when it is whole."""
    client = collections.client
    piece = list(islice(rows, _ROWS))
    vector = piece[0]["vector"] if piece else {}
    with collections.told():
        if client.has_collection(draft):
            client.drop_collection(draft)
        client.create_collection(draft, schema=_schema(collections, 0 if isinstance(vector, dict) else len(vector)))
        while piece:
            client.insert(draft, piece)
            piece = list(islice(rows, _ROWS))
        client.flush(draft)
        client.create_index(draft, _indexes(collections, sparse=isinstance(vector, dict)), sync=False)  # loading waits for it
        client.rename_collection(draft, name)
        client.load_collection(name)


def _schema(collections: Collections, dimensions: int) -> "CollectionSchema":
    """Of dense vectors with so many dimensions; 0: of sparse ones."""
    from pymilvus import DataType

    schema = collections.client.create_schema(auto_id=False)
    schema.add_field("id", DataType.INT64, is_primary=True)
    for name, kind in _SCALARS.items():
        schema.add_field(name, DataType[kind])
    if dimensions:
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimensions)
    else:
        schema.add_field("vector", DataType.SPARSE_FLOAT_VECTOR)
    return schema


def _indexes(collections: Collections, *, sparse: bool) -> Any:  # noqa: ANN401
    """Of vectors, and of what expressions ask for. A file looks at every vector; AUTOINDEX is what a server thinks best."""
    indexes = collections.client.prepare_index_params()
    if sparse:
        indexes.add_index("vector", index_type="SPARSE_INVERTED_INDEX", metric_type="IP")
    else:
        indexes.add_index("vector", index_type="FLAT" if collections.is_file else "AUTOINDEX", metric_type="COSINE")
    for name in ("owner", "game"):
        indexes.add_index(name, index_type="INVERTED")
    return indexes
