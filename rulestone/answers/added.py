"""What is said of files that are added or removed, and what became of them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corpus.errors import InputError
from corpus.model import Authority, Reading
from ingest.recognise.edition import Hints
from ontology.store.manifest import CardsEntry
from rulestone.answers.cards import file
from rulestone.languages import language_option
from rulestone.writing.add import Added
from rulestone.writing.remove import Removed

if TYPE_CHECKING:
    from corpus import contract


def hints(game: str | None, book: str | None, edition: str | None, lang: str | None, authority: str | None) -> Hints:
    """What a user says of files. Raises InputError for an unknown language or authority."""
    if authority is not None and authority not in list(Authority):
        raise InputError("authority {given!r}: expected {known}", given=authority[:40], known=", ".join(Authority))
    return Hints(game, book, edition, language_option(lang, "lang"), Authority(authority) if authority else None)


def body(files: Sequence[Added], lang: str) -> "contract.Added":
    """What became of each file; `lang` is the language that errors are told in."""
    return {"added": [_file(file, lang) for file in files]}


def removed(gone: Sequence[Removed], of_cards: CardsEntry | None = None) -> "contract.Removed":
    """What is no longer there."""
    body: contract.Removed = {"removed": [_gone(one) for one in gone]}
    if of_cards:
        body["cards"] = file(of_cards, "removed")
    return body


def _gone(one: Removed) -> "contract.RemovedReading":
    return {"file": one.file, "game": one.key.game, "book": one.key.book, "edition": one.key.edition, "lang": one.lang}


def _file(added: Added, lang: str) -> "contract.FileResult":
    return {
        "file": added.file,
        "status": added.status,
        "readings": [_reading(reading) for reading in added.readings],
        "why": [reason.said(lang) for reason in added.readings[0].why] if added.readings else [],
        "error": added.error.said(lang) if added.error else None,
    }


def _reading(reading: Reading) -> "contract.Recognised":
    return {
        "game": reading.key.game,
        "book": reading.key.book,
        "edition": reading.key.edition,
        "lang": reading.lang,
        "authority": reading.authority.value,
        "grammar": reading.grammar,
        "rules": len(reading.nodes),
    }
