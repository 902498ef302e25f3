"""Pictures in SVG: `/zones`, a game's zones by visibility of their cards, and the neighbourhood of a concept."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from api import labels
from api.web.rendering import library_of, page, request_reader
from api.web.tabletop import Spot, lay_out
from corpus.address import scheme_of
from corpus.errors import InputError
from corpus.languages import choose
from corpus.messages import Message, message
from corpus.model import NEGATION_PREFIX
from rulestone import Library

if TYPE_CHECKING:
    from corpus.contract import Concept, ConceptName, Move, ProposedHub, Zone
    from rulestone.types import OrdinaryMove, TableLayout

WIDTH, HEIGHT = 106, 46
"""Size of a box, in units of about a pixel on a phone: large enough for a finger."""
GAP, ROW = 14, 30
"""Distance between two boxes, and between two rows of them, for the arrows."""
MARGIN = 8
COLUMNS = 3
"""Number of boxes side by side."""
PICTURE_WIDTH = 2 * MARGIN + COLUMNS * WIDTH + (COLUMNS - 1) * GAP
_LINE, _LINES = 8.0, 2
"""Width of a line of a box in em, and maximum number of lines of a box."""
_LINE_HEIGHT, _PADDING = 15, 14
"""Height of a line in a neighbourhood's box, and of the box without its lines."""
_NEVER_FIRST = frozenset("ーぁぃぅぇぉっゃゅょァィゥェォッャュョ、。，・」』）】")
"""Characters that do not begin a line."""
_TABLE_LINE_EM = 7.3
"""Width of a line of a box on a table in em."""
ALL_MOVES = "all"
"""The value of `?moves=` that also shows the moves of special cards."""
_BAND_TITLE, _GROUP_TITLE = 24, 22
"""Heights of a band's title in a map, and of a group's title in a neighbourhood."""
_MAX_NEIGHBOURS = 9
"""Maximum number of boxes of one group of a neighbourhood."""
BANDS: Mapping[str, Message] = {
    "public": message("visible to all players"),
    "owner-only": message("visible to their player only"),
    "hidden": message("hidden from all players"),
    "mixed": message("some are visible"),
    "": message("visibility not stated"),
}
"""Visibility of a zone → its band's title."""
ABOVE, BELOW, BESIDE, FALSE = (
    message("more general"),
    message("parts and special cases"),
    message("in other games"),
    message("similar in name only"),
)


# Boxes and arrows


@dataclass(frozen=True, slots=True)
class Box:
    """A concept in a picture."""

    key: str
    lines: tuple[str, ...]
    lang: str
    kind: str
    x: float
    y: float
    width: float = WIDTH
    height: float = HEIGHT

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Arrow:
    """A curve from box to box, with a number on it."""

    path: str
    x: float
    y: float
    number: int
    kind: str


def _wrap_label(label: str, max_width: float) -> tuple[str, ...]:
    """A label in as many lines as it needs, each up to `max_width` em wide unless a word is wider."""
    lines: list[str] = []
    line = ""
    for word in _label_words(label):
        if line and _width_in_em(line + word) > max_width:
            lines.append(line.strip())
            line = word.lstrip()
        else:
            line += word
    return (*lines, line.strip())


def _balance_label(label: str, max_width: float) -> tuple[str, ...]:
    """A label in as few lines as `_wrap_label` needs, of similar length."""
    count = len(_wrap_label(label, max_width))
    widths = (max_width * share / 10 for share in range(3, 11))
    return next(lines for width in widths if len(lines := _wrap_label(label, width)) == count)


def _box_label(label: str) -> tuple[str, ...]:
    """A label in lines that fit into a box; a label that is too long ends with an ellipsis."""
    lines = _wrap_label(label, _LINE)
    return tuple(_truncate_line(text, is_last=at == _LINES - 1 and len(lines) > _LINES) for at, text in enumerate(lines[:_LINES]))


def _label_words(label: str) -> Iterator[str]:
    """Latin words with the space before them, split at hyphens; other characters one by one, with those that begin no line."""
    word = ""
    for character in label:
        is_begun = character == " " or word.endswith("-") or _is_wide(character) or _is_wide(word[-1:])
        if word and is_begun and character not in _NEVER_FIRST:
            yield word
            word = ""
        word += character
    if word:
        yield word


def _is_wide(character: str) -> bool:
    return bool(character) and unicodedata.east_asian_width(character) in "WF"


def _width_in_em(text: str) -> float:
    return sum(1.0 if _is_wide(character) else 0.62 for character in text)


def _truncate_line(line: str, *, is_last: bool) -> str:
    short = line
    while _width_in_em(short) > _LINE + 1:
        short = short[:-1]
    return f"{short.rstrip()}…" if is_last or short != line else line


def _grid_places(keys: Sequence[str], top: float) -> Iterator[tuple[str, float, float]]:
    """Each key with the place of its box, row by row."""
    for at, key in enumerate(keys):
        yield key, MARGIN + (at % COLUMNS) * (WIDTH + GAP), top + (at // COLUMNS) * (HEIGHT + ROW)


def _grid_height(count: int) -> float:
    return -(-count // COLUMNS) * (HEIGHT + ROW)


def _arrows(pairs: Iterable[tuple[str, str, str]], boxes: Mapping[str, Box]) -> list[Arrow]:
    """An arrow for each pair of boxes and kind, bent to one side, so that opposite moves are two curves."""
    return [_arrow(boxes[start], boxes[end], number, kind) for number, (start, end, kind) in enumerate(pairs, 1)]


def _arrow(start: Box, end: Box, number: int, kind: str) -> Arrow:
    (x0, y0), (x1, y1) = start.centre, end.centre
    length = hypot(x1 - x0, y1 - y0) or 1.0
    bend = min(26.0, length / 4)
    middle = (x0 + x1) / 2 - (y1 - y0) / length * bend, (y0 + y1) / 2 + (x1 - x0) / length * bend
    (ax, ay), (bx, by) = _border_point(start, middle), _border_point(end, middle)
    x, y = (round(_point_on_curve(begin, two, three), 1) for begin, two, three in zip((ax, ay), middle, (bx, by), strict=True))
    path = f"M{ax:.1f} {ay:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {bx:.1f} {by:.1f}"
    return Arrow(path, x, y, number, kind)


def _point_on_curve(start: float, middle: float, end: float, share: float = 0.36) -> float:
    """A coordinate of a point on a curve, nearer to its start, since many arrows share an end."""
    return (1 - share) ** 2 * start + 2 * share * (1 - share) * middle + share**2 * end


def _border_point(box: Box, towards: tuple[float, float]) -> tuple[float, float]:
    """The point where the line from a box's centre to another point leaves the box."""
    x, y = box.centre
    dx, dy = towards[0] - x, towards[1] - y
    scale = max(abs(dx) / (WIDTH / 2), abs(dy) / (HEIGHT / 2), 1e-6)
    return x + dx / max(scale, 1.0), y + dy / max(scale, 1.0)


# The zones of a game


@dataclass(frozen=True, slots=True)
class Band:
    """Zones of one visibility, and the place of their title."""

    name: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class ZonePlace:
    """A zone in the table beside the picture."""

    concept: str
    label: str
    lang: str
    seen: str
    shared: str  # shared | per-player | ""
    proposed: "ProposedHub | None" = None


@dataclass(frozen=True, slots=True)
class Map:
    """The picture of a game."""

    game: str
    places: Sequence[ZonePlace]
    bands: Sequence[Band]
    boxes: Sequence[Box]
    arrows: Sequence[Arrow]
    moves: Sequence[tuple[ZonePlace, ZonePlace, "list[Move]"]]
    height: float
    width: float = PICTURE_WIDTH
    ordinary: "Sequence[tuple[ZonePlace, ZonePlace, OrdinaryMove]]" = ()
    """The moves in the table, which have the first numbers."""
    left_out: int = 0
    """The number of further moves, if only ordinary ones are drawn."""


def zones(request: Request) -> Response:
    """The map of `?game=`, by default the first with zones; `?beside=` a second one.

    Without `?moves=all` the table of a game has its ordinary moves alone.
    """
    library, reader, parameters = library_of(request), request_reader(request), request.query_params
    all_zones, moves = _zones_and_moves(library, library.bundle_name(), reader.lang)
    games = list(dict.fromkeys(zone["game"] for zone in all_zones))
    shown_games = [name for name in (parameters.get("game") or games[0], parameters.get("beside")) if name]
    if unknown := [name for name in shown_games if name not in games]:
        raise InputError(
            "{game!r}: no zones of that game are known; expected some of {known}", game=unknown[0][:40], known=", ".join(games)
        )
    if (shown_moves := parameters.get("moves") or None) not in (None, ALL_MOVES):
        raise InputError("{name} {given!r}: expected one of {known}", name="moves", given=shown_moves[:40], known=ALL_MOVES)
    maps = []
    for game in dict.fromkeys(shown_games):
        own = [move for move in moves if move["game"] == game and move["start"] != move["end"]]
        others = _other_end_zones(library, reader.lang, game, all_zones, moves)
        places = _zone_places(game, all_zones, own, others, reader.lang)
        table = library.table(game)
        maps.append(
            _tabletop_map(game, table, places, own, all_moves=shown_moves == ALL_MOVES) if table else _band_map(game, places, own)
        )
    return page(request, "zones.html", maps=maps, games=games, chosen=shown_games, every=shown_moves, seen=BANDS)


@lru_cache(maxsize=8)
def _zones_and_moves(library: Library, _: str | None, lang: str) -> "tuple[Sequence[Zone], Sequence[Move]]":
    """The zones of all games and the moves between them, computed once for each bundle."""
    return library.zones(lang=lang)["zones"], library.moves(lang=lang)


def _other_end_zones(
    library: Library, lang: str, game: str, all_zones: "Sequence[Zone]", moves: "Sequence[Move]"
) -> "list[Concept]":
    """The ends of moves that are not zones: hidden zones, the field as a whole."""
    zone_iris = {zone["concept"] for zone in all_zones}
    ends = dict.fromkeys(
        end for move in moves if move["game"] == game for end in (move["start"], move["end"]) if end not in zone_iris
    )
    return [library.concept(end, lang=lang)["concepts"][0] for end in ends]


def _zone_places(
    game: str, all_zones: "Sequence[Zone]", moves: "Sequence[Move]", others: "Sequence[Concept]", lang: str
) -> list[ZonePlace]:
    """The zones of a game and all other starts and ends of its moves."""
    ends = {end for move in moves for end in (move["start"], move["end"])}
    zones_on_map = [zone for zone in all_zones if zone["game"] == game and (zone["kind"] == "zone" or zone["concept"] in ends)]
    places = [_zone_place(zone, lang) for zone in zones_on_map]
    return places + [
        ZonePlace(concept["concept"], concept["label"], concept["lang"] or labels.NO_LANGUAGE, "", "") for concept in others
    ]


def _band_map(game: str, places: Sequence[ZonePlace], moves: "Sequence[Move]") -> Map:
    """Zones in bands by visibility, and their moves."""
    bands, boxes, height = _layout_bands(places)
    rows = _group_by_kind(places, moves)
    arrows = _arrows(((start.concept, end.concept, "move") for start, end, _ in rows), {box.key: box for box in boxes})
    return Map(game, places, bands, boxes, arrows, rows, height)


def _group_by_kind(places: Sequence[ZonePlace], moves: "Sequence[Move]") -> "list[tuple[ZonePlace, ZonePlace, list[Move]]]":
    by_key = {place.concept: place for place in places}
    ways: dict[tuple[str, str], list[Move]] = {}
    for move in moves:
        ways.setdefault((move["start"], move["end"]), []).append(move)
    return [(by_key[start], by_key[end], some) for (start, end), some in ways.items()]


def _tabletop_map(game: str, table: "TableLayout", places: Sequence[ZonePlace], moves: "Sequence[Move]", *, all_moves: bool) -> Map:
    """Zones in their places on the table, with their ordinary moves; with `all_moves`, the other zones below and all moves."""
    by_key = {place.concept: place for place in places}
    spots = {zone: Spot(row, column) for row, zones in enumerate(table.rows) for column, zone in enumerate(zones) if zone in by_key}
    ordinary = [(by_key[move.start], by_key[move.end], move) for move in table.moves if move.start in spots and move.end in spots]
    rows = _group_by_kind(places, moves)
    if all_moves:
        further = (place.concept for place in places if place.concept not in spots)
        spots |= {key: Spot(len(table.rows) + at // COLUMNS, at % COLUMNS) for at, key in enumerate(further)}
    lines = {key: _balance_label(by_key[key].label, _TABLE_LINE_EM) for key in spots}
    ways = [(start.concept, end.concept) for start, end, _ in (*ordinary, *(rows if all_moves else ()))]
    layout = lay_out(spots, {key: len(label) for key, label in lines.items()}, ways)
    boxes = [Box(key, lines[key], by_key[key].lang, by_key[key].shared or "unsaid", *layout.boxes[key]) for key in spots]
    arrows = [
        Arrow("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in route.points), *route.number, number, "move")
        for number, route in enumerate(layout.routes, 1)
    ]
    shown_moves, left_out = (rows, 0) if all_moves else ([], len(rows))
    return Map(game, places, [], boxes, arrows, shown_moves, layout.height, layout.width, ordinary, left_out)


def _zone_place(zone: "Zone", lang: str) -> ZonePlace:
    tag = choose(lang, zone["labels"]) or next(iter(zone["labels"]))
    return ZonePlace(
        zone["concept"],
        zone["labels"][tag][0],
        tag,
        _agreed_value(zone, "visibility"),
        _agreed_value(zone, "sharing"),
        zone["proposed_hub"],
    )


def _agreed_value(zone: "Zone", name: str) -> str:
    """The value of a property if all sources agree, else `mixed`."""
    values = {str(claim["value"]) for claim in zone["properties"].get(name, [])}
    return values.pop() if len(values) == 1 else "mixed" if values else ""


def _layout_bands(places: Sequence[ZonePlace]) -> tuple[list[Band], list[Box], float]:
    """The bands from public to unknown, with the boxes of their zones, and the height of the picture."""
    bands, boxes, top = [], [], 0.0
    for name in BANDS:
        own = {place.concept: place for place in places if (place.seen if place.seen in BANDS else "") == name}
        if own:
            height = _BAND_TITLE + _grid_height(len(own))
            bands.append(Band(name, top, height))
            for key, x, y in _grid_places(list(own), top + _BAND_TITLE):
                boxes.append(Box(key, _box_label(own[key].label), own[key].lang, own[key].shared or "unsaid", x, y))
            top += height + GAP
    return bands, boxes, top


# The neighbourhood of a concept


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The picture of a concept with its cross-game concept, its parts, and its counterparts in other games."""

    titles: "Sequence[tuple[Message, float]]"
    boxes: "Sequence[Box]"
    arrows: "Sequence[Arrow]"
    height: float
    width: float = PICTURE_WIDTH


def neighbourhood(concept: "Concept") -> Neighbourhood | None:
    """The concepts related to a concept; None if there are none."""
    groups = [(title, dict(list(some.items())[:_MAX_NEIGHBOURS])) for title, some in _related_groups(concept) if some]
    if not groups:
        return None
    own: dict[str, ConceptName] = {concept["concept"]: concept}
    above = [group for group in groups if group[0] is ABOVE]
    below = [group for group in groups if group[0] is not ABOVE]
    boxes: list[Box] = []
    titles, top = [], 0.0
    for title, some in (*above, (None, own), *below):
        if title:
            titles.append((title, top + 15))
            top += _GROUP_TITLE
        group = list(_group_boxes(some, top, is_only_group=title is None))
        boxes += group
        top = group[-1].y + group[-1].height + ROW + GAP
    centre = concept["concept"]
    arrows = _arrows(((centre, box.key, box.kind) for box in boxes if box.key != centre), {box.key: box for box in boxes})
    return Neighbourhood(titles, boxes, arrows, top - GAP)


def _related_groups(concept: "Concept") -> "Iterator[tuple[Message, dict[str, ConceptName]]]":
    """Related concepts by their relation; each is in one group."""
    iris = {concept["concept"]}
    matches = [match for match in concept["matches"] if match["concept"]]
    alike = [match for match in matches if not match["predicate"].startswith(NEGATION_PREFIX)]
    others = [match for match in matches if match["predicate"].startswith(NEGATION_PREFIX)]
    below = (*concept["parts"], *concept["narrower"])
    for title, some in ((ABOVE, concept["broader"]), (BELOW, below), (BESIDE, alike), (FALSE, others)):
        names: dict[str, ConceptName] = {}
        for neighbour in some:
            iri, label = neighbour["concept"] or "", neighbour["label"] or ""
            if iri not in iris:
                names[iri] = {"concept": iri, "game": neighbour["game"], "label": label, "lang": neighbour["lang"]}
        iris |= names.keys()
        yield title, names


def _group_boxes(concepts: "dict[str, ConceptName]", top: float, *, is_only_group: bool) -> "Iterator[Box]":
    """The boxes of a group, row by row; a row is as high as its longest label."""
    keys = list(concepts)
    for start in range(0, len(keys), COLUMNS):
        row = {key: _neighbour_label(concepts[key], is_only_group=is_only_group) for key in keys[start : start + COLUMNS]}
        height = max(HEIGHT, *(_LINE_HEIGHT * len(lines) + _PADDING for lines in row.values()))
        for at, (key, lines) in enumerate(row.items()):
            x = MARGIN + (1 if is_only_group else at) * (WIDTH + GAP)
            yield Box(
                key,
                lines,
                concepts[key]["lang"] or labels.NO_LANGUAGE,
                "middle" if is_only_group else "thin",
                x,
                top,
                height=height,
            )
        top += height + ROW


def _neighbour_label(name: "ConceptName", *, is_only_group: bool) -> tuple[str, ...]:
    """The whole label of a neighbour, below the tag of its game."""
    lines = tuple(_truncate_line(line, is_last=False) for line in _balance_label(name["label"], _LINE))
    return (labels.game_tag(scheme_of(name["concept"])), *lines) if name["game"] and not is_only_group else lines
