"""Where a home keeps the vectors of texts that were encoded."""

from ontology.store.home import Home
from search.encode import pretrained
from search.encode.cache import VectorCache

VECTORS = "vectors"
"""Folder of a home with the vectors of texts that were encoded, one file for each encoder."""


def cache(home: Home) -> VectorCache | None:
    """The vectors that the encoder of today has made for a home; None where it is not wanted or not there."""
    if not pretrained.wanted():
        return None
    made_by = pretrained.digest()
    return VectorCache(home.path / VECTORS / f"{made_by[:16]}.bin", made_by, pretrained.DIMENSIONS)
