"""The list of the user's files: one entry for each, with its options and the readings that were removed from it since.

    given/000007.json    the list of the bundle 000007; it replaces that of the previous bundle

Together with the copies of the files (`sources/`) it suffices to write the bundle again, so it is kept outside the bundles. It is
JSON with one entry a line:

    {"format": 1, "checksum": "…", "given": [
    {"kind": "book", "sha256": "…", "name": "a.txt", "options": {"game": "ferry"}, "readings": ["ferry/cr/2025 en"], "without": []}
    ]}

`readings` are the editions and languages of a book, or the sources of rulings, `without` those of them that were removed. The
checksum is the XXH3-128 of format and entries as compact JSON. A new kind of file is a new value of `GivenKind`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import xxhash

from corpus.errors import DamagedError, EnvironmentFault
from corpus.store.home.disk import remove, sync, write_file

FOLDER = "given"
_FORMAT = 1
_NAME = re.compile(r"[0-9]{6,12}")


class GivenKind(StrEnum):
    """The kinds of files that a user gives."""

    BOOK = "book"
    RULINGS = "rulings"
    CARDS = "cards"
    JUDGEMENTS = "judgements"  # verdicts on the rules that rulings rest on
    ALIGNMENT = "alignment"
    LABELS = "labels"  # curated labels of concepts
    MAPPINGS = "mappings"  # verdicts on proposed mappings


class Given(NamedTuple):
    """A file that a user gave. Its copy is in `sources/{sha256}/`."""

    kind: GivenKind
    sha256: str
    name: str
    options: Mapping[str, str]
    readings: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


class GivenLists:
    """The folder `given` of a home."""

    def __init__(self, home: Path) -> None:
        self.path = home / FOLDER

    def names(self) -> list[str]:
        """The bundles that have a list, whether it can be read or not; the newest last."""
        return sorted((file.stem for file in self.path.glob("*.json") if _NAME.fullmatch(file.stem)), key=int)

    def file(self, name: str) -> Path:
        """The file of the list of a bundle."""
        return self.path / f"{name}.json"

    def read(self, name: str) -> list[Given]:
        """The list of a bundle. Raises DamagedError if it is missing or changed, EnvironmentFault if a newer version wrote it."""
        file = self.file(name)
        try:
            body = json.loads(file.read_text(encoding="utf-8"))
            rows, is_whole = body["given"], body["checksum"] == _checksum([body["format"], body["given"]])
        except (OSError, ValueError, KeyError, TypeError) as fault:
            raise _damaged_error(file) from fault
        if not is_whole:
            raise _damaged_error(file)
        if body["format"] != _FORMAT or not {row["kind"] for row in rows} <= set(GivenKind):
            raise EnvironmentFault("{file} was written by a newer version of Rulestone; update this one", file=file)
        return [_entry(row) for row in rows]

    def prepare(self, name: str, entries: Sequence[Given]) -> Path:
        """Writes the list of a bundle under a temporary name, which `publish` replaces."""
        self.path.mkdir(parents=True, exist_ok=True)
        rows = [_row(entry) for entry in entries]
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        draft = self.path / f"{name}.tmp"
        write_file(draft, f'{{"format": {_FORMAT}, "checksum": "{_checksum([_FORMAT, rows])}", "given": [\n{lines}\n]}}\n'.encode())
        return draft

    def publish(self, name: str) -> None:
        """Makes a prepared list that of its bundle, atomically."""
        (self.path / f"{name}.tmp").replace(self.file(name))
        sync(self.path)

    def write(self, name: str, entries: Sequence[Given]) -> None:
        """Replaces the list of a bundle, atomically."""
        self.prepare(name, entries)
        self.publish(name)

    def keep_only(self, name: str) -> None:
        """Removes the lists of other bundles."""
        for other in self.names():
            if other != name:
                remove(self.file(other))

    def unfinished_files(self) -> list[Path]:
        """Lists that were not published."""
        return list(self.path.glob("*.tmp"))


def _row(entry: Given) -> dict[str, Any]:
    return {**entry._asdict(), "options": dict(entry.options), "readings": list(entry.readings), "without": list(entry.without)}


def _entry(row: dict[str, Any]) -> Given:
    """The entry of a row."""
    return Given(**{**row, "kind": GivenKind(row["kind"]), "readings": tuple(row["readings"]), "without": tuple(row["without"])})


def _checksum(rows: object) -> str:
    return xxhash.xxh3_128_hexdigest(json.dumps(rows, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode())


def _damaged_error(file: Path) -> DamagedError:
    return DamagedError("{file}: the list of added files is missing, or was changed since it was written", file=file)
