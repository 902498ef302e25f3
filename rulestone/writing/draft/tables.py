"""Tables that persons filled in: stored as copies, and put into every bundle."""

import shutil
from collections.abc import Collection
from hashlib import sha256

from corpus.store.home import Draft, Home
from corpus.store.home.checksums import TABLES_FOLDER
from corpus.store.home.disk import file_sha256
from corpus.store.home.given import GivenKind
from corpus.store.home.manifest import Manifest, TableEntry
from rulestone.writing.sources import intact_copy


def store_table(
    home: Home, manifest: Manifest, kind: GivenKind, name: str, data: bytes, replaced_names: Collection[str] = ()
) -> None:
    """Stores a table and lists it in place of those of its kind with its name or one of `replaced_names`; no data removes it."""
    manifest.tables[:] = [table for table in manifest.tables if table.kind != kind or table.name not in (name, *replaced_names)]
    if data:
        home.store_source(data, name)
        manifest.tables.append(TableEntry(kind, sha256(data).hexdigest(), name))


def put_tables(home: Home, draft: Draft, manifest: Manifest) -> None:
    """Puts every table into a draft: from the previous bundle, else from its copy. Raises EnvironmentFault for a damaged copy."""
    for table in manifest.tables:
        place = f"{TABLES_FOLDER}/{table.kind}/{table.name}"
        before, target = draft.base / place if draft.base else None, draft.path / place
        is_there = before is not None and before.is_file() and file_sha256(before) == table.sha256
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(before if before and is_there else intact_copy(home, table.sha256, table.name), target)
