"""What the pretrained encoder was taught about rulebooks: a low-rank correction of each matrix, and small ones of the rest.

W' = W + up · down (Hu et al. 2021, LoRA: Low-Rank Adaptation of Large Language Models), found by teaching all weights and
keeping the strongest directions of what changed.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from search.encode.bert import WORDS, Weights
from search.encode.wheel import Array

UP, DOWN, WHOLE = ".up", ".down", ".whole"
SHIPPED = Path(__file__).parents[1] / "data" / "adapter.safetensors"
"""The adapter that ships; `make adapter` teaches it."""


def strongest(before: Weights, after: Weights, rank: int) -> dict[str, Array]:
    """The adapter that turns weights into others, each matrix by its strongest directions; in half precision."""
    changes: dict[str, Array] = {}
    for name, old in before.items():
        if name == WORDS:
            continue  # words keep their vectors: what is taught is how they are read
        change = after[name] - old
        if not change.any():
            continue
        if change.ndim < 2 or min(change.shape) <= rank:
            changes[name + WHOLE] = change
            continue
        left, strength, right = np.linalg.svd(change, full_matrices=False)
        root = np.sqrt(strength[:rank])
        changes[name + UP], changes[name + DOWN] = left[:, :rank] * root, root[:, None] * right[:rank]
    return {name: values.astype(np.float16) for name, values in changes.items()}


def merged(weights: Weights, adapter: Mapping[str, Array]) -> dict[str, Array]:
    """The weights with what was taught."""
    sums = dict(weights)
    for name in weights:
        if name + WHOLE in adapter:
            sums[name] = weights[name] + adapter[name + WHOLE].astype(np.float32)
        elif name + UP in adapter:
            sums[name] = weights[name] + adapter[name + UP].astype(np.float32) @ adapter[name + DOWN].astype(np.float32)
    return sums


def read(file: Path) -> dict[str, Array]:
    """An adapter; empty where there is no such file: the encoder is then as it came."""
    if not file.is_file():
        return {}
    from safetensors.numpy import load_file

    return dict(load_file(file))
