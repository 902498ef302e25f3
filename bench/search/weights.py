"""Files of weights, as `search.rank.answerability` reads them."""

from collections.abc import Mapping
from pathlib import Path

from search.rank.answerability import LogisticWeights


def write_weights(file: Path, subject: str, command: str, tables: Mapping[str, LogisticWeights]) -> None:
    """Writes tables of weights in logits, with their subject and the command that fitted them."""
    parts = [f"# Weights of {subject}, in logits. Written by: python -m {command} --write"]
    for name, table in tables.items():
        weights = [f"{feature} = {weight:.4f}" for feature, weight in table.weights.items()]
        parts += [f"[{name}]\nbias = {table.bias:.4f}", "\n".join([f"[{name}.weights]", *weights])]
    file.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
