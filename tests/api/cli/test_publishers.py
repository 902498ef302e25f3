"""`get` and `update` with a publisher on this machine, and with everything that can be wrong with one."""

import json
import re
import shutil
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from shutil import which
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from corpus.errors import EnvironmentFault, InputError
from corpus.sources import PublisherSource
from corpus.sources import sources as shipped_sources
from corpus.store.home import Home
from rulestone.publishers import books, download
from tests.support.commands import Ended, call, state
from tests.support.homes import books_alone
from tests.support.publisher import (
    Given,
    Publisher,
    book,
    book_of,
    local_address,
    local_sources,
    page,
    sources,
)

pytestmark = pytest.mark.skipif(which("openssl") is None, reason="no openssl here, which makes the certificate")
JUNE, JANUARY = "June 19, 2026", "January 16, 2026"


@pytest.fixture
def publisher(publisher: Publisher, monkeypatch: pytest.MonkeyPatch) -> Publisher:
    monkeypatch.setenv("RULESTONE_SOURCES", str(sources(publisher)))
    return publisher


@pytest.fixture(scope="module")
def june(tmp_path_factory: pytest.TempPathFactory, alone_home: Home) -> Path:
    """A home with the edition of June."""
    folder = tmp_path_factory.mktemp("june")
    file = folder / "june.txt"
    file.write_bytes(book(JUNE))
    home = Path(shutil.copytree(alone_home.path, folder / "home"))
    with books_alone():
        assert call(home, "add", file).code == 0
    return home


@pytest.fixture
def home(june: Path, tmp_path: Path, books_alone: None) -> Path:
    return Path(shutil.copytree(june, tmp_path / "home"))


def test_three_commands_answer_in_official_words(publisher: Publisher, digest_home: Home, tmp_path: Path) -> None:
    fresh = Path(shutil.copytree(digest_home.path, tmp_path / "fresh"))
    path = publisher.offers("20260619", book(JUNE))
    download_result = call(fresh, "get", "mtg", "--yes")
    assert (download_result.code, download_result.err) == (0, "")
    address = publisher.url(path)
    for words in (
        address,
        publisher.url("/en/rules", "localhost"),
        "https://localhost/licence",
        "2026-06-19",
        "kB",
        "mtg/cr/2026-06-19",
    ):
        assert words in download_result.out
    result = call(fresh, "show", "mtg:101.1")
    assert "A ferry holds at most six tokens." in result.out
    assert publisher.paths_asked() == [
        ("GET", "/robots.txt"),  # of the page's host
        ("GET", "/en/rules"),
        ("GET", "/robots.txt"),  # of the book's host
        ("HEAD", path),
        ("GET", path),
    ]
    for _, _, _, headers in publisher.asked:
        assert headers["User-Agent"].startswith("Rulestone/")
        assert "Cookie" not in headers


def test_without_a_name_it_lists_the_sources_and_requests_nothing(publisher: Publisher, tmp_path: Path) -> None:
    result = call(tmp_path / "nowhere", "get")
    assert (result.code, publisher.asked) == (0, [])
    assert publisher.url("/en/rules", "localhost") in result.out
    assert not (tmp_path / "nowhere").exists()


def test_where_nobody_can_be_asked_nothing_is_downloaded(publisher: Publisher, home: Path) -> None:
    path = publisher.offers("20260807", book("August 7, 2026"))
    ended = unchanged(home, "get", "mtg/cr")
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert "--yes" in ended.err
    assert ("GET", path) not in publisher.paths_asked()


@pytest.mark.parametrize(("answer", "code"), [("n\n", 1), ("\n", 1), ("y\n", 0)])
def test_it_asks_once(publisher: Publisher, home: Path, monkeypatch: pytest.MonkeyPatch, answer: str, code: int) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

        def readline(self) -> str:
            return answer

    monkeypatch.setattr("sys.stdin", Terminal())
    publisher.offers("20260807", book("August 7, 2026"))
    before = state(home)
    ended = call(home, "get", "mtg")
    assert (ended.code, ended.err.count("[y/N]")) == (code, 1)
    assert (state(home) == before) == bool(code)


def test_an_unchanged_file_is_not_sent_again_until_the_book_is_removed(publisher: Publisher, home: Path) -> None:
    path = publisher.offers("20260807", book("August 7, 2026"), ETag='"v1"')
    publisher.paths["/en/rules"] = Given(page(publisher.url(path)), headers={"ETag": '"p1"'})
    assert call(home, "get", "mtg", "--yes").code == 0
    publisher.asked.clear()
    second = call(home, "get", "mtg", "--yes")
    assert (second.code, second.err) == (0, "")
    assert "nothing newer" in second.out
    assert ("GET", path) not in publisher.paths_asked()
    assert call(home, "remove", "mtg:2026-08-07").code == 0
    assert call(home, "remove", "mtg:2026-06-19").code == 0
    assert "mtg/cr/2026-08-07" in call(home, "get", "mtg", "--yes").out


class Clock:
    """A clock that only sleeping moves: what a request takes on its way to the publisher does not count."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_at_most_one_request_a_second(publisher: Publisher, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "PAUSE_SECONDS", 1.0)
    clock = Clock()
    for module in ("rulestone.publishers.download", "tests.support.publisher"):
        monkeypatch.setattr(f"{module}.time", clock)
    publisher.offers("20260619", book(JUNE))
    call(home, "update", "--check")
    assert [request[0] for request in publisher.asked] == [100.0, 101.0, 102.0, 103.0]


SHIPPED = [
    ("mtg/cr en", "https://media.wizards.com/2026/downloads/MagicCompRules 20260619.txt", "2026-06-19"),
    ("dm/cr ja", "https://dm.takaratomy.co.jp/img/dm_rule_20260723_5.pdf", "2026-07-23"),
    ("onepiece/cr en", "https://en.onepiece-cardgame.com/pdf/rule_comprehensive.pdf?20260828", "2026-08-28"),
    ("onepiece/cr en", "https://en.onepiece-cardgame.com/pdf/rule_comprehensive.pdf?20260116=", "2026-01-16"),
    ("onepiece/cr en", "https://en.onepiece-cardgame.com/pdf/tournament_rules_manual.pdf?20260116=", "no"),
    ("onepiece/cr en", "https://asia-en.onepiece-cardgame.com/pdf/rule_comprehensive.pdf?20260911=", "no"),
    ("digimon/cr en", "https://world.digimoncard.com/rule/pdf/general_rule.pdf?20260918", "2026-09-18"),
    ("digimon/cr en", "https://world.digimoncard.com/rule/pdf/manual.pdf?20260401=", "no"),
    ("gundam/cr en", "https://www.gundam-gcg.com/en/pdf/comprehensiverules_en.pdf?260917", "2026-09-17"),
    ("gundam/cr en", "https://www.gundam-gcg.com/en/pdf/floor_rule_en.pdf?2508291=", "no"),
    ("riftbound/cr en", "https://cmsassets.rgpub.io/sanity/files/dsfx7636/news_live/e9ac8e3d33e0f78c.pdf", None),
    ("riftbound/cr en", "https://cmsassets.rgpub.io/sanity/images/dsfx7636/news/8ab3e227121c53aa.png", "no"),
    ("lorcana/cr en", "https://files.disneylorcana.com/Comprehensive-Rules_2.2.0-EN.pdf", None),
    ("lorcana/cr en", "https://files.disneylorcana.com/Disney Lorcana Comprehensive Rules - 103125 - DE.pdf", None),
    ("lorcana/cr en", "https://files.disneylorcana.com/Disney Lorcana TCG Tournament Rules S2_09-Sep-25.pdf", "no"),
    ("flesh-and-blood/cr en", "https://rules.fabtcg.com/txt/latest/en-fab-cr.txt", None),
    ("pokemon/advanced-manual ja", "https://www.pokemon-card.com/assets/document/advanced_manual.pdf", None),
    ("shadowverse-evolve/cr ja", "https://shadowverse-evolve.com/any.pdf", "no"),
    ("mtg/cards en", "https://data.scryfall.io/oracle-cards/oracle-cards-20261010210155.jsonl.gz", "2026-10-10"),
    ("mtg/cards en", "https://data.scryfall.io/oracle-cards/oracle-cards-20250929090303.json", "no"),
    ("mtg/cards en", "https://data.scryfall.io/default-cards/default-cards-20261010210155.jsonl.gz", "no"),
    ("ygo/cards mul", "https://dawnbrandbots.github.io/yaml-yugi/cards.json", None),
    ("lorcana/cards en", "https://lorcanajson.org/files/current/en/allCards.json", None),
    (
        "weiss-schwarz/cr ja",
        "https://ws-tcg.com/wordpress/wp-content/uploads/2026/05/19125324/WS_rule_1.111.pdf",
        "2026-05-19",
    ),
]


def shipped(name: str) -> PublisherSource:
    return next(source for source in shipped_sources({}) if source.name == name)


@pytest.mark.parametrize(("name", "address", "day"), SHIPPED)
def test_shipped_patterns_fit_the_addresses_that_were_seen(name: str, address: str, day: str | None) -> None:
    source = shipped(name)
    assert (source.day_in(address) if source.has_address(address) else "no") == day


PARTS = r"/(?P<year>(?:\d\d)?\d\d)/(?P<month>\d\d)/(?:(?P<day>\d\d)\d{6})?"
DAYS = [
    (r"\?(?P<date>\d{6,8})$", "a.pdf?20260918", "2026-09-18"),
    (r"\?(?P<date>\d{6,8})$", "a.pdf?260918", "2026-09-18"),
    (r"\?(?P<date>\d{6,8})$", "a.pdf?20261318", None),
    (r"\?(?P<date>\d{6,8})$", "a.pdf?260230", None),
    (PARTS, "2026/05/19125324/a.pdf", "2026-05-19"),
    (PARTS, "2026/05/a.pdf", "2026-05"),
    (PARTS, "2026/13/a.pdf", None),
    (PARTS, "26/05/a.pdf", "2026-05"),
]


@pytest.mark.parametrize(("link", "path", "day"), DAYS)
def test_a_day_in_an_address(link: str, path: str, day: str | None) -> None:
    assert shipped("onepiece/cr en")._replace(link=re.compile(link)).day_in(f"https://x.invalid/up/{path}") == day


WRONG_ENTRIES = {
    "a month without its year": ({"link": r"(?P<month>\d\d)\.txt"}, "the groups of link"),
    "link and file": ({"file": "https://localhost/a.txt"}, "not both"),
    "words of no link": ({"link": "", "words": "Rules"}, "belong to a link"),
    "a file without TLS": ({"link": "", "file": "http://localhost/a.txt"}, "must be https"),
    "a list without TLS": ({"list": "http://localhost/a"}, "must be https"),
    "a list without a link": ({"link": "", "list": "https://localhost/a"}, "belong to a link"),
    "cards as text": ({"book": "mtg/cards"}, "format must be one of json"),
    "a book as JSON": ({"format": "json"}, "format must be one of txt"),
    "an unknown field": ({"licens": "https://localhost/licence"}, "licens"),
}


@pytest.mark.parametrize(("fields", "message"), WRONG_ENTRIES.values(), ids=WRONG_ENTRIES)
def test_a_wrong_entry_is_told(publisher: Publisher, fields: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        shipped_sources({"RULESTONE_SOURCES": str(sources(publisher, **fields))})


# The shapes of the shipped publishers


class Shape(NamedTuple):
    """A shipped source, a page as its publisher writes it, the file's path, and the dates of the text and of the address."""

    name: str
    body: str
    path: str
    date_line: str
    edition: str
    published: str | None
    size: int = 0


SHAPES = [
    Shape(
        "digimon/cr en",
        '<a href="pdf/manual.pdf?20260401"><p>Rule Manual</p></a>'
        '<a href="pdf/general_rule.pdf?20260918"><span><p>Comprehensive Rules Manual<br>( Sep. 18, 2026 )</p></span></a>',
        "/rule/pdf/general_rule.pdf?20260918",
        "Last Updated: 2026/09/18",
        "2026-09-18",
        "2026-09-18",
    ),
    Shape(
        "gundam/cr en",
        '<h2>COMPREHENSIVE RULES</h2><p>Updated September 11, 2026.</p><a href="../pdf/comprehensiverules_en.pdf?260917">PDF</a>',
        "/en/pdf/comprehensiverules_en.pdf?260917",
        "Updated Sep 11, 2026",
        "2026-09-11",
        "2026-09-17",
    ),
    Shape(
        "riftbound/cr en",
        '<h2>Core Rules</h2><a href="{file}">Download</a>'
        '<h2>Tournament Rules</h2><a href="https://127.0.0.1:{port}/sanity/files/x/news_live/0f0f.pdf">Download</a>',
        "/sanity/files/x/news_live/e9ac8e3d33e0f78c.pdf",
        "Last updated: 2026-07-16",
        "2026-07-16",
        None,
        43_000_000,
    ),
    Shape(
        "lorcana/cr en",
        "<h2><button>Comprehensive Rules</button></h2>"
        '<a href="https://127.0.0.1:{port}/Disney Lorcana Comprehensive Rules - 103125 - DE.pdf">Deutsch</a>'
        '<a href="{file}">English</a>'
        '<h2>Tournament Rules</h2><a href="https://127.0.0.1:{port}/Tournament-Rules_EN.pdf">English</a>',
        "/Comprehensive-Rules_2.2.0-EN.pdf",
        "Effective July 9, 2026",
        "2026-07-09",
        None,
    ),
    Shape("flesh-and-blood/cr en", "", "/txt/latest/en-fab-cr.txt", "2026-6-10\n2.14.0", "2026-06-10", None),
    Shape("pokemon/advanced-manual ja", "", "/assets/document/advanced_manual.pdf", "2025年8月1日改訂", "2025-08-01", None),
    Shape(
        "weiss-schwarz/cr ja",
        '<a href="/wordpress/wp-content/uploads/2025/04/02100000/WS_rule_1.110.pdf">1.110</a> <a href="{file}">1.111</a>',
        "/wordpress/wp-content/uploads/2026/05/19125324/WS_rule_1.111.pdf",
        "最終更新日：2026年5月19日",
        "2026-05-19",
        "2026-05-19",
    ),
]


def offers(publisher: Publisher, patch: pytest.MonkeyPatch, shape: Shape, **headers: str) -> tuple[PublisherSource, bytes]:
    """The publisher offers a book in the shape of a shipped one: its source, and the book."""
    source = shipped(shape.name)
    patch.setenv("RULESTONE_SOURCES", str(local_sources(publisher, source)))
    body = shape.body.replace("{file}", publisher.url(shape.path)).replace("{port}", str(publisher.server_port))
    publisher.paths["/robots.txt"] = Given(status=404)
    publisher.paths[urlsplit(source.page).path] = Given(f"<!doctype html><html><body>{body}</body></html>".encode())
    data = book_of(source, shape.date_line, size=shape.size)
    publisher.paths[shape.path] = Given(data, headers=headers)
    return source, data


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_book_of_each_shipped_publisher(
    publisher: Publisher, books_alone: None, alone_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: Shape
) -> None:
    home = Path(shutil.copytree(alone_home.path, tmp_path / "home"))
    source, data = offers(publisher, monkeypatch, shape, ETag='"v1"')
    result = call(home, "get", source.book, "--yes")
    assert (result.code, result.err) == (0, "")
    assert f"{source.book}/{shape.edition}" in result.out
    assert (shape.published or "the text states the date") in result.out.splitlines()[0]
    assert f"{-(-len(data) // 1000)} kB" in result.out
    assert (source.licence or "licence: no page is known") in result.out
    assert ("15 s of processor time and 768 MB of memory" in result.out) == (shape.size > 0)
    read_page = ("GET", urlsplit(source.page).path) in publisher.paths_asked()
    assert read_page == (source.file is None)
    publisher.asked.clear()
    second = call(home, "get", source.book, "--yes")
    assert (second.code, second.err) == (0, "")
    assert "nothing newer" in second.out
    assert ("GET", shape.path) not in publisher.paths_asked()
    assert call(home, "update", "--check").code == 0


def test_the_link_of_a_publisher_that_was_not_seen_is_left_out(
    publisher: Publisher, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = shipped("shadowverse-evolve/cr ja")
    monkeypatch.setenv("RULESTONE_SOURCES", str(local_sources(publisher, source)))
    ended = unchanged(home, "get", "シャドバ", "--yes")
    assert (ended.code, ended.err, publisher.asked, len(ended.out.splitlines())) == (1, "", [], 1)
    assert local_address(publisher, source.page, "localhost") in ended.out


DATED_LATER, UNDATED = SHAPES[1], SHAPES[4]


@pytest.mark.parametrize("shape", [DATED_LATER, UNDATED], ids=["a later day in the address", "no day in the address"])
def test_update_reads_the_date_of_the_text(
    publisher: Publisher, books_alone: None, alone_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: Shape
) -> None:
    home = Path(shutil.copytree(alone_home.path, tmp_path / "home"))
    source, data = offers(publisher, monkeypatch, shape, ETag='"v1"')
    file = tmp_path / f"mine.{source.format}"
    file.write_bytes(data)
    assert call(home, "add", file).code == 0
    checked = unchanged(home, "update", "--check", "--json")  # the user's file may be another one
    assert (checked.code, [row["status"] for row in json.loads(checked.out)["books"]]) == (
        1,
        ["newer" if shape.published else "undated"],
    )
    editions = call(home, "editions").out
    updated = call(home, "update", "--yes", "--json")
    assert [row["status"] for row in updated.json()["books"]] == ["current"]
    assert call(home, "editions").out == editions
    assert call(home, "update", "--check").code == 0
    later = shape._replace(date_line="Last updated: December 1, 2026", path=shape.path.replace("260917", "261201"))
    offers(publisher, monkeypatch, later._replace(body=shape.body.replace("260917", "261201")), ETag='"v2"')
    updated = call(home, "update", "--yes", "--json")
    assert [row["status"] for row in updated.json()["books"]] == ["added"]
    assert f"{source.book}/2026-12-01" in call(home, "editions").out


def test_two_links_without_a_date_are_not_guessed(publisher: Publisher, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change_source(publisher, monkeypatch, link=r"/cr-\w+\.txt$")
    publisher.paths["/en/rules"] = Given(page(publisher.url("/cr-1f.txt"), publisher.url("/cr-2e.txt")))
    publisher.paths["/robots.txt"] = Given(status=404)
    assert_refused(home, 3, "2 links on the page match the book, and none has a date")


LINKS = [
    ('<a href="b.txt">B</a>', [("https://x.invalid/a/b.txt", " B")]),
    ('<base href="/c/"><a href=" ../b%20d.txt?260917 ">B</a>', [("https://x.invalid/b d.txt?260917", " B")]),
    (
        "<h2>Core\n<b>Rules</b></h2><p><a href='//y.invalid/b'>Download <i>it</i></a>",
        [("https://y.invalid/b", "Core Rules Download it")],
    ),
    ("<a name='x'>B</a><a href='http://[bad'>B</a>", [("http://[bad", " B")]),
    (" ", []),
]


@pytest.mark.parametrize(("body", "expected"), LINKS)
def test_links_of_a_page(body: str, expected: list[tuple[str, str]]) -> None:
    assert list(books._links(body.encode(), "https://x.invalid/a/")) == expected


# Large files


def test_a_large_file_needs_no_memory(publisher: Publisher, tmp_path: Path) -> None:
    chunk = b"x" * 2**16

    def send(request: Any) -> None:  # noqa: ANN401
        request.send_response(200)
        request.send_header("Content-Length", str(43 * 2**20))
        request.end_headers()
        for _ in range(43 * 16):
            request.wfile.write(chunk)

    publisher.paths = {"/robots.txt": Given(status=404), "/a.pdf": send}
    tracemalloc.start()
    try:
        answer = download.Client().request(publisher.url("/a.pdf"), {"127.0.0.1"}, largest=64 * 2**20, file=tmp_path / "a.pdf")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert ((tmp_path / "a.pdf").stat().st_size, answer.data) == (43 * 2**20, b"")
    assert peak < 8 * 2**20


def test_a_disk_fault_is_none_of_the_publisher(publisher: Publisher, tmp_path: Path) -> None:
    publisher.paths = {"/robots.txt": Given(status=404), "/a.pdf": Given(b"%PDF-")}
    with pytest.raises(EnvironmentFault, match="cannot write") as error:
        download.Client().request(publisher.url("/a.pdf"), {"127.0.0.1"}, file=tmp_path / "absent" / "a.pdf")
    assert not isinstance(error.value, download.PublisherFault)


# update


def test_update_reports_its_additions_and_changes(publisher: Publisher, home: Path) -> None:
    publisher.offers("20260619", book(JUNE))
    current = unchanged(home, "update", "--check", "--json")
    assert [row["status"] for row in current.json()["books"]] == ["current"]
    publisher.offers("20260807", book("August 7, 2026", rule="at most seven tokens"))
    checked = unchanged(home, "update", "--check")
    assert (checked.code, checked.err) == (1, "")
    assert "a newer edition is available · 2026-08-07" in checked.out
    listed = unchanged(home, "update", "--check", "--json")
    assert (listed.code, [row["status"] for row in json.loads(listed.out)["books"]]) == (1, ["newer"])
    updated = call(home, "update", "--yes", "--json")
    [row] = updated.json()["books"]
    assert (row["status"], row["loaded"], row["published"]) == ("added", "2026-06-19", "2026-08-07")
    assert row["see"] == "rulestone diff mtg/cr 2026-06-19 2026-08-07"
    assert "1 reworded" in row["summary"]
    assert "1 reworded" in call(home, *row["see"].split()[1:]).out
    publisher.asked.clear()
    assert call(home, "update", "--yes").code == 0
    assert [command for command, path in publisher.paths_asked() if "MagicCompRules" in path] == ["HEAD"]


def test_update_of_a_home_without_such_books_asks_nobody(publisher: Publisher, ferry_home: Path) -> None:
    ended = call(ferry_home, "update")
    assert (ended.code, ended.err, publisher.asked) == (0, "", [])


def test_a_fault_of_one_publisher_is_told_beside_the_rest(publisher: Publisher, home: Path) -> None:
    publisher.paths["/en/rules"] = Given(b"", 503)
    ended = unchanged(home, "update", "--json")
    assert (ended.code, len(ended.err.splitlines())) == (3, 1)
    [row] = json.loads(ended.out)["books"]
    assert (row["status"], row["error"] in ended.err) == ("failed", True)


# What can be wrong with a publisher


def unchanged(home: Path, *arguments: str) -> Ended:
    """A command that changes nothing in a home."""
    before, files = state(home), sorted(home.rglob("*"))
    ended = call(home, *arguments)
    assert (state(home), sorted(home.rglob("*"))) == (before, files)
    return ended


def moved_file(publisher: Publisher, _: pytest.MonkeyPatch) -> str:
    publisher.paths["/en/rules"] = Given(page(publisher.url("/old/MagicCompRules 20260807.txt")))
    return "no longer exists (HTTP 404)"


def captive_portal(publisher: Publisher, _: pytest.MonkeyPatch) -> str:
    login = Given(b"<html><body><form>Accept our terms</form></body></html>")
    publisher.paths = dict.fromkeys(("/robots.txt", "/en/rules"), login)
    return "log-in page"


def portal_with_its_own_certificate(_: Publisher, patch: pytest.MonkeyPatch) -> str:
    patch.delenv("SSL_CERT_FILE")
    return "has no valid certificate"


def proxy(_: Publisher, patch: pytest.MonkeyPatch) -> str:
    patch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")  # where nobody is
    for name in ("NO_PROXY", "no_proxy"):
        patch.delenv(name, raising=False)
    return "reach"


def half_download(publisher: Publisher, _: pytest.MonkeyPatch) -> str:
    data = book("August 7, 2026")

    def send_half(request: Any) -> None:  # noqa: ANN401
        request.send_response(200)
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        if request.command == "GET":
            request.wfile.write(data[: len(data) // 2])
        request.close_connection = True

    publisher.paths[publisher.offers("20260807", data)] = send_half
    return "closed the connection before the end"


def pdf_that_is_html(publisher: Publisher, patch: pytest.MonkeyPatch) -> str:
    path = publisher.offers("20260807", b"").replace(".txt", ".pdf")
    publisher.paths["/en/rules"] = Given(page(publisher.url(path)))
    publisher.paths[path] = Given(b"<!DOCTYPE html><html><body>Log in</body></html>", headers={"Content-Type": "application/pdf"})
    change_source(publisher, patch, format="pdf")
    return "is an HTML page, not a pdf file"


def too_large(publisher: Publisher, _: pytest.MonkeyPatch) -> str:
    def claim_much(request: Any) -> None:  # noqa: ANN401
        request.send_response(200)
        request.send_header("Content-Length", str(1 << 40))
        request.end_headers()

    publisher.paths[publisher.offers("20260807", b"")] = claim_much
    return "more than 64 MB"


def too_large_without_saying_so(publisher: Publisher, _: pytest.MonkeyPatch) -> str:
    publisher.paths["/en/rules"] = send_without_length(b"x" * (5 << 20))
    return "more than 4 MB"


def send_without_length(data: bytes) -> Callable[[Any], None]:
    def send(request: Any) -> None:  # noqa: ANN401
        request.send_response(200)
        request.end_headers()
        request.wfile.write(data)
        request.close_connection = True

    return send


def too_slow(publisher: Publisher, patch: pytest.MonkeyPatch) -> str:
    def say_nothing(_request: Any) -> None:  # noqa: ANN401
        publisher.over.wait()

    patch.setattr(download, "SECONDS", 0.4)
    publisher.paths["/en/rules"] = say_nothing
    return "does not answer within"


def a_byte_now_and_then(publisher: Publisher, patch: pytest.MonkeyPatch) -> str:
    patch.setattr(download, "LONGEST", 1.0)

    def drip(request: Any) -> None:  # noqa: ANN401
        request.send_response(200)
        request.send_header("Content-Length", "1000")
        request.end_headers()
        while not publisher.over.wait(0.1):
            request.wfile.write(b"x")

    publisher.paths["/en/rules"] = drip
    return "took more than 1 s"


def a_head_that_never_ends(publisher: Publisher, patch: pytest.MonkeyPatch) -> str:
    patch.setattr(download, "LONGEST", 1.0)

    def drip(request: Any) -> None:  # noqa: ANN401
        request.send_response(200)
        request.flush_headers()
        while not publisher.over.wait(0.1):
            request.wfile.write(b"X: x\r\n")

    publisher.paths["/en/rules"] = drip
    return "took more than 1 s"


def nobody_there(publisher: Publisher, patch: pytest.MonkeyPatch) -> str:
    change_source(publisher, patch, page="https://localhost:1/en/rules")
    return "localhost cannot be reached"


def change_source(publisher: Publisher, patch: pytest.MonkeyPatch, **fields: str) -> None:
    patch.setenv("RULESTONE_SOURCES", str(sources(publisher, **fields)))


WRONG = [
    moved_file,
    captive_portal,
    portal_with_its_own_certificate,
    proxy,
    half_download,
    pdf_that_is_html,
    too_large,
    too_large_without_saying_so,
    too_slow,
    a_byte_now_and_then,
    a_head_that_never_ends,
    nobody_there,
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.__name__)
def test_an_error_is_one_line_with_the_page_and_changes_nothing(
    publisher: Publisher, home: Path, monkeypatch: pytest.MonkeyPatch, wrong: Callable[[Publisher, pytest.MonkeyPatch], str]
) -> None:
    publisher.offers("20260807", book("August 7, 2026"))
    assert_refused(home, 3, wrong(publisher, monkeypatch))


ANSWERS = {
    "changed shape": ("/en/rules", Given(page("/rules/2026/index.html")), "the page has changed"),
    "empty page": ("/en/rules", Given(b" "), "the page has changed"),
    "to another host": (
        "/en/rules",
        Given(status=302, headers={"Location": "https://portal.invalid/login"}),
        "portal.invalid, which is not one of",
    ),
    "without TLS": ("/en/rules", Given(status=301, headers={"Location": "http://localhost/en/rules"}), "is not an https address"),
    "programs refused": ("/en/rules", Given(status=403), "localhost does not answer programs (HTTP 403)"),
    "in a circle": ("/en/rules", Given(status=301, headers={"Location": "/en/rules"}), "more than 5 times"),
    "page forbidden": (
        "/robots.txt",
        Given(b"User-agent: *\nDisallow: /en/\n"),
        "robots.txt of localhost does not allow programs to download",
    ),
    "file forbidden": (
        "/robots.txt",
        Given(b"User-agent: rulestone\nDisallow: /2026/\n"),
        "robots.txt of 127.0.0.1 does not allow programs to download",
    ),
    "robots cannot be read": ("/robots.txt", Given(status=503), "HTTP 503"),
    "robots behind a lock": ("/robots.txt", Given(status=403), "does not allow programs to download"),
}


@pytest.mark.parametrize(("path", "answer", "message"), ANSWERS.values(), ids=ANSWERS)
def test_a_wrong_answer_is_told_likewise(publisher: Publisher, home: Path, path: str, answer: Given, message: str) -> None:
    publisher.offers("20260807", book("August 7, 2026"))
    publisher.paths[path] = answer
    assert_refused(home, 3, message)


def assert_refused(home: Path, code: int, message: str) -> None:
    ended = unchanged(home, "get", "mtg", "--yes")
    assert (ended.code, len(ended.err.splitlines())) == (code, 1), ended.err
    assert message in ended.err
    assert "download it manually: https://localhost:" in ended.err


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (book(JANUARY), "the edition 2026-01-16, but the later edition mtg/cr/2026-06-19 is loaded"),
        (book("August 7, 2026", "ONE PIECE CARD GAME Comprehensive Rules"), "recognised as onepiece/"),
        (b"Roses are red.\n", "rule"),
    ],
    ids=["older", "another game", "no rulebook"],
)
def test_another_book_or_an_older_edition_is_refused(publisher: Publisher, home: Path, data: bytes, message: str) -> None:
    publisher.offers("20260807", data)
    assert_refused(home, 2, message)


def test_a_name_that_nobody_publishes(publisher: Publisher, home: Path) -> None:
    ended = unchanged(home, "get", "ferry")
    assert (ended.code, publisher.asked) == (1, [])
    assert "'ferry'" in ended.err
    assert "mtg/cr" in ended.err
