"""Any SentenceTransformer as an encoder: imported when it is used, never downloaded."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corpus import offline
from corpus.errors import EnvironmentFault
from search.encode.encoder import Vectors, digest_of

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_MARKS = ("modules.json", "config.json")
"""A folder without either is no SentenceTransformer; seen before its files are read for their digest."""
_LONGEST = 200
"""Characters that a library may say of a fault."""


class TransformerEncoder:
    """A SentenceTransformer, by its folder or by a name whose files are in the cache of huggingface_hub."""

    def __init__(self, name: str) -> None:
        """Raises EnvironmentFault where there is no such model on this machine."""
        self.name = name
        self.folder = Path(name) if Path(name).is_dir() else _cached(name)
        if not any((self.folder / mark).is_file() for mark in _MARKS):
            raise EnvironmentFault(
                "{folder} holds no SentenceTransformer: expected {files} in it", folder=self.folder, files=" / ".join(_MARKS)
            )
        self.digest = digest_of(self.folder)

    @cached_property
    def _model(self) -> "SentenceTransformer":
        offline.download_nothing()
        from sentence_transformers import SentenceTransformer

        try:
            return SentenceTransformer(str(self.folder), device="cpu", local_files_only=True)
        except Exception as fault:  # whatever a broken folder makes the library say
            raise EnvironmentFault(
                "the model {name} cannot be loaded from {folder}: {fault}",
                name=self.name,
                folder=self.folder,
                fault=_first_line(fault),
            ) from fault

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self._model.get_embedding_dimension() or 0)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors, shape (texts, dimensions), of unit length."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        vectors = self._model.encode(list(texts), normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)


def _first_line(fault: Exception) -> str:
    return next(iter(str(fault).splitlines()), type(fault).__name__)[:_LONGEST]


def _cached(name: str) -> Path:
    """Where the files of a model lie that was once downloaded."""
    offline.download_nothing()
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError, OSError) as fault:
        raise EnvironmentFault(
            "there is no model {name} here: expected a folder of a SentenceTransformer or the name of a model that is"
            " downloaded already; nothing is downloaded now (setting RULESTONE_MODEL)",
            name=name,
        ) from fault
