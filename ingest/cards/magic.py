"""Cards of Magic: MTGJSON's AtomicCards, and Scryfall's bulk files."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ingest.cards.gather import Said
from ingest.cards.languages import language

Record = Mapping[str, Any]
_FACES = " // "


def scryfall(record: Record, game: str) -> Iterator[Said]:
    """What a card object of Scryfall says: its Oracle name and text, and the printed ones of its language."""
    faces: Sequence[Record] = record.get("card_faces") or ()
    ident = record.get("oracle_id") or next((face["oracle_id"] for face in faces if face.get("oracle_id")), record["name"])
    lang = language(record.get("lang", "en"))
    for part in (*faces, record) if not faces or _FACES not in record["name"] else (record, *faces):
        yield Said(game, ident, "en", part["name"], _text(part, "oracle_text"))
        if lang not in (None, "en"):
            yield Said(game, ident, str(lang), _text(part, "printed_name"), _text(part, "printed_text"))


def atomic(record: Record, game: str) -> Iterator[Said]:
    """What a face in AtomicCards says, in English and in the languages beside it."""
    ident = (record.get("identifiers") or {}).get("scryfallOracleId") or record["name"]
    if record.get("faceName"):
        yield Said(game, ident, "en", record["name"], "")
    yield Said(game, ident, "en", _text(record, "faceName") or record["name"], _text(record, "text"))
    for foreign in record.get("foreignData") or ():
        if lang := language(foreign.get("language")):
            if foreign.get("faceName"):
                yield Said(game, ident, lang, _text(foreign, "name"), "")
            yield Said(game, ident, lang, _text(foreign, "faceName") or _text(foreign, "name"), _text(foreign, "text"))


def _text(record: Record, field: str) -> str:
    value = record.get(field)
    return value if isinstance(value, str) else ""
