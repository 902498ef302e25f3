"""The cards of a bundle: a SQLite file with what each is called and says, and the places where a text names them.

Names are compared by their *key*: the words in one form, each followed by a space, so that a key ends where a word does.

That words are the name of a card does not mean that they refer to it: cards are called Fog, Opt and 火. Names in quotation marks
refer to cards; the caller decides about the others.
"""

import json
import sqlite3
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise
from pathlib import Path

from corpus.database import open_immutable
from corpus.model import Card
from corpus.words.tokens import Token, bare, words

FILE = "cards.sqlite"
_TABLES = """
CREATE TABLE card (place INTEGER PRIMARY KEY, game TEXT NOT NULL, id TEXT NOT NULL, body BLOB NOT NULL);
CREATE TABLE name (key TEXT PRIMARY KEY, cards BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE word (word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE pair (pair TEXT PRIMARY KEY, keys BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE long (place INTEGER PRIMARY KEY, key TEXT NOT NULL);
"""
_SEPARATOR = " "
_AFTER_ALL = "\U0010ffff"
"""Sorts after every continuation of a key."""
_LONG_NAME, _LONG_WORD = 5, 4
"""Characters of a Japanese or Chinese name, and letters of a word, from which misspellings are looked up."""
_COMMON_PAIR = 3000
"""Names with a pair of characters above which the pair is not indexed: it distinguishes nothing."""
_COMPLETIONS, _CANDIDATES = 100, 40
"""Names with a typed beginning that are returned, and names sharing character pairs with a text that are compared with it."""
_SUGGESTION_RATIO, _SUGGESTIONS = 70, 4
"""Similarity, from 0 to 100, from which a name is suggested for another one, and how many are."""
_LONGEST_KEY = 160
"""Characters; the longest known name of a card has 141."""
_OPENING, _CLOSING = '「『《〈【["“‘«＜<', '」』》〉】]"”’»＞>'
_ONE_EDIT, _TWO_EDITS = 5, 8
"""Letters of a word from which on one edit is corrected, and two."""
_NAME_RATIO = 80
"""Similarity, from 0 to 100, of characters to a name for them to mention it."""
_CORRECTIONS = 6
"""Words of a text that are corrected at most; a text with more of them is about something else."""


def tokens_of(text: str) -> list[Token]:
    """The words of a text as names are compared: lower case, no accents, one form of each character."""
    return words(text, bare)


def key_of(tokens: Sequence[Token]) -> str:
    """The key of some words; "" for none."""
    return "".join(token.norm + _SEPARATOR for token in tokens)


def _pairs(tokens: Sequence[Token]) -> Iterator[str]:
    """The pairs of neighbouring Japanese or Chinese characters."""
    return (token.norm + following.norm for token, following in pairwise(tokens) if token.cjk and following.cjk)


def write_cards(file: Path, cards: Iterable[Card]) -> int:
    """Writes a new file of cards and returns how many there are. Cards of one id are merged."""
    merged = _merged(cards)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as database, database:
        database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _TABLES)
        database.executemany("INSERT INTO card VALUES (?, ?, ?, ?)", _card_rows(merged))
        names = sorted(_names(merged).items())
        database.executemany("INSERT INTO name VALUES (?, ?)", ((key, _packed(places)) for key, (places, _) in names))
        _write_spelling(database, {key: tokens for key, (_, tokens) in names})
    return len(merged)


def _merged(cards: Iterable[Card]) -> list[Card]:
    merged: dict[tuple[str, str], Card] = {}
    for card in cards:
        earlier = merged.get((card.game, card.id))
        merged[card.game, card.id] = _merge(earlier, card) if earlier else card
    return list(merged.values())


def _merge(card: Card, other: Card) -> Card:
    langs = dict.fromkeys((*card.names, *other.names))
    names = {lang: tuple(dict.fromkeys((*card.names.get(lang, ()), *other.names.get(lang, ())))) for lang in langs}
    return Card(card.game, card.id, names, {**other.texts, **card.texts})


def _card_rows(cards: Iterable[Card]) -> Iterator[tuple[int, str, str, bytes]]:
    for place, card in enumerate(cards):
        body = json.dumps([card.names, card.texts], ensure_ascii=False, separators=(",", ":"))
        yield place, card.game, card.id, zlib.compress(body.encode(), 9)


def _names(cards: Iterable[Card]) -> dict[str, tuple[list[int], list[Token]]]:
    """Key of a name → the places of the cards with that name, and its words."""
    names: dict[str, tuple[list[int], list[Token]]] = {}
    for place, card in enumerate(cards):
        for name in dict.fromkeys(name for by_language in card.names.values() for name in by_language):
            if key := key_of(tokens := tokens_of(name)):
                places = names.setdefault(key, ([], tokens))[0]
                if place not in places:
                    places.append(place)
    return names


def _write_spelling(database: sqlite3.Connection, names: dict[str, list[Token]]) -> None:
    """Writes what misspelt names are found by: words in Latin script, and the character pairs of long names."""
    latin = {token.norm for tokens in names.values() for token in tokens if not token.cjk and len(token.norm) >= _LONG_WORD}
    database.executemany("INSERT INTO word VALUES (?)", ((word,) for word in sorted(latin) if word.isalpha()))
    long_names = [(key, tokens) for key, tokens in names.items() if sum(token.cjk for token in tokens) >= _LONG_NAME]
    database.executemany("INSERT INTO long VALUES (?, ?)", enumerate(key for key, _ in long_names))
    places_by_pair: dict[str, list[int]] = {}
    for place, (_, tokens) in enumerate(long_names):
        for pair in set(_pairs(tokens)):
            places_by_pair.setdefault(pair, []).append(place)
    rows = ((pair, _packed(places)) for pair, places in sorted(places_by_pair.items()) if len(places) <= _COMMON_PAIR)
    database.executemany("INSERT INTO pair VALUES (?, ?)", rows)


def _packed(places: Iterable[int]) -> bytes:
    return array("I", places).tobytes()


def _unpacked(packed: bytes) -> "array[int]":
    places = array("I")
    places.frombytes(packed)
    return places


class Cards:
    """The cards of one bundle, read from its file on demand. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        """Opens the file in a bundle's folder. Raises OSError where there is none."""
        file = folder / FILE
        file.stat()
        self._database = open_immutable(file)
        self._database.execute("PRAGMA mmap_size = 268435456")
        self.words = lru_cache(maxsize=64)(self._words)
        """Letter → the words in Latin script that begin with it, from all names."""

    @classmethod
    def of(cls, folder: Path) -> "Cards | None":
        """The cards in a bundle's folder; None where it has none."""
        return cls(folder) if (folder / FILE).exists() else None

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def count(self) -> int:
        """How many cards there are."""
        return int(self._database.execute("SELECT COUNT(*) FROM card").fetchone()[0])

    def longest(self, key: str) -> str | None:
        """The longest name, by its key, that a key begins with; None for no such name.

        The greatest name that does not sort after the key is that name, or shares a prefix with the key that is as long as any
        shorter match can be; the search goes on with that prefix.
        """
        while key:
            row = self._database.execute("SELECT key FROM name WHERE key <= ? ORDER BY key DESC LIMIT 1", (key,)).fetchone()
            if row is None or key.startswith(row[0]):
                return row[0] if row else None
            key = _common_prefix(key, row[0])
        return None

    def has(self, key: str) -> bool:
        """Whether a card has the name with that key."""
        return self._database.execute("SELECT 1 FROM name WHERE key = ?", (key,)).fetchone() is not None

    def has_word(self, word: str) -> bool:
        """Whether any name has a word in Latin script."""
        return self._database.execute("SELECT 1 FROM word WHERE word = ?", (word,)).fetchone() is not None

    def called(self, name: str) -> list[Card]:
        """The cards with a name in any language; case, accents, width and script variants make no difference."""
        return self.of_key(key_of(tokens_of(name)))

    def of_key(self, key: str) -> list[Card]:
        """The cards that have the name with that key."""
        row = self._database.execute("SELECT cards FROM name WHERE key = ?", (key,)).fetchone()
        return [self._card(place) for place in _unpacked(row[0])] if row else []

    def beginning(self, typed: str) -> list[str]:
        """The keys that begin with what is typed, the last word of which may be incomplete; the shortest first."""
        prefix = key_of(tokens_of(typed)).removesuffix(_SEPARATOR)
        if not prefix:
            return []
        query = "SELECT key FROM name WHERE key >= ? AND key < ? ORDER BY LENGTH(key), key LIMIT ?"
        return [row[0] for row in self._database.execute(query, (prefix, prefix + _AFTER_ALL, _COMPLETIONS))]

    def sharing(self, pairs: Iterable[str]) -> list[str]:
        """The keys of the long names that share at least two of some pairs of characters, those that share the most first."""
        votes: Counter[int] = Counter()
        for pair in set(pairs):
            row = self._database.execute("SELECT keys FROM pair WHERE pair = ?", (pair,)).fetchone()
            votes.update(_unpacked(row[0]) if row else ())
        best = sorted((place for place, _ in votes.most_common(_CANDIDATES) if votes[place] > 1), key=lambda at: (-votes[at], at))
        return [self._database.execute("SELECT key FROM long WHERE place = ?", (place,)).fetchone()[0] for place in best]

    def close_to(self, name: str) -> list[str]:
        """Names of cards that are similar to a name, the most similar first."""
        from rapidfuzz.fuzz import ratio
        from rapidfuzz.process import extract

        key = key_of(tokens_of(name))
        rows = self._database.execute("SELECT key FROM name WHERE key >= ? AND key < ?", (key[:1], key[:1] + _AFTER_ALL))
        near = extract(key, [row[0] for row in rows], scorer=ratio, score_cutoff=_SUGGESTION_RATIO, limit=_SUGGESTIONS)
        return [printed for near_key, _, _ in near for printed in [self._as_printed(str(near_key))] if printed]

    def _as_printed(self, key: str) -> str | None:
        names = (name for card in self.of_key(key) for by_language in card.names.values() for name in by_language)
        return next((name for name in names if key_of(tokens_of(name)) == key), None)

    def _words(self, letter: str) -> Sequence[str]:
        rows = self._database.execute("SELECT word FROM word WHERE word >= ? AND word < ?", (letter, letter + _AFTER_ALL))
        return [row[0] for row in rows]

    def _card(self, place: int) -> Card:
        game, card_id, body = self._database.execute("SELECT game, id, body FROM card WHERE place = ?", (place,)).fetchone()
        names, texts = json.loads(zlib.decompress(body))
        return Card(game, card_id, {lang: tuple(by_language) for lang, by_language in names.items()}, texts)


def _common_prefix(text: str, other: str) -> str:
    length = next((place for place, pair in enumerate(zip(text, other, strict=False)) if pair[0] != pair[1]), None)
    return text[: min(len(text), len(other)) if length is None else length]


@dataclass(frozen=True, slots=True)
class CardMention:
    """The name of one or more cards in a text."""

    key: str
    first: int  # token
    last: int  # token after it
    start: int  # code point
    end: int
    quoted: bool  # alone in quotation marks
    exact: bool  # without a spelling mistake


def card_mentions(text: str, tokens: Sequence[Token], cards: Cards, *, misspelt: bool = True) -> Iterator[CardMention]:
    """The card names in a text from left to right, the longest at each place, without overlaps.

    `tokens` are the text's words from `tokens_of`; `misspelt` finds names with spelling mistakes too.
    """
    exact = list(_exact(text, tokens, cards))
    if not misspelt:
        yield from exact
        return
    taken = {place for mention in exact for place in range(mention.first, mention.last)}
    more = (mention for mention in _misspelt(text, tokens, cards, taken) if taken.isdisjoint(range(mention.first, mention.last)))
    yield from sorted((*exact, *more), key=lambda mention: mention.first)


def _exact(text: str, tokens: Sequence[Token], cards: Cards) -> Iterator[CardMention]:
    norms = [token.norm for token in tokens]
    full_key, at, place = key_of(tokens), 0, 0
    while place < len(tokens):
        key = cards.longest(full_key[at : at + _LONGEST_KEY])
        step = key.count(_SEPARATOR) if key else 1
        if key:
            yield _mention(text, tokens, key, place, place + step, exact=True)
        at += sum(len(norm) + 1 for norm in norms[place : place + step])
        place += step


def _misspelt(text: str, tokens: Sequence[Token], cards: Cards, taken: set[int]) -> Iterator[CardMention]:
    """Names with a corrected word in Latin script, and Japanese or Chinese names with similar characters."""
    corrected = _corrected(tokens, cards, taken)
    changed = {place for place, (token, other) in enumerate(zip(tokens, corrected, strict=True)) if token != other}
    for mention in _exact(text, corrected, cards) if changed else ():
        if not changed.isdisjoint(range(mention.first, mention.last)):
            yield _mention(text, tokens, mention.key, mention.first, mention.last, exact=False)
    for key, first, last in _similar(tokens, cards, taken):
        yield _mention(text, tokens, key, first, last, exact=False)


def _mention(text: str, tokens: Sequence[Token], key: str, first: int, last: int, *, exact: bool) -> CardMention:
    start, end = tokens[first].start, tokens[last - 1].end
    return CardMention(key, first, last, start, end, _is_quoted(text, start, end), exact)


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Whether a quotation mark opens right before a range and closes right after it."""
    before, after = text[:start].rstrip(), text[end:].lstrip()
    return bool(before and after) and before[-1] in _OPENING and after[0] == _CLOSING[_OPENING.index(before[-1])]


def _corrected(tokens: Sequence[Token], cards: Cards, taken: Set[int]) -> list[Token]:
    """The tokens, with words that no name has replaced by the nearest word of a name within the allowed edits."""
    unknown = (
        place
        for place, token in enumerate(tokens)
        if place not in taken and not token.cjk and len(token.norm) >= _ONE_EDIT and token.norm.isalpha()
    )
    corrected = list(tokens)
    for place in [place for place in unknown if not cards.has_word(tokens[place].norm)][:_CORRECTIONS]:
        if near := _nearest(tokens[place].norm, cards):
            corrected[place] = tokens[place]._replace(norm=near)
    return corrected


def _nearest(word: str, cards: Cards) -> str | None:
    """The nearest word of a name with the same first letter, within the allowed edits."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extractOne

    best = extractOne(word, cards.words(word[0]), scorer=OSA.distance, score_cutoff=1 if len(word) < _TWO_EDITS else 2)
    return str(best[0]) if best else None


def _similar(tokens: Sequence[Token], cards: Cards, taken: Set[int]) -> Iterator[tuple[str, int, int]]:
    """Long Japanese or Chinese names that a run of free tokens resembles: key, first token, token after the last."""
    from rapidfuzz.fuzz import partial_ratio_alignment

    for run in _free_runs(tokens, taken):
        norms = [tokens[place].norm for place in run]
        for key in cards.sharing(_pairs([tokens[place] for place in run])):
            name = "".join(key.split())
            found = partial_ratio_alignment(name, "".join(norms), score_cutoff=_NAME_RATIO)
            if found and len(name) >= _LONG_NAME and found.dest_end - found.dest_start >= _LONG_NAME - 1:
                first, last = _words_of_range(norms, found.dest_start, found.dest_end)
                yield key, run[first], run[last - 1] + 1
                break


def _free_runs(tokens: Sequence[Token], taken: Set[int]) -> Iterator[list[int]]:
    """The places of neighbouring tokens that no name has taken, where enough of them are Japanese or Chinese."""
    free = (place for place in range(len(tokens)) if place not in taken)
    for _, group in groupby(enumerate(free), key=lambda pair: pair[1] - pair[0]):
        run = [place for _, place in group]
        if sum(tokens[place].cjk for place in run) >= _LONG_NAME - 1:
            yield run


def _words_of_range(norms: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """The first word of a range of characters, and the word after its last."""
    at, first, last = 0, len(norms) - 1, len(norms)
    for place, word in enumerate(norms):
        if at <= start < at + len(word):
            first = place
        if at < end <= at + len(word):
            last = place + 1
        at += len(word)
    return first, last
