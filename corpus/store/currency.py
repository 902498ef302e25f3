"""Decides which rules are current; no other module decides this.

A rule is current unless a later loaded edition of its book covers its chapter, in whatever language; an edition of unknown age
supersedes nothing and is not superseded. A chapter of a book that summarises another book is not current if that chapter of the
other book is loaded, or if both are known from the digest alone.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from corpus.address import EditionKey
from corpus.catalogue import catalogue
from corpus.chronology import is_later, newest_first
from corpus.store.home.manifest import EditionEntry

GLOSSARY = "glossary"
_NUMBER_COMPONENTS = re.compile(r"(\d+)(?:[.-](\d+))?")


class Currency(NamedTuple):
    """The relation of a chapter of an edition to the other loaded editions."""

    later: tuple[EditionEntry, ...] = ()  # editions that supersede it, the latest first
    unordered: tuple[EditionKey, ...] = ()  # other editions with the chapter whose order is unknown

    @property
    def is_current(self) -> bool:
        """Whether no edition supersedes it."""
        return not self.later

    def latest_in(self, langs: Iterable[str]) -> str | None:
        """The first of the languages that no later edition has; None for a current chapter."""
        lacking = (lang for lang in langs if all(lang not in entry.languages for entry in self.later))
        return None if self.is_current else next(lacking, None)


class CurrencyTable:
    """The currency of every chapter of the editions."""

    def __init__(self, entries: Iterable[EditionEntry]) -> None:
        self._entries = {entry.key: entry for entry in entries}
        with_words = {key: entry for key, entry in self._entries.items() if entry.languages}
        digest_only = {key: entry for key, entry in self._entries.items() if not entry.languages}
        self._covers = {key: frozenset(_named_divisions(entry, entry.covers)) for key, entry in with_words.items()}
        self._digest_covers = {key: frozenset(_named_divisions(entry, entry.chapters)) for key, entry in digest_only.items()}
        self._others: dict[EditionKey, tuple[list[EditionKey], list[EditionKey]]] = {}
        self._cache: dict[tuple[EditionKey, tuple[str, ...]], Currency] = {}

    def currency_of(self, key: EditionKey, locator: str) -> Currency:
        """The currency of a rule; its edition may be unknown."""
        within = self._divisions(key, locator)
        if (key, within) not in self._cache:
            self._cache[key, within] = self._compute_currency(key, within)
        return self._cache[key, within]

    def are_current(self, key: EditionKey, locators: Iterable[str]) -> list[bool]:
        """Whether each of some rules of an edition is current."""
        flags: dict[tuple[str, ...], bool] = {}
        every = [self._divisions(key, locator) for locator in locators]
        for within in every:
            if within not in flags:
                flags[within] = self._compute_currency(key, within).is_current
        return [flags[within] for within in every]

    def has_current(self, key: EditionKey) -> bool:
        """Whether any chapter of an edition is current."""
        return key in self._entries and any(standing.is_current for standing in self._currency_by_chapter(key))

    def unordered_editions(self, key: EditionKey) -> list[str]:
        """The editions that share a chapter with this one and whose order is unknown."""
        return sorted({other.edition for standing in self._currency_by_chapter(key) for other in standing.unordered})

    def _currency_by_chapter(self, key: EditionKey) -> Iterator[Currency]:
        entry = self._entries[key]
        return (self._compute_currency(key, _add_titles(entry, tuple(chapter.split()))) for chapter in entry.chapters)

    def _divisions(self, key: EditionKey, locator: str) -> tuple[str, ...]:
        entry = self._entries.get(key)
        if entry is None:
            beside = (other.grammar for other in self._entries.values() if (other.game, other.book) == (key.game, key.book))
            return divisions(locator, next(beside, ""))
        return _add_titles(entry, divisions(locator, entry.grammar))

    def _compute_currency(self, key: EditionKey, divisions: Collection[str]) -> Currency:
        later, other_editions = self._other_editions(key)
        covering = [other for other in later if not self._covers[other].isdisjoint(divisions)]
        if original := catalogue().book(key.game, key.book).summarises:
            digests = _covering(self._covers, original, divisions)
            if not digests and key not in self._covers:
                digests = _covering(self._digest_covers, original, divisions)
            covering += digests
            covering = sorted(set(covering), key=newest_first)
        there = tuple(other for other in other_editions if not self._covers[other].isdisjoint(divisions))
        return Currency(tuple(self._entries[other] for other in covering), there)

    def _other_editions(self, key: EditionKey) -> tuple[list[EditionKey], list[EditionKey]]:
        """The loaded editions of a book that are later than a given one, the latest first, and those of unknown order."""
        if key not in self._others:
            covers = sorted(self._covers, key=newest_first)
            beside = [other for other in covers if (other.game, other.book) == (key.game, key.book) and other != key]
            later = [other for other in beside if is_later(other, key)]
            self._others[key] = later, [other for other in beside if not is_later(key, other) and other not in later]
        return self._others[key]


def _covering(covers: Mapping[EditionKey, frozenset[str]], book: str, divisions: Collection[str]) -> list[EditionKey]:
    """The editions of a book that have one of some divisions."""
    return [key for key, own in covers.items() if f"{key.game}/{key.book}" == book and not own.isdisjoint(divisions)]


@lru_cache(maxsize=1 << 16)
def divisions(locator: str, grammar: str) -> tuple[str, ...]:
    """The divisions of a book that contain a rule, the outermost first, under the same names in every numbering.

    Chapter 3 is `3`, whether its rules are numbered 3.15 or 301.1; a section has its own number: `3.15`, `301`. A document of
    articles is one division, because its numbers (第3条, A-01) do not show their position.
    """
    if grammar == _OUTLINE and not locator.startswith(GLOSSARY):
        return ("text",)
    slug, slash, _ = locator.partition("/")
    if slash or not (match := _NUMBER_COMPONENTS.match(locator)):
        return (slug, locator) if slug == GLOSSARY and slash else (slug,)
    entry = catalogue().grammars.get(grammar)
    first = int(match[1])
    if entry is None or not entry.hundreds:
        return (f"{first}", f"{first}.{int(match[2])}") if match[2] else (f"{first}",)
    if first < _HUNDRED:
        return (f"{first}",)
    chapter, full = f"{first // _HUNDRED}", entry.levels[0].formats[0] == _FULL and not first % _HUNDRED
    return (chapter,) if full else (chapter, f"{first}")


_HUNDRED, _FULL, _OUTLINE = 100, "900", "outline"


def _add_titles(entry: EditionEntry, divisions: tuple[str, ...]) -> tuple[str, ...]:
    """Includes the titles of a chapter that is named after a file, because other editions have other file names."""
    return (*divisions, *entry.chapter_titles.get(divisions[0], ()))


def _named_divisions(entry: EditionEntry, chapters: Iterable[str]) -> Iterator[str]:
    """Some divisions of an edition, under each of their names."""
    for chapter in chapters:
        *_, innermost = within = chapter.split()
        yield innermost
        yield from entry.chapter_titles.get(within[0], ())
