"""The game behind a name: one place for every question that can be limited to games."""

from collections.abc import Collection, Iterable

from corpus.errors import InputError
from corpus.messages import Message, message
from corpus.reference import game_named

RULES = message("{game!r}: no rules of that game are loaded; expected some of {known}")
ZONES = message("{game!r}: no zones of that game are known; expected some of {known}")
TERMS = message("{game!r} is no game with terms or texts; expected one of {known}")
CONCEPTS = message("game {game!r}: no concepts of that game are known; expected one of {known}")
"""Why a game is refused, by what is asked of it."""


def game_of(name: str, known: Collection[str], refusal: Message) -> str:
    """The slug of a game by its slug or any name in the catalogue. Raises InputError for one that is not among the known."""
    slug = name if name in known else game_named(name) or name
    if slug in known:
        return slug
    raise InputError(refusal.text, game=name[:40], known=", ".join(sorted(known)))


def games_of(names: str | Iterable[str] | None, known: Collection[str], refusal: Message) -> tuple[str, ...]:
    """The same for several, `dm,mtg` or one by one; none is every game."""
    listed = names.split(",") if isinstance(names, str) else names or ()
    return tuple(game_of(name.strip(), known, refusal) for name in listed if name.strip())
