"""Integrity of the files of a bundle: a list of their sizes and checksums, whose hash is stored in the seal.

Files that every look-up reads are checked when a bundle is opened, the files of the search index when the index is opened, and the
tables of the store (`.sst`) before its first read. Of the records (`.db`) only the size is checked: they have a checksum for every
row, and every read checks it. `doctor` and the writer of the next bundle read them completely.
Checksums are XXH3 with 128 bits: they find damage, not forgery.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import xxhash

from corpus.errors import DamagedError
from corpus.messages import Message, message
from corpus.store.home.bundles import LOCK_FILE
from corpus.store.home.disk import write_file

FILE_NAME = "checksums.json"
MANIFEST = "manifest.json"
STORE_FOLDER = "store"
"""Folder of a bundle with the files of the store."""
COMPLETE_FOLDER = "complete"
"""Folder of a bundle with the store of all editions and the checksums of its files."""
TABLES_FOLDER = "tables"
"""Folder of a bundle with the tables that persons filled in, by kind."""
_CHECKED_LATER = (".sst", ".db")
"""Suffixes of the store's tables, which are checked before the first read, and of the records, whose rows are checked when read."""
_CHANGED_MESSAGE = message("its content has changed since it was written")
_MUTABLE_FILES = ("LOG", "LOCK", "IDENTITY")
"""Files of the store without content; opening the store may change them."""
_PIECE_BYTES = 1 << 20
Sums = Mapping[str, tuple[int, str]]


def seal(bundle: Path) -> None:
    """Lists the files of a draft and seals it; the files must not change afterwards."""
    sums = {name: (file.stat().st_size, checksum(file)) for name, file in listed_files(bundle)}
    content = json.dumps(sums, indent=0).encode()
    write_file(bundle / FILE_NAME, content)
    write_file(bundle / LOCK_FILE, xxhash.xxh3_128_hexdigest(content).encode())


def checksum(file: Path) -> str:
    """The checksum of a file, in hexadecimal."""
    digest, piece = xxhash.xxh3_128(), memoryview(bytearray(_PIECE_BYTES))
    with file.open("rb", buffering=0) as stream:
        while count := stream.readinto(piece):
            digest.update(piece[:count])
    return digest.hexdigest()


def seal_hash(bundle: Path) -> str:
    """A hash of the content of a sealed bundle."""
    return (bundle / LOCK_FILE).read_text(encoding="ascii")


def check_opening(bundle: Path) -> None:
    """Raises DamagedError if a file that look-ups read has changed; for the store's tables only the sizes are compared."""
    for name, expected in _read_checksums(bundle).items():
        if name.startswith((f"{STORE_FOLDER}/", f"{TABLES_FOLDER}/")) or "/" not in name:
            _check(bundle, name, expected, in_full=not name.endswith(_CHECKED_LATER))


def check_manifest(bundle: Path) -> None:
    """Raises DamagedError if the manifest of a bundle has changed; the first versions wrote no checksums."""
    if (bundle / FILE_NAME).exists():
        check_whole(bundle, MANIFEST)


def has_whole_manifest(bundle: Path) -> bool:
    """Whether the manifest of a bundle is unchanged."""
    try:
        check_manifest(bundle)
    except DamagedError:
        return False
    return True


def check_store(bundle: Path) -> None:
    """Raises DamagedError if a file of the store of a sealed bundle has changed; a draft has no checksums yet."""
    if (bundle / LOCK_FILE).exists():
        check_folder(bundle, STORE_FOLDER)


def check_folder(bundle: Path, folder: str) -> None:
    """Raises DamagedError if a file in a folder of the bundle has changed."""
    for name, expected in _read_checksums(bundle).items():
        if name.startswith(f"{folder}/"):
            _check(bundle, name, expected, in_full=True)


def check_whole(bundle: Path, name: str) -> None:
    """Raises DamagedError if a file of the bundle has changed; reads all of it."""
    _check(bundle, name, _read_checksums(bundle).get(name, (0, "")), in_full=True)


def changed_file_error(file: Path) -> DamagedError:
    """The error for damage in a file of a bundle."""
    return _damaged_error(file.parent, file.name, _CHANGED_MESSAGE)


def is_intact(bundle: Path, folder: str) -> bool:
    """Whether every file in a folder of the bundle is unchanged."""
    try:
        check_folder(bundle, folder)
    except DamagedError:
        return False
    return True


def find_damage(bundle: Path) -> Iterator[Message]:
    """The faults in the files of a bundle, one line each; reads all files completely."""
    try:
        sums = _read_checksums(bundle)
    except DamagedError as fault:
        yield fault.message
        return
    for name, expected in sums.items():
        if (wrong := _fault_in(bundle / name, expected, in_full=True)) is not None:
            yield message("{file}: {wrong}", file=name, wrong=wrong)


def _check(bundle: Path, name: str, expected: tuple[int, str], *, in_full: bool) -> None:
    if (wrong := _fault_in(bundle / name, expected, in_full=in_full)) is not None:
        raise _damaged_error(bundle, name, wrong)


def _damaged_error(bundle: Path, name: str, fault: Message) -> DamagedError:
    return DamagedError("the knowledge base is damaged: {file}: {wrong}", file=bundle / name, wrong=fault)


def _read_checksums(bundle: Path) -> Sums:
    """The list, if it matches the seal; else raises DamagedError."""
    try:
        content = (bundle / FILE_NAME).read_bytes()
        seal_hash = (bundle / LOCK_FILE).read_bytes()
    except OSError:
        content, seal_hash = b"", b""
    if xxhash.xxh3_128_hexdigest(content).encode() != seal_hash:
        wrong = message("it differs from the list that was written when the bundle was sealed")
        raise _damaged_error(bundle, FILE_NAME, wrong)
    sums: Sums = json.loads(content)
    return sums


def _fault_in(file: Path, expected: tuple[int, str], *, in_full: bool) -> Message | None:
    """The fault in a file, if any; compares only the size unless `in_full`."""
    size, digest = expected
    try:
        bytes_there = file.stat().st_size
        if bytes_there != size:
            return message("{found} bytes instead of {size}", found=bytes_there, size=size)
        if in_full and checksum(file) != digest:
            return _CHANGED_MESSAGE
    except OSError as fault:
        return message("it cannot be read ({fault})", fault=fault.strerror or fault)
    return None


def listed_files(bundle: Path) -> Iterator[tuple[str, Path]]:
    """The files of a bundle, by relative name."""
    for file in sorted(bundle.rglob("*")):
        name = file.relative_to(bundle).as_posix()
        if file.is_file() and name not in (FILE_NAME, LOCK_FILE) and not file.name.startswith(_MUTABLE_FILES):
            yield name, file
