"""Which model a setting names."""

import os
from pathlib import Path

from search.encode.encoder import LABELS, SHIPPED, Encoder, StaticEncoder

STATIC = "static"
"""The setting that keeps to the static model."""


def chosen() -> str | None:
    """The model that a setting names, by folder or by name; it is taken as it is."""
    return os.environ.get("RULESTONE_MODEL") or None


def encoder(folder: Path | None = None) -> Encoder:
    """The encoder that RULESTONE_MODEL names, by folder or by name; else that of a folder, else the shipped one.

    Raises EnvironmentFault where it is not there.
    """
    named = chosen()
    if named in (None, STATIC):
        return StaticEncoder(folder or SHIPPED)
    if (Path(named) / LABELS).exists():
        return StaticEncoder(Path(named))
    from search.encode.transformer import TransformerEncoder

    return TransformerEncoder(named)
