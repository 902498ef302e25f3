"""Similarity of questions to out-of-scope examples: topics that no rulebook answers.

A question that is more similar to "the price of a card" than to any rule is about the price.
"""

import tempfile
from collections.abc import Callable, Container
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from search.encode.encoder import Encoder, Vectors
from search.encode.pretrained import PretrainedEncoder, cache_folder
from search.index.passages import Scores
from search.query.out_of_scope_examples import EXAMPLES_FILE, KINDS, POLICY, out_of_scope_examples

_NEAREST_COUNT = 3
"""Number of examples whose similarity is averaged."""


class OutOfScopeSimilarity(NamedTuple):
    """The similarity of a question to the examples: cosines after subtraction of the mean of all rules, except for `static`."""

    kinds: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)  # to the nearest of each of KINDS
    nearest: float = 0.0  # mean over the nearest of all
    to_mean: float = 0.0  # of the question to the mean of all rules
    static: float = 0.0  # to the nearest, by static vectors


NO_SIMILARITY = OutOfScopeSimilarity()


class OutOfScopeDetector:
    """Compares questions with the examples that apply to a library. Thread-safe."""

    def __init__(self, games: Container[str], mean: Callable[[], Scores | None] | None) -> None:
        """`games` are loaded; `mean` returns the mean sentence embedding of the rules, None without any."""
        self._counts = np.array([example.game not in games for example in out_of_scope_examples()], dtype=np.bool_)
        self._kinds = np.array([KINDS.index(example.kind) for example in out_of_scope_examples()])[self._counts]
        self._compute_mean = mean
        self._static: Vectors | None = None

    def similarity(
        self,
        encoder: Encoder,
        static: Scores,
        dense: Scores | None,
        sentence_encoder: PretrainedEncoder | None,
        *,
        policy: bool = True,
    ) -> OutOfScopeSimilarity:
        """The similarity of a question, from its static vector by `encoder` and its sentence embedding by `sentence_encoder`.

        Without `policy` the examples of that kind do not count: a tournament document is loaded.
        """
        counts = np.ones(len(self._kinds), dtype=np.bool_) if policy else self._kinds != KINDS.index(POLICY)
        if self._static is None:
            self._static = encoder.encode([example.text for example in out_of_scope_examples()])[self._counts]
        static_cosine = float(np.einsum("ij,j->i", self._static, static)[counts].max(initial=0))
        if dense is None or sentence_encoder is None or self._mean is None:
            return OutOfScopeSimilarity(static=static_cosine)
        cosines = np.einsum("ij,j->i", _embeddings(sentence_encoder)[self._counts], dense - self._mean)
        kinds = [float(cosines[counts & (self._kinds == kind)].max(initial=-1)) for kind in range(len(KINDS))]
        nearest = float(np.sort(cosines[counts])[-_NEAREST_COUNT:].mean())
        return OutOfScopeSimilarity((kinds[0], kinds[1], kinds[2], kinds[3]), nearest, float(dense @ self._mean), static_cosine)

    @cached_property
    def _mean(self) -> Scores | None:
        """The mean sentence embedding of the rules: it represents what all rules have in common and is irrelevant to a question."""
        return self._compute_mean() if self._compute_mean else None


@cache
def _embeddings(encoder: PretrainedEncoder) -> Vectors:
    """The sentence embeddings of the examples, cached in the encoder's folder if that is writable."""
    file = cache_folder() / f"out-of-scope-{sha256(EXAMPLES_FILE.read_bytes()).hexdigest()[:16]}.npy"
    try:
        vectors: Vectors = np.load(file)
    except (OSError, ValueError):
        vectors = encoder.encode_query([example.text for example in out_of_scope_examples()])
        _store_vectors(vectors, file)
    return vectors


def _store_vectors(vectors: Vectors, file: Path) -> None:
    try:
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".npy", delete=False) as draft:
            np.save(draft, vectors)
        Path(draft.name).replace(file)
    except OSError:
        return
