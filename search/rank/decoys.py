"""Decoys: topics that no rulebook answers, which a question is compared with as it is with rules.

A question that is nearer to the price of a card than to any rule is about the price. They lie in `data/decoys.tsv`: kinds of
what is not answered, the game whose mechanics they name (it counts until that game is loaded), and words in any language.
"""

import csv
import tempfile
from collections.abc import Callable, Container
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from search.encode.encoder import Encoder, Vectors
from search.encode.pretrained import PretrainedEncoder
from search.encode.pretrained import folder as encoder_folder
from search.index.lexical import Scores

FILE = Path(__file__).parents[1] / "data" / "decoys.tsv"
OTHER_GAME, POLICY, PRICES, NONSENSE = KINDS = ("other-game", "policy", "prices", "nonsense")
_NEAREST = 3
"""So many decoys are looked at together."""


class Decoy(NamedTuple):
    """A topic that no rulebook answers."""

    kind: str  # one of KINDS
    game: str  # slug of the game whose mechanics it names; "" where it is none's
    words: str


class Nearness(NamedTuple):
    """How near a question is to decoys: cosines, less what any rule has of them."""

    kinds: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)  # to the nearest of each of KINDS
    nearest: float = 0.0  # mean of the nearest of all
    common: float = 0.0  # of the question to the mean of all rules
    static: float = 0.0  # to the nearest, by static vectors


FAR = Nearness()
"""Of a question that nothing is known of."""


@cache
def read() -> tuple[Decoy, ...]:
    """All decoys, in their order."""
    with FILE.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(Decoy(row["kind"], row["game"] or "", row["words"]) for row in rows)


class Decoys:
    """The decoys beside one library, as vectors of its encoders. Thread-safe."""

    def __init__(self, games: Container[str], mean: Callable[[], Scores | None] | None) -> None:
        """`games` are loaded; `mean` gives the mean of the sentence vectors of the rules, None without any."""
        self._kept = np.array([decoy.game not in games for decoy in read()], dtype=np.bool_)
        self._kinds = np.array([KINDS.index(decoy.kind) for decoy in read()])[self._kept]
        self._mean_of = mean
        self._static: Vectors | None = None

    def nearness(self, encoder: Encoder, static: Scores, sentence: Scores | None, opened: PretrainedEncoder | None) -> Nearness:
        """How near a question is, whose vectors are `static`, by `encoder`, and `sentence`, by `opened` (None: without)."""
        if self._static is None:
            self._static = encoder.encode([decoy.words for decoy in read()])[self._kept]
        alike = float(np.einsum("ij,j->i", self._static, static).max(initial=0))
        if sentence is None or opened is None or self._mean is None:
            return Nearness(static=alike)
        near = np.einsum("ij,j->i", _encoded(opened)[self._kept], sentence - self._mean)
        kinds = [float(near[self._kinds == kind].max(initial=-1)) for kind in range(len(KINDS))]
        nearest = float(np.sort(near)[-_NEAREST:].mean())
        return Nearness((kinds[0], kinds[1], kinds[2], kinds[3]), nearest, float(sentence @ self._mean), alike)

    @cached_property
    def _mean(self) -> Scores | None:
        """The mean of the rules' sentence vectors: what all rules have in common says nothing about a question."""
        return self._mean_of() if self._mean_of else None


@cache
def _encoded(encoder: PretrainedEncoder) -> Vectors:
    """The decoys' vectors by the pretrained encoder, which are kept beside it; a cache that cannot be written is no fault."""
    kept = encoder_folder() / f"decoys-{sha256(FILE.read_bytes()).hexdigest()[:16]}.npy"
    try:
        vectors: Vectors = np.load(kept)
    except (OSError, ValueError):
        vectors = encoder.encode_query([decoy.words for decoy in read()])
        _keep(vectors, kept)
    return vectors


def _keep(vectors: Vectors, file: Path) -> None:
    try:
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".npy", delete=False) as draft:
            np.save(draft, vectors)
        Path(draft.name).replace(file)
    except OSError:
        return
