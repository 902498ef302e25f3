"""`/compare` and `/compare/topics`: zones and topics of the games side by side, as a table to transpose and to filter."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from api.web.beside import topics_by_rule
from api.web.rendering import library_of, page, path_with_query, request_reader
from corpus.errors import InputError
from corpus.languages import LANGUAGES, choose
from corpus.model import CORE_PROPERTIES
from rulestone import Library

if TYPE_CHECKING:
    from corpus.contract import Claim, Topic, TopicCell, Zone

ALL_VALUE = "all"
"""The value of `?group=` for every group of topics."""
DIFFERENCES_ONLY = "differs"
"""The column with a sentence about the differences."""
_MAX_QUERY_LENGTH = 100
"""Maximum number of characters of the words to find."""


@dataclass(frozen=True, slots=True)
class TableHeading:
    """The subject of a row or column."""

    key: str
    kind: str  # zone | game | property | topic | differs
    label: str
    lang: str


@dataclass(frozen=True, slots=True)
class ComparisonTable:
    """Cells by row and column."""

    rows: Sequence[TableHeading]
    columns: Sequence[TableHeading]
    cells: "Mapping[tuple[str, str], ZoneCell | TopicCellView]"

    def transposed(self) -> "ComparisonTable":
        """Rows as columns."""
        return ComparisonTable(self.columns, self.rows, {(column, row): cell for (row, column), cell in self.cells.items()})

    def only_differences(self) -> "ComparisonTable":
        """Only the rows whose non-empty cells differ."""
        return ComparisonTable([row for row in self.rows if len(self._distinct_values(row)) > 1], self.columns, self.cells)

    def _distinct_values(self, row: TableHeading) -> set[Hashable]:
        cells = (self.cells.get((row.key, column.key)) for column in self.columns)
        return {cell.values for cell in cells if cell and cell.values}


@dataclass(frozen=True, slots=True)
class ZoneCell:
    """The claims about one property of a zone."""

    zone: "Zone"
    about: str
    claims: "list[Claim]"
    heading: TableHeading

    @property
    def values(self) -> frozenset[str]:
        """The value for comparison."""
        return frozenset(str(claim["value"]) for claim in self.claims)


@dataclass(frozen=True, slots=True)
class ZoneView:
    """The parameters of a page's address."""

    about: str | None
    game: str | None
    turn: bool
    differ: bool

    def address(self, **other: object) -> str:
        """The page with other options."""
        options = {"property": self.about, "game": self.game, "turn": int(self.turn) or None, "differ": int(self.differ) or None}
        return path_with_query("/compare", **(options | other))


def compare(request: Request) -> Response:
    """One property of all zones game by game, or one game's zones with all their properties."""
    library, reader, parameters = library_of(request), request_reader(request), request.query_params
    zones = _zone_comparison(library, library.bundle_name(), reader.lang)
    names = library.property_labels()
    property_names = [
        *CORE_PROPERTIES,
        *sorted({name for zone in zones for name, claims in zone["properties"].items() if claims} - set(CORE_PROPERTIES)),
    ]
    view = ZoneView(
        parameters.get("property") or None, parameters.get("game") or None, "turn" in parameters, "differ" in parameters
    )
    games = list(dict.fromkeys(zone["game"] for zone in zones))
    if view.game is None and view.about is None:
        view = ZoneView(CORE_PROPERTIES[0], None, view.turn, view.differ)
    table = (
        _game_table(zones, view.game, property_names, names, reader.lang)
        if view.game
        else _property_table(zones, view, games, reader.lang)
    )
    if view.differ and not view.game:
        table = table.only_differences()
    table = table.transposed() if view.turn else table
    return page(request, "compare.html", table=table, view=view, known=property_names, games=games, properties=names)


@lru_cache(maxsize=8)
def _zone_comparison(library: Library, _: str | None, lang: str) -> "Sequence[Zone]":
    """The zones of all games in a language, computed once for each bundle."""
    return library.zones(lang=lang)["zones"]


def _property_table(zones: "Sequence[Zone]", view: ZoneView, games: list[str], lang: str) -> ComparisonTable:
    """Cross-game concepts × games; those that several games have first, those without a statement left out."""
    name = view.about or CORE_PROPERTIES[0]
    rows: dict[str, TableHeading] = {}
    cells: dict[tuple[str, str], ZoneCell] = {}
    for zone in zones:
        key = zone["hub"] or (zone["proposed_hub"] or zone)["concept"]
        heading = _zone_heading(zone, key, lang)
        rows.setdefault(key, heading)
        cells[key, zone["game"]] = ZoneCell(zone, name, zone["properties"].get(name, []), heading)
    sharing = Counter(key for key, _ in cells)
    rows_with_claims = {key for (key, _), cell in cells.items() if cell.claims}
    shown_rows = sorted((row for row in rows.values() if row.key in rows_with_claims), key=lambda row: sharing[row.key] == 1)
    return ComparisonTable(shown_rows, [TableHeading(game, "game", game, "und") for game in games], cells)


def _game_table(
    zones: "Sequence[Zone]", game: str, property_names: list[str], names: Mapping[str, Mapping[str, str]], lang: str
) -> ComparisonTable:
    """Zones of a game × properties. Raises InputError for a game without any."""
    own = [zone for zone in zones if zone["game"] == game]
    if not own:
        there = ", ".join(dict.fromkeys(zone["game"] for zone in zones))
        raise InputError("{game!r}: no zones of that game are known; expected some of {known}", game=game[:40], known=there)
    filled_properties = [name for name in property_names if any(zone["properties"].get(name) for zone in own)]
    headings = [_zone_heading(zone, zone["concept"], lang) for zone in own]
    cells = {
        (zone["concept"], name): ZoneCell(zone, name, zone["properties"].get(name, []), heading)
        for zone, heading in zip(own, headings, strict=True)
        for name in filled_properties
    }
    columns = [TableHeading(name, "property", *_property_label(name, names, lang)) for name in filled_properties]
    return ComparisonTable(headings, columns, cells)


def _zone_heading(zone: "Zone", key: str, lang: str) -> TableHeading:
    tag = choose(lang, zone["labels"]) or next(iter(zone["labels"]))
    return TableHeading(key, "zone", zone["labels"][tag][0], tag)


def _property_label(name: str, names: Mapping[str, Mapping[str, str]], lang: str) -> tuple[str, str]:
    """A property's label, and its language."""
    labels = names.get(name, {})
    tag = choose(lang, labels)
    return (labels[tag], tag) if tag else (name, "en")


@dataclass(frozen=True, slots=True)
class TopicCellView:
    """The statement of a game on a topic."""

    topic: str
    statement: "TopicCell"

    @property
    def concept(self) -> str:
        """The subject of its claim: the concept of the game, else the topic."""
        return self.statement["concept"] or self.topic

    @property
    def about(self) -> str:
        """The property that the claim states."""
        return "says" if self.statement["found"] else "nearest"

    @property
    def claim(self) -> str:
        """The last part of the claim's address."""
        return self.statement["claim"].rsplit("/", 1)[-1]

    @property
    def values(self) -> str:
        """The value for comparison: whether the game has such a rule."""
        return self.about


@dataclass(frozen=True, slots=True)
class TopicView:
    """The parameters of a page's address."""

    group: str
    games: tuple[str, ...]  # none: all
    find: str
    turn: bool
    differ: bool

    def address(self, **other: object) -> str:
        """The page with other options."""
        options: dict[str, object] = {"group": self.group, "games": ",".join(self.games), "find": self.find}
        options |= {"turn": int(self.turn) or None, "differ": int(self.differ) or None}
        return path_with_query("/compare/topics", **(options | other))

    def with_game(self, slug: str, shown_games: Sequence[str]) -> str:
        """The page with one game more or fewer; at least one is kept."""
        other_games = [game for game in shown_games if (game in (self.games or shown_games)) != (game == slug)]
        return self.address(games=",".join(other_games) if other_games and len(other_games) < len(shown_games) else None)


def topics(request: Request) -> Response:
    """The topics of a group × the games, and the differences; with `find` those that contain the words in any language."""
    library, reader = library_of(request), request_reader(request)
    groups = library.topic_groups()
    body = topics_by_rule(library, library.bundle_name(), reader.lang)
    view = _topic_view(request.query_params, list(groups), body["games"])
    titles = groups.get(view.group, {}).values()
    bodies = [topics_by_rule(library, library.bundle_name(), tongue) for tongue in LANGUAGES] if view.find else [body]
    concepts = {topic["concept"] for each in bodies for topic in each["topics"] if _topic_contains(topic, view.find)}
    some = [topic for topic in body["topics"] if topic["concept"] in concepts and (not titles or topic["group"] in titles)]
    tongue = choose(reader.lang, groups[next(iter(groups))]) or reader.lang
    table = _topic_table(some, view.games or body["games"], tongue)
    table = table.only_differences() if view.differ else table
    return page(
        request,
        "topics.html",
        table=table.transposed() if view.turn else table,
        found=len(table.rows),
        view=view,
        groups=groups,
        games=body["games"],
        told={topic["concept"]: topic for topic in some},
    )


def _topic_view(parameters: Mapping[str, str], groups: Sequence[str], games: Sequence[str]) -> TopicView:
    """Words to find are searched in every group, unless one is chosen. Raises InputError for a group or game without topics."""
    find = parameters.get("find", "").strip()[:_MAX_QUERY_LENGTH]
    group = parameters.get("group") or (ALL_VALUE if find else groups[0])
    if group not in (ALL_VALUE, *groups):
        known_values = ", ".join((ALL_VALUE, *groups))
        raise InputError("{group!r}: no such group of topics; expected one of {known}", group=group[:40], known=known_values)
    slugs = [name.strip() for name in parameters.get("games", "").split(",") if name.strip()]
    if strange := [name for name in slugs if name not in games]:
        known_values = ", ".join(games)
        raise InputError(
            "{game!r}: no topics of that game are known; expected some of {known}", game=strange[0][:40], known=known_values
        )
    return TopicView(group, tuple(game for game in games if game in slugs), find, "turn" in parameters, "differ" in parameters)


def _topic_contains(topic: "Topic", find: str) -> bool:
    """Whether a topic or a statement in it contains the words."""
    words = [topic["label"], topic["asks"], topic["differs"], *(cell["says"] for cell in topic["cells"])]
    return find.casefold() in "\n".join(words).casefold()


def _topic_table(topics: "Sequence[Topic]", games: Sequence[str], lang: str) -> ComparisonTable:
    cells = {(topic["concept"], cell["game"]): TopicCellView(topic["concept"], cell) for topic in topics for cell in topic["cells"]}
    rows = [TableHeading(topic["concept"], "topic", topic["label"], lang) for topic in topics]
    return ComparisonTable(
        rows,
        [*(TableHeading(game, "game", game, "und") for game in games), TableHeading(DIFFERENCES_ONLY, DIFFERENCES_ONLY, "", lang)],
        cells,
    )
