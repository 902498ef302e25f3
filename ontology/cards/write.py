"""Writing the cards of a bundle: one SQLite file, read where it lies, so that a look-up loads nothing."""

import json
import sqlite3
import zlib
from array import array
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from corpus.card import Card
from corpus.words.tokens import Token
from ontology.cards.key import key_of, pairs, tokens_of

_TABLES = """
CREATE TABLE card (place INTEGER PRIMARY KEY, game TEXT NOT NULL, id TEXT NOT NULL, body BLOB NOT NULL);
CREATE TABLE name (key TEXT PRIMARY KEY, cards BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE word (word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE pair (pair TEXT PRIMARY KEY, keys BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE long (place INTEGER PRIMARY KEY, key TEXT NOT NULL);
"""
LONG = 5
"""Characters of a Japanese or Chinese name from which on a slip in it is forgiven."""
LATIN = 4
"""The same of letters of a word."""
_COMMON = 3000
"""Names that have a pair of characters beyond which it tells nothing."""


def write(file: Path, cards: Iterable[Card]) -> int:
    """Writes the cards into a new file and gives how many there are; what several files say of one card is put together."""
    merged = _merged(cards)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as store, store:
        store.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _TABLES)
        store.executemany("INSERT INTO card VALUES (?, ?, ?, ?)", _bodies(merged))
        named = _named(merged)
        store.executemany("INSERT INTO name VALUES (?, ?)", ((key, _packed(places)) for key, (places, _) in sorted(named.items())))
        _write_slips(store, {key: tokens for key, (_, tokens) in sorted(named.items())})
    return len(merged)


def _write_slips(store: sqlite3.Connection, named: dict[str, list[Token]]) -> None:
    """What finds a name that is not written as it should be: the words of Latin script, and the pairs in long names."""
    words = {token.norm for tokens in named.values() for token in tokens if not token.cjk and len(token.norm) >= LATIN}
    store.executemany("INSERT INTO word VALUES (?)", ((word,) for word in sorted(words) if word.isalpha()))
    long = [(key, tokens) for key, tokens in named.items() if sum(token.cjk for token in tokens) >= LONG]
    store.executemany("INSERT INTO long VALUES (?, ?)", enumerate(key for key, _ in long))
    having: dict[str, list[int]] = {}
    for place, (_, tokens) in enumerate(long):
        for pair in set(pairs(tokens)):
            having.setdefault(pair, []).append(place)
    rows = ((pair, _packed(places)) for pair, places in sorted(having.items()) if len(places) <= _COMMON)
    store.executemany("INSERT INTO pair VALUES (?, ?)", rows)


def _merged(cards: Iterable[Card]) -> list[Card]:
    merged: dict[tuple[str, str], Card] = {}
    for card in cards:
        known = merged.get((card.game, card.id))
        merged[card.game, card.id] = _joined(known, card) if known else card
    return list(merged.values())


def _joined(card: Card, other: Card) -> Card:
    langs = dict.fromkeys((*card.names, *other.names))
    names = {lang: tuple(dict.fromkeys((*card.names.get(lang, ()), *other.names.get(lang, ())))) for lang in langs}
    return Card(card.game, card.id, names, {**other.texts, **card.texts})


def _bodies(cards: Iterable[Card]) -> Iterator[tuple[int, str, str, bytes]]:
    for place, card in enumerate(cards):
        body = json.dumps([card.names, card.texts], ensure_ascii=False, separators=(",", ":"))
        yield place, card.game, card.id, zlib.compress(body.encode(), 9)


def _named(cards: Iterable[Card]) -> dict[str, tuple[list[int], list[Token]]]:
    """Key of a name → the places of the cards that bear it, and its words."""
    named: dict[str, tuple[list[int], list[Token]]] = {}
    for place, card in enumerate(cards):
        for name in dict.fromkeys(name for some in card.names.values() for name in some):
            if key := key_of(tokens := tokens_of(name)):
                places = named.setdefault(key, ([], tokens))[0]
                if place not in places:
                    places.append(place)
    return named


def _packed(places: Iterable[int]) -> bytes:
    return array("I", places).tobytes()
