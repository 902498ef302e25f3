"""A BERT encoder by the names of transformers: weights from the wheel, and the same as an ONNX graph.

Pieces that no text in Latin script, Japanese or Chinese needs are left out: half of the vocabulary, and most of the memory.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from search.encode.wheel import Array, Shape, Wheel

if TYPE_CHECKING:
    from onnx import ModelProto
    from tokenizers import Tokenizer

Weights = Mapping[str, Array]
"""Tensors by the names that transformers' BertModel gives them."""
WORDS = "embeddings.word_embeddings.weight"
MATRICES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
"""Name in the wheel → name in a layer, of all that is a matrix with a bias."""
_NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
_SPECIAL = 4
"""The first pieces: beginning, padding, end, unknown."""
_KEPT = re.compile(
    "[\u2581\x20-\x7e\u00a0-\u017f\u2010-\u205e\u2190-\u21ff\u2460-\u26ff\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]+"
)
"""Latin letters, punctuation, arrows and symbols, kana and Han characters."""
PADDING, EPSILON = 1, 1e-12


def kept(pieces: Sequence[str]) -> list[int]:
    """The places of the pieces that are kept."""
    return [place for place, piece in enumerate(pieces) if place < _SPECIAL or _KEPT.fullmatch(piece)]


def weights(wheel: Wheel) -> dict[str, Array]:
    """The weights of the wheel, of the pieces that are kept."""
    shape, hidden = wheel.shape, wheel.shape.hidden
    tensors = {
        WORDS: wheel.tensor("emb.word", hidden)[kept(wheel.pieces)],
        "embeddings.position_embeddings.weight": wheel.tensor("emb.pos", hidden),
        "embeddings.token_type_embeddings.weight": wheel.tensor("emb.type", hidden),
        **_norm(wheel, "emb.ln", "embeddings.LayerNorm"),
    }
    for layer in range(shape.layers):
        for short, name in MATRICES.items():
            columns = shape.inner if short == "fo" else hidden
            tensors[f"encoder.layer.{layer}.{name}.weight"] = wheel.tensor(f"l{layer}.{short}.w", columns)
            tensors[f"encoder.layer.{layer}.{name}.bias"] = wheel.tensor(f"l{layer}.{short}.b", 1)[:, 0]
        for short, name in _NORMS.items():
            tensors |= _norm(wheel, f"l{layer}.{short}", f"encoder.layer.{layer}.{name}")
    return tensors


def _norm(wheel: Wheel, short: str, name: str) -> dict[str, Array]:
    return {f"{name}.{full}": wheel.tensor(f"{short}.{part}", 1)[:, 0] for part, full in (("w", "weight"), ("b", "bias"))}


def tokenizer(wheel: Wheel) -> "Tokenizer":
    """The tokenizer of XLM-RoBERTa (unigram pieces after NFKC), of the pieces that are kept."""
    from tokenizers import Regex, Tokenizer
    from tokenizers.models import Unigram
    from tokenizers.normalizers import NFKC, Nmt, Replace
    from tokenizers.normalizers import Sequence as Steps
    from tokenizers.pre_tokenizers import Metaspace
    from tokenizers.processors import TemplateProcessing

    vocabulary = [(wheel.pieces[place], float(wheel.scores[place])) for place in kept(wheel.pieces)]
    made = Tokenizer(Unigram(vocabulary, unk_id=3, byte_fallback=False))
    made.normalizer = Steps([Nmt(), NFKC(), Replace(Regex(" {2,}"), " ")])
    made.pre_tokenizer = Metaspace(replacement="\u2581", prepend_scheme="always", split=True)
    made.post_processor = TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return made


def onnx_graph(tensors: Weights, shape: Shape) -> "ModelProto":
    """The encoder from token numbers and mask, shape (texts, tokens) each, to vectors of unit length, shape (texts, hidden).

    Mean pooling and normalisation are in it. Word vectors are 8 bits with a scale for each piece; the matrices are in single
    precision, for onnxruntime to quantise.
    """
    from onnx import TensorProto, helper

    graph = _Graph(tensors, shape)
    hidden = graph.layers(graph.embedded())
    graph.pooled(hidden)
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in ("ids", "mask")]
    output = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["texts", shape.hidden])
    made = helper.make_graph(graph.nodes, "encoder", inputs, [output], graph.constants)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


class _Graph:
    """A graph in the making: each step adds a node and names its result."""

    def __init__(self, tensors: Weights, shape: Shape) -> None:
        from onnx import NodeProto, TensorProto

        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self._found, self._shape = tensors, shape
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

    def embedded(self) -> str:
        """Words and positions, normalised."""
        from onnx import TensorProto

        words = self._found[WORDS]
        scales = np.maximum(np.abs(words).max(axis=1, keepdims=True), 1e-9) / np.float32(127)
        rows = self._node("Gather", self._constant(np.round(words / scales).astype(np.int8)), "ids")
        worth = self._node("Gather", self._constant(scales.astype(np.float32)), "ids")
        meant = self._node("Mul", self._node("Cast", rows, to=TensorProto.FLOAT), worth)
        types = self._found["embeddings.token_type_embeddings.weight"][0]
        places = self._constant(self._found["embeddings.position_embeddings.weight"] + types)
        length = self._node("Slice", self._node("Shape", "ids"), self._constant([1]), self._constant([2]))
        placed = self._node("Slice", places, self._constant([0]), length, self._constant([0]))
        return self._normalised(self._node("Add", meant, placed), "embeddings.LayerNorm")

    def layers(self, hidden: str) -> str:
        """All layers, one after the other."""
        absent = self._node("Sub", self._constant(1.0), self._node("Unsqueeze", self._mask, self._constant([1, 2])))
        unseen = self._node("Mul", absent, self._constant(-1e4))
        for layer in range(self._shape.layers):
            hidden = self._layer(hidden, f"encoder.layer.{layer}", unseen)
        return hidden

    def _layer(self, hidden: str, name: str, unseen: str) -> str:
        size = self._shape.hidden // self._shape.heads
        split = self._constant([0, 0, self._shape.heads, size])
        query, key, value = (
            self._node("Transpose", self._node("Reshape", self._linear(hidden, f"{name}.{MATRICES[part]}"), split), perm=order)
            for part, order in (("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3]))
        )
        alike = self._node("Mul", self._node("MatMul", query, key), self._constant(float(size) ** -0.5))
        heeded = self._node("Softmax", self._node("Add", alike, unseen), axis=-1)
        gathered = self._node("Transpose", self._node("MatMul", heeded, value), perm=[0, 2, 1, 3])
        joined = self._node("Reshape", gathered, self._constant([0, 0, self._shape.hidden]))
        attended = self._node("Add", hidden, self._linear(joined, f"{name}.{MATRICES['ao']}"))
        hidden = self._normalised(attended, f"{name}.attention.output.LayerNorm")
        inner = self._node("Gelu", self._linear(hidden, f"{name}.{MATRICES['fi']}"))
        whole = self._node("Add", hidden, self._linear(inner, f"{name}.{MATRICES['fo']}"))
        return self._normalised(whole, f"{name}.output.LayerNorm")

    def pooled(self, hidden: str) -> str:
        """The mean of the tokens that are there, of unit length."""
        there = self._node("Unsqueeze", self._mask, self._constant([2]))
        tokens = self._constant([1])
        total = self._node("ReduceSum", self._node("Mul", hidden, there), tokens, keepdims=0)
        mean = self._node("Div", total, self._node("ReduceSum", there, tokens, keepdims=0))
        return self._node("LpNormalization", mean, result="vectors", axis=-1, p=2)

    def _linear(self, inputs: str, name: str) -> str:
        product = self._node("MatMul", inputs, self._constant(self._found[f"{name}.weight"].T))
        return self._node("Add", product, self._constant(self._found[f"{name}.bias"]))

    def _normalised(self, inputs: str, name: str) -> str:
        scale, bias = (self._constant(self._found[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self._node("LayerNormalization", inputs, scale, bias, axis=-1, epsilon=EPSILON)
