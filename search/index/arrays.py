"""NumPy arrays on disk, memory-mapped, with errors that state their cause."""

from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray


class _UnseekableFile:
    """A file that NumPy writes to through Python. NumPy hands an ordinary file to C code, which loses the errno of the OSError."""

    def __init__(self, file: IO[bytes]) -> None:
        self.write = file.write


def save(file: Path, values: NDArray[Any]) -> None:
    """Writes an array. Raises OSError with its errno (disk full, file too large)."""
    with file.open("wb") as stream:
        np.lib.format.write_array(_UnseekableFile(stream), np.ascontiguousarray(values), allow_pickle=False)


def load(file: Path) -> NDArray[Any]:
    """An array of any shape and type, memory-mapped. Raises ValueError for a truncated file or another format."""
    try:
        return np.lib.format.open_memmap(file, mode="r").view(np.ndarray)
    except ValueError as fault:
        raise ValueError(f"{file.name} is damaged ({fault})") from fault
