"""References to rules as people type them: `400.3b`, `dm:400.3b`, `mtg:2024-06-07:400.7`, `MTG CR 400.7d`, an IRI.

The names of games come from the catalogue, its list of other games, and the titles of loaded books.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from corpus.address import RESERVED, EditionKey, iri_of, is_slug, path_of_foreign_url
from corpus.catalogue import Game, catalogue
from corpus.errors import InputError
from corpus.ordinals import fold_path, path_in, paths_in
from corpus.words.text import fold_text, to_half_width
from corpus.words.tokens import words as tokens_of

_EDITION = re.compile(r"\d{4}(?:-\d{2}){0,2}|undated(?:-\w+)?|x-[0-9a-f]{12}|v?\d+(?:\.\d+)+[a-z]?|v\d+[a-z]?|latest", re.I)
_SLUG = re.compile(r"[a-z0-9][a-z0-9.-]{0,39}")
_LOCATOR = re.compile(r"[^\s:]+")
_MAX_LENGTH = 300
_RULE_NUMBER = re.compile(r"(?<![a-z0-9.\-])(?:\d{1,4}(?:[.\-]\d+)+[a-z]{0,2}|\d{3}[a-z]{0,2})(?:-\d+)?(?![a-z0-9]|[.\-]\d)")
"""Matches a possible rule number among other words: 400.7d, 400, 1-3-5-1, 319.5a-1."""
_DASH = "\u2010-\u2015\u2212\u30fc"
"""Body of a character class: the dashes of word processors, and the long vowel mark, which Japanese keyboards give instead."""
_TYPED_DASHES = re.compile(
    rf"(?<![a-z0-9.\-])\d{{1,2}}(?:[\-{_DASH}]\d{{1,2}}){{2,6}}(?![a-z0-9])|(?<=\d)[{_DASH}](?=\d{{1,3}}[a-z]{{1,2}}(?![a-z0-9]))"
)
"""Matches dashes inside one number, unlike those of a range (400–402): 10–1–4, 702–19b."""
_LETTER_APART = re.compile(
    rf"(?P<apart>[ .\-{_DASH}]?)\(?(?P<letter>[a-z])\)?(?P<parts>(?:\.[a-z]|\.\d{{1,2}}){{0,3}})(?![a-z0-9])(?=(?P<word> ?[a-z])?)"
)
"""Matches a letter that may belong to the number before it (`702.19 b`, `702.19(b)`, `471.1.b.1`); `word`: a Latin word follows."""
_WORDS_OF_A_LETTER = "ai"
_NUMBERED_TITLE = re.compile(r"\d+\.\s")
_BETWEEN_STEPS = re.compile("(?<=[部編编篇章節节款目条條項项号號]) (?=第)")
Titles = Mapping[str, Iterable[str]]
"""Game → the titles of its loaded books, and the names that a user gave it."""
_HYPHENS = str.maketrans(dict.fromkeys("\u2010\u2011\u2013\u2212", "-"))
_TYPED_HYPHENS = _HYPHENS | str.maketrans(dict.fromkeys("\u2012\u2014\u2015\u30fc", "-"))


class Reference(NamedTuple):
    """A parsed reference to a rule; None means any."""

    locator: str
    game: str | None = None
    book: str | None = None
    edition: str | None = None  # None and "latest": all editions, current ones first; a year or month: the edition in force then


@lru_cache(maxsize=1 << 16)
def fold_number(number: str) -> str:
    """A number as in addresses: narrow, plain hyphens, no spaces, no final dot, lower case (`４００．３B．` → `400.3b`)."""
    return "".join(to_half_width(number).translate(_HYPHENS).split()).rstrip(".").lower()


class FoundNumber(NamedTuple):
    """A possible rule number among other words: `number`, folded, stands at `start` to `end`."""

    start: int
    end: int
    number: str


def numbers_in(words: str, is_rule: Callable[[str], bool]) -> Iterator[FoundNumber]:
    """The possible rule numbers in some words.

    `is_rule` tells whether a rule has a number: only then a letter that stands apart belongs to it.
    """
    text = _TYPED_DASHES.sub(lambda typed: typed[0].translate(_TYPED_HYPHENS), to_half_width(words).lower())
    for found in _RULE_NUMBER.finditer(text):
        whole = next((number for number in _with_letter(text, found) if is_rule(number.number)), None)
        yield whole or FoundNumber(*found.span(), found[0])


def _with_letter(text: str, found: re.Match[str]) -> Iterator[FoundNumber]:
    """A number with the letter behind it, as books print it: 471.1.b.1, 702.19b."""
    letter = _LETTER_APART.match(text, found.end())
    if letter is None or (letter["word"] is not None and letter["apart"] == " " and letter["letter"] in _WORDS_OF_A_LETTER):
        return
    yield FoundNumber(found.start(), letter.end(), f"{found[0]}.{letter['letter']}{letter['parts']}")
    if not letter["parts"]:
        yield FoundNumber(found.start(), letter.end(), found[0] + letter["letter"])


def parse_reference(words: str, titles_by_game: Titles = MappingProxyType({})) -> Reference:
    """Parses some words as a reference. Raises InputError for other words, and for an unknown game.

    `titles_by_game` are the games with rules and the titles of their books: a game outside the catalogue is known by these.
    """
    text = _parse_article(to_half_width(words).strip().strip("[]()【】"))
    if not text or len(text) > _MAX_LENGTH:
        raise InputError(
            "{words!r} is not a reference to a rule; give a number like 400.3b, dm:400.3b or mtg:2024-06-07:400.7", words=words[:60]
        )
    if text.startswith(("http://", "https://")):
        return _from_iri(text)
    if ":" in text:
        *names, locator = text.split(":")
        return _from_names([part for name in names for part in name.split("/")], locator, words, titles_by_game)
    path = text.split("/")
    if len(path) >= 3 and catalogue_game(path[0]):  # game/book/edition/locator
        return _from_path(path, words)
    *names, locator = _join_letter(text).split()
    if len(path) == 2 and not names and catalogue_game(path[0]) and _LOCATOR.fullmatch(path[1]):
        names, locator = path[:1], path[1]  # mtg/400.7
    parts = [part for name in names for part in (name.split("/") if catalogue_game(name.split("/")[0]) else [name])]
    return _from_names(parts, locator, words, titles_by_game)


def reference_in(game: str, path: str) -> Reference:
    """The reference in the rest of a path after a game: `400.3b`, `cr/400.3b`, `cr/2025-12-17/200.3`, `2024-06-07:400.7`.

    Raises InputError as `parse_reference` does.
    """
    text = to_half_width(path).strip()
    if not text or len(text) > _MAX_LENGTH or ":" in text:
        return parse_reference(f"{game}/{text}" if ":" in text else text)
    return _from_path([game, *text.split("/")], path)


def _from_iri(text: str) -> Reference:
    path = path_of_foreign_url(text)
    if path[0] != "id" or len(path) < 5:
        raise InputError(
            "{address} is not the address of a rule; expected one like {example}",
            address=text[:120],
            example=iri_of("mtg/cr/2024-06-07/400.7d"),
        )
    return _from_path(path[1:], text, complete=True)


def _from_path(path: list[str], words: str, *, complete: bool = False) -> Reference:
    """A path; a `complete` one has an edition in third place, whatever its name."""
    game, book, *rest = path
    if len(rest) > 1 and (complete or _EDITION.fullmatch(rest[0])):
        return Reference(_parse_locator("/".join(rest[1:]), words), catalogue_game(game) or game, book, _parse_edition(rest[0]))
    if catalogue().books.get(f"{catalogue_game(game)}/{book}") and rest:
        return Reference(_parse_locator("/".join(rest), words), catalogue_game(game), book)
    return Reference(_parse_locator("/".join([book, *rest]), words), catalogue_game(game) or game)


def _from_names(names: list[str], locator: str, words: str, titles_by_game: Titles) -> Reference:
    """Names before a locator: game, book and edition in any order."""
    game = book = edition = None
    unknown: list[str] = []
    rest = [name for name in names if name]
    while rest:
        first = next((count for count in range(len(rest), 0, -1) if game_by_name(" ".join(rest[:count]), titles_by_game)), 1)
        name, rest = " ".join(rest[:first]), rest[first:]
        if _EDITION.fullmatch(name):
            edition = _parse_edition(name)
        elif game is None and not unknown and (slug := game_by_name(name, titles_by_game)):
            game = slug
        else:
            unknown.append(name)
    if unknown and game is None:
        game = game_by_name(" ".join(unknown), titles_by_game) or (
            unknown.pop(0).lower() if ":" in words or len(unknown) > 1 else None
        )
        unknown = [] if game and game_by_name(" ".join(unknown), titles_by_game) == game else unknown
    if unknown:
        book = _book_by_name(game, " ".join(unknown))
        if book is None:
            raise InputError(
                "{words!r}: {unknown!r} is not a known game, book or edition; games: {games}",
                words=words[:80],
                unknown=" ".join(unknown),
                games=", ".join(catalogue().games),
            )
    return Reference(_parse_locator(locator, words), game, book, edition)


def _parse_article(text: str) -> str:
    """`渡し守 第2章 第3条` and `渡し守第二章第三条` are the game and one locator, `第2章第3条`."""
    plain = _BETWEEN_STEPS.sub("", text)
    path = next(paths_in(plain), None)
    if path is None or path.end < len(plain):
        return text
    apart = " " if path.start and plain[path.start - 1] not in ":/" else ""
    return plain[: path.start].rstrip() + apart + fold_path(path.path)


def _join_letter(text: str) -> str:
    """`701.23 b` and `Article 5` are one number."""
    return re.sub(
        r"(?<=\d) (?=[A-Za-z]$)|(?i:(?<=\bpart)|(?<=\btitle)|(?<=\bchapter)|(?<=\bsection)|(?<=\barticle)) (?=[\divx]+$)", "", text
    )


def _parse_edition(name: str) -> str | None:
    return None if name.lower() == "latest" else name.lower()


def _parse_locator(text: str, words: str) -> str:
    locator = fold_path(path_in(text)) or fold_number(text)
    if not locator:
        raise InputError("{words!r} names no rule; put its number after the last colon, e.g. dm:400.3b", words=words[:80])
    return locator


def editions_named(words: str, keys: Iterable[EditionKey]) -> list[EditionKey]:
    """The editions that match `2024-06-07`, `mtg:2024-06-07`, `mtg/cr/2024-06-07` or an IRI."""
    if words.startswith(("http://", "https://")):
        names = path_of_foreign_url(words)[1:]
    else:
        names = [part for part in words.strip().replace(":", "/").split("/") if part]
    if len(names) > 1:
        names[0] = catalogue_game(names[0]) or names[0]
    return [key for key in keys if names in ([key.edition], [key.game, key.edition], [key.game, key.book, key.edition])]


def is_edition(name: str) -> bool:
    """Whether a name may be an edition in an address."""
    return bool(_SLUG.fullmatch(name)) and name not in RESERVED


@cache
def _game_names() -> dict[str, str]:
    return _slugs_by_name(catalogue().games.values())


def _slugs_by_name(games: Iterable[Game]) -> dict[str, str]:
    return {fold_text(name): game.slug for game in games for name in game.all_names}


def slug_of_game(name: str) -> str:
    """The slug of a game by a name of it (Pokémon Trading Card Game, ポケカ), described or not; slugs and other names as given."""
    if is_slug(name):
        return name
    return catalogue_game(name) or _slugs_by_name(catalogue().other_games.values()).get(fold_text(name), name)


def catalogue_game(name: str) -> str | None:
    """The slug of a game by any of its names in the catalogue, in any width, case and script variant; None for an unknown name."""
    return _game_names().get(fold_text(name)) or (None if name.isascii() else _variant_names().get(plain_name(name)))


@cache
def _variant_names() -> dict[str, str]:
    """Names of games with variant characters unified: 決鬥大師 and 决斗大师 are equal."""
    return {plain_name(name): slug for name, slug in _game_names().items() if not name.isascii()}


def plain_name(name: str) -> str:
    """A name with variant characters unified, for comparison."""
    if name.isascii():
        return fold_text(name)
    return " ".join(token.norm for token in tokens_of(name))


def _book_by_name(game: str | None, name: str) -> str | None:
    """The slug of the book with a slug, title or alias; any slug is accepted for a game that is not in the catalogue."""
    for book in catalogue().books.values():
        if game in (None, book.game) and fold_text(name) in (fold_text(alias) for alias in (book.slug, book.title, *book.aliases)):
            return book.slug
    plain = re.fullmatch(r"[a-z0-9-]+", name)
    return name if plain and game not in {None, *catalogue().games} else None


_LONGEST_TITLE = 60
"""Maximum length of a title in characters; a longer first line is a sentence."""
_MIN_TITLE_LENGTH = 4
"""Minimum number of letters in a one-word Latin name of a game; a shorter one is a word like "The"."""


class GameName(str):
    """A user's name for a game, or another title, which is searched for a name."""

    __slots__ = ()


def names_of(game: str, titles: Iterable[str] = ()) -> tuple[str, ...]:
    """All names of a game, its slug first; `titles` of books name a game that the catalogue does not have."""
    if game_entry := catalogue().games.get(game):
        return game_entry.all_names
    own_names = (game, game.replace("-", " "), *filter(None, map(_name_in, titles)))
    plain_names = {fold_text(name) for name in own_names}
    same = (other for other in catalogue().other_games.values() if plain_names & {fold_text(name) for name in other.all_names})
    return tuple(dict.fromkeys((*own_names, *(name for other in same for name in other.all_names))))


def title_of(titles: Iterable[str]) -> str | None:
    """The name of a game outside the catalogue, by its titles: the user's, else its books'; None without either."""
    candidates = sorted(titles, key=lambda title: not isinstance(title, GameName))
    return next((name for title in candidates if (name := _name_in(title))), None)


def _name_in(title: str) -> str | None:
    return str(title) if isinstance(title, GameName) else games_in_title(title)


def game_by_name(name: str, titles_by_game: Titles) -> str | None:
    """The slug of a game by any of its names, in the catalogue or among loaded games; None for an unknown name."""
    if name in titles_by_game:
        return name
    if slug := catalogue_game(name):
        return slug
    plain = plain_name(name)
    others = (game for game in titles_by_game if game not in catalogue().games)
    return next((game for game in others if plain in map(plain_name, names_of(game, titles_by_game[game]))), None)


@cache
def games_in_title(title: str) -> str | None:
    """The game in a rulebook's title: `The Game of Ferrymen` in `The Game of Ferrymen: Complete Rules ver. 2`.

    None for a title that lacks a word for rules, or that has nothing else, and for that of a chapter (1. Golden Rules).
    """
    if len(title) > _LONGEST_TITLE or _NUMBERED_TITLE.match(title):
        return None
    words = _trailing_kind_word().sub("", title)
    name = words.strip(" \t:：-–—|・/")
    if words == title or not name or fold_text(name) in {fold_text(word) for word in catalogue().titles["not_games"]}:
        return None
    return name if not name.isascii() or " " in name or len(name) >= _MIN_TITLE_LENGTH else None


def is_kind_of_book(words: str) -> bool:
    """Whether words only name a kind of rulebook, perhaps with its version: `Comprehensive Rules`, `総合ルール ver. 1.04`."""
    return _trailing_kind_word().fullmatch(words) is not None


@cache
def _trailing_kind_word() -> re.Pattern[str]:
    titles = catalogue().titles
    kinds = "|".join(titles["book"])
    return re.compile(rf"(?:(?<=\W)|(?<=[^\x00-\x7f])|(?=[^\x00-\x7f])|^)(?:{kinds})(?:{titles['version']})?\s*$", re.IGNORECASE)
