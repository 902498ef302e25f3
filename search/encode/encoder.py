"""The static embedding model: sums a vector for each token of a text. It needs no deep learning library at run time."""

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from corpus.errors import EnvironmentFault
from corpus.words.lexicon import Lexicon
from corpus.words.tokens import Token, terms, words
from search.settings import DATA

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Vectors = NDArray[np.float32]
TokenIds: TypeAlias = "array[int]"
"""The distinct tokens of a text, as rows of a static model."""
SHIPPED_MODEL = DATA / "model"
"""The shipped static model; `make model` trains it."""
TOKENIZER_FILE, WEIGHTS_FILE, LABELS_FILE = "tokenizer.json", "model.safetensors", "labels.json"
UNKNOWN_TOKEN = "[UNK]"
"""The first token of a model, which replaces unknown tokens. The shipped model gives it the zero vector."""
_TENSOR_NAME = "embedding.weight"
_MANY_TEXTS = 256
"""Number of texts above which a sparse matrix product is faster; for fewer, SciPy is not imported."""
_PAIR_SEPARATOR = "_"
_MIN_REFERENCE_CHARACTERS = 3
"""Number of characters above which a number counts as a rule number: 400 is one, 20 is a life total."""
_MODULES = "sentence_transformers.sentence_transformer.modules"
_CONFIG: dict[str, Any] = {
    "modules.json": [
        {"idx": 0, "name": "0", "path": "", "type": f"{_MODULES}.StaticEmbedding"},
        {"idx": 1, "name": "1", "path": "1_Normalize", "type": f"{_MODULES}.Normalize"},
    ],
    "1_Normalize/config.json": {},
    "config_sentence_transformers.json": {"model_type": "SentenceTransformer", "similarity_fn_name": "cosine"},
}


class Encoder(Protocol):
    """Embeds texts of any language."""

    @property
    def name(self) -> str:
        """Its name in the header of an index."""

    @property
    def sha256(self) -> str:
        """SHA-256 of its files, 64 hex digits. Vectors of different encoders must never be compared."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embeddings, shape (texts, dimensions), of unit length; zeros for a text without a known token."""


class ConceptTokenizer:
    """Splits texts into terms, pairs of adjacent Latin words, and the concepts that their labels name."""

    def __init__(self, labels: Lexicon) -> None:
        """`labels` maps the labels of concepts to concept tokens."""
        self._labels = labels

    def __call__(self, text: str) -> list[str]:
        """The tokens of a text, with repetitions. Rule numbers are omitted: they locate a rule and are unrelated to its meaning."""
        return self.tokens(words(text))

    def tokens(self, words: Sequence[Token]) -> list[str]:
        """The same for a text that has been split into words."""
        own_words = [word for word in words if not _is_reference(word.norm)]
        concepts = (token for match in self._labels.find(own_words) for token in sorted(match.values))
        return [*terms(own_words), *_pairs(own_words), *concepts]


def _is_reference(norm: str) -> bool:
    return norm[0].isdigit() and len(norm) >= _MIN_REFERENCE_CHARACTERS


def _pairs(words: Sequence[Token]) -> Iterator[str]:
    """Pairs of adjacent Latin words within a sentence."""
    for before, word in pairwise(words):
        if not (before.cjk or word.cjk or word.opens):
            yield before.norm + _PAIR_SEPARATOR + word.norm


class StaticEncoder:
    """A static embedding model: the vector of a text is the normalised sum of its tokens' vectors. Thread-safe.

    Its folder is a sentence-transformers model (StaticEmbedding, Normalize) with the labels added. For `tokens` joined by
    spaces, sentence-transformers computes the same vectors.
    """

    def __init__(self, folder: Path) -> None:
        """Raises EnvironmentFault if the folder has no such model."""
        try:
            self._rows: Vectors = _read_rows(folder / WEIGHTS_FILE)
            self._ids: dict[str, int] = json.loads((folder / TOKENIZER_FILE).read_text(encoding="utf-8"))["model"]["vocab"]
            self.tokenize = ConceptTokenizer(Lexicon.load(folder / LABELS_FILE))
        except (OSError, ValueError, KeyError, TypeError) as fault:
            raise EnvironmentFault(
                "{folder} contains no static model ({fault}); name another model", folder=folder, fault=fault, command="make model"
            ) from fault
        self.folder, self.name = folder, f"static-{self.dimensions}"
        self.sha256 = folder_sha256(folder)

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self._rows.shape[1])

    @property
    def vocabulary(self) -> frozenset[str]:
        """The known tokens."""
        return frozenset(self._ids)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embeddings, shape (texts, dimensions), of unit length; zeros for a text without a known token."""
        return self.encode_tokens([self._distinct_ids(self.tokenize(text)) for text in texts])

    def token_ids(self, words: Sequence[Token]) -> TokenIds:
        """The tokens of a text that has been split into words, for `encode_tokens`; all unknown tokens have id 0."""
        return self._distinct_ids(self.tokenize.tokens(words))

    def _distinct_ids(self, tokens: Iterable[str]) -> TokenIds:
        return array("i", dict.fromkeys(self._ids.get(token, 0) for token in tokens))

    def encode_tokens(self, texts: Sequence[TokenIds]) -> Vectors:
        """The result of `encode` for texts that have been tokenized."""
        if len(texts) >= _MANY_TEXTS:
            return _normalise_rows(_sum_rows(self._rows, texts))
        sums = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, ids in zip(sums, texts, strict=True):
            self._rows[ids].sum(axis=0, dtype=np.float32, out=row)
        return _normalise_rows(sums)

    def tokens(self, text: str) -> list[str]:
        """The distinct tokens whose vectors are summed for a text; UNKNOWN for all unknown ones."""
        return list(dict.fromkeys(token if token in self._ids else UNKNOWN_TOKEN for token in self.tokenize(text)))

    def token_vectors(self) -> tuple[list[str], Vectors]:
        """The known tokens, UNKNOWN first, and their vectors, shape (tokens, dimensions)."""
        return list(self._ids), self._rows.astype(np.float32)


def _sum_rows(rows: NDArray[np.floating], texts: Sequence[TokenIds]) -> Vectors:
    """The sum of each text's rows in the order of its tokens, shape (texts, dimensions), as a sparse product."""
    from scipy.sparse import csr_matrix

    begins = np.concatenate([[0], np.cumsum(np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)))])
    token_ids, columns = np.unique(np.frombuffer(b"".join(texts), dtype=np.intc), return_inverse=True)
    ones = np.ones(len(columns), dtype=np.float32)
    return np.asarray(csr_matrix((ones, columns, begins), shape=(len(texts), len(token_ids))) @ rows[token_ids].astype(np.float32))


def _normalise_rows(rows: Vectors) -> Vectors:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _read_rows(file: Path) -> Vectors:
    """The tensor of a safetensors file, memory-mapped (the format: 8 bytes of length, a JSON header, the data)."""
    with file.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        tensor = json.loads(stream.read(length))[_TENSOR_NAME]
    kind = {"F16": np.float16, "F32": np.float32}[tensor["dtype"]]
    first = 8 + length + int(tensor["data_offsets"][0])
    return np.memmap(file, dtype=kind, mode="r", offset=first, shape=tuple(tensor["shape"])).view(np.ndarray)


def folder_sha256(folder: Path) -> str:
    """SHA-256 over the names and bytes of a folder's files, 64 hex digits."""
    total = sha256()
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        total.update(f"{file.relative_to(folder).as_posix()}\0{sha256(file.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def word_level_tokenizer(tokens: Sequence[str]) -> "Tokenizer":
    """A tokenizer for tokens joined by spaces; the first of `tokens` is UNKNOWN."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit

    tokenizer = Tokenizer(WordLevel({token: row for row, token in enumerate(tokens)}, unk_token=UNKNOWN_TOKEN))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    return tokenizer


def write_static_model(folder: Path, tokens: Sequence[str], rows: Vectors) -> None:
    """Writes a model in half precision, which is sufficient for cosines."""
    from safetensors.numpy import save

    for name, body in _CONFIG.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(body, indent=2) + "\n", encoding="utf-8")
    (folder / TOKENIZER_FILE).write_text(word_level_tokenizer(tokens).to_str(), encoding="utf-8")
    (folder / WEIGHTS_FILE).write_bytes(save({_TENSOR_NAME: rows.astype(np.float16)}))
