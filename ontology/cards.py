"""The cards of a bundle: records with the names and texts of each card, and the places where a text names them.

Names are compared by their *key*: the normalised words, each followed by a space, so that a key ends at the end of a word.

A text that contains the name of a card does not necessarily refer to the card: cards are called Fog, Opt and 火. Names in quotation
marks refer to cards; the caller decides about the others.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import nsmallest
from itertools import groupby, pairwise
from sys import intern

from corpus.model import Card
from corpus.store.documents import Documents, NewDocuments, NewEntry
from corpus.words.tokens import Token, without_accents, words

NAMES, SPELLING = DOCUMENTS = ("cards/names", "cards/spelling")
"""The cards with the keys of their names; and the long names with the Latin words and character pairs by which misspelt names are
found.
"""
_DIVIDER = re.compile(r"\s*[,，、]\s*|\s+[-–—]\s+")
"""Divides a name from a title; a hyphen does so only between spaces."""
_MIN_PART = 3
"""Minimum number of characters of each part of a divided name."""
_KEY_SEPARATOR = " "
_LAST_CHARACTER = "\U0010ffff"
"""Sorts after every continuation of a key."""
_LONG_NAME, _LONG_WORD = 5, 4
"""Minimum number of characters of a Japanese or Chinese name, and of letters of a word, for misspellings to be looked up."""
_COMMON_PAIR_COUNT = 3000
"""Number of names with a character pair above which the pair is not indexed, because it is not distinctive."""
_COMPLETIONS, _CANDIDATES = 100, 40
"""Maximum number of names returned for a typed prefix, and of names sharing character pairs with a text that are compared with
it.
"""
_SUGGESTION_RATIO, _SUGGESTIONS = 70, 4
"""Minimum similarity, from 0 to 100, of a name that is suggested for another one, and the number of suggestions."""
_CANDIDATE_CARDS = 12
"""Maximum number of candidates for a part of a name or a misspelt one; a search ignores a part that more cards have."""
_MAX_KEY_WORDS = 160
"""In characters; the longest known name of a card has 141."""
_OPENING, _CLOSING = '「『《〈【["“‘«＜<', '」』》〉】]"”’»＞>'
_ONE_EDIT, _TWO_EDITS = 5, 8
"""Minimum number of letters of a word for which one edit is corrected, and two."""
_NAME_RATIO = 80
"""Minimum similarity, from 0 to 100, at which some characters count as a mention of a name."""
_MAX_CORRECTIONS = 6
"""Maximum number of words of a text that are corrected; a text with more of them has another subject."""


def name_tokens(text: str) -> list[Token]:
    """The words of a text, normalised for the comparison of names: lower case, no accents, character variants unified."""
    return words(text, without_accents)


def name_key(tokens: Sequence[Token]) -> str:
    """The key of some words; "" for none."""
    return "".join(token.norm + _KEY_SEPARATOR for token in tokens)


def has_key(name: str, key: str) -> bool:
    """Whether a key is that of a name or of a part of it."""
    return any(name_key(name_tokens(some)) == key for some in (name, *name_parts(name)))


def has_whole_name(card: Card, key: str) -> bool:
    """Whether a key is that of a name of a card, in any language, and not only of a part of one."""
    return any(name_key(name_tokens(name)) == key for names in card.names.values() for name in names)


def _has_any_key(card: Card, key: str) -> bool:
    """Whether a key is that of a name of a card, or of a part of one."""
    return any(has_key(name, key) for names in card.names.values() for name in names)


def _pairs(tokens: Sequence[Token]) -> Iterator[str]:
    """The pairs of neighbouring Japanese or Chinese characters."""
    return (token.norm + following.norm for token, following in pairwise(tokens) if token.cjk and following.cjk)


def write_cards(documents: NewDocuments, cards: Iterable[Card]) -> None:
    """Writes the cards of a bundle, replacing the previous ones. Cards with the same id are merged."""
    merged_cards = _merge_cards(cards)
    names = _names(merged_cards)
    bodies = ([card.game, card.id, card.names, card.texts] for card in merged_cards)
    entries = [NewEntry("", json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()) for body in bodies]
    documents.add_document(NAMES, entries, {key: places for key, (places, _) in names.items()})
    _write_spelling(documents, {key: names[key][1] for key in sorted(names)})


def _merge_cards(cards: Iterable[Card]) -> list[Card]:
    cards_by_id: dict[tuple[str, str], Card] = {}
    for card in cards:
        if earlier := cards_by_id.get((card.game, card.id)):
            both = (earlier.names, card.names)
            langs = dict.fromkeys(lang for names in both for lang in names)
            names = {lang: tuple(dict.fromkeys(name for names in both for name in names.get(lang, ()))) for lang in langs}
            card = Card(card.game, card.id, names, {**card.texts, **earlier.texts})
        cards_by_id[card.game, card.id] = card
    return list(cards_by_id.values())


def _names(cards: Sequence[Card]) -> dict[str, tuple[list[int], list[Token]]]:
    """Key of a name → the places of the cards with that name, and its words.

    A part of a name (of "Ilsa, Tide Keeper", either) is a name of every card that has it, unless it is the whole name of another.
    """
    whole: dict[str, tuple[list[int], list[Token]]] = {}
    parts: dict[str, tuple[list[int], list[Token]]] = {}
    for place, card in enumerate(cards):
        for name in dict.fromkeys(name for by_language in card.names.values() for name in by_language):
            _add_name(whole, name, place)
            for part in name_parts(name):
                _add_name(parts, part, place)
    return parts | whole


def _add_name(names: dict[str, tuple[list[int], list[Token]]], name: str, place: int) -> None:
    if key := name_key(tokens := name_tokens(name)):
        places = names.setdefault(key, ([], tokens))[0]
        if place not in places:
            places.append(place)


def name_parts(name: str) -> list[str]:
    """The parts of a name that is divided by a comma or a dash, such as a champion and its title; none for another name."""
    parts = [part.strip() for part in _DIVIDER.split(name)]
    return parts if len(parts) > 1 and all(len(part) >= _MIN_PART for part in parts) else []


def _write_spelling(documents: NewDocuments, names: dict[str, list[Token]]) -> None:
    """Writes the index by which misspelt names are found."""
    latin = {token.norm for tokens in names.values() for token in tokens if not token.cjk and len(token.norm) >= _LONG_WORD}
    long_names = [(key, tokens) for key, tokens in names.items() if sum(token.cjk for token in tokens) >= _LONG_NAME]
    places_by_pair: dict[str, list[int]] = {}
    for place, (_, tokens) in enumerate(long_names):
        for pair in set(_pairs(tokens)):
            places_by_pair.setdefault(pair, []).append(place)
    pairs = {pair: places for pair, places in places_by_pair.items() if len(places) <= _COMMON_PAIR_COUNT}
    words_alone = dict.fromkeys(filter(str.isalpha, latin), ())
    documents.add_document(SPELLING, [NewEntry("", b"", key) for key, _ in long_names], {**words_alone, **pairs})


class CardStore:
    """The cards of one bundle, read on demand. Thread-safe."""

    def __init__(self, documents: Documents) -> None:
        """Reads nothing yet. The bundle must have cards."""
        self._documents = documents
        self.words = lru_cache(maxsize=64)(lambda letter: self._keys(SPELLING, letter))
        """Letter → the Latin words in all names that begin with it."""

    def card_count(self) -> int:
        """The number of cards."""
        return len(self._documents.document(NAMES))

    def longest_name(self, key: str) -> str | None:
        """The longest name, as its key, with which a key begins; None if there is no such name.

        The greatest name that does not sort after the key either is that name or shares a prefix with the key that is at least as
        long as any shorter match; the search continues with that prefix.
        """
        while key:
            name = self._documents.key_before(NAMES, key)
            if key.startswith(name):
                return name or None
            key = _common_prefix(key, name)
        return None

    def has_word(self, word: str) -> bool:
        """Whether any name has a Latin word."""
        return self._documents.key_before(SPELLING, word) == word

    def every_card(self) -> Iterator[Card]:
        """All cards, in order."""
        return (Card(*json.loads(entry.content)) for entry in self._documents.entries(NAMES))

    def cards_with_name(self, name: str) -> list[Card]:
        """The cards with a name in any language; case, accents, width and script variants make no difference."""
        return self.cards_with_key(name_key(name_tokens(name)))

    def cards_with_key(self, key: str) -> list[Card]:
        """The cards that have the name with that key."""
        bodies = map(json.loads, (entry.content for entry in self._documents.entries(NAMES, self._documents.places(NAMES, key))))
        return [
            Card(game, card_id, {lang: tuple(some) for lang, some in names.items()}, texts)
            for game, card_id, names, texts in bodies
        ]

    def keys_with_prefix(self, text: str) -> list[str]:
        """The keys with a typed prefix, whose last word may be incomplete; the shortest first."""
        prefix = name_key(name_tokens(text)).removesuffix(_KEY_SEPARATOR)
        if not prefix:
            return []
        return nsmallest(_COMPLETIONS, self._keys(NAMES, prefix), key=lambda key: (len(key), key))

    def keys_with_pairs(self, pairs: Iterable[str]) -> list[str]:
        """The keys of the long names that share at least two of some character pairs, those that share the most first."""
        votes: Counter[int] = Counter()
        for pair in set(pairs):
            votes.update(self._documents.places(SPELLING, pair))
        best = sorted((place for place, _ in votes.most_common(_CANDIDATES) if votes[place] > 1), key=lambda at: (-votes[at], at))
        keys = {entry.place: entry.own for entry in self._documents.entries(SPELLING, best)}
        return [keys[place] for place in best]

    def keys_of_games(self, games: Collection[str | None]) -> list[str]:
        """The keys of the names, and parts of names, of the cards of some games (none: of all)."""
        if not games:
            return self._keys(NAMES, "")
        return [key for key, places in self._documents.keys(NAMES) if any(self._games[place] in games for place in places)]

    @cached_property
    def _games(self) -> list[str]:
        """The game of each card."""
        return [intern(json.loads(entry.content)[0]) for entry in self._documents.entries(NAMES)]

    def _keys(self, document: str, prefix: str) -> list[str]:
        return [key for key, _ in self._documents.keys(document, prefix, prefix + _LAST_CHARACTER)]


class CardsOfGames:
    """The cards of some games (none: of all), for the names of one request: the keys of their names are read once."""

    def __init__(self, cards: CardStore, games: Collection[str | None]) -> None:
        """Reads nothing yet."""
        self._cards, self._wanted_games = cards, games

    @cached_property
    def _keys(self) -> list[str]:
        return self._cards.keys_of_games(self._wanted_games)

    def with_name(self, name: str) -> list[Card]:
        """The cards with a whole name in any language."""
        key = name_key(name_tokens(name))
        return [card for card in self._with_key(key) if has_whole_name(card, key)]

    def with_name_or_part(self, name: str) -> list[Card]:
        """The cards with a name in any language, or, if there are none, with a part of one that a comma or a dash divides.

        Cards of other games that have the part as their whole name do not count.
        """
        key = name_key(name_tokens(name))
        if (cards_with_key := self._with_key(key)) or not key or not self._wanted_games:
            return cards_with_key
        words_of_key = f"{_KEY_SEPARATOR}{key}"
        longer = (other for other in self._keys if words_of_key in f"{_KEY_SEPARATOR}{other}")
        cards = {(card.game, card.id): card for other in longer for card in self._with_key(other) if _has_any_key(card, key)}
        return list(cards.values())

    def similar_names(self, name: str) -> list[str]:
        """Names of cards that are similar to a name, as printed, the most similar first."""
        near = self._similar_keys(name)
        return list(dict.fromkeys(spelling for key in near for spelling in self._spellings(key)[:1]))

    def with_part(self, part: str) -> list[Card]:
        """The cards whose names contain some words, of which the last may be incomplete; those with the shortest names first."""
        words = f"{_KEY_SEPARATOR}{name_key(name_tokens(part))}".removesuffix(_KEY_SEPARATOR)
        if not words:
            return []
        having = (key for key in self._keys if words in f"{_KEY_SEPARATOR}{key}")
        return self._with_any(nsmallest(_CANDIDATE_CARDS, having, key=lambda key: (len(key), key)))

    def spelt_like(self, name: str) -> list[Card]:
        """The cards with names that are similar to a name, the most similar first."""
        return self._with_any(self._similar_keys(name))

    def _similar_keys(self, name: str) -> list[str]:
        key = name_key(name_tokens(name))
        return _similar_keys(key, [other for other in self._keys if other[:1] == key[:1]])

    def _spellings(self, key: str) -> list[str]:
        """The names, or parts of names, with a key, as printed."""
        cards = self._with_key(key)
        return [name for card in cards for some in card.names.values() for name in some if has_key(name, key)]

    def _with_key(self, key: str) -> list[Card]:
        return [card for card in self._cards.cards_with_key(key) if not self._wanted_games or card.game in self._wanted_games]

    def _with_any(self, keys: Iterable[str]) -> list[Card]:
        cards = {(card.game, card.id): card for key in keys for card in self._with_key(key)}
        return list(cards.values())[:_CANDIDATE_CARDS]


def _similar_keys(key: str, keys: Sequence[str]) -> list[str]:
    """The keys that are similar to a key, the most similar first."""
    from rapidfuzz.fuzz import ratio
    from rapidfuzz.process import extract

    return [str(near) for near, _, _ in extract(key, keys, scorer=ratio, score_cutoff=_SUGGESTION_RATIO, limit=_SUGGESTIONS)]


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


def card_mentions(text: str, tokens: Sequence[Token], cards: CardStore) -> list[CardMention]:
    """The card names in a text from left to right, the longest at each place, without overlaps; misspelt ones too.

    `tokens` are the text's words from `name_tokens`.
    """
    exact = list(_exact_mentions(text, tokens, cards))
    used_places = {place for mention in exact for place in range(mention.first, mention.last)}
    misspellings = _misspelt_mentions(text, tokens, cards, used_places)
    more = (mention for mention in misspellings if used_places.isdisjoint(range(mention.first, mention.last)))
    return sorted((*exact, *more), key=lambda mention: mention.first)


def _exact_mentions(text: str, tokens: Sequence[Token], cards: CardStore) -> Iterator[CardMention]:
    norms = [token.norm for token in tokens]
    full_key, at, place = name_key(tokens), 0, 0
    while place < len(tokens):
        key = cards.longest_name(full_key[at : at + _MAX_KEY_WORDS])
        step = key.count(_KEY_SEPARATOR) if key else 1
        if key:
            yield _make_mention(text, tokens, key, place, place + step, exact=True)
        at += sum(len(norm) + 1 for norm in norms[place : place + step])
        place += step


def _misspelt_mentions(text: str, tokens: Sequence[Token], cards: CardStore, used_tokens: set[int]) -> Iterator[CardMention]:
    """Names with a corrected word in Latin script, and Japanese or Chinese names with similar characters."""
    corrections = _correct_words(tokens, cards, used_tokens)
    changed_places = {place for place, (token, other) in enumerate(zip(tokens, corrections, strict=True)) if token != other}
    for mention in _exact_mentions(text, corrections, cards) if changed_places else ():
        if not changed_places.isdisjoint(range(mention.first, mention.last)):
            yield _make_mention(text, tokens, mention.key, mention.first, mention.last, exact=False)
    for key, first, last in _similar_names(tokens, cards, used_tokens):
        yield _make_mention(text, tokens, key, first, last, exact=False)


def _make_mention(text: str, tokens: Sequence[Token], key: str, first: int, last: int, *, exact: bool) -> CardMention:
    start, end = tokens[first].start, tokens[last - 1].end
    return CardMention(key, first, last, start, end, _is_quoted(text, start, end), exact)


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Whether a quotation mark opens directly before a range and closes directly after it."""
    before, after = text[:start].rstrip(), text[end:].lstrip()
    return bool(before and after) and before[-1] in _OPENING and after[0] == _CLOSING[_OPENING.index(before[-1])]


def _correct_words(tokens: Sequence[Token], cards: CardStore, used_tokens: Set[int]) -> list[Token]:
    """The tokens; words that no name has are replaced by the nearest word of a name within the allowed edits."""
    unknown = (
        place
        for place, token in enumerate(tokens)
        if place not in used_tokens and not token.cjk and len(token.norm) >= _ONE_EDIT and token.norm.isalpha()
    )
    corrections = list(tokens)
    for place in [place for place in unknown if not cards.has_word(tokens[place].norm)][:_MAX_CORRECTIONS]:
        if near := _nearest_word(tokens[place].norm, cards):
            corrections[place] = tokens[place]._replace(norm=near)
    return corrections


def _nearest_word(word: str, cards: CardStore) -> str | None:
    """The nearest word of a name with the same first letter, within the allowed edits."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extractOne

    best = extractOne(word, cards.words(word[0]), scorer=OSA.distance, score_cutoff=1 if len(word) < _TWO_EDITS else 2)
    return str(best[0]) if best else None


def _similar_names(tokens: Sequence[Token], cards: CardStore, used_tokens: Set[int]) -> Iterator[tuple[str, int, int]]:
    """Long Japanese or Chinese names that a run of free tokens resembles: key, first token, token after the last."""
    from rapidfuzz.fuzz import partial_ratio_alignment

    for run in _free_runs(tokens, used_tokens):
        norms = [tokens[place].norm for place in run]
        for key in cards.keys_with_pairs(_pairs([tokens[place] for place in run])):
            name = "".join(key.split())
            alignment = partial_ratio_alignment(name, "".join(norms), score_cutoff=_NAME_RATIO)
            if alignment and len(name) >= _LONG_NAME and alignment.dest_end - alignment.dest_start >= _LONG_NAME - 1:
                first, last = _words_of_range(norms, alignment.dest_start, alignment.dest_end)
                yield key, run[first], run[last - 1] + 1
                break


def _free_runs(tokens: Sequence[Token], used_tokens: Set[int]) -> Iterator[list[int]]:
    """The places of neighbouring tokens that no name covers, if enough of them are Japanese or Chinese."""
    free = (place for place in range(len(tokens)) if place not in used_tokens)
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
