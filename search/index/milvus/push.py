"""Writes the passages of an index into Milvus, one collection for each signal."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from search.encode.cache import Codes
from search.index.bm25 import Bm25Index
from search.index.embeddings import SentenceEmbeddings, read_sentences, read_static
from search.index.engine import PassageTable
from search.index.milvus.collections import BM25, SIGNALS, STATIC, Collections
from search.index.milvus.engine import MEAN_OWNER

if TYPE_CHECKING:
    from pymilvus import CollectionSchema

_ROWS_AT_ONCE = 1000
"""Number of rows in one request, about 4 MB with the longest vectors."""
_MIN_SCORE = 1e-6
"""Score of a term that every passage contains, because Milvus stores no zeros."""
_COLUMN_TYPES = {"owner": "INT32", "field": "INT8", "lang": "INT8", "game": "INT16"}
Row = dict[str, Any]


class PushedIndex(Protocol):
    """An index of a bundle: of its rules or of its rulings."""

    folder: Path
    passages: PassageTable
    is_encoded: bool


def push_index(collections: Collections, seal: str, indexes: Iterable[PushedIndex]) -> int:
    """Writes the missing collections of the bundle with a seal; returns the number of its passages.

    The previous bundle is kept, older ones are dropped. Raises EnvironmentFault for an error of Milvus.
    """
    _drop_old_collections(collections, seal)
    return sum(_push_one(collections, seal, index) for index in indexes)


def _push_one(collections: Collections, seal: str, index: PushedIndex) -> int:
    name = index.folder.name
    complete = collections.complete_collections(seal, name)
    for signal in SIGNALS if index.is_encoded else SIGNALS[:-1]:
        if signal not in complete:
            draft, final = (collections.collection_name(seal, name, signal, draft=draft) for draft in (True, False))
            _write_collection(collections, draft, final, _rows(signal, index.folder, index.passages))
    return len(index.passages.owner)


def _drop_old_collections(collections: Collections, seal: str) -> None:
    """Drops all other bundles except the newest, and drafts of other bundles."""
    others = [collection for collection in collections.stored_collections() if not seal.startswith(collection.seal)]
    newest = max(others, key=lambda collection: collection.created, default=None)
    with collections.convert_errors():
        for collection in others:
            if not collection.created or (newest and collection.seal != newest.seal):
                collections.client.drop_collection(collection.name)


def _rows(signal: str, folder: Path, table: PassageTable) -> Iterator[Row]:
    if signal == BM25:
        return _term_rows(Bm25Index(folder), table)
    if signal == STATIC:
        vectors, rows = read_static(folder)
        return _vector_rows(vectors.codes, rows, np.arange(len(rows)), table)
    sentences = read_sentences(folder)
    passages = sentences.passages
    return _with_mean(sentences, _vector_rows(sentences.vectors.codes, np.arange(len(passages)), passages, table))


def _term_rows(bm25: Bm25Index, table: PassageTable) -> Iterator[Row]:
    """For each passage, the BM25 scores of its terms and, in as many further dimensions, their idf."""
    starts, columns, scores = bm25.postings_by_row()
    idf = np.array([bm25.idf(term) for term in bm25.terms])
    for passage in np.flatnonzero(np.diff(starts)[bm25.rows]).tolist():
        row = int(bm25.rows[passage])
        own = slice(int(starts[row]), int(starts[row + 1]))
        dimensions = np.concatenate((columns[own], columns[own] + len(idf))).tolist()
        values = np.maximum(np.concatenate((scores[own], idf[columns[own]])), _MIN_SCORE).tolist()
        yield _row(passage, table) | {"vector": dict(zip(dimensions, values, strict=True))}


def _vector_rows(codes: Codes, rows: Sequence[int] | NDArray[Any], passages: NDArray[Any], table: PassageTable) -> Iterator[Row]:
    """For each passage, its vector as int8 codes, which have the same cosines."""
    for passage, row in zip(passages.tolist(), rows, strict=True):
        if codes[row].any():
            yield _row(passage, table) | {"vector": codes[row].astype(np.float32)}


def _with_mean(sentences: SentenceEmbeddings, rows: Iterator[Row]) -> Iterator[Row]:
    yield {
        "id": MEAN_OWNER,
        "owner": MEAN_OWNER,
        "field": MEAN_OWNER,
        "lang": MEAN_OWNER,
        "game": MEAN_OWNER,
        "vector": sentences.vectors.mean_vector(),
    }
    yield from rows


def _row(passage: int, table: PassageTable) -> Row:
    owner = int(table.owner[passage])
    values = int(table.field[passage]), int(table.lang[passage]), int(table.game[owner])
    return {"id": passage, "owner": owner, **dict(zip(("field", "lang", "game"), values, strict=True))}


def _write_collection(collections: Collections, draft: str, final: str, rows: Iterator[Row]) -> None:
    """Writes a draft and renames it when it is complete."""
    client = collections.client
    batch = list(islice(rows, _ROWS_AT_ONCE))
    vector = batch[0]["vector"] if batch else {}
    with collections.convert_errors():
        if client.has_collection(draft):
            client.drop_collection(draft)
        client.create_collection(draft, schema=_schema(collections, 0 if isinstance(vector, dict) else len(vector)))
        while batch:
            client.insert(draft, batch)
            batch = list(islice(rows, _ROWS_AT_ONCE))
        client.flush(draft)
        client.create_index(draft, _index_params(collections, sparse=isinstance(vector, dict)), sync=False)
        client.rename_collection(draft, final)
        client.load_collection(final)


def _schema(collections: Collections, dimensions: int) -> "CollectionSchema":
    """For dense vectors, with this number of dimensions; 0 for sparse ones."""
    from pymilvus import DataType

    schema = collections.client.create_schema(auto_id=False)
    schema.add_field("id", DataType.INT64, is_primary=True)
    for name, kind in _COLUMN_TYPES.items():
        schema.add_field(name, DataType[kind])
    if dimensions:
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimensions)
    else:
        schema.add_field("vector", DataType.SPARSE_FLOAT_VECTOR)
    return schema


def _index_params(collections: Collections, *, sparse: bool) -> Any:  # noqa: ANN401
    """For vectors, and for the columns in expressions. Milvus Lite compares every vector; a server chooses with AUTOINDEX."""
    indexes = collections.client.prepare_index_params()
    if sparse:
        indexes.add_index("vector", index_type="SPARSE_INVERTED_INDEX", metric_type="IP")
    else:
        indexes.add_index("vector", index_type="FLAT" if collections.is_file else "AUTOINDEX", metric_type="COSINE")
    for name in ("owner", "game"):
        indexes.add_index(name, index_type="INVERTED")
    return indexes
