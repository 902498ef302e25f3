"""`get GAME/cards` with a publisher on this machine, in the shape of each shipped one; all cards are invented."""

import gzip
import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from shutil import which
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from corpus.sources import PublisherSource, sources
from corpus.store.home import Home
from rulestone.publishers import cards
from tests.support.commands import Ended, call, state
from tests.support.publisher import Given, Publisher, local_sources

pytestmark = pytest.mark.skipif(which("openssl") is None, reason="no openssl here, which makes the certificate")
FOLDER = Path(__file__).parents[2] / "support" / "cards"
ORACLE = [
    {"object": "card", "oracle_id": "o-1", "lang": "en", "name": "Ferryman's Toll", "oracle_text": "Draw a card."},
    {
        "object": "card",
        "oracle_id": "o-2",
        "lang": "en",
        "name": "Reed // Rush",
        "card_faces": [{"name": "Reed"}, {"name": "Rush"}],
    },
]
YUGI = [{"name": {"en": "Heron of Reeds", "ja": "葦の鷺", "zh-CN": "苇鹭"}, "text": {"en": "Draw 1 card."}, "card_type": "Monster"}]
DAY = "20261010210155"


def as_gzip(records: Iterable[object]) -> bytes:
    return gzip.compress("".join(f"{json.dumps(record)}\n" for record in records).encode())


class Shape(NamedTuple):
    """A shipped source of cards, the path and bytes of its file, and a card with the games and languages of all."""

    name: str
    path: str
    data: bytes
    card: str
    message: str


SHAPES = [
    Shape("mtg/cards en", f"/oracle-cards/oracle-cards-{DAY}.jsonl.gz", as_gzip(ORACLE), "Rush", "2 cards of mtg in en"),
    Shape("ygo/cards mul", "/yaml-yugi/cards.json", json.dumps(YUGI).encode(), "苇鹭", "1 card of ygo in en, ja, zh-Hans"),
    Shape(
        "lorcana/cards en",
        "/files/current/en/allCards.json",
        (FOLDER / "lorcana.json").read_bytes(),
        "Otter - Keeper of Reeds",
        "2 cards of lorcana in en",
    ),
]


@pytest.fixture
def home(alone_home: Home, books_alone: None, tmp_path: Path) -> Path:
    return Path(shutil.copytree(alone_home.path, tmp_path / "home"))


def offers(publisher: Publisher, patch: pytest.MonkeyPatch, shape: Shape, **headers: str) -> PublisherSource:
    """The publisher offers a file of cards in the shape of a shipped one."""
    source = next(source for source in sources({}) if source.name == shape.name)
    patch.setenv("RULESTONE_SOURCES", str(local_sources(publisher, source)))
    publisher.paths["/robots.txt"] = Given(status=404)
    publisher.paths[shape.path] = Given(shape.data, headers=headers)
    if source.list:
        files = [
            {"type": "default_cards", "jsonl_download_uri": publisher.url(f"/default-cards/default-cards-{DAY}.jsonl.gz")},
            {"type": "oracle_cards", "jsonl_download_uri": publisher.url(shape.path), "compressed_size": 1},
            {"type": "oracle_cards", "jsonl_download_uri": publisher.url("/oracle-cards/oracle-cards-20250101090000.jsonl.gz")},
        ]
        publisher.paths[urlsplit(source.list).path] = Given(json.dumps({"object": "list", "data": files}).encode())
    return source


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_cards_of_each_shipped_publisher(publisher: Publisher, home: Path, monkeypatch: pytest.MonkeyPatch, shape: Shape) -> None:
    source = offers(publisher, monkeypatch, shape, ETag='"v1"')
    before = state(home)
    prompt = call(home, "get", source.book)
    assert (prompt.code, state(home), ("GET", shape.path) in publisher.paths_asked()) == (2, before, False)
    result = call(home, "get", source.book, "--yes")
    assert (result.code, result.err) == (0, "")
    for words in (publisher.url(shape.path), source.licence or "", "kB", "at most 512 MB", shape.message):
        assert words in result.out
    assert call(home, "cards", shape.card, "--game", source.game).code == 0
    publisher.asked.clear()
    second = call(home, "get", source.book, "--yes")
    assert (second.code, second.err, "nothing newer" in second.out) == (0, "", True)
    assert ("GET", shape.path) not in publisher.paths_asked()
    assert all("Cookie" not in headers for *_, headers in publisher.asked)


RULINGS = [
    {"object": "ruling", "oracle_id": "o-1", "source": "wotc", "published_at": "2024-02-03", "comment": "The toll is paid once."},
    {
        "object": "ruling",
        "oracle_id": "o-2",
        "source": "scryfall",
        "published_at": "2024-02-04",
        "comment": "Both banks see the reeds.",
    },
    {"object": "ruling", "oracle_id": "o-9", "source": "wotc", "published_at": "2024-02-05", "comment": "A heron is no passenger."},
]
ALL_RULINGS = Shape("mtg/rulings en", f"/rulings/rulings-{DAY}.jsonl.gz", as_gzip(RULINGS), "", "")


def test_rulings_have_the_names_of_loaded_cards(publisher: Publisher, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = offers(publisher, monkeypatch, ALL_RULINGS, ETag='"v1"')
    before = state(home)
    prompt = call(home, "get", "mtg/rulings")
    assert (prompt.code, state(home), ("GET", ALL_RULINGS.path) in publisher.paths_asked()) == (2, before, False)
    alone = call(home, "get", "mtg/rulings", "--yes")
    assert (alone.code, "mtg name their cards only by number; first run: rulestone get mtg/cards" in alone.err) == (2, True)
    cards_file = home.with_name("oracle.jsonl")
    cards_file.write_bytes(gzip.decompress(as_gzip(ORACLE)))
    assert call(home, "cards", cards_file).code == 0
    result = call(home, "get", "Magic/rulings", "--yes")
    assert (result.code, result.err) == (0, "")
    for words in (publisher.url(ALL_RULINGS.path), source.licence or "", "kB", "at most 64 MB", "run rulestone index"):
        assert words in result.out
    rulings = call(home, "rulings", "Ferryman's Toll", "--json").json()["rulings"]
    assert [(one["cards"], one["card_ids"], one["authority"]) for one in rulings] == [(["Ferryman's Toll"], ["o-1"], "official")]
    assert call(home, "rulings", "Rush", "--json").json()["rulings"][0]["authority"] == "community"
    assert call(home, "rulings", "o-9", "--json").json()["rulings"][0]["cards"] == ["o-9"]
    second = call(home, "get", "mtg/rulings", "--yes")
    assert (second.code, second.err, "nothing newer" in second.out) == (0, "", True)
    newer = ALL_RULINGS._replace(path="/rulings/rulings-20261011210155.jsonl.gz", data=as_gzip(RULINGS[:2]))
    offers(publisher, monkeypatch, newer)
    assert call(home, "get", "mtg/rulings", "--yes").code == 0
    assert call(home, "rulings", "o-9").code == 1
    offers(publisher, monkeypatch, newer._replace(path="/rulings/rulings-20261012210155.jsonl.gz", data=as_gzip([["no ruling"]])))
    wrong = call(home, "get", "mtg/rulings", "--yes")
    assert (wrong.code, "a line that is no ruling" in wrong.err) == (3, True)


def test_a_newer_file_takes_the_place_of_the_older(publisher: Publisher, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offers(publisher, monkeypatch, SHAPES[0])
    assert "2026-10-10" in call(home, "get", "Magic/cards", "--yes").out
    newer = SHAPES[0]._replace(path="/oracle-cards/oracle-cards-20261011210155.jsonl.gz", data=as_gzip(ORACLE[1:]))
    offers(publisher, monkeypatch, newer)
    assert "1 card of mtg in en · 1 in all" in call(home, "get", "mtg/cards", "--yes").out
    assert call(home, "cards", "Ferryman's Toll").code == 1
    assert call(home, "remove", "oracle-cards-20261011210155.jsonl").code == 0
    assert "1 card of mtg" in call(home, "get", "mtg/cards", "--yes").out


def test_a_game_means_its_books(publisher: Publisher, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offers(publisher, monkeypatch, SHAPES[1])
    ended = call(home, "get", "ygo", "--yes")
    assert (ended.code, publisher.asked) == (1, [])
    assert "known for 'ygo', only for ygo/cards" in ended.err


def test_several_members_and_a_file_that_is_sent_unpacked(tmp_path: Path) -> None:
    text = b"".join(b'{"name": "Ferry %d"}\n' % nth for nth in range(60_000))
    for data in (gzip.compress(text), gzip.compress(text[:999]) + gzip.compress(text[999:]), text):
        for name in ("a.jsonl.gz", "a", "a.jsonl", "a.gz"):
            file = tmp_path / name
            file.write_bytes(data)
            plain = cards.unpacked(file, "https://x.invalid/a.jsonl.gz", "jsonl")
            assert (plain.name, plain.read_bytes() == text) == ("a.jsonl", True)


LIST = "/bulk-data"
WRONG = {
    "no list": (LIST, Given(b"<html>Log in</html>"), "is no list of files"),
    "a nested list": (LIST, Given(b"[" * 200_000), "is no list of files"),
    "another list": (LIST, Given(b'{"data": [{"type": "rulings"}]}'), "no address that matches"),
    "a lost file": (SHAPES[0].path, Given(b"", 404), "no longer exists"),
    "a page": (SHAPES[0].path, Given(b"<html>Log in</html>"), "is an HTML page"),
    "cut off": (SHAPES[0].path, Given(SHAPES[0].data[:-9]), "is damaged"),
    "not packed well": (SHAPES[0].path, Given(SHAPES[0].data[:30] + b"xx" + SHAPES[0].data[30:]), "is damaged"),
    "too much": (SHAPES[0].path, Given(gzip.compress(b" " * 4_000_000)), "unpacks to more than 1 MB"),
    "no cards": (SHAPES[0].path, Given(gzip.compress(b'{"tide": 1}\n')), "unknown kind"),
    "programs refused": ("/robots.txt", Given(b"User-agent: *\nDisallow: /"), "does not allow programs"),
}


@pytest.mark.parametrize(("path", "answer", "message"), WRONG.values(), ids=WRONG)
def test_an_error_is_one_line_and_changes_nothing(
    publisher: Publisher, home: Path, monkeypatch: pytest.MonkeyPatch, path: str, answer: Given, message: str
) -> None:
    monkeypatch.setattr(cards, "UNPACKED_BYTES", 1 << 20)
    offers(publisher, monkeypatch, SHAPES[0])
    publisher.paths[path] = answer
    before = state(home)
    ended: Ended = call(home, "get", "mtg/cards", "--yes")
    assert (ended.code in (2, 3), len(ended.err.splitlines()), state(home) == before) == (True, 1, True), ended.err
    assert message in ended.err
    assert "download it manually: https://localhost:" in ended.err


def test_blank_lines_between_rulings_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "rulings.jsonl"
    file.write_text('{"oracle_id": "o-1", "comment": "A toll."}\n\n \r\n{"oracle_id": "o-9"}\n', encoding="utf-8")
    cards.add_card_names(file, {"o-1": ["Ferryman's Toll"]}, "https://rulings.example")
    first, second = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    assert "Ferryman's Toll" in str(first)
    assert second == {"oracle_id": "o-9"}
