"""The bundle of the shipped data alone, from which the bundles of new homes start.

It is the current bundle of a home in the user's cache, written once for each version of the code, the data and the models.
"""

import os
import re
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires, version

from corpus.digest import selected_patterns
from corpus.errors import DamagedError, EnvironmentFault, NotFoundError
from corpus.prepared import cache_folder, remove_unused, shipped_version, version_of
from corpus.store.home import Draft, Home, checksums
from corpus.store.home.disk import fingerprint
from corpus.store.home.manifest import Manifest, read_manifest
from ontology import shipped
from rulestone.progress import Progress
from rulestone.writing.draft.bundle import BundleWriter
from search.encode import pretrained
from search.encode.cache import SHIPPED_VECTORS
from search.encode.choice import configured_encoder
from search.index import index

_MAX_OTHERS = 7
"""Number of other versions that are kept: that of the digest of nine games has 224 MB."""
_REQUIRED_NAME = re.compile(r"[\w.-]+(?!.*\bextra\b)")
"""The name in a requirement, unless it is of an extra (PEP 508)."""


def start_from_shipped(draft: Draft, manifest: Manifest, progress: Progress, *, write: bool = True) -> bool:
    """Starts a draft and its manifest from the bundle of the shipped data, which is written if the cache lacks it and `write`.

    Returns False, and changes nothing, if the cache lacks it or cannot be used, or if glosses have no shipped embedding: their
    embeddings are those of the home. A whole bundle in a cache that cannot be written is used.
    """
    with suppress(OSError, EnvironmentFault, NotFoundError):
        home = Home(cache_folder() / "bundles" / _version())
        if not _is_whole(home):
            if not write:
                return False
            _write(home, progress)
        with home.reading_current() as bundle:
            sentences = index.sentence_info(bundle / index.FOLDER)
            if sentences is None or sentences.encoded == sentences.total:
                with suppress(OSError):
                    os.utime(home.path)
                draft.start_from(bundle)
                manifest.start_from(read_manifest(bundle))
                return True
    return False


def _version() -> str:
    """A hash of all that determines the bundle."""
    sentence_encoder = pretrained.encoder_sha256() if pretrained.is_enabled() else ""
    return fingerprint(
        *(shipped_version(), version_of(["rulestone"]), shipped.graphs_version(), *selected_patterns(), *_library_versions()),
        *(configured_encoder().sha256, sentence_encoder, checksums.checksum(SHIPPED_VECTORS) if sentence_encoder else ""),
    )[:32]


def _library_versions() -> Iterator[str]:
    """The versions of the libraries that make the bundle."""
    yield from (sqlite3.sqlite_version, zlib.ZLIB_RUNTIME_VERSION)
    try:
        requirements = sorted(requires("rulestone") or ())
    except PackageNotFoundError:  # it runs from its source folder
        return
    for name in filter(None, map(_REQUIRED_NAME.match, requirements)):
        with suppress(PackageNotFoundError):  # required on other platforms
            yield f"{name[0]} {version(name[0])}"


def _is_whole(home: Home) -> bool:
    try:
        bundle = home.current_folder()
    except DamagedError:
        return False
    return bundle is not None and not any(checksums.find_damage(bundle))


def _write(home: Home, progress: Progress) -> None:
    """Writes the bundle, unless another process has written it in the meantime, and deletes those of versions no longer used."""
    with home.writing_bundle(wait=True, from_list=True) as draft:
        if not _is_whole(home):
            BundleWriter(home, draft, Manifest(), progress).write([], [], [])
    remove_unused((other for other in home.path.parent.iterdir() if other != home.path), _MAX_OTHERS)
