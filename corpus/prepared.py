"""Values made from the shipped data alone: made once for each version of that data and kept in the user's cache.

A value consists of tuples, lists, dicts, sets, strings, bytes, numbers and None. Its file is named after a hash of the code and the
data files of the packages, so that a change of either makes a new one. Without a writable cache the value is made each time.
"""

import marshal
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import xxhash

_PACKAGES = ("corpus", "ontology", "ingest", "search")
"""The packages whose code and data determine these values."""
_ROOT = Path(__file__).parents[1]
"""The folder that holds the packages: importing a package only to find it would count as a use."""
_SUFFIXES = (".py", ".toml", ".ttl", ".tsv", ".json")
_HASH_BYTES = 16
_MAX_AGE = 7 * 24 * 3600
"""Seconds after which unused files and folders are deleted."""


def prepared(name: str, make: Callable[[], Any]) -> Any:  # noqa: ANN401
    """The value of a function without arguments, from the cache if this version of the data has made it before."""
    file = cache_folder() / "shipped" / f"{shipped_version()}.{name}"
    with suppress(OSError, ValueError, EOFError, TypeError):
        packed = file.read_bytes()
        if xxhash.xxh3_128_digest(packed[_HASH_BYTES:]) == packed[:_HASH_BYTES]:
            return marshal.loads(packed[_HASH_BYTES:])
    value = make()
    with suppress(OSError):
        _write(file, marshal.dumps(value))
    return value


@cache
def shipped_version() -> str:
    """A hash of the code and the data files of the packages, and of the Python version; 32 hex digits."""
    return version_of(_PACKAGES)


def version_of(packages: Sequence[str]) -> str:
    """The same of some packages."""
    digest = xxhash.xxh3_128(f"{sys.implementation.cache_tag} {marshal.version}".encode())
    for package in packages:
        folder = _ROOT / package
        for file in sorted(folder.rglob("*")):
            if file.suffix in _SUFFIXES:
                digest.update(f"\n{file.relative_to(folder).as_posix()}\n".encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()


def cache_folder() -> Path:
    """Rulestone's folder in the user's cache, which may not exist yet."""
    from platformdirs import user_cache_path

    return user_cache_path("rulestone")


def _write(file: Path, packed: bytes) -> None:
    """Writes a value atomically, and deletes those of versions that are no longer used."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.{os.getpid()}.tmp")
    draft.write_bytes(xxhash.xxh3_128_digest(packed) + packed)
    draft.replace(file)
    remove_unused(other for other in file.parent.iterdir() if not other.name.startswith(shipped_version()))


def remove_unused(entries: Iterable[Path], most: int | None = None) -> None:
    """Deletes the files and folders that were last modified more than seven days ago, and all but the `most` modified last."""
    with suppress(OSError):  # another process deletes them at the same time
        last_uses = {entry: entry.stat().st_mtime for entry in entries}
        recent = sorted(
            (entry for entry in last_uses if last_uses[entry] > time.time() - _MAX_AGE), key=lambda entry: -last_uses[entry]
        )[:most]
        for entry in last_uses.keys() - set(recent):
            shutil.rmtree(entry, ignore_errors=True) if entry.is_dir() else entry.unlink(missing_ok=True)
