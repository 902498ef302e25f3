"""Tables in a file that is never written to again, as a finished bundle has them."""

import sqlite3
from pathlib import Path


def opened(file: Path) -> sqlite3.Connection:
    """The tables of a file, for reading from any thread: no lock is taken and nothing beside the file is looked for."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
