"""Superseded editions, kept small beside the store: what is the same in several of them is kept once."""

from ontology.archive.archive import Archive
from ontology.archive.tables import FOLDER

__all__ = ["FOLDER", "Archive"]
