"""The arrays of an index on disk: memory-mapped, and a fault of the disk or of a file told for what it is."""

from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray


class _Plain:
    """A file that is only written to. NumPy hands an open file to C, which forgets why the disk refused."""

    def __init__(self, file: IO[bytes]) -> None:
        self.write = file.write


def save(file: Path, values: NDArray[Any]) -> None:
    """Writes an array. Raises OSError with its number (disk full, file too large)."""
    with file.open("wb") as opened:
        np.lib.format.write_array(_Plain(opened), np.ascontiguousarray(values), allow_pickle=False)


def load(file: Path) -> NDArray[Any]:
    """An array of any shape and type, memory-mapped. Raises ValueError for a file that is none, or not a whole one."""
    try:
        return np.lib.format.open_memmap(file, mode="r").view(np.ndarray)
    except ValueError as fault:
        raise ValueError(f"{file.name} is damaged ({fault})") from fault
