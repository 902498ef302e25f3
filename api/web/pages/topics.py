"""`/compare/topics`: what judges look up in several games, the rules beside each other, as a table that turns and narrows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from api.http.replies import library_of
from api.web.addresses import asking
from api.web.reader import reader_of
from api.web.replies import shown
from api.web.table import Head, Table
from corpus.errors import InputError
from corpus.languages import choose
from rulestone import Library

if TYPE_CHECKING:
    from corpus.contract import Topic, TopicCell, Topics

ALL = "all"
"""Stands for every group in an address."""
DIFFERS = "differs"
"""The column that says in a sentence what differs."""
_LONGEST = 100
"""Characters of the words to find."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a game says of a topic."""

    topic: str
    said: "TopicCell"

    @property
    def concept(self) -> str:
        """What its claim is about: the concept of the game, else the topic itself."""
        return self.said["concept"] or self.topic

    @property
    def about(self) -> str:
        """The property that the claim states."""
        return "says" if self.said["found"] else "nearest"

    @property
    def claim(self) -> str:
        """The last part of the claim's address."""
        return self.said["claim"].rsplit("/", 1)[-1]

    @property
    def values(self) -> str:
        """What can be compared without reading: whether the game has such a rule."""
        return self.about


@dataclass(frozen=True, slots=True)
class View:
    """What a page's address asks to see."""

    group: str
    games: tuple[str, ...]  # none: all
    find: str
    turn: bool
    differ: bool

    def address(self, **other: object) -> str:
        """The page with something else in it."""
        given: dict[str, object] = {"group": self.group, "games": ",".join(self.games), "find": self.find}
        given |= {"turn": int(self.turn) or None, "differ": int(self.differ) or None}
        return asking("/compare/topics", **(given | other))

    def with_game(self, slug: str, shown: Sequence[str]) -> str:
        """The page with a game more or less; never without any."""
        chosen = [game for game in shown if (game in (self.games or shown)) != (game == slug)]
        return self.address(games=",".join(chosen) if chosen and len(chosen) < len(shown) else None)


def topics(request: Request) -> Response:
    """The topics of a group × the games, and what differs; with `find` those that hold some words."""
    library, reader = library_of(request), reader_of(request)
    groups = library.topic_groups()
    body = _known(library, library.bundle_name(), reader.lang)
    view = _view(request.query_params, list(groups), body["games"])
    some = [topic for topic in body["topics"] if _in_group(topic, groups.get(view.group)) and _holds(topic, view.find)]
    tongue = choose(reader.lang, groups[next(iter(groups))]) or reader.lang
    table = _table(some, view.games or body["games"], tongue)
    table = table.differing() if view.differ else table
    return shown(
        request,
        "topics.html",
        table=table.turned() if view.turn else table,
        found=len(table.rows),
        view=view,
        groups=groups,
        games=body["games"],
        told={topic["concept"]: topic for topic in some},
    )


@lru_cache(maxsize=8)
def _known(library: Library, _: str | None, lang: str) -> "Topics":
    """The topics of all games in a language, worked out once for each bundle."""
    return library.topics(lang=lang)


def _view(given: Mapping[str, str], groups: Sequence[str], games: Sequence[str]) -> View:
    """Words to find are looked for in every group, unless one is chosen. Raises InputError for a group or game without topics."""
    find = given.get("find", "").strip()[:_LONGEST]
    group = given.get("group") or (ALL if find else groups[0])
    if group not in (ALL, *groups):
        known = ", ".join((ALL, *groups))
        raise InputError("{group!r}: no such group of topics; expected one of {known}", group=group[:40], known=known)
    wanted = [name.strip() for name in given.get("games", "").split(",") if name.strip()]
    if strange := [name for name in wanted if name not in games]:
        known = ", ".join(games)
        raise InputError("{game!r}: no topics of that game are known; expected some of {known}", game=strange[0][:40], known=known)
    return View(group, tuple(game for game in games if game in wanted), find, "turn" in given, "differ" in given)


def _in_group(topic: "Topic", titles: Mapping[str, str] | None) -> bool:
    return titles is None or topic["group"] in titles.values()


def _holds(topic: "Topic", find: str) -> bool:
    """Whether some words stand in a topic or in what a game says of it."""
    words = [topic["label"], topic["asks"], topic["differs"], *(cell["says"] for cell in topic["cells"])]
    return find.casefold() in "\n".join(words).casefold()


def _table(some: "Sequence[Topic]", games: Sequence[str], lang: str) -> Table[Cell]:
    cells = {(topic["concept"], cell["game"]): Cell(topic["concept"], cell) for topic in some for cell in topic["cells"]}
    rows = [Head(topic["concept"], "topic", topic["label"], lang) for topic in some]
    return Table(rows, [*(Head(game, "game", game, "und") for game in games), Head(DIFFERS, DIFFERS, "", lang)], cells)
