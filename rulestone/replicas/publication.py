"""What is published: one list that names the current bundle's files by their content.

    current.json           the list, replaced in one step, after the files it names are there
    files/<sha256>         each file once, whatever bundles have it

Files never change, so a store of objects, rsync or any web server can carry them.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from corpus.errors import InputError
from ontology.store.home.manifest import FORMAT as BUNDLE_FORMAT

LIST, FILES = "current.json", "files"
FORMAT = 1
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}(?:/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}){0,4}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class File:
    """One file of a bundle: bytes, and the SHA-256 of its content."""

    size: int
    sha256: str

    @property
    def place(self) -> str:
        """Where it lies among what is published."""
        return f"{FILES}/{self.sha256}"


@dataclass(frozen=True, slots=True)
class Publication:
    """A bundle as it is published: its files by their names in it."""

    files: Mapping[str, File]

    def written(self) -> bytes:
        """The list as JSON."""
        files = {name: [file.size, file.sha256] for name, file in sorted(self.files.items())}
        return json.dumps({"format": FORMAT, "bundle_format": BUNDLE_FORMAT, "files": files}, indent=0).encode() + b"\n"


def read(written: bytes, source: str) -> Publication:
    """A list that somebody published. Raises InputError for what is none, or was written by another version."""
    try:
        body = json.loads(written)
        versions = body["format"], body["bundle_format"]
        files = {name: File(size, digest) for name, (size, digest) in body["files"].items()}
        sound = all(_sound(name, file) for name, file in files.items())
    except (ValueError, KeyError, TypeError, AttributeError):
        raise _none(source) from None
    if versions != (FORMAT, BUNDLE_FORMAT):
        raise InputError("{source} is published by another version of Rulestone; publish it with this one", source=source)
    if not sound or not files:
        raise _none(source)
    return Publication(files)


def _none(source: str) -> InputError:
    return InputError(
        "{source} publishes no knowledge base; expected {name} as `rulestone publish` writes it", source=source, name=LIST
    )


def described(file: Path) -> File:
    """A file as it would be published."""
    with file.open("rb") as opened:
        return File(file.stat().st_size, file_digest(opened, "sha256").hexdigest())


def _sound(name: str, file: File) -> bool:
    """A name inside the bundle, and figures that can be: the list may come from anywhere."""
    parts = name.split("/")
    return (
        _NAME.fullmatch(name) is not None
        and not {".", ".."} & set(parts)
        and isinstance(file.size, int)
        and file.size >= 0
        and _SHA256.fullmatch(file.sha256) is not None
    )
