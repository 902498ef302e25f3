"""What is said of files that are added or removed, and what became of them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from corpus.errors import InputError
from corpus.messages import Message
from corpus.model import Authority, Reading
from corpus.store.home.manifest import CardsEntry, JudgementsEntry
from ingest.recognise.edition import Hints
from ingest.rulings.revise import Counts
from ingest.rulings.schema import ROLES
from rulestone.answers import cards, grounds
from rulestone.languages import language_option
from rulestone.writing.add import Added
from rulestone.writing.remove import Removed
from rulestone.writing.rulings.files import Source
from rulestone.writing.rulings.shelving import Ruled, Taken

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


def removed(gone: Sequence[Removed], beside: CardsEntry | JudgementsEntry | None = None) -> "contract.Removed":
    """What is no longer there; `beside` is a file of something else than texts."""
    body: contract.Removed = {"removed": [_gone(reading) for reading in gone]}
    if isinstance(beside, CardsEntry):
        body["cards"] = cards.file(beside, "removed")
    elif beside:
        body["judgements"] = grounds.file(beside, "removed")
    return body


def _gone(reading: Removed) -> "contract.RemovedReading":
    return {
        "file": reading.file,
        "game": reading.key.game,
        "book": reading.key.book,
        "edition": reading.key.edition,
        "lang": reading.lang,
    }


def _file(added: Added, lang: str) -> "contract.FileResult":
    return {
        "file": added.file,
        "status": added.status,
        "readings": [_reading(reading) for reading in added.readings],
        "rulings": _rulings(added),
        "why": [reason.said(lang) for reason in _why(added)],
        "error": added.error.said(lang) if added.error else None,
    }


def _why(added: Added) -> "Sequence[Message]":
    if added.rulings:
        return added.rulings.file.why
    return added.readings[0].why if added.readings else ()


def _rulings(added: Added) -> "list[contract.RulingFile]":
    """What became of a file of rulings, source by source."""
    return [_ruled(added.rulings, source, counts) for source, counts in added.counts.items()] if added.rulings else []


def _ruled(taken: Taken, source: Source, counts: Counts) -> "contract.RulingFile":
    mine = [ruling for ruling in taken.file.rulings if (ruling.game, ruling.source) == source]
    return {
        "game": source[0],
        "source": source[1],
        "langs": sorted({lang for ruling in mine for lang in ruling.answer}),
        "records": taken.file.records,
        "rulings": len(mine),
        "new": counts.new,
        "same": counts.same,
        "revised": counts.revised,
        "withdrawn": counts.withdrawn,
    }


def ruled(source: str | None, fields: str | Mapping[str, str] | None) -> Ruled:
    """What a user says of files of rulings; `fields` is `question=q,answer=a`, or the same as a mapping. Raises InputError."""
    if not isinstance(fields, str):
        return Ruled(source, dict(fields or {}))
    pairs = [pair.partition("=") for pair in fields.split(",") if pair.strip()]
    mapped = {role.strip(): name.strip() for role, _, name in pairs}
    if not pairs or any(role not in ROLES or not name for role, name in mapped.items()) or "answer" not in mapped:
        raise InputError(
            "--map {given!r}: expected role=field, separated by commas, with an answer among them; roles are {roles}",
            given=fields[:80],
            roles=", ".join(ROLES),
        )
    return Ruled(source, mapped)


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
