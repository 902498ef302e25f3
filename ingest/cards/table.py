"""Cards as rows of a table: `game,id,ja,zh-Hans,en,text`, or any of these columns."""

from collections.abc import Iterator, Mapping
from typing import Any

from corpus.errors import InputError
from corpus.reference import game_named
from ingest.cards.gather import Said
from ingest.cards.languages import guessed, language

GAME, IDENT, TEXT = "game", "id", "text"
_BETWEEN = "|"
"""What stands between several names in one cell."""


def check_columns(columns: list[str]) -> None:
    """Raises InputError for columns that are not known, are given twice, or among which no name is."""
    unknown = [name for name in columns if name not in (GAME, IDENT, TEXT) and not _of_text(name) and not language(name)]
    if unknown:
        raise InputError("column {name!r} is unknown; expected game, id, ja, zh-Hans, zh-Hant, en, text", name=unknown[0][:40])
    if len(set(columns)) < len(columns):
        raise InputError("a column stands there twice: {columns}", columns=", ".join(columns)[:80])
    if not any(map(language, columns)):
        raise InputError("no column holds names; expected one of ja, zh-Hans, zh-Hant, en")


def row(record: Mapping[str, Any], game: str) -> Iterator[Said]:
    """What a row says of a card in each language. Raises InputError for a row without a game or a name."""
    names = {lang: _text(record, column).split(_BETWEEN) for column in record if (lang := language(column))}
    first = next((name.strip() for some in names.values() for name in some if name.strip()), "")
    if not first:
        raise InputError("has no name")
    given = _text(record, GAME)
    whose = (game_named(given) or given.lower()) if given else game
    if not whose:
        raise InputError("names no game; give it in a column `game`, or with --game")
    ident = _text(record, IDENT) or first
    texts = _texts(record)
    for lang, some in names.items():
        for name in filter(None, (name.strip() for name in some)):
            yield Said(whose, ident, lang, name, texts.pop(lang, ""))
    for lang, text in texts.items():
        yield Said(whose, ident, lang, "", text)


def _of_text(column: str) -> str | None:
    """The language of a column of texts: `text-ja`."""
    kind, _, tag = column.partition("-")
    return language(tag) if kind == TEXT else None


def _texts(record: Mapping[str, Any]) -> dict[str, str]:
    texts = {lang: _text(record, column) for column in record if (lang := _of_text(column))}
    if said := _text(record, TEXT):
        texts.setdefault(guessed(said), said)
    return {lang: text for lang, text in texts.items() if text}


def _text(record: Mapping[str, Any], field: str) -> str:
    value = record.get(field)
    return " ".join(value.split()) if field != TEXT and isinstance(value, str) else str(value).strip() if value is not None else ""
