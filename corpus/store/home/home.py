"""The home folder: immutable bundles and a pointer to the current one.

    current                        "000007", replaced atomically
    bundles/000007/                a finished bundle, sealed by its bundle.lock
    bundles/000008.tmp/            a draft being written, or a dead bundle being removed
    bundles/000001.base.tmp/       a copy of a bundle of another home from which a draft starts
    sources/<sha256>/<file name>   copies of the files that a user gave
    given/000007.json              the list of those files, with which the bundle can be written again
    lock                           the writers' lock, with the writer's process id

Readers never block. A writer killed at any point leaves at most unreferenced folders, which the next writer removes. If the pointer
is damaged, nothing is written or deleted until `mend_pointer`; copies are deleted only by a list that does not name them.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from corpus.errors import DamagedError, EnvironmentFault
from corpus.messages import message
from corpus.store.home import checksums
from corpus.store.home.bundles import Bundles, HeldBundle
from corpus.store.home.disk import file_sha256, lock, open_lock, os_faults, remove, sync, sync_tree, unlock, write_file
from corpus.store.home.given import Given, GivenKind, GivenLists
from corpus.store.home.manifest import read_given

_SHA256 = re.compile(r"[0-9a-f]{64}")
_MEND_COMMAND = "rulestone doctor --mend"
_FIRST_LIST = "000000"
"""Name of the empty list of a new home: without a list, it would be unknown whether a copy was given or left by a killed writer."""


def default_home() -> Path:
    """Returns RULESTONE_HOME, or the platform's folder for user data."""
    if folder := os.environ.get("RULESTONE_HOME"):
        return Path(folder)
    import platformdirs

    return platformdirs.user_data_path("rulestone")


class Home:
    """One home folder. Creating the object does not touch the disk; the first `writing_bundle()` creates the folders."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._bundles = Bundles(self.path)
        self._lists = GivenLists(self.path)
        self._lost_pointer: dict[tuple[str, ...], DamagedError] = {}

    def current_folder(self) -> Path | None:
        """Returns the current bundle's folder; None if there is none, or if all were deleted by hand.

        Raises DamagedError if the pointer names no bundle although there are some, EnvironmentFault if the home cannot be read.
        """
        folder = self._bundles.current_folder()
        if folder is None and self._committed_bundles():
            with os_faults(message("read the knowledge base in {folder}", folder=self.path)):
                folder = self._bundles.current_folder()  # the first bundle may just have been committed
                if folder is None:
                    raise self._lost_pointer_error()
        return folder

    def hold_current(self) -> HeldBundle:
        """Protects the current bundle from garbage collection until it is closed, for long-lived readers.

        Raises NotFoundError if there is no bundle, DamagedError and EnvironmentFault as `current_folder` does.
        """
        self.current_folder()
        return self._bundles.hold_current()

    @contextmanager
    def reading_current(self) -> Iterator[Path]:
        """Holds the current bundle inside the `with` block and yields its folder. Raises as `hold_current` does."""
        with self.hold_current() as bundle:
            yield bundle.path

    def given(self) -> list[Given]:
        """Returns all that the user gave, in the order in which it was given, by the newest list or, if that is lost, its bundle.

        Raises EnvironmentFault if neither can be read, or if a newer version wrote the list.
        """
        bundles = {folder.name: folder for folder in self._committed_bundles()}
        current = self._bundles.current_folder()
        bundles |= {current.name: current} if current else {}
        names = sorted({*self._lists.names(), *bundles}, key=int)
        if not names and not self._has_copies():
            return []
        try:
            return self._lists.read(names[-1] if names else _FIRST_LIST)
        except DamagedError as damage:
            if names and (folder := bundles.get(names[-1])) and checksums.has_whole_manifest(folder):
                return read_given(folder)
            raise EnvironmentFault(
                "{problem}; restore it from a backup, or add the files again to a new home: their copies are in {folder}",
                problem=damage.message,
                folder=self.sources(),
            ) from damage

    def list_problem(self) -> DamagedError | None:
        """The damage of the list of the user's files of the current bundle, which the next writer mends; None if it is whole."""
        name = self._bundles.current_name()
        try:
            if name is not None:
                self._lists.read(name)
        except DamagedError as damage:
            return damage
        return None

    def is_behind(self) -> bool:
        """Whether the user's files are more than those of the current bundle: the pointer was set back to an older bundle."""
        name = self._bundles.current_name()
        return name is not None and any(int(newer) > int(name) for newer in self._lists.names())

    def drop_given(self, entries: Sequence[Given]) -> None:
        """Removes entries from the newest list, if the bundle must be written again from it anyway.

        Raises EnvironmentFault if another process writes or the disk fails.
        """
        with self.write_faults(), self._writer_lock(wait=False):
            rest = [entry for entry in self.given() if entry not in entries]
            self._lists.write(max((*self._lists.names(), *(folder.name for folder in self._bundles.finished())), key=int), rest)

    def mend_pointer(self) -> Path | None:
        """Points to the newest whole bundle that was once current, if the pointer names none, and returns it; deletes nothing.

        Raises EnvironmentFault if another process writes or the disk fails.
        """
        if not (self.path / "bundles").is_dir():
            return None
        with self.write_faults(), self._writer_lock(wait=False):
            if self._bundles.current_folder() is not None:
                return None
            whole = self._newest_whole()
            if whole is not None:
                self._bundles.point_to(whole.name)
                sync(self.path)
            return whole

    def other_whole_bundles(self, than: Path) -> list[str]:
        """The names of the whole bundles beside a damaged one; reads all their files."""
        return [folder.name for folder in self._committed_bundles() if folder != than and _is_whole(folder)]

    def _committed_bundles(self) -> list[Path]:
        """The finished bundles that were current once, the newest first.

        Their lists say so. Older versions wrote no lists: there every bundle counts, if the user gave anything.
        """
        bundles, list_names = self._bundles.finished(), set(self._lists.names())
        if not list_names:
            return bundles if self._has_copies() else []
        return [folder for folder in bundles if folder.name in list_names]

    def _newest_whole(self) -> Path | None:
        """The newest whole bundle that was once current; reads all its files."""
        return next((folder for folder in self._committed_bundles() if _is_whole(folder)), None)

    def _lost_pointer_error(self) -> DamagedError:
        """The error for a lost pointer; a server asks often, so the bundles are read once."""
        there = tuple(folder.name for folder in self._bundles.finished())
        if there not in self._lost_pointer:
            whole, pointer = self._newest_whole(), self.path / "current"
            self._lost_pointer[there] = (
                DamagedError(
                    "{file} names no bundle; the bundle {name} is whole", command=_MEND_COMMAND, file=pointer, name=whole.name
                )
                if whole
                else DamagedError("{file} names no bundle, and no bundle is whole", command=_MEND_COMMAND, file=pointer)
            )
        return self._lost_pointer[there].copied_as(DamagedError)

    def _has_copies(self) -> bool:
        return any(_SHA256.fullmatch(folder.name) for folder in self.sources().glob("*"))

    def sources(self) -> Path:
        """Returns the folder of the stored files; it may not exist yet."""
        return self.path / "sources"

    def store_source(self, data: bytes, name: str) -> Path:
        """Stores a source file atomically and returns its path; to be called inside `writing_bundle()`.

        If the bytes are already stored, they keep their first name.
        Raises EnvironmentFault if the disk fails.
        """
        with self.write_faults():
            folder = self.sources() / sha256(data).hexdigest()
            whole = (path for path in folder.glob("*") if path.is_file() and path.read_bytes() == data)
            return next(whole, None) or self._store_file(lambda target: write_file(target, data), folder, _base_name(name))

    def store_source_file(self, file: Path, digest: str) -> Path:
        """The same for a file that is too large for memory. Also raises EnvironmentFault if the SHA-256 of the file has changed."""
        with self.write_faults():
            folder = self.sources() / digest
            whole = (path for path in folder.glob("*") if path.is_file() and file_sha256(path) == digest)
            return next(whole, None) or self._store_file(
                lambda target: _copy_verified(file, target, digest), folder, _base_name(file.name)
            )

    def restore_source(self, file: Path, digest: str) -> None:
        """Stores the copy of a file again. Raises EnvironmentFault if another process writes or the disk fails."""
        with self.write_faults(), self._writer_lock(wait=False):
            self.store_source_file(file, digest)

    @contextmanager
    def writing_bundle(self, *, wait: bool = False, from_list: bool = False) -> Iterator["Draft"]:
        """Yields the draft of the next bundle; a caller fills it, then commits it. Without a commit nothing changes.

        `from_list`: the bundle is written from the list of the user's files, so the pointer may be lost. Raises DamagedError if
        it is, EnvironmentFault if another process writes (immediately, unless `wait`) or if the disk fails, here or in the `with`
        block: every OSError from the block is converted.
        """
        with self.write_faults(), self._writer_lock(wait=wait):
            if not from_list:
                self._check_pointer()
                self._collect_garbage()
            self._remove_unfinished()
            self._settle_list()
            self._remove_unused_sources()
            draft = Draft(self, self._bundles, self._lists)
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
        return [*self._bundles.unfinished_files(), *self._lists.unfinished_files(), *self.sources().glob("*.tmp")]

    def write_faults(self) -> AbstractContextManager[None]:
        """Turns the errors of a disk inside the `with` block into EnvironmentFault, which names this folder."""
        return os_faults(message("write the knowledge base in {folder}", folder=self.path))

    @contextmanager
    def _writer_lock(self, *, wait: bool) -> Iterator[None]:
        """Holds the writers' lock. Its file is never removed: a lock on a removed file would have no effect."""
        self._bundles.path.mkdir(parents=True, exist_ok=True)
        with open_lock(self.path / "lock") as file:
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

    def _check_pointer(self) -> None:
        """Raises DamagedError if the pointer names no bundle, or an older one than the newest list."""
        self.current_folder()
        if self.is_behind():
            raise DamagedError(
                "{file} names an older bundle than the newest list of added files, {list}",
                file=self.path / "current",
                list=self._lists.file(self._lists.names()[-1]),
                command=_MEND_COMMAND,
            )

    def _collect_garbage(self) -> None:
        """Removes unused bundles, unless the current one is damaged and an older one may still be needed."""
        current = self._bundles.current_folder()
        if current is not None and checksums.has_whole_manifest(current):
            self._bundles.collect_garbage()

    def _settle_list(self) -> None:
        """Writes the list of the current bundle if it is lost, from the bundle, and an empty one into a new home."""
        current = self._bundles.current_folder()
        if current is None:
            if not (self._lists.names() or self._bundles.finished() or self._has_copies()):
                self._lists.write(_FIRST_LIST, ())
        elif self.list_problem() and checksums.has_whole_manifest(current):
            self._lists.write(current.name, [*read_given(current), *self._adopt_tables()])

    def _adopt_tables(self) -> Iterator[Given]:
        """Stores copies of the tables that earlier versions kept in the home itself."""
        for kind, pattern in ((GivenKind.ALIGNMENT, "alignments/*.tsv"), (GivenKind.LABELS, "curated.tsv")):
            for file in sorted(self.path.glob(pattern)):
                data = file.read_bytes()
                self.store_source(data, file.name)
                yield Given(kind, sha256(data).hexdigest(), file.name, {})

    def _remove_unused_sources(self) -> None:
        """Removes copies that a killed writer left behind and that no list names.

        None is removed if a list cannot be read, or if the newest bundle has none: its writer ended before it published the list.
        """
        names = self._lists.names()
        bundles = [*(folder.name for folder in self._bundles.finished()), *filter(None, [self._bundles.current_name()])]
        with suppress(EnvironmentFault):
            if names and all(int(bundle) <= int(names[-1]) for bundle in bundles):
                self.collect_sources([entry for name in names for entry in self._lists.read(name)])

    def collect_sources(self, entries: Sequence[Given]) -> None:
        """Removes the stored files that are not in a list."""
        hashes = {entry.sha256 for entry in entries}
        for folder in self.sources().glob("*"):
            if folder.name not in hashes and _SHA256.fullmatch(folder.name):
                remove(folder)


class Draft:
    """A bundle that is being written. `base` is the bundle it replaces: it can be read until the commit."""

    def __init__(self, home: Home, bundles: Bundles, lists: GivenLists) -> None:
        self.base: Path | None = bundles.current_folder()
        self.path = bundles.make_draft(lists.names())
        self._home = home
        self._bundles = bundles
        self._lists = lists
        self._final = self.path.with_suffix("")

    def start_from(self, bundle: Path) -> None:
        """Copies a bundle of another home beside the draft and makes the copy `base`; it is removed with the draft.

        Raises OSError if the copy fails; then it is removed.
        """
        copy = self.path.with_suffix(".base.tmp")
        try:
            shutil.copytree(bundle, copy)
        except OSError:
            remove(copy)
            raise
        self.base = copy

    def commit(self, entries: Sequence[Given]) -> Path:
        """Makes the draft the current bundle and returns its folder; then collects unused bundles.

        `entries` is all that the user gave for the new bundle; other copies are removed.
        Raises EnvironmentFault if the disk fails; the old bundle stays current. Collecting never raises.
        """
        with self._home.write_faults():
            self._lists.prepare(self._final.name, entries)
            checksums.seal(self.path)
            sync_tree(self.path)
            self.path.rename(self._final)
            sync(self._bundles.path)
            self._bundles.point_to(self._final.name)
        self._collect(entries)
        return self._final

    def discard(self) -> None:
        """Removes the bundle if a commit failed before the swap. The pointer decides, because Ctrl-C may come after the swap."""
        with suppress(OSError):
            if self._bundles.current_name() != self._final.name:
                remove(self._final)

    def _collect(self, entries: Sequence[Given]) -> None:
        with suppress(OSError, EnvironmentFault):  # the next writer tries again
            self._lists.publish(self._final.name)
            sync(self._home.path)  # the old bundle may be removed only once the swap survives a power cut
            self._lists.keep_only(self._final.name)
            self._bundles.collect_garbage()
            self._home.collect_sources(entries)


def _is_whole(bundle: Path) -> bool:
    return not any(checksums.find_damage(bundle))


def _base_name(name: str) -> str:
    """Strips folders from a file name: an untrusted name must not point outside the home."""
    last = Path(name.replace("\0", "")).name
    return last if last not in ("", "..") else "source"


def _copy_verified(file: Path, target: Path, digest: str) -> None:
    shutil.copyfile(file, target)
    sync(target)
    if file_sha256(target) != digest:
        raise EnvironmentFault("{file} was changed while it was read; add it again", file=file.name)
