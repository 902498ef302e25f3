"""The stored copies of added files."""

from pathlib import Path

from corpus.errors import EnvironmentFault
from corpus.messages import message
from corpus.store.home import Home
from corpus.store.home.disk import digest_of, os_faults


def copies(home: Home, sha256: str) -> list[Path]:
    """The copies of a file in a home, damaged or not; empty if they were deleted."""
    return [file for file in sorted((home.sources() / sha256).glob("*")) if file.is_file()]


def whole_copy(home: Home, sha256: str, name: str) -> Path:
    """The copy of the file of that name. Raises EnvironmentFault if it is missing or has changed."""
    there, folder = copies(home, sha256), home.sources() / sha256
    if not there:
        raise EnvironmentFault("the copy of {file} in {folder} is gone; add the file again", file=name, folder=folder)
    with os_faults(message("read the knowledge base in {folder}", folder=home.path)):
        if whole := next((copy for copy in there if digest_of(copy) == sha256), None):
            return whole
    raise EnvironmentFault("the copy of {file} in {folder} is damaged; add the file again", file=name, folder=folder)
