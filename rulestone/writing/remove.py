"""Removes an edition, one language of it, or an added file, as if it had never been added."""

import dataclasses
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

from corpus.address import EditionKey, path_of
from corpus.errors import InputError, NotFoundError
from corpus.messages import message
from corpus.reference import editions_named
from corpus.store.home import Draft, Home
from corpus.store.home.manifest import AddedFile, Manifest, key_of_row, read_base_manifest
from rulestone.progress import Progress, no_progress
from rulestone.writing.draft.bundle import BundleWriter, write_rulings
from rulestone.writing.rulings.update import RulingsUpdate, drop_source
from rulestone.writing.sources import Sources, reading_name

Row = Mapping[str, str]
"""The readings of a file: game, book, edition and language (`AddedFile.readings`)."""


@dataclasses.dataclass(frozen=True, slots=True)
class Removed:
    """One removed language of an edition of a file."""

    file: str
    key: EditionKey
    lang: str


def remove(home: Home, what: str, lang: str | None = None, progress: Progress = no_progress) -> list[Removed]:
    """Removes an edition (`mtg:2024-06-07`, `mtg/cr/2024-06-07`, an address), one language of it, or a file by name or path.

    Raises NotFoundError if there is no such edition or file, InputError for an ambiguous name, EnvironmentFault as `build` does.
    """
    with home.writing_bundle() as draft:
        manifest = read_base_manifest(draft.base)
        if rulings := _remove_rulings(home, draft, manifest, what, lang):
            return rulings
        is_chosen = _find_file(manifest, what, lang) or _find_edition(manifest, what, lang)
        rows = [(file, row) for file in manifest.added for row in file.readings if is_chosen(file, row)]
        readings = [Removed(file.name, key_of_row(row), row["lang"]) for file, row in rows]
        if not readings:
            raise _not_added_error(manifest, what, lang)
        manifest.added[:] = [rest for file in manifest.added if (rest := _remaining_file(file, is_chosen))]
        _write(home, draft, manifest, {reading.key for reading in readings}, progress)
        return readings


def _remove_rulings(home: Home, draft: Draft, manifest: Manifest, what: str, lang: str | None) -> list[Removed]:
    """Removes a file of rulings, or the rulings of a source (`mtg/rulings/wotc`, an address).

    Does nothing if the name is neither.
    """
    rulings_update = RulingsUpdate(home, manifest)
    name = path_of(what)
    if any(name == entry.name for entry in manifest.rulings):
        files_and_rulings = drop_source(rulings_update, name)
    else:
        files = [file for file in _files_named(manifest, what) if file.rulings]
        files_and_rulings = [(file, ruling) for file in files[:1] for ruling in file.rulings]
        for file in files[:1]:
            rulings_update.drop(file)
    if not files_and_rulings:
        return []
    if lang:
        raise InputError("{what}: rulings are removed in all languages; leave out the language", what=what[:80])
    langs = {entry.name: entry.languages for entry in manifest.rulings}
    write_rulings(home, draft, rulings_update)
    return [
        Removed(file.name, EditionKey(*edition.split("/")), text_lang)
        for file, edition in files_and_rulings
        for text_lang in langs.get(edition, ())
    ]


Chosen = Callable[[AddedFile, Row], bool]
"""Whether an item of a file is to be removed."""


def _find_file(manifest: Manifest, what: str, lang: str | None) -> Chosen | None:
    """The file of that name, or with the bytes of the file at that path; None if there is none."""
    files = _files_named(manifest, what)
    if len(files) > 1:
        raise InputError(
            "{name}: several files of that name were added; name one by its SHA-256: {digests}",
            name=what,
            digests=", ".join(file.sha256 for file in files),
        )
    return (lambda file, row: file == files[0] and lang in (None, row["lang"])) if files else None


def _files_named(manifest: Manifest, what: str) -> list[AddedFile]:
    """The files of that name, or with the bytes of the file at that path."""
    path = Path(what)
    checksum = sha256(path.read_bytes()).hexdigest() if path.is_file() else what
    return [file for file in manifest.added if file.sha256 == checksum] or [
        file for file in manifest.added if file.name == path.name and (file.name == what or not path.is_file())
    ]


def _find_edition(manifest: Manifest, what: str, lang: str | None) -> Chosen:
    """The named edition."""
    keys = set(editions_named(what, (key for file in manifest.added for key in file.editions())))
    if len(keys) > 1:
        editions = ", ".join(sorted(map(str, keys)))
        raise InputError("{name}: may be {editions}; name one of them", name=what[:80], editions=editions)
    return lambda _, row: key_of_row(row) in keys and lang in (None, row["lang"])


def _remaining_file(file: AddedFile, is_chosen: Chosen) -> AddedFile | None:
    """The rest of a file; None if nothing is left."""
    removed_rows = [row for row in file.readings if is_chosen(file, row)]
    rest = tuple(row for row in file.readings if row not in removed_rows)
    names = sorted(reading_name(key_of_row(row), row["lang"]) for row in removed_rows)
    return (
        file._replace(readings=rest, without=(*file.without, *names)) if removed_rows and rest else None if removed_rows else file
    )


def _write(home: Home, draft: Draft, manifest: Manifest, affected_keys: set[EditionKey], progress: Progress) -> None:
    """Writes the affected editions from the remaining files."""
    sources = Sources(home)
    files = [sources.parse_source(file) for file in manifest.added if file.editions() & affected_keys]
    BundleWriter(home, draft, manifest, progress).write([], files, affected_keys)


def _not_added_error(manifest: Manifest, what: str, lang: str | None) -> NotFoundError:
    keys = {f"{key}" for file in manifest.added for key in file.editions()}
    editions = ", ".join(sorted(keys | {name for file in manifest.added for name in file.rulings}))
    files = ", ".join(file.name for file in manifest.added)
    content = message("{editions}; files {files}", editions=editions, files=files) if editions else message("nothing")
    if lang:
        return NotFoundError("{what} was not added in {lang}; added so far: {added}", what=what[:80], lang=lang, added=content)
    return NotFoundError("{what} was not added; added so far: {added}", what=what[:80], added=content)
