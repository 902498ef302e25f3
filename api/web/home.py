"""The home page's list of games: the main rulebook of each, its date, and where its publisher offers the official text."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from api import labels
from corpus.address import EditionKey
from corpus.catalogue import DOCUMENTS, document_of
from corpus.chronology import newest_first
from corpus.messages import Message, message
from corpus.sources import sources

if TYPE_CHECKING:
    from corpus.contract import EditionSummary


_UNDATED_PREFIXES = ("undated", "x-")
"""Prefix of the slugs of editions without a date."""


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game by its main rulebook: the newest edition, preferably with the book's words."""

    slug: str
    newest: "EditionSummary"
    before: str | None
    """The edition before it, if both are loaded in one language."""
    publisher: str | None
    """The publisher's page, if the official text is not loaded and the page is known."""

    @property
    def is_loaded(self) -> bool:
        """Whether the book's own words are loaded."""
        return bool(self.newest["languages"])

    def date_label(self, lang: str) -> str | Message:
        """The date of the edition in words, or a note that it has none."""
        edition = self.newest["edition"]
        return message("undated") if edition.startswith(_UNDATED_PREFIXES) else labels.edition_date(edition, lang)


def games(editions: "Iterable[EditionSummary]") -> Iterator[GameEntry]:
    """Each game once, in the order of their editions."""
    by_game: dict[str, list[EditionSummary]] = {}
    for edition in editions:
        by_game.setdefault(edition["game"], []).append(edition)
    pages = {source.game: source.page for source in reversed(sources())}
    for slug, some in by_game.items():
        newest = min(some, key=_main_edition_order)
        older = (edition for edition in sorted(some, key=_main_edition_order) if _is_before(edition, newest))
        is_official = any(text["authority"] == "official" for text in newest["languages"])
        yield GameEntry(
            slug, newest, next((edition["edition"] for edition in older), None), None if is_official else pages.get(slug)
        )


def _is_before(edition: "EditionSummary", newest: "EditionSummary") -> bool:
    same_book = edition["book"] == newest["book"] and edition["edition"] != newest["edition"]
    return same_book and bool({text["lang"] for text in edition["languages"]} & {text["lang"] for text in newest["languages"]})


def _main_edition_order(edition: "EditionSummary") -> tuple[object, ...]:
    kind = DOCUMENTS.index(document_of(edition["game"], edition["book"], [edition["title"]]))
    key = EditionKey(edition["game"], edition["book"], edition["edition"])
    return kind, not edition["languages"], not edition["current"], newest_first(key)
