"""The tables of the games: nothing lies on anything else, and every zone and rule of the data is there."""

from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest
from starlette.testclient import TestClient

from api.http.app import create_app
from api.web import maps
from api.web.tabletop import BOX_WIDTH, CORNER_RADIUS, MapLayout, Point, Rectangle, Spot, lay_out
from corpus.address import rule_iri
from corpus.digest import digests
from corpus.store.home import Home
from ontology.concepts.tables import TableLayout, table_layouts
from ontology.concepts.zones import zones
from rulestone import Library
from rulestone.writing.add import build
from tests.support.shipped import known

Segment = tuple[Point, Point]


def inside(point: Point, box: Rectangle, margin: float = 0.0) -> bool:
    """Whether a point lies in a box, or nearer to it than a margin."""
    x, y = point
    return box.x - margin < x < box.x + box.width + margin and box.y - margin < y < box.y + box.height + margin


def crosses(segment: Segment, box: Rectangle) -> bool:
    """Whether a horizontal or vertical segment passes through the inside of a box."""
    (x0, x1), (y0, y1) = (sorted(end[axis] for end in segment) for axis in (0, 1))
    return x0 < box.x + box.width - 0.1 and x1 > box.x + 0.1 and y0 < box.y + box.height - 0.1 and y1 > box.y + 0.1


def on_each_other(one: Segment, other: Segment) -> bool:
    """Whether two segments share more than a point."""
    for axis in (0, 1):
        along = 1 - axis
        if all(abs(end[axis] - one[0][axis]) < 1 for end in (*one, *other)):
            (a0, a1), (b0, b1) = (sorted(end[along] for end in segment) for segment in (one, other))
            return min(a1, b1) - max(a0, b0) > 1
    return False


def assert_readable(layout: MapLayout) -> None:
    for one, other in combinations(layout.boxes.values(), 2):
        assert not inside((other.x + 1, other.y + 1), one)
    segments = [list(pairwise(route.points)) for route in layout.routes]
    for parts, route in zip(segments, layout.routes, strict=True):
        for box in layout.boxes.values():
            assert not any(crosses(part, box) for part in parts)
            assert not inside(route.number, box, CORNER_RADIUS - 1)
        assert all(0 <= x <= layout.width and 0 <= y <= layout.height for x, y in route.points)
    for some, others in combinations(segments, 2):
        assert not any(on_each_other(one_part, other_part) for one_part in some for other_part in others)
    for first, second in combinations((route.number for route in layout.routes), 2):
        assert abs(first[0] - second[0]) + abs(first[1] - second[1]) > 2 * CORNER_RADIUS - 1


def layout_of(table: TableLayout) -> MapLayout:
    spots = {zone: Spot(row, column) for row, zones in enumerate(table.rows) for column, zone in enumerate(zones) if zone}
    return lay_out(spots, dict.fromkeys(spots, 2), [(move.start, move.end) for move in table.moves])


@pytest.mark.parametrize("game", sorted(table_layouts()))
def test_nothing_lies_on_anything_else(game: str) -> None:
    assert_readable(layout_of(table_layouts()[game]))


def test_nor_on_tables_of_any_other_shape() -> None:
    for seed in range(30):
        keys = [f"zone {number}" for number in range(3 + seed % 10)]
        spots = {key: Spot(number * 7 % 4, number // 4) for number, key in enumerate(keys)}
        arrows = [(keys[number * 5 % len(keys)], keys[(number * 3 + seed) % len(keys)]) for number in range(8)]
        assert_readable(lay_out(spots, dict.fromkeys(keys, 1 + seed % 3), [(a, b) for a, b in dict.fromkeys(arrows) if a != b]))


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Pages over the chapters of the digest in which Duel Masters has its ordinary moves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULESTONE_DIGEST", "dm.cr.2025-12-17.1.toml,dm.cr.2025-12-17.7.toml")
        home = Home(tmp_path_factory.mktemp("tables"))
        build(home)
        with TestClient(create_app(Library.open(home.path, create=False)), headers={"Accept": "text/html"}) as client:
            yield client


def test_every_rule_of_the_data_is_in_the_digest() -> None:
    glossed = {rule_iri(digest.key, gloss.locator) for digest in digests(all_games=True) for gloss in digest.glosses}
    for game, table in table_layouts().items():
        laid = {zone for row in table.rows for zone in row if zone}
        for move in table.moves:
            assert move.labels.keys() == {"en", "ja", "zh-Hans"}
            assert {move.start, move.end} <= laid
            assert move.rule in glossed, game


def test_every_zone_of_the_data_is_a_zone() -> None:
    concepts = {zone["concept"] for zone in zones(known(), "en")["zones"]}
    assert {zone for table in table_layouts().values() for row in table.rows for zone in row if zone} <= concepts


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "ja", "zh-Hans", "zh-Hant"])
@pytest.mark.parametrize("moves", ["", "&moves=all"])
def test_no_label_is_cut(client: TestClient, lang: str, moves: str) -> None:
    page = client.get(f"/zones?game=dm{moves}", headers={"Accept-Language": lang}).text
    picture = page[page.index('<svg class="picture"') : page.index("</svg>", page.index('<svg class="picture"'))]
    assert "…" not in picture
    assert picture.count('class="way"') == picture.count('class="mark"') >= 7


@pytest.mark.parametrize(
    "label",
    ["absolutely-removed-from-the-freaking-game-forever", "Extra Monster Zone", "エクステンションルールエリア", "超次元ゾーン"],
)
def test_a_line_of_a_label_is_narrower_than_its_box(label: str) -> None:
    lines = maps._balance_label(label, maps._TABLE_LINE_EM)
    assert "".join(lines).replace(" ", "") == label.replace(" ", "")
    assert max(map(maps._width_in_em, lines)) * 12 < BOX_WIDTH


@pytest.mark.slow
def test_special_moves_come_on_demand(client: TestClient) -> None:
    ordinary, all_moves = (client.get(f"/zones?game=dm{moves}").text for moves in ("", "&moves=all"))
    assert 'href="/zones?game=dm&amp;moves=all"' in ordinary
    assert ordinary.count('class="way"') < all_moves.count('class="way"')
    assert client.get("/zones?game=dm&moves=some").status_code == 400


@pytest.mark.slow
def test_a_game_without_known_moves_keeps_the_picture_by_visibility(client: TestClient) -> None:
    page = client.get("/zones?game=mtg").text
    assert 'class="band ' in page
    assert 'class="way"' in page
