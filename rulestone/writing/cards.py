"""Files of cards: added to the home, removed, and written into every bundle."""

from collections.abc import Sequence
from pathlib import Path

from corpus.errors import InputError
from corpus.model import Card
from corpus.store import documents
from corpus.store.documents import NewDocuments
from corpus.store.home import Draft, Home
from corpus.store.home.disk import file_sha256
from corpus.store.home.given import Given
from corpus.store.home.manifest import CardsEntry, Manifest, read_base_manifest
from ingest.cards import read_card_file
from ontology.cards import DOCUMENTS, write_cards
from rulestone.writing.draft.copies import base_bundle, copy_bundle
from rulestone.writing.sources import intact_copy, unreadable_error


def add_cards(home: Home, path: Path, game: str | None, replaces: str | None = None) -> tuple[CardsEntry, bool]:
    """Adds a file of cards, in the place of the file with the SHA-256 `replaces`; returns whether it is new.

    Raises InputError for a file without cards; then nothing changes.
    """
    cards = read_card_file(path, game)
    checksum = file_sha256(path)
    with home.writing_bundle() as draft:
        manifest = read_base_manifest(base_bundle(home, draft))
        entry = _cards_entry(checksum, path.name, game, cards)
        others = [file for file in manifest.cards if file.sha256 not in (entry.sha256, replaces)]
        if entry in manifest.cards and len(others) + 1 == len(manifest.cards):
            return entry, False
        home.store_source_file(path, checksum)
        manifest.cards = [*others, entry]
        _swap_in(home, draft, manifest)
        return entry, True


def remove_cards(home: Home, what: str) -> CardsEntry | None:
    """Removes a file of cards by its name, path or SHA-256; None if there is none."""
    path = Path(what)
    checksum = file_sha256(path) if path.is_file() else what
    with home.writing_bundle() as draft:
        manifest = read_base_manifest(base_bundle(home, draft))
        card_file = next((file for file in reversed(manifest.cards) if checksum == file.sha256), None) or next(
            (file for file in reversed(manifest.cards) if not path.is_file() and path.name == file.name), None
        )
        if card_file is None:
            return None
        manifest.cards.remove(card_file)
        _swap_in(home, draft, manifest)
        return card_file


def put_cards(home: Home, records: NewDocuments, manifest: Manifest) -> None:
    """Writes the cards of the stored files into the records of a draft."""
    for name in DOCUMENTS:
        records.drop(name)
    if manifest.cards:
        files = [_read_again(home, file) for file in manifest.cards]
        manifest.cards = [
            _cards_entry(file.sha256, file.name, file.game, cards) for file, cards in zip(manifest.cards, files, strict=True)
        ]
        write_cards(records, (card for cards in files for card in cards))


def _swap_in(home: Home, draft: Draft, manifest: Manifest) -> None:
    """Replaces the current bundle by one with other cards."""
    copy_bundle(base_bundle(home, draft), draft.path, rewritten=[documents.FILE_NAME])
    with documents.draft_documents(draft.path, draft.base) as records:
        put_cards(home, records, manifest)
    manifest.write(draft.path)
    draft.commit(manifest.given())


def listed_cards(entry: Given) -> CardsEntry:
    """A file of the list of the user's files, before it is read again."""
    return CardsEntry(entry.sha256, entry.name, entry.options.get("game"), 0, (), ())


def _read_again(home: Home, file: CardsEntry) -> Sequence[Card]:
    """The cards of a stored file. Raises EnvironmentFault if it cannot be read."""
    copy = intact_copy(home, file.sha256, file.name)
    try:
        return read_card_file(copy, file.game)
    except InputError as fault:
        raise unreadable_error(file, fault) from fault


def _cards_entry(checksum: str, name: str, game: str | None, cards: Sequence[Card]) -> CardsEntry:
    games = tuple(sorted({card.game for card in cards}))
    langs = tuple(sorted({lang for card in cards for lang in card.names}))
    return CardsEntry(checksum, name, game, len(cards), games, langs)
