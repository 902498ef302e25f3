"""Download pages of rulebook publishers, read from `sources.toml`; each fact has its evidence."""

import os
import re
import tomllib
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from corpus.errors import InputError

SETTING_NAME = "RULESTONE_SOURCES"
_SHIPPED_FILE = Path(__file__).parent / "data" / "sources.toml"
_FORMATS = ("txt", "pdf")


class Evidence(NamedTuple):
    """Evidence for a fact about a publisher's page: its address, the words, and the day."""

    where: str
    what: str
    when: date


class Source(NamedTuple):
    """A book on its publisher's site."""

    book: str  # game/book
    lang: str
    page: str
    link: re.Pattern[str] | None  # of the file's address, with the group `date`; None: the file must be downloaded manually
    format: str
    hosts: frozenset[str]  # those of the page and of the file
    licence: str
    seen: tuple[Evidence, ...]

    @property
    def name(self) -> str:
        """`mtg/cr en`."""
        return f"{self.book} {self.lang}"

    @property
    def game(self) -> str:
        """Slug of the game."""
        return self.book.partition("/")[0]


def sources(environment: Mapping[str, str] = os.environ) -> tuple[Source, ...]:
    """The shipped list, or that of the file named by RULESTONE_SOURCES. Raises InputError if it cannot be read."""
    path = Path(environment.get(SETTING_NAME) or _SHIPPED_FILE)
    try:
        return tuple(map(_source, tomllib.loads(path.read_text(encoding="utf-8")).get("source", ())))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, re.error) as fault:
        raise InputError("{file} cannot be read: {fault!r}; correct the error there", file=path.name, fault=fault) from fault


def _source(row: Mapping[str, Any]) -> Source:
    page, link = urlsplit(row["page"]), row.get("link")
    pattern = re.compile(link) if link else None
    seen = tuple(Evidence(**fact) for fact in row["seen"])
    if page.scheme != "https" or not page.hostname or not seen or (pattern and "date" not in pattern.groupindex):
        raise ValueError(f"{row['book']}: page must be https, link must have the group date, seen must not be empty")
    if row["format"] not in _FORMATS:
        raise ValueError(f"{row['book']}: format must be one of {', '.join(_FORMATS)}")
    hosts = frozenset((page.hostname, *row["hosts"]))
    return Source(row["book"], row["lang"], row["page"], pattern, row["format"], hosts, row["licence"], seen)
