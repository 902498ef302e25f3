"""Readers of card records: MTGJSON, Scryfall, YGOJSON, YAML Yugi, and rows of a table."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from corpus.errors import InputError
from corpus.reference import game_named

FILE = Path(__file__).parents[1] / "data" / "cards.toml"
_KANA, _HAN = re.compile("[\u3041-\u309f\u30a1-\u30fa]"), re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")


@cache
def card_formats() -> Mapping[str, Any]:
    """The description of card files."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def language(name: object) -> str | None:
    """The tag of a language named in files of cards; None for an unsupported one."""
    tag: str | None = card_formats()["languages"].get(name) if isinstance(name, str) else None
    return tag


def guess_language(text: str) -> str:
    """The language of a text without a language tag, by its script."""
    if _KANA.search(text):
        return "ja"
    return "zh-Hans" if _HAN.search(text) else "en"


class CardText(NamedTuple):
    """The facts of one record about a card in one language."""

    game: str
    id: str
    lang: str
    name: str
    text: str


Record = Mapping[str, Any]
_FACES = " // "


def scryfall(record: Record, game: str) -> Iterator[CardText]:
    """The facts of a Scryfall card: its Oracle name and text, and the printed name and text in its language."""
    faces: Sequence[Record] = record.get("card_faces") or ()
    ident = record.get("oracle_id") or next((face["oracle_id"] for face in faces if face.get("oracle_id")), record["name"])
    lang = language(record.get("lang", "en"))
    for part in (*faces, record) if not faces or _FACES not in record["name"] else (record, *faces):
        yield CardText(game, ident, "en", part["name"], _text(part, "oracle_text"))
        if lang not in (None, "en"):
            yield CardText(game, ident, str(lang), _text(part, "printed_name"), _text(part, "printed_text"))


def atomic(record: Record, game: str) -> Iterator[CardText]:
    """The facts of a face in AtomicCards, in English and its foreign data."""
    ident = (record.get("identifiers") or {}).get("scryfallOracleId") or record["name"]
    if record.get("faceName"):
        yield CardText(game, ident, "en", record["name"], "")
    yield CardText(game, ident, "en", _text(record, "faceName") or record["name"], _text(record, "text"))
    for foreign in record.get("foreignData") or ():
        if lang := language(foreign.get("language")):
            if foreign.get("faceName"):
                yield CardText(game, ident, lang, _text(foreign, "name"), "")
            yield CardText(game, ident, lang, _text(foreign, "faceName") or _text(foreign, "name"), _text(foreign, "text"))


def _text(record: Record, field: str) -> str:
    value = record.get(field)
    return value if isinstance(value, str) else ""


def ygojson(record: Record, game: str) -> Iterator[CardText]:
    """The facts of a YGOJSON card in each language."""
    for tag, own in record["text"].items():
        if lang := language(tag):
            text = "\n".join(own[part] for part in ("pendulumEffect", "effect") if own.get(part))
            yield CardText(game, str(record["id"]), lang, own["name"], text)


def yaml_yugi(record: Record, game: str) -> Iterator[CardText]:
    """The facts of a YAML Yugi card in each language."""
    ident = record.get("password") or record.get("konami_id") or record["name"]["en"]
    texts, pendulum = record.get("text") or {}, record.get("pendulum_effect") or {}
    for tag, name in record["name"].items():
        lang = language(tag)
        if lang and name:
            text = "\n".join(part for part in (pendulum.get(tag), texts.get(tag)) if part)
            yield CardText(game, str(ident), lang, name, text)


GAME, IDENT, TEXT = "game", "id", "text"
_BETWEEN = "|"
"""Separates several names in one cell."""


def check_columns(columns: list[str]) -> None:
    """Raises InputError for unknown or repeated columns, or if there is no name column."""
    unknown = [name for name in columns if name not in (GAME, IDENT, TEXT) and not _of_text(name) and not language(name)]
    if unknown:
        raise InputError("column {name!r} is unknown; expected game, id, ja, zh-Hans, zh-Hant, en, text", name=unknown[0][:40])
    if len(set(columns)) < len(columns):
        raise InputError("a column occurs twice: {columns}", columns=", ".join(columns)[:80])
    if not any(map(language, columns)):
        raise InputError("no column holds names; expected one of ja, zh-Hans, zh-Hant, en")


def row(record: Mapping[str, Any], game: str) -> Iterator[CardText]:
    """The facts of a row about a card in each language. Raises InputError for a row without a game or a name."""
    names = {lang: _cell(record, column).split(_BETWEEN) for column in record if (lang := language(column))}
    first = next((name.strip() for some in names.values() for name in some if name.strip()), "")
    if not first:
        raise InputError("has no name")
    given = _cell(record, GAME)
    whose = (game_named(given) or given.lower()) if given else game
    if not whose:
        raise InputError("names no game; give it in a column `game`, or with --game")
    ident = _cell(record, IDENT) or first
    texts = _row_texts(record)
    for lang, some in names.items():
        for name in filter(None, (name.strip() for name in some)):
            yield CardText(whose, ident, lang, name, texts.pop(lang, ""))
    for lang, text in texts.items():
        yield CardText(whose, ident, lang, "", text)


def _of_text(column: str) -> str | None:
    """The language of a text column: `text-ja`."""
    kind, _, tag = column.partition("-")
    return language(tag) if kind == TEXT else None


def _row_texts(record: Mapping[str, Any]) -> dict[str, str]:
    texts = {lang: _cell(record, column) for column in record if (lang := _of_text(column))}
    if said := _cell(record, TEXT):
        texts.setdefault(guess_language(said), said)
    return {lang: text for lang, text in texts.items() if text}


def _cell(record: Mapping[str, Any], field: str) -> str:
    value = record.get(field)
    return " ".join(value.split()) if field != TEXT and isinstance(value, str) else str(value).strip() if value is not None else ""
