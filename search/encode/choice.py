"""The encoder named by RULESTONE_MODEL: the static model, or any SentenceTransformer. Nothing is downloaded."""

import os
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corpus import offline
from corpus.errors import EnvironmentFault
from search.encode.encoder import LABELS_FILE, SHIPPED_MODEL, Encoder, StaticEncoder, Vectors, folder_sha256

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

STATIC_NAME = "static"
"""Value of RULESTONE_MODEL that selects the static model only."""
_MODEL_FILES = ("modules.json", "config.json")
"""Files of a SentenceTransformer; one of them must exist before all files are hashed."""
_MAX_FAULT = 200
"""Number of characters of a library's error message that are shown."""


def configured_model() -> str | None:
    """The value of RULESTONE_MODEL, a folder or a name; None if it is not set."""
    return os.environ.get("RULESTONE_MODEL") or None


def configured_encoder() -> Encoder:
    """The encoder named by RULESTONE_MODEL, else the shipped static model.

    Raises EnvironmentFault if it does not exist.
    """
    model = configured_model()
    if model in (None, STATIC_NAME):
        return _shipped_encoder()
    if (Path(model) / LABELS_FILE).exists():
        return StaticEncoder(Path(model))
    return TransformerEncoder(model)


@cache
def _shipped_encoder() -> StaticEncoder:
    return StaticEncoder(SHIPPED_MODEL)


class TransformerEncoder:
    """A SentenceTransformer, by its folder or by a name in the cache of huggingface_hub."""

    def __init__(self, name: str) -> None:
        """Raises EnvironmentFault if this machine has no such model."""
        self.name = name
        self.folder = Path(name) if Path(name).is_dir() else _cached_folder(name)
        if not any((self.folder / file).is_file() for file in _MODEL_FILES):
            raise EnvironmentFault(
                "{folder} contains no SentenceTransformer: expected {files} in it",
                folder=self.folder,
                files=" / ".join(_MODEL_FILES),
            )
        self.sha256 = folder_sha256(self.folder)

    @cached_property
    def _sentence_transformer(self) -> "SentenceTransformer":
        offline.disable_downloads()
        from sentence_transformers import SentenceTransformer

        try:
            return SentenceTransformer(str(self.folder), device="cpu", local_files_only=True)
        except Exception as fault:  # a damaged folder can raise any exception
            raise EnvironmentFault(
                "the model {name} cannot be loaded from {folder}: {fault}",
                name=self.name,
                folder=self.folder,
                fault=next(iter(str(fault).splitlines()), type(fault).__name__)[:_MAX_FAULT],
            ) from fault

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self._sentence_transformer.get_embedding_dimension() or 0)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embeddings, shape (texts, dimensions), of unit length."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        vectors = self._sentence_transformer.encode(
            list(texts), normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)


def _cached_folder(name: str) -> Path:
    """The folder of a model that was downloaded earlier."""
    offline.disable_downloads()
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError, OSError) as fault:
        raise EnvironmentFault(
            "there is no model {name} here: expected a folder of a SentenceTransformer or the name of a downloaded model;"
            " models are not downloaded automatically (setting RULESTONE_MODEL)",
            name=name,
        ) from fault
