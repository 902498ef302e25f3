"""Download pages of publishers of rulebooks, cards and rulings, read from `sources.toml`; each fact has its evidence."""

import os
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from corpus.address import CARDS, RULINGS
from corpus.errors import InputError

SETTING_NAME = "RULESTONE_SOURCES"
_SHIPPED_FILE = Path(__file__).parent / "data" / "sources.toml"
_BOOK_FORMATS, _BULK_FORMATS = ("txt", "pdf"), ("json", "jsonl.gz")
_FIELDS = {"book", "lang", "page", "link", "words", "list", "file", "format", "hosts", "licence", "seen"}
_DATE_GROUPS: tuple[set[str], ...] = (set(), {"date"}, {"year", "month"}, {"year", "month", "day"})


class SourceEvidence(NamedTuple):
    """Evidence for a fact about a publisher's page: its address, the words, and the day."""

    where: str
    what: str
    when: date


class PublisherSource(NamedTuple):
    """A book, or a file of cards or rulings, on its publisher's site. Without `link` and `file` it must be downloaded manually."""

    book: str  # game/book, game/cards or game/rulings
    lang: str
    page: str
    link: re.Pattern[str] | None  # of the file's address on the page, or in the list
    words: re.Pattern[str] | None  # of the heading above the link and the link's own words
    list: str | None  # the address of a JSON document with the addresses of files, read instead of the page
    file: str | None  # the address of a file that always has the same one
    format: str
    hosts: frozenset[str]  # those of the page and of the file
    licence: str | None
    seen: tuple[SourceEvidence, ...]

    @property
    def name(self) -> str:
        """`mtg/cr en`."""
        return f"{self.book} {self.lang}"

    @property
    def game(self) -> str:
        """Slug of the game."""
        return self.book.partition("/")[0]

    @property
    def part(self) -> str:
        """The book, `cards` or `rulings`."""
        return self.book.partition("/")[2]

    @property
    def is_cards(self) -> bool:
        """Whether the file has cards."""
        return self.part == CARDS

    @property
    def is_rulings(self) -> bool:
        """Whether the file has rulings."""
        return self.part == RULINGS

    @property
    def is_book(self) -> bool:
        """Whether the file is a book."""
        return not (self.is_cards or self.is_rulings)

    @property
    def is_downloadable(self) -> bool:
        """Whether programs can find the file."""
        return self.link is not None or self.file is not None

    def has_address(self, address: str) -> bool:
        """Whether a decoded address is that of the file."""
        return address == self.file or bool(self.link and self.link.search(address))

    def day_in(self, address: str) -> str | None:
        """The day or month in the decoded address of the file, as YYYY-MM-DD or YYYY-MM; None if the address has none.

        It is the day of the publication, which may differ from the one that the text states.
        """
        match = self.link.search(address) if self.link else None
        parts = {name: text for name, text in (match.groupdict() if match else {}).items() if text}
        if digits := parts.get("date"):
            parts = {"year": digits[:-4], "month": digits[-4:-2], "day": digits[-2:]}
        if not parts:
            return None
        year = f"20{parts['year']}"[-4:]
        stated_date = "-".join((year, parts["month"], *filter(None, (parts.get("day"),))))
        with suppress(ValueError):
            date.fromisoformat(stated_date if "day" in parts else f"{stated_date}-01")
            return stated_date
        return None


def sources(environment: Mapping[str, str] = os.environ) -> tuple[PublisherSource, ...]:
    """The shipped list, or that of the file named by RULESTONE_SOURCES. Raises InputError if it cannot be read."""
    path = Path(environment.get(SETTING_NAME) or _SHIPPED_FILE)
    try:
        return tuple(map(_source, tomllib.loads(path.read_text(encoding="utf-8")).get("source", ())))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, re.error) as fault:
        raise InputError("{file} cannot be read: {fault!r}; correct the error there", file=path.name, fault=fault) from fault


def _source(row: Mapping[str, Any]) -> PublisherSource:
    if unknown := set(row) - _FIELDS:
        raise ValueError(f"{row['book']}: {', '.join(sorted(unknown))}: the fields are {', '.join(sorted(_FIELDS))}")
    addresses = [urlsplit(row[name]) for name in ("page", "list", "file") if name in row]
    link, words = (re.compile(row[name]) if row.get(name) else None for name in ("link", "words"))
    evidence = tuple(SourceEvidence(**fact) for fact in row["seen"])
    if any(address.scheme != "https" or not address.hostname for address in addresses) or not evidence:
        raise ValueError(f"{row['book']}: page, list and file must be https, seen must not be empty")
    if link and set(link.groupindex) not in _DATE_GROUPS:
        raise ValueError(f"{row['book']}: the groups of link must be date, or year, month and perhaps day, or none")
    if (link and "file" in row) or (not link and (words or "list" in row)):
        raise ValueError(f"{row['book']}: link or file, not both; words and list belong to a link")
    hosts = frozenset((*(str(address.hostname) for address in addresses), *row.get("hosts", ())))
    source = PublisherSource(
        row["book"],
        row["lang"],
        row["page"],
        link,
        words,
        row.get("list"),
        row.get("file"),
        row["format"],
        hosts,
        row.get("licence"),
        evidence,
    )
    formats = _BOOK_FORMATS if source.is_book else _BULK_FORMATS
    if source.format not in formats:
        raise ValueError(f"{source.book}: format must be one of {', '.join(formats)}")
    return source
