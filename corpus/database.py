"""SQLite files of finished bundles, which are never written again."""

import sqlite3
from pathlib import Path


def open_immutable(file: Path) -> sqlite3.Connection:
    """A connection for reading from any thread, without locks or a journal."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
