"""`/compare`: the zones of the games beside each other, as a table that one can turn and narrow to what differs."""

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
from corpus.comparison import CORE
from corpus.errors import InputError
from corpus.languages import choose
from rulestone import Library

if TYPE_CHECKING:
    from corpus.contract import Claim, Zone


@dataclass(frozen=True, slots=True)
class Cell:
    """What one zone is said to be in one property."""

    zone: "Zone"
    about: str
    claims: "list[Claim]"

    @property
    def values(self) -> frozenset[str]:
        """What it comes to, for comparing."""
        return frozenset(str(claim["value"]) for claim in self.claims)


@dataclass(frozen=True, slots=True)
class View:
    """What a page's address asks to see."""

    about: str | None
    game: str | None
    turn: bool
    differ: bool

    def address(self, **other: object) -> str:
        """The page with something else in it."""
        given = {"property": self.about, "game": self.game, "turn": int(self.turn) or None, "differ": int(self.differ) or None}
        return asking("/compare", **(given | other))


def compare(request: Request) -> Response:
    """One property of all zones game by game, or one game's zones with all their properties."""
    library, reader, given = library_of(request), reader_of(request), request.query_params
    zones = _zones(library, library.bundle_name(), reader.lang)
    names = library.property_labels()
    known = [*CORE, *sorted({name for zone in zones for name, claims in zone["properties"].items() if claims} - set(CORE))]
    view = View(given.get("property") or None, given.get("game") or None, "turn" in given, "differ" in given)
    games = list(dict.fromkeys(zone["game"] for zone in zones))
    if view.game is None and view.about is None:
        view = View(CORE[0], None, view.turn, view.differ)
    table = _of_game(zones, view.game, known, names, reader.lang) if view.game else _of_property(zones, view, games, reader.lang)
    if view.differ and not view.game:
        table = table.differing()
    table = table.turned() if view.turn else table
    return shown(request, "compare.html", table=table, view=view, known=known, games=games, properties=names)


@lru_cache(maxsize=8)
def _zones(library: Library, _: str | None, lang: str) -> "Sequence[Zone]":
    """The zones of all games in a language, worked out once for each bundle."""
    return library.zones(lang=lang)["zones"]


def _of_property(zones: "Sequence[Zone]", view: View, games: list[str], lang: str) -> Table[Cell]:
    """What is alike in several games × games."""
    name = view.about or CORE[0]
    rows: dict[str, Head] = {}
    cells: dict[tuple[str, str], Cell] = {}
    for zone in zones:
        key = zone["hub"] or zone["concept"]
        rows.setdefault(key, _zone(zone, key, lang))
        cells[key, zone["game"]] = Cell(zone, name, zone["properties"].get(name, []))
    return Table(list(rows.values()), [Head(game, "game", game, "und") for game in games], cells)


def _of_game(
    zones: "Sequence[Zone]", game: str, known: list[str], names: Mapping[str, Mapping[str, str]], lang: str
) -> Table[Cell]:
    """Zones of a game × properties. Raises InputError for a game without any."""
    own = [zone for zone in zones if zone["game"] == game]
    if not own:
        there = ", ".join(dict.fromkeys(zone["game"] for zone in zones))
        raise InputError("{game!r}: no zones of that game are known; expected some of {known}", game=game[:40], known=there)
    told = [name for name in known if any(zone["properties"].get(name) for zone in own)]
    cells = {(zone["concept"], name): Cell(zone, name, zone["properties"].get(name, [])) for zone in own for name in told}
    columns = [Head(name, "property", *_named(name, names, lang)) for name in told]
    return Table([_zone(zone, zone["concept"], lang) for zone in own], columns, cells)


def _zone(zone: "Zone", key: str, lang: str) -> Head:
    tag = choose(lang, zone["labels"]) or next(iter(zone["labels"]))
    return Head(key, "zone", zone["labels"][tag][0], tag)


def _named(name: str, names: Mapping[str, Mapping[str, str]], lang: str) -> tuple[str, str]:
    """A property's label, and its language."""
    labels = names.get(name, {})
    tag = choose(lang, labels)
    return (labels[tag], tag) if tag else (name, "en")
