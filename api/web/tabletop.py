"""Lays out a table of boxes with arrows that run in the lanes between rows and columns, as in a circuit diagram.

An arrow leaves a box at a port, follows a track of a lane and enters another box at a port. Every port and every track serves one
arrow, so two arrows never overlap; they may cross at right angles. Units are about pixels on a phone.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Literal, NamedTuple

BOX_WIDTH = 96.0
"""Width of a box."""
LINE_HEIGHT = 15.0
"""Height of a line of a box's label."""
TRACK_WIDTH = 18.0
"""Distance between two tracks, and between two ports on the side of a box."""
CORNER_RADIUS = 7.5
"""Size of the number on an arrow."""
_PADDING = 16.0
"""Height of a box without its label."""
_MIN_LANE_WIDTH = 12.0
"""Width of a lane without tracks."""

Side = Literal["row", "column"]
Point = tuple[float, float]


class Spot(NamedTuple):
    """A cell of the table, counted from the top left."""

    row: int
    column: int


class Rectangle(NamedTuple):
    """The place of a box."""

    x: float
    y: float
    width: float
    height: float


class Route(NamedTuple):
    """An arrow: the corners of its line from start to end, and the centre of its number."""

    points: Sequence[Point]
    number: Point


@dataclass(frozen=True, slots=True)
class MapLayout:
    """The layout; routes are in the order of the arrows."""

    boxes: Mapping[str, Rectangle]
    routes: Sequence[Route]
    width: float
    height: float


class _Lane(NamedTuple):
    """A gap between rows (`side` is "row") or columns; lane n lies before row or column n."""

    side: Side
    at: int


@dataclass(slots=True)
class _Plan:
    """An arrow without coordinates: its lanes with a track each, and the lanes and cells of its two ports."""

    start: Spot
    end: Spot
    leaves: _Lane
    enters: _Lane
    tracks: "list[_Lane]" = field(default_factory=list)
    at: "dict[_Lane, int]" = field(default_factory=dict)
    """Lane → number of its track in the lane."""
    ports: "tuple[int, int]" = (0, 0)


def lay_out(spots: Mapping[str, Spot], lines: Mapping[str, int], arrows: Sequence[tuple[str, str]]) -> MapLayout:
    """A table of boxes, whose labels have different numbers of lines, with arrows between different boxes."""
    plans = [_plan_lanes(spots[start], spots[end]) for start, end in arrows]
    tracks: Counter[_Lane] = Counter()
    for plan in plans:
        if not plan.tracks:  # a straight arrow has its number on the first track, which no line follows
            tracks[plan.leaves] = max(tracks[plan.leaves], 1)
    for plan in plans:
        for lane in plan.tracks:
            plan.at[lane] = tracks[lane]
            tracks[lane] += 1
    pools = _number_ports(plans)
    rows, columns = (1 + max(spot[axis] for spot in spots.values()) for axis in (0, 1))
    heights = [_row_height(row, spots, lines, pools) for row in range(rows)]
    x, y = _edge_positions("column", [BOX_WIDTH] * columns, tracks), _edge_positions("row", heights, tracks)
    boxes = {key: Rectangle(x[spot.column], y[spot.row], BOX_WIDTH, heights[spot.row]) for key, spot in spots.items()}
    places = _Places(x, y, heights, tracks, pools)
    width = x[-1] + BOX_WIDTH + _lane_width(_Lane("column", columns), tracks)
    height = y[-1] + heights[-1] + _lane_width(_Lane("row", rows), tracks)
    routes = [places.route(plan) for plan in plans]
    routes_with_free_labels = [
        route._replace(number=_free_label_place(route, [other for other in routes if other is not route])) for route in routes
    ]
    return MapLayout(boxes, routes_with_free_labels, width, height)


def _plan_lanes(start: Spot, end: Spot) -> _Plan:
    """The lanes of an arrow: none for neighbours, one where a lane touches both boxes, else two."""
    down, right = end.row - start.row, end.column - start.column
    facing_row = _Lane("row", start.row + (down > 0))
    if down == 0:
        facing = _Lane("column", max(start.column, end.column))
        if abs(right) == 1:
            return _Plan(start, end, facing, facing)
        above = _Lane("row", start.row)
        return _Plan(start, end, above, above, [above])
    if right == 0:
        if abs(down) == 1:
            return _Plan(start, end, facing_row, facing_row)
        beside = _Lane("column", start.column)
        return _Plan(start, end, beside, beside, [beside])
    if abs(down) == 1:
        return _Plan(start, end, facing_row, facing_row, [facing_row])
    beside = _Lane("column", end.column + (right < 0))
    return _Plan(start, end, facing_row, beside, [facing_row, beside])


def _port_pool(lane: _Lane, spot: Spot) -> tuple[_Lane, int]:
    """The ports of the boxes on both sides of a lane, in a column or row, share one numbering."""
    return lane, spot.column if lane.side == "row" else spot.row


def _number_ports(plans: Sequence[_Plan]) -> Counter[tuple[_Lane, int]]:
    """Numbers the ports so that arrows to the left leave on the left; returns the number of ports in each pool."""
    offsets: defaultdict[tuple[_Lane, int], list[tuple[int, int, int]]] = defaultdict(list)
    for number, plan in enumerate(plans):
        for which, (lane, own, other) in enumerate(((plan.leaves, plan.start, plan.end), (plan.enters, plan.end, plan.start))):
            axis = 1 if lane.side == "row" else 0
            if plan.tracks or which == 0:  # a straight arrow has one port for both ends
                offsets[_port_pool(lane, own)].append((other[axis] - own[axis], number, which))
    for ends in offsets.values():
        for port, (_, number, which) in enumerate(sorted(ends)):
            plan = plans[number]
            plan.ports = (port, plan.ports[1]) if which == 0 else (plan.ports[0], port)
    return Counter({pool: len(ends) for pool, ends in offsets.items()})


def _row_height(row: int, spots: Mapping[str, Spot], lines: Mapping[str, int], pools: Mapping[tuple[_Lane, int], int]) -> float:
    label = max((lines[key] for key, spot in spots.items() if spot.row == row), default=1)
    ports = max((count for (lane, at), count in pools.items() if lane.side == "column" and at == row), default=0)
    return max(label * LINE_HEIGHT + _PADDING, (ports + 1) * TRACK_WIDTH)


def _lane_width(lane: _Lane, tracks: Mapping[_Lane, int]) -> float:
    return _MIN_LANE_WIDTH + TRACK_WIDTH * tracks[lane] + (TRACK_WIDTH if tracks[lane] else 0)


def _edge_positions(side: Side, sizes: Sequence[float], tracks: Mapping[_Lane, int]) -> list[float]:
    """The start of each row or column."""
    lanes = [_lane_width(_Lane(side, index), tracks) for index in range(len(sizes))]
    ends = accumulate(lane + size for lane, size in zip(lanes, sizes, strict=True))
    return [end - size for end, size in zip(ends, sizes, strict=True)]


@dataclass(frozen=True, slots=True)
class _Places:
    """Turns plans into coordinates."""

    x: Sequence[float]
    y: Sequence[float]
    heights: Sequence[float]
    tracks: Mapping[_Lane, int]
    pools: Mapping[tuple[_Lane, int], int]

    def route(self, plan: _Plan) -> Route:
        """The line of an arrow, from border to border."""
        first, last = plan.ports if plan.tracks else (plan.ports[0], plan.ports[0])
        leaves_at, enters_at = (
            self._port_coordinate(plan.leaves, plan.start, first),
            self._port_coordinate(plan.enters, plan.end, last),
        )
        begin = self._border_coordinate(plan.leaves, plan.start, leaves_at)
        finish = self._border_coordinate(plan.enters, plan.end, enters_at)
        if not plan.tracks:
            middle = self._track_coordinate(plan.leaves, 0)
            return Route([begin, finish], (begin[0], middle) if plan.leaves.side == "row" else (middle, begin[1]))
        corners: list[Point] = []
        along = [self._track_coordinate(lane, plan.at[lane]) for lane in plan.tracks]
        if len(along) == 2:
            (track, lane_x) = along
            corners = [(begin[0], track), (lane_x, track), (lane_x, finish[1])]
        elif plan.leaves.side == "row":
            corners = [(begin[0], along[0]), (finish[0], along[0])]
        else:
            corners = [(along[0], begin[1]), (along[0], finish[1])]
        points = [begin, *corners, finish]
        return Route(points, _point_on_segment(max(pairwise(corners), key=_segment_length), 0.5))

    def _port_coordinate(self, lane: _Lane, spot: Spot, port: int) -> float:
        """The coordinate of a port along the side of its box."""
        count = self.pools[_port_pool(lane, spot)]
        start, size = (self.x[spot.column], BOX_WIDTH) if lane.side == "row" else (self.y[spot.row], self.heights[spot.row])
        return start + size * (port + 1) / (count + 1)

    def _border_coordinate(self, lane: _Lane, spot: Spot, coordinate: float) -> Point:
        if lane.side == "row":
            return coordinate, self.y[spot.row] + (self.heights[spot.row] if lane.at > spot.row else 0)
        return self.x[spot.column] + (BOX_WIDTH if lane.at > spot.column else 0), coordinate

    def _track_coordinate(self, lane: _Lane, number: int) -> float:
        starts, sizes = (self.y, self.heights) if lane.side == "row" else (self.x, [BOX_WIDTH] * len(self.x))
        begin = starts[lane.at - 1] + sizes[lane.at - 1] if lane.at else 0.0
        return begin + _MIN_LANE_WIDTH / 2 + TRACK_WIDTH * (number + 1)


def _segment_length(segment: tuple[Point, Point]) -> float:
    (x0, y0), (x1, y1) = segment
    return abs(x1 - x0) + abs(y1 - y0)


def _point_on_segment(segment: tuple[Point, Point], share: float) -> Point:
    (x0, y0), (x1, y1) = segment
    return x0 + (x1 - x0) * share, y0 + (y1 - y0) * share


def _free_label_place(route: Route, others: Sequence[Route]) -> Point:
    """A place for the number along the longest part of its line that no other line crosses, if there is one."""
    if len(route.points) == 2:
        return route.number
    longest = max(pairwise(route.points[1:-1]), key=_segment_length)
    segments = [segment for other in others for segment in pairwise(other.points)]
    places = (_point_on_segment(longest, share) for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8))
    return next(
        (place for place in places if all(_distance_to_segment(place, segment) > CORNER_RADIUS for segment in segments)),
        route.number,
    )


def _distance_to_segment(point: Point, segment: tuple[Point, Point]) -> float:
    """The distance from a point to a horizontal or vertical segment, the larger of both coordinates."""
    (x0, x1), (y0, y1) = (sorted(end[axis] for end in segment) for axis in (0, 1))
    return max(x0 - point[0], point[0] - x1, y0 - point[1], point[1] - y1)
