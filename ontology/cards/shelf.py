"""The cards of a bundle, opened for reading: by name, by the names that a text begins with, and by names that come close."""

import json
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from corpus.card import Card
from corpus.database import opened
from ontology.cards.key import SEPARATOR, key_of, tokens_of

FILE = "cards.sqlite"
LAST = "\U0010ffff"
"""What stands behind every key that begins alike."""
_BEGINNING = 100
"""Names that begin with what is typed which are looked at."""
_NEAR = 40
"""Names that share the most pairs of characters with some words, which are compared with these."""
_ALIKE, _SUGGESTED = 70, 4
"""How alike names must be, from 0 to 100, for one to be suggested for the other; and how many are."""


class Cards:
    """The cards of one bundle. Thread-safe; nothing is read before it is asked for."""

    def __init__(self, folder: Path) -> None:
        """Opens the file of a bundle's folder. Raises OSError where there is none."""
        file = folder / FILE
        file.stat()
        self._store = opened(file)
        self._store.execute("PRAGMA mmap_size = 268435456")
        self.words = lru_cache(maxsize=64)(self._words)
        """The words of Latin script in names that begin with a letter."""

    @classmethod
    def of(cls, folder: Path) -> "Cards | None":
        """Those of a bundle's folder; None where it has none."""
        return cls(folder) if (folder / FILE).exists() else None

    def close(self) -> None:
        """Lets the file go."""
        self._store.close()

    def count(self) -> int:
        """How many cards there are."""
        return int(self._store.execute("SELECT COUNT(*) FROM card").fetchone()[0])

    def longest(self, words: str) -> str | None:
        """The longest key that some words, each followed by a space, begin with; None for no such name.

        The greatest key that is not behind the words either is it, or has the same beginning as they as far as it is one.
        """
        while words:
            row = self._store.execute("SELECT key FROM name WHERE key <= ? ORDER BY key DESC LIMIT 1", (words,)).fetchone()
            if row is None or words.startswith(row[0]):
                return row[0] if row else None
            words = _beginning(words, row[0])
        return None

    def has(self, key: str) -> bool:
        """Whether a card bears the name of a key."""
        return self._store.execute("SELECT 1 FROM name WHERE key = ?", (key,)).fetchone() is not None

    def has_word(self, word: str) -> bool:
        """Whether a word of Latin script stands in any name."""
        return self._store.execute("SELECT 1 FROM word WHERE word = ?", (word,)).fetchone() is not None

    def called(self, name: str) -> list[Card]:
        """The cards that bear a name in any language; names that differ in case, accents, width or script variant are one."""
        return self.of_key(key_of(tokens_of(name)))

    def of_key(self, key: str) -> list[Card]:
        """The cards that bear the name of a key."""
        row = self._store.execute("SELECT cards FROM name WHERE key = ?", (key,)).fetchone()
        return [self._card(place) for place in _unpacked(row[0])] if row else []

    def beginning(self, words: str) -> list[str]:
        """The keys that begin with some words, of which the last need not be whole; the shortest first."""
        typed = key_of(tokens_of(words)).removesuffix(SEPARATOR)
        if not typed:
            return []
        rows = self._store.execute(
            "SELECT key FROM name WHERE key >= ? AND key < ? ORDER BY LENGTH(key), key LIMIT ?", (typed, typed + LAST, _BEGINNING)
        )
        return [row[0] for row in rows]

    def sharing(self, pairs: Iterable[str]) -> list[str]:
        """The keys of the long names that share the most of some pairs of characters, the most first."""
        votes: Counter[int] = Counter()
        for pair in set(pairs):
            row = self._store.execute("SELECT keys FROM pair WHERE pair = ?", (pair,)).fetchone()
            votes.update(_unpacked(row[0]) if row else ())
        best = sorted((place for place, _ in votes.most_common(_NEAR) if votes[place] > 1), key=lambda card: (-votes[card], card))
        return [self._store.execute("SELECT key FROM long WHERE place = ?", (place,)).fetchone()[0] for place in best]

    def close_to(self, name: str) -> list[str]:
        """Names of cards that are nearly the given one, the nearest first."""
        from rapidfuzz.fuzz import ratio
        from rapidfuzz.process import extract

        key = key_of(tokens_of(name))
        rows = self._store.execute("SELECT key FROM name WHERE key >= ? AND key < ?", (key[:1], key[:1] + LAST))
        near = extract(key, [row[0] for row in rows], scorer=ratio, score_cutoff=_ALIKE, limit=_SUGGESTED)
        return [named for near_key, _, _ in near for named in [self._as_printed(str(near_key))] if named]

    def _as_printed(self, key: str) -> str | None:
        names = (name for card in self.of_key(key) for some in card.names.values() for name in some)
        return next((name for name in names if key_of(tokens_of(name)) == key), None)

    def _words(self, letter: str) -> Sequence[str]:
        rows = self._store.execute("SELECT word FROM word WHERE word >= ? AND word < ?", (letter, letter + LAST))
        return [row[0] for row in rows]

    def _card(self, place: int) -> Card:
        game, ident, body = self._store.execute("SELECT game, id, body FROM card WHERE place = ?", (place,)).fetchone()
        names, texts = json.loads(zlib.decompress(body))
        return Card(game, ident, {lang: tuple(some) for lang, some in names.items()}, texts)


def _beginning(name: str, other: str) -> str:
    """What two texts have in common from their beginning on."""
    length = next((place for place, pair in enumerate(zip(name, other, strict=False)) if pair[0] != pair[1]), None)
    return name[: min(len(name), len(other)) if length is None else length]


def _unpacked(packed: bytes) -> "array[int]":
    places = array("I")
    places.frombytes(packed)
    return places
