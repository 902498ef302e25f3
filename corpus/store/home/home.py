"""The home folder: immutable bundles and a pointer to the current one.

    current                        "000007", replaced atomically
    bundles/000007/                a finished bundle, sealed by its bundle.lock
    bundles/000008.tmp/            a draft being written, or a dead bundle being removed
    sources/<sha256>/<file name>   copies of the added files
    lock                           the writers' lock, with the writer's process id

Readers never block. A writer killed at any point leaves at most unreferenced folders, which the next writer removes.
"""

import os
import re
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from corpus.errors import EnvironmentFault
from corpus.messages import message
from corpus.store.home import checksums
from corpus.store.home.bundles import Bundles, HeldBundle
from corpus.store.home.disk import file_sha256, lock, os_faults, remove, sync, sync_tree, unlock, write_file
from corpus.store.home.manifest import read_sources

_SHA256 = re.compile(r"[0-9a-f]{64}")


def default_home() -> Path:
    """Return RULESTONE_HOME, or the platform's folder for user data."""
    if chosen := os.environ.get("RULESTONE_HOME"):
        return Path(chosen)
    import platformdirs

    return platformdirs.user_data_path("rulestone")


class Home:
    """One home folder. Creating the object does not touch the disk; the first `writing_bundle()` creates the folders."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._bundles = Bundles(self.path)

    def current_folder(self) -> Path | None:
        """Return the current bundle's folder; None if there is none, or if it was deleted by hand.

        Raises EnvironmentFault if the home cannot be read.
        """
        return self._bundles.current_folder()

    def hold_current(self) -> HeldBundle:
        """Protect the current bundle from garbage collection until it is closed, for long-lived readers.

        Raises NotFoundError if there is no bundle, EnvironmentFault if the home cannot be read.
        """
        return self._bundles.hold_current()

    @contextmanager
    def reading_current(self) -> Iterator[Path]:
        """Hold the current bundle inside the `with` block and give its folder. Raises as `hold_current` does."""
        with self.hold_current() as held:
            yield held.path

    def sources(self) -> Path:
        """Return the folder of the stored files; it may not exist yet."""
        return self.path / "sources"

    def store_source(self, data: bytes, name: str) -> Path:
        """Store a source file atomically and return its path. Call it inside `writing_bundle()`.

        If the bytes are already stored, they keep their first name.
        Raises EnvironmentFault if the disk fails.
        """
        with self._write_faults():
            folder = self.sources() / sha256(data).hexdigest()
            whole = (path for path in folder.glob("*") if path.is_file() and path.read_bytes() == data)
            return next(whole, None) or self._store_file(lambda target: write_file(target, data), folder, _base_name(name))

    def store_source_file(self, file: Path, digest: str) -> Path:
        """The same for a file that is too large for memory. Also raises EnvironmentFault if the SHA-256 of the file has changed."""
        with self._write_faults():
            folder = self.sources() / digest
            whole = (path for path in folder.glob("*") if path.is_file() and file_sha256(path) == digest)
            return next(whole, None) or self._store_file(
                lambda target: _copy_verified(file, target, digest), folder, _base_name(file.name)
            )

    @contextmanager
    def writing_bundle(self, *, wait: bool = False) -> Iterator["Draft"]:
        """Make the next bundle: fill the draft, then `commit` it. Without a commit nothing changes.

        Raises EnvironmentFault if another process writes (immediately, unless `wait`) or if the disk fails, here or in the `with`
        block: every OSError from the block is converted.
        """
        with self._write_faults(), self._writer_lock(wait=wait):
            self._remove_unfinished()
            self._bundles.collect_garbage()
            self._remove_unused_sources()
            draft = Draft(self, self._bundles)
            try:
                yield draft
            finally:
                draft.discard()
                self._remove_unfinished()
                with suppress(OSError, EnvironmentFault):  # copies of files that were not added in the end
                    self._remove_unused_sources()

    def leftovers(self) -> list[Path]:
        """Leftovers of a killed writer, which the next writer removes; empty while one is running."""
        lock_file = self.path / "lock"
        if lock_file.exists():
            with lock_file.open("rb") as file:
                if not lock(file, shared=True):
                    return []
        return self._unfinished()

    def _unfinished(self) -> list[Path]:
        """The unfinished files of a writer."""
        return [*self._bundles.unfinished_files(), *self.sources().glob("*.tmp")]

    def _write_faults(self) -> AbstractContextManager[None]:
        return os_faults(message("write the knowledge base in {folder}", folder=self.path))

    @contextmanager
    def _writer_lock(self, *, wait: bool) -> Iterator[None]:
        """Hold the writers' lock. Its file is never removed: a lock on a removed file would have no effect."""
        self._bundles.path.mkdir(parents=True, exist_ok=True)
        with (self.path / "lock").open("a+b", buffering=0) as file:
            if not lock(file, shared=False, wait=wait):
                file.seek(0)
                pid = (file.read(20) or b"").decode("ascii", "replace").strip() or "unknown"
                raise EnvironmentFault(
                    "{folder} is locked by process {pid}; try again when it has finished", folder=self.path, pid=pid
                )
            try:
                with suppress(OSError):  # the id is only informative, and a full disk must not prevent the clean-up
                    file.truncate(0)
                    file.write(b"%d\n" % os.getpid())
                yield
            finally:
                with suppress(OSError):
                    file.truncate(0)
                unlock(file)

    def _store_file(self, write: Callable[[Path], None], folder: Path, name: str) -> Path:
        draft = folder.with_name(f"{folder.name}.{os.urandom(4).hex()}.tmp")
        draft.mkdir(parents=True)
        write(draft / name)
        sync(draft)
        remove(folder)  # only damaged data gets here
        draft.rename(folder)
        sync(folder.parent)
        return folder / name

    def _remove_unfinished(self) -> None:
        for path in self._unfinished():
            remove(path)

    def _remove_unused_sources(self) -> None:
        """Remove copies that a killed writer left behind and that no bundle lists. If the list cannot be read, none is removed."""
        base = self._bundles.current_folder()
        needed = read_sources(base) if base else None
        if needed is not None:
            self._collect_sources(needed)
        elif base is None and not self._bundles.has_any():
            self._collect_sources(())

    def _collect_sources(self, needed: Collection[str]) -> None:
        for folder in self.sources().glob("*"):
            if folder.name not in needed and _SHA256.fullmatch(folder.name):
                remove(folder)


class Draft:
    """A bundle that is being written. `base` is the bundle it replaces: it can be read until the commit."""

    def __init__(self, home: Home, bundles: Bundles) -> None:
        self.base: Path | None = bundles.current_folder()
        self.path = bundles.make_draft()
        self._home = home
        self._bundles = bundles
        self._final = self.path.with_suffix("")

    def commit(self, keep_sources: Collection[str]) -> Path:
        """Make the draft the current bundle and return its folder; then collect unused bundles.

        `keep_sources` holds the sha256 of every source the new bundle needs; all others are removed.
        Raises EnvironmentFault if the disk fails; the old bundle stays current. Collecting never raises.
        """
        with self._home._write_faults():
            checksums.seal(self.path)
            sync_tree(self.path)
            self.path.rename(self._final)
            sync(self._bundles.path)
            self._bundles.point_to(self._final.name)
        self._collect(set(keep_sources))
        return self._final

    def discard(self) -> None:
        """Remove the bundle if a commit failed before the swap. The pointer decides, because Ctrl-C may come after the swap."""
        with suppress(OSError):
            if self._bundles.current_name() != self._final.name:
                remove(self._final)

    def _collect(self, needed: Collection[str]) -> None:
        with suppress(OSError, EnvironmentFault):
            sync(self._home.path)  # the old bundle may be removed only once the swap survives a power cut
            self._bundles.collect_garbage()
            self._home._collect_sources(needed)


def _base_name(name: str) -> str:
    """Strip folders from a file name: an untrusted name must not point outside the home."""
    last = Path(name.replace("\0", "")).name
    return last if last not in ("", "..") else "source"


def _copy_verified(file: Path, target: Path, digest: str) -> None:
    shutil.copyfile(file, target)
    sync(target)
    if file_sha256(target) != digest:
        raise EnvironmentFault("{file} was changed while it was read; add it again", file=file.name)
