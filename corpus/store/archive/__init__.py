"""Superseded editions, kept small beside the store: what is the same in several of them is kept once."""

from corpus.store.archive.archive import Archive
from corpus.store.archive.tables import FOLDER

__all__ = ["FOLDER", "Archive"]
