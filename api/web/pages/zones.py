"""`/zones`: a picture of a game's zones, by who sees what lies there, with the ways of cards; two games side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from api.http.replies import library_of
from api.web import named
from api.web.picture import EDGE, GAP, WIDTH, Box, Way, lines_of, rows, tall, ways
from api.web.reader import reader_of
from api.web.replies import shown
from corpus.errors import InputError
from corpus.languages import choose
from corpus.messages import Message, message
from rulestone import Library

if TYPE_CHECKING:
    from corpus.contract import Concept, Move, Zone

ACROSS = 3
_TITLE = 24
"""Height of a band's title."""
BANDS: Mapping[str, Message] = {
    "public": message("everybody sees them"),
    "owner-only": message("their player sees them"),
    "hidden": message("nobody sees them"),
    "mixed": message("some are seen"),
    "": message("no rule says who sees them"),
}
"""Who sees the cards of a zone."""


@dataclass(frozen=True, slots=True)
class Band:
    """Zones that are seen alike, and where their title stands."""

    name: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Place:
    """A zone as the table beside the picture has it."""

    concept: str
    label: str
    lang: str
    seen: str
    shared: str  # shared | per-player | ""


@dataclass(frozen=True, slots=True)
class Map:
    """The picture of a game."""

    game: str
    places: Sequence[Place]
    bands: Sequence[Band]
    boxes: Sequence[Box]
    ways: Sequence[Way]
    moves: Sequence[tuple[Place, Place, "list[Move]"]]
    height: float

    @property
    def width(self) -> float:
        """Of the picture."""
        return 2 * EDGE + ACROSS * WIDTH + (ACROSS - 1) * GAP


def zones(request: Request) -> Response:
    """The map of `?game=`, the first that has zones without it; `?beside=` a second one."""
    library, reader, given = library_of(request), reader_of(request), request.query_params
    all_zones, moves = _known(library, library.bundle_name(), reader.lang)
    games = list(dict.fromkeys(zone["game"] for zone in all_zones))
    chosen = [name for name in (given.get("game") or games[0], given.get("beside")) if name]
    if strange := [name for name in chosen if name not in games]:
        raise InputError(
            "{game!r}: no zones of that game are known; expected some of {known}", game=strange[0][:40], known=", ".join(games)
        )
    maps = [
        _map(game, all_zones, moves, _others(library, reader.lang, game, all_zones, moves), reader.lang)
        for game in dict.fromkeys(chosen)
    ]
    return shown(request, "zones.html", maps=maps, games=games, chosen=chosen, seen=BANDS, properties=library.property_labels())


@lru_cache(maxsize=8)
def _known(library: Library, _: str | None, lang: str) -> "tuple[Sequence[Zone], Sequence[Move]]":
    """The zones of all games and the ways between them, worked out once for each bundle."""
    return library.zones(lang=lang)["zones"], library.moves(lang=lang)


def _others(library: Library, lang: str, game: str, all_zones: "Sequence[Zone]", moves: "Sequence[Move]") -> "list[Concept]":
    """What cards come from or go to that is no zone: hidden zones, the field as a whole."""
    known = {zone["concept"] for zone in all_zones}
    names = dict.fromkeys(end for move in moves if move["game"] == game for end in (move["start"], move["end"]) if end not in known)
    return [library.concept(name, lang=lang)["concepts"][0] for name in names]


def _map(game: str, all_zones: "Sequence[Zone]", moves: "Sequence[Move]", others: "Sequence[Concept]", lang: str) -> Map:
    own = [move for move in moves if move["game"] == game and move["start"] != move["end"]]
    touched = {end for move in own for end in (move["start"], move["end"])}
    places = [
        _place(zone, lang) for zone in all_zones if zone["game"] == game and (zone["kind"] == "zone" or zone["concept"] in touched)
    ]
    places += [Place(concept["concept"], concept["label"], concept["lang"] or named.NO_LANGUAGE, "", "") for concept in others]
    by_key = {place.concept: place for place in places}
    bands, boxes, height = _laid_out(places)
    pairs: dict[tuple[str, str], list[Move]] = {}
    for move in own:
        pairs.setdefault((move["start"], move["end"]), []).append(move)
    drawn = ways(((start, end, "move") for start, end in pairs), {box.key: box for box in boxes})
    told = [(by_key[start], by_key[end], some) for (start, end), some in pairs.items()]
    return Map(game, places, bands, boxes, drawn, told, height)


def _place(zone: "Zone", lang: str) -> Place:
    tag = choose(lang, zone["labels"]) or next(iter(zone["labels"]))
    return Place(zone["concept"], zone["labels"][tag][0], tag, _only(zone, "visibility"), _only(zone, "sharing"))


def _only(zone: "Zone", name: str) -> str:
    """The value of a property that sources agree on; where they do not, `mixed`."""
    values = {str(claim["value"]) for claim in zone["properties"].get(name, [])}
    return values.pop() if len(values) == 1 else "mixed" if values else ""


def _laid_out(places: Sequence[Place]) -> tuple[list[Band], list[Box], float]:
    """Bands from what everybody sees to what nobody says, with the boxes of their zones."""
    bands, boxes, top = [], [], 0.0
    for name in BANDS:
        own = {place.concept: place for place in places if _band(place) == name}
        if own:
            height = _TITLE + tall(len(own), ACROSS)
            bands.append(Band(name, top, height))
            for key, x, y in rows(list(own), ACROSS, top + _TITLE):
                boxes.append(Box(key, lines_of(own[key].label), own[key].lang, own[key].shared or "unsaid", x, y))
            top += height + GAP
    return bands, boxes, top


def _band(place: Place) -> str:
    return place.seen if place.seen in BANDS else ""
