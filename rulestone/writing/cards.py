"""Files of cards: added to the home, removed, and written into every bundle."""

from collections.abc import Sequence
from pathlib import Path

from corpus.errors import EnvironmentFault, InputError
from corpus.model import Card
from corpus.store import documents
from corpus.store.documents import NewDocuments
from corpus.store.home import Draft, Home
from corpus.store.home.disk import digest_of
from corpus.store.home.manifest import CardsEntry, Manifest, read_manifest
from ingest.cards import read_card_file
from ontology.cards import DOCUMENTS, write_cards
from rulestone.writing.draft.copies import copy_bundle, loaded
from rulestone.writing.sources import whole_copy


def add_cards(home: Home, path: Path, game: str | None) -> tuple[CardsEntry, bool]:
    """Adds a file of cards; returns whether it is new. Raises InputError for a file without cards; then nothing changes."""
    cards = read_card_file(path, game)
    digest = digest_of(path)
    with home.writing() as draft:
        manifest = read_manifest(loaded(home, draft))
        entry = _entry(digest, path.name, game, cards)
        if entry in manifest.cards:
            return entry, False
        home.keep_file(path, digest)
        manifest.cards = [*(file for file in manifest.cards if file.sha256 != entry.sha256), entry]
        _swap_in(home, draft, manifest)
        return entry, True


def remove_cards(home: Home, what: str) -> CardsEntry | None:
    """Removes a file of cards by its name, path or SHA-256; None if there is none."""
    path = Path(what)
    digest = digest_of(path) if path.is_file() else what
    with home.writing() as draft:
        manifest = read_manifest(loaded(home, draft))
        chosen = next((file for file in reversed(manifest.cards) if digest == file.sha256), None) or next(
            (file for file in reversed(manifest.cards) if not path.is_file() and path.name == file.name), None
        )
        if chosen is None:
            return None
        manifest.cards.remove(chosen)
        _swap_in(home, draft, manifest)
        return chosen


def put_cards(home: Home, records: NewDocuments, manifest: Manifest) -> None:
    """Writes the cards of the stored files into the records of a draft."""
    for name in DOCUMENTS:
        records.drop(name)
    if manifest.cards:
        files = [_read_again(home, file, manifest) for file in manifest.cards]
        write_cards(records, (card for cards in files for card in cards))


def _swap_in(home: Home, draft: Draft, manifest: Manifest) -> None:
    """Replaces the current bundle by one with other cards."""
    copy_bundle(loaded(home, draft), draft.path, anew=[documents.FILE])
    with documents.writing(draft.path, draft.base) as records:
        put_cards(home, records, manifest)
    manifest.write(draft.path)
    draft.commit(manifest.sources())


def _read_again(home: Home, file: CardsEntry, manifest: Manifest) -> Sequence[Card]:
    """The cards of a stored file; an unreadable one stays in the manifest, with the reason."""
    try:
        return read_card_file(whole_copy(home, file.sha256, file.name), file.game)
    except (InputError, EnvironmentFault) as fault:
        manifest.unread.append(str(fault))
        return ()


def _entry(digest: str, name: str, game: str | None, cards: Sequence[Card]) -> CardsEntry:
    games = tuple(sorted({card.game for card in cards}))
    langs = tuple(sorted({lang for card in cards for lang in card.names}))
    return CardsEntry(digest, name, game, len(cards), games, langs)
