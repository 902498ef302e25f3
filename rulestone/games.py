"""Resolves the names of games, for every question that can be limited to games."""

from collections.abc import Iterable

from corpus.catalogue import catalogue
from corpus.errors import InputError
from corpus.messages import Message, message
from corpus.reference import GameName, Titles, game_by_name, title_of
from corpus.store.home.manifest import Manifest, titles_of

NO_RULES = message("{game!r}: no rules of that game are loaded; expected some of {known}")
NO_ZONES = message("{game!r}: no zones of that game are known; expected some of {known}")
NO_TOPICS = message("{game!r}: no topics of that game are known; expected some of {known}")
NO_TERMS = message("{game!r} is not a game with terms or texts; expected one of {known}")
NO_CONCEPTS = message("game {game!r}: no concepts of that game are known; expected one of {known}")
"""The error for a refused game, by the kind of question."""


def parse_game(name: str, titles_by_game: Titles, refusal: Message) -> str:
    """The slug of a game by its slug, or by any name of it in the catalogue or on the title of a loaded book.

    `titles_by_game` are the games with the titles of their books. Raises InputError for a game that is not among them.
    """
    slug = game_by_name(name, titles_by_game) or name
    if slug in titles_by_game:
        return slug
    raise InputError(refusal.text, game=name[:40], known=", ".join(sorted(titles_by_game)))


def parse_games(names: str | Iterable[str] | None, titles_by_game: Titles, refusal: Message) -> tuple[str, ...]:
    """The same for several, `dm,mtg` or a list; none means every game."""
    name_list = names.split(",") if isinstance(names, str) else names or ()
    return tuple(parse_game(name.strip(), titles_by_game, refusal) for name in name_list if name.strip())


def with_titles(games: Iterable[str], manifest: Manifest) -> Titles:
    """Some games with the titles of their loaded books."""
    titles = titles_of(manifest)
    return {game: titles.get(game, ()) for game in games}


def own_names(manifest: Manifest) -> dict[str, str]:
    """Loaded game → its name, where the user gave one, or its books and not the catalogue do."""
    shipped = catalogue()
    own_titles = {
        game: [title for title in own if isinstance(title, GameName)] if game in shipped.other_games else own
        for game, own in titles_of(manifest).items()
        if game not in shipped.games
    }
    return {game: name for game, own in own_titles.items() if (name := title_of(own))}


def shipped_name(game: str) -> str | None:
    """The English name of a game in the catalogue; None for a game of the user's."""
    entry = catalogue().game(game)
    return entry.names["en"] if entry else None
