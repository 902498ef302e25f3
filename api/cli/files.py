"""What a command writes into a file, or to standard output without one."""

import os
from collections.abc import Iterable
from pathlib import Path

from api.cli import console
from corpus.errors import InputError
from rulestone.faults import os_faults, remove


def write(chunks: Iterable[bytes], output: Path | None) -> None:
    """Writes to standard output, or to a file that is whole or untouched.

    Raises EnvironmentFault where the disk refuses the file, InputError where a folder stands in its place.
    """
    if output is None:
        return console.write(chunks)
    if output.is_dir():
        raise InputError("{folder} is a folder; give the name of a file with -o", folder=output)
    draft = output.with_name(f".{output.name}.{os.getpid()}.tmp")
    with os_faults(f"write {output}"):
        try:
            with draft.open("wb") as file:
                file.writelines(chunks)
            draft.replace(output)
        finally:
            remove(draft)
