"""The tables of the archive.

An edition is its rules in document order; a rule is a body, found by the hash of what it says, and what only its edition knows: its
place and where in the file it stands. Editions that have a rule word for word under one number share its body.
"""

import zlib

FOLDER, FILE = "archive", "archive.sqlite"
"""Folder of a bundle, and the file in it; without superseded editions there is none."""
TABLES = """
CREATE TABLE IF NOT EXISTS edition (
 id INTEGER PRIMARY KEY, game TEXT, book TEXT, edition TEXT, files TEXT NOT NULL, graphs TEXT NOT NULL, classes TEXT NOT NULL,
 predicates TEXT NOT NULL, rest BLOB NOT NULL, UNIQUE (game, book, edition));
CREATE TABLE IF NOT EXISTS rule (
 edition INTEGER, place INTEGER, locator TEXT NOT NULL, body INTEGER NOT NULL, sources TEXT NOT NULL,
 PRIMARY KEY (edition, place)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS located ON rule (locator);
CREATE INDEX IF NOT EXISTS embodied ON rule (body);
CREATE TABLE IF NOT EXISTS body (id INTEGER PRIMARY KEY, hash BLOB UNIQUE, kind TEXT, record BLOB NOT NULL, quads BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS mention (concept TEXT, body INTEGER, PRIMARY KEY (concept, body)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pair (
 graph TEXT PRIMARY KEY, game TEXT, book TEXT, old TEXT, new TEXT, quads INTEGER, classes TEXT NOT NULL, predicates TEXT NOT NULL,
 lines BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS primer (bytes BLOB NOT NULL);
"""
_RAW = -15
"""Window of zlib without a header: bodies are many and short."""


def pressed(text: str, primer: bytes = b"") -> bytes:
    """A text compressed; `primer` has words that such texts are likely to have."""
    press = zlib.compressobj(9, zlib.DEFLATED, _RAW, 9, zlib.Z_DEFAULT_STRATEGY, *([primer] if primer else []))
    return press.compress(text.encode()) + press.flush()


def unpressed(data: bytes, primer: bytes = b"") -> str:
    """The text that was compressed with the same primer."""
    return inflated(data, primer).decode()


def inflated(data: bytes, primer: bytes = b"") -> bytes:
    """The same in UTF-8."""
    opened = zlib.decompressobj(_RAW, *([primer] if primer else []))
    return opened.decompress(data) + opened.flush()


def lines_of(text: str) -> list[str]:
    """The lines of N-Quads: texts may hold characters that Python takes for the end of a line."""
    return [line for line in text.split("\n") if line]
