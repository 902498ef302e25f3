"""The catalogue as facts: games, books, known editions and grammars, read from `catalogue.toml`.

A book is the rules of a game, its tournament rules, or its penalty guide.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from corpus.errors import InputError
from corpus.messages import message
from corpus.model import Authority, Kind
from corpus.words.text import to_half_width


class Level(NamedTuple):
    """One level of a numbering: the number formats that are allowed there, and the kind of node."""

    formats: tuple[str, ...]
    kind: Kind


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """How a book is numbered. Compared by identity, since compiled patterns are cached by grammar."""

    slug: str
    title: str
    style: str  # numbered | document | rst | wiki
    levels: tuple[Level, ...] = ()
    items: bool = False
    hundreds: bool = False

    @property
    def is_flat(self) -> bool:
        """Whether its first level counts through the whole book, so that 103 is below no other number: 100., 101., 102., 103."""
        return bool(self.levels) and self.levels[0].formats[0] == "999"


class Game(NamedTuple):
    """A game and its names."""

    slug: str
    names: Mapping[str, str]
    aliases: tuple[str, ...]

    @property
    def all_names(self) -> tuple[str, ...]:
        """Its slug, its names and its aliases."""
        return tuple(dict.fromkeys((self.slug, *self.names.values(), *self.aliases)))


class EmbeddedBook(NamedTuple):
    """A quotation of another book inside a page: the words that introduce it, the book, and the part of it."""

    lead: str
    book: str
    part: str  # rules | glossary


class Book(NamedTuple):
    """A book of a game."""

    game: str
    slug: str
    title: str
    aliases: tuple[str, ...]
    original: str
    grammars: Mapping[str, str]  # language, or "*" → grammar
    authorities: Mapping[str, Authority]
    marks: Mapping[str, tuple[str, ...]]
    summarises: str | None
    embeds: tuple[EmbeddedBook, ...]
    embed_end: tuple[str, ...]
    document: str = "rules"  # rules | tournament | penalties

    @property
    def id(self) -> str:
        """`game/book`."""
        return f"{self.game}/{self.slug}"

    def grammar(self, lang: str) -> str | None:
        """Slug of the grammar used in a language."""
        return self.grammars.get(lang) or self.grammars.get("*")


class CatalogueEdition(NamedTuple):
    """An edition recognised by its words, since it states no date (or is one chapter of a dated one)."""

    book: str
    edition: str
    lang: str
    marks: tuple[str, ...]
    chapter: str = ""
    only: tuple[str, ...] = ()
    about: str = ""  # year, month or day to which an undated edition is known to belong
    after: str = ""  # the preceding edition, if nothing else is known of its date


class Catalogue(NamedTuple):
    """Everything in `catalogue.toml`."""

    games: Mapping[str, Game]
    books: Mapping[str, Book]
    editions: tuple[CatalogueEdition, ...]
    grammars: Mapping[str, Grammar]
    cues: Mapping[str, Any]
    dates: Mapping[str, tuple[str, ...]]
    citations: Mapping[str, tuple[str, ...]]
    other_games: Mapping[str, Game] = MappingProxyType({})  # games of which it has only the names
    documents: Mapping[str, tuple[str, ...]] = MappingProxyType({})  # kind of document → words of its title
    titles: Mapping[str, Any] = MappingProxyType({})  # words that occur in rulebook titles beside the name of a game

    def game(self, slug: str) -> Game | None:
        """A game by its slug; the catalogue may have only its names; None for an unknown slug."""
        return self.games.get(slug) or self.other_games.get(slug)

    def book(self, game: str, slug: str) -> Book:
        """The book; one with default values if the catalogue does not have it."""
        entry = self.books.get(f"{game}/{slug}")
        return entry or Book(game, slug, f"{game} {slug}", (), "", {}, {}, {}, None, (), ())


def _games(rows: Iterable[Mapping[str, Any]]) -> dict[str, Game]:
    return {row["slug"]: Game(row["slug"], row["names"], tuple(row.get("aliases", ()))) for row in rows}


FORMAT_PART = re.compile(r"900|999|9|a|[.\-]")
"""A symbol of a number format; docs/catalogue.md explains them."""
NUMBER_FORMAT = re.compile(f"(?:{FORMAT_PART.pattern})+")


def _grammar(slug: str, row: Mapping[str, Any]) -> Grammar:
    formats = [number_format for level in row.get("levels", ()) for number_format in (level["format"], *level.get("also", ()))]
    malformed_format = next((each for each in formats if not NUMBER_FORMAT.fullmatch(each)), None)
    if malformed_format is not None:
        raise InputError(
            "{file}, grammar {grammar}: format {given!r}: expected only 9, 999, 900, a, a dot and a hyphen",
            file="catalogue.toml",
            grammar=slug,
            given=malformed_format,
        )
    levels = tuple(Level((level["format"], *level.get("also", ())), Kind(level["kind"])) for level in row.get("levels", ()))
    return Grammar(slug, row["title"], row["style"], levels, row.get("items", False), row.get("hundreds", False))


def _book(row: Mapping[str, Any]) -> Book:
    grammar = row.get("grammar", {})
    return Book(
        game=row["game"],
        slug=row["slug"],
        title=row["title"],
        aliases=tuple(row.get("aliases", ())),
        original=row.get("original", ""),
        grammars={"*": grammar} if isinstance(grammar, str) else grammar,
        authorities={lang: Authority(rank) for lang, rank in row.get("authority", {}).items()},
        marks={lang: tuple(marks) for lang, marks in row.get("marks", {}).items()},
        summarises=row.get("summarises"),
        embeds=tuple(EmbeddedBook(**embed) for embed in row.get("embeds", ())),
        embed_end=tuple(row.get("embed_end", ())),
        document=row.get("document", "rules"),
    )


def parse(text: str) -> Catalogue:
    """A catalogue from TOML text. Raises InputError with the position if the TOML or a field is invalid."""
    try:
        data = tomllib.loads(text)
        books = [_book(row) for row in data.get("book", ())]
        return Catalogue(
            games=_games(data.get("game", ())),
            books={book.id: book for book in books},
            editions=tuple(
                CatalogueEdition(**{**row, "marks": tuple(row["marks"]), "only": tuple(row.get("only", ()))})
                for row in data.get("edition", ())
            ),
            grammars={slug: _grammar(slug, row) for slug, row in data["grammars"].items()},
            cues=data["cues"],
            dates={kind: tuple(words) for kind, words in data["dates"].items()},
            citations={kind: tuple(words) for kind, words in data["citations"].items()},
            other_games=_games(data.get("other_game", ())),
            documents={kind: tuple(words) for kind, words in data.get("documents", {}).items()},
            titles=data.get("titles", {}),
        )
    except (tomllib.TOMLDecodeError, KeyError, ValueError, TypeError) as fault:
        raise InputError("{file} cannot be read: {fault!r}; correct the error there", file="catalogue.toml", fault=fault) from fault


@cache
def catalogue() -> Catalogue:
    """The shipped catalogue."""
    return parse((Path(__file__).parent / "data" / "catalogue.toml").read_text(encoding="utf-8"))


def game_rank(game: str) -> int:
    """The place of a game in the catalogue, by which games are sorted; the others come last."""
    games = list(catalogue().games)
    return games.index(game) if game in games else len(games)


RULES, TOURNAMENT, PENALTIES = DOCUMENTS = ("rules", "tournament", "penalties")
DOCUMENT_LABELS = {
    RULES: message("the rules"),
    TOURNAMENT: message("the tournament rules"),
    PENALTIES: message("the penalty rules"),
}
DOCUMENT_SLUGS = {RULES: "cr", TOURNAMENT: "tr", PENALTIES: "pg"}
"""The default book for a document of an unknown game."""


def document_kind_in_title(title: str) -> str:
    """The kind of document indicated by a title; `rules` unless the title indicates another."""
    return next((kind for kind in (PENALTIES, TOURNAMENT) if _title_words(kind).search(to_half_width(title))), RULES)


def document_of(game: str, book: str, titles: Iterable[str] = ()) -> str:
    """The kind of a book: from the catalogue, else from its name and the titles of its files, if all agree."""
    if book_entry := catalogue().books.get(f"{game}/{book}"):
        return book_entry.document
    kind_of_slug = next((kind for kind, slug in DOCUMENT_SLUGS.items() if slug == book), None)
    kinds = {document_kind_in_title(title) for title in titles}
    return kinds.pop() if len(kinds) == 1 and kind_of_slug in (None, RULES) else kind_of_slug or RULES


@cache
def _title_words(kind: str) -> re.Pattern[str]:
    return re.compile("|".join(catalogue().documents[kind]), re.IGNORECASE)
