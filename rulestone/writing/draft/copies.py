"""Copies a bundle into a draft with hard links where possible, because a bundle never changes."""

import os
import shutil
from collections.abc import Collection
from pathlib import Path

from corpus.errors import EnvironmentFault
from corpus.store.documents import FILE_NAME as RECORDS
from corpus.store.engine import Store
from corpus.store.home import Draft, Home, checksums
from corpus.store.home.checksums import COMPLETE_FOLDER, STORE_FOLDER
from corpus.store.home.manifest import FILE_NAME as MANIFEST
from search.index import index


def base_bundle(home: Home, draft: Draft) -> Path:
    """The bundle that a draft replaces. Raises EnvironmentFault if there is none."""
    if draft.base is None:
        raise EnvironmentFault("there is no knowledge base in {home} yet; run: rulestone build", home=home.path)
    return draft.base


def copy_store(base: Path, target: Path) -> None:
    """Copies the store of a bundle into a draft, with hard links if possible. Raises DamagedError for a damaged one."""
    checksums.check_folder(base, STORE_FOLDER)
    store = Store(base / STORE_FOLDER, read_only=True)
    store.copy(target / STORE_FOLDER)
    store.close()


def copy_bundle(base: Path, target: Path, rewritten: Collection[str] = ()) -> None:
    """Copies the bundle without its records and without the index files in `rewritten`, but with the index's header.

    The store with all editions is left out. Raises DamagedError for a damaged bundle.
    """
    copy_store(base, target)
    for folder in (file for file in base.iterdir() if file.is_dir() and file.stem not in (STORE_FOLDER, COMPLETE_FOLDER)):
        checksums.check_folder(base, folder.name)
        ignore = shutil.ignore_patterns(*rewritten) if folder.name == index.FOLDER else None
        shutil.copytree(folder, target / folder.name, copy_function=link, ignore=ignore)
    if RECORDS not in rewritten:
        checksums.check_whole(base, RECORDS)
        link(str(base / RECORDS), str(target / RECORDS))
    if index.HEADER in rewritten:
        shutil.copyfile(base / index.FOLDER / index.HEADER, target / index.FOLDER / index.HEADER)
    shutil.copyfile(base / MANIFEST, target / MANIFEST)


def link(source: str, target: str) -> None:
    """Links a file, or copies it if the file system has no hard links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
