"""Search as people and programs meet it: bad input, damaged files, full disks, and what an answer says of itself."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient
from numpy.typing import NDArray

from api.cli.app import main
from api.http.app import create_app
from api.text.layout import display_width
from api.text.search import search_lines
from corpus.address import BASE
from corpus.digest import digests
from corpus.store.home import Home
from rulestone import Library
from rulestone.library.current import POLL_SECONDS
from rulestone.search_bodies import search_body
from rulestone.writing.add import build
from search.index import arrays
from search.searcher import Request, Searcher
from tests.support.homes import put, searching
from tests.support.pier import PIER

ROOT = Path(__file__).parents[2]


def refused(capsys: pytest.CaptureFixture[str], home: Path, *arguments: str) -> str:
    """The one line of a search that ends with exit code 3."""
    assert main(["--home", str(home), "search", *arguments]) == 3
    output = capsys.readouterr()
    assert (output.out, len(output.err.splitlines())) == ("", 1)
    return output.err


@pytest.mark.parametrize(
    ("file", "damage"),
    [
        ("index.json", "gone"),
        ("rules.json", "half"),
        ("terms.json", "other bytes"),
        ("data.npy", "half"),
        ("vectors.npy", "empty"),
    ],
)
def test_a_damaged_index_is_one_line_that_says_what_to_do(
    digest_home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str, damage: str
) -> None:
    copy = Path(shutil.copytree(digest_home.path, tmp_path / "home"))
    [damaged] = copy.glob(f"bundles/*/search/{file}")
    whole = damaged.read_bytes()
    damaged.unlink() if damage == "gone" else damaged.write_bytes(
        {"empty": b"", "half": whole[: len(whole) // 2], "other bytes": bytes(range(255, 0, -1)) * 9}[damage]
    )
    assert "run: rulestone build" in refused(capsys, copy, "yard")


def test_a_bundle_without_its_index_is_one_line_until_it_is_built_anew(
    digest_home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = Path(shutil.copytree(digest_home.path, tmp_path / "home"))
    [index] = copy.glob("bundles/*/search")
    shutil.rmtree(index)
    assert "is damaged" in refused(capsys, copy, "yard")
    assert main(["--home", str(copy), "build"]) == 0
    assert main(["--home", str(copy), "search", "graveyard order"]) == 0


def test_a_disk_that_takes_no_more_of_an_array_says_why(tmp_path: Path) -> None:
    script = f"""
import resource
import numpy as np
from pathlib import Path
from corpus.store.home.disk import os_faults
from search.index import arrays
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    with os_faults("write"):
        arrays.save(Path({str(tmp_path / "array.npy")!r}), np.zeros(5000))
except Exception as error:
    print(type(error).__name__, error)
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True, env=os.environ)
    assert ended.stdout.startswith("EnvironmentFault cannot write: the file grew beyond the size allowed here (ulimit -f)")


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("what does 400.7d say", ("400.7d",)),
        ("DM 400.3b とは", ("400.3b",)),
        ("第400.7条", ("400.7",)),
        ("４００．７Ｄ．", ("400.7d",)),
        ("1-3-5-1 or 319.5a-1", ("1-3-5-1", "319.5a-1")),
        ("400", ("400",)),
        ("400.7dogs, 40 life, 4000 points", ()),
        ("rule 400.7 d mtg", ("400.7d",)),
        ("400.7(d) or 400.7–e", ("400.7d", "400.7e")),
        ("400.7 a card", ("400.7",)),  # an article
        ("400.7 z, 400.7.z", ("400.7",)),  # no rule has this number
        ("10–1–4 と 3ー7ー6", ("10-1-4", "3-7-6")),
        ("702—19b", ("702-19b",)),
        ("rules 400–402, 400.3–400.5", ("400", "402", "400.3", "400.5")),  # ranges
    ],
)
def test_the_rule_numbers_in_a_query(digest_searcher: Searcher, query: str, numbers: tuple[str, ...]) -> None:
    assert digest_searcher.understand(Request(query)).numbers == numbers


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("what does rule 514 say with 100 life", ("514",)),
        ("does section 702.19 need 300 power", ("702.19",)),
        ("５００枚のときルール５１４はどうなる", ("514",)),
        ("rules 400.3 400.5", ("400.3", "400.5")),  # it contains nothing else
        ("mtg 400 say", ("400",)),
        ("what does 400.7 d say?", ("400.7d",)),
        ("magic 400.7d what is it", ("400.7d",)),
        ("dm 400だと", ("400",)),
        ("400.3bには何て書いてありますか", ("400.3b",)),
        ("万智牌400怎么说的", ("400",)),
        ("萬智牌 400.7d 的內容", ("400.7d",)),
        ("400 damage says the card", ()),
        ("100 life", ()),
    ],
)
def test_the_numbers_that_a_query_calls_rules(digest_searcher: Searcher, query: str, numbers: tuple[str, ...]) -> None:
    assert digest_searcher.understand(Request(query)).named_numbers == numbers


@pytest.mark.parametrize(
    ("query", "games", "first"),
    [
        ("400.7d", (), "mtg 400.7d"),
        ("what does 400.7d say", (), "mtg 400.7d"),
        ("DM 400.3b とは", (), "dm 400.3b"),
        ("400", ("dm",), "dm 400"),  # a heading
        ("mtg rule 400", (), "mtg 400"),
        ("what does rule 400 say in magic", (), "mtg 400"),
        ("what does section 400 of magic say about a card with power 702", (), "mtg 400"),
        ("デュエマのルール400には何と書いてある", (), "dm 400"),
        ("万智牌规则400说了什么", (), "mtg 400"),
        ("what does 3.15 say", (), "fow 3.15"),  # another
        ("mtg 400 say", (), "mtg 400"),
        ("デュエマの400だと", (), "dm 400"),
    ],
)
def test_a_number_that_is_typed_comes_first(digest_searcher: Searcher, query: str, games: tuple[str, ...], first: str) -> None:
    hit = search_body(digest_searcher, Request(query, games))["hits"][0]
    assert f"{hit['game']} {hit['locator']}" == first
    assert hit["why"]["legs"]["number"] > 0


@pytest.mark.parametrize("locator", ["400.3", "400.5", "400.7e"])
def test_a_number_in_a_rule_that_is_pasted_points_elsewhere(digest_searcher: Searcher, locator: str) -> None:
    [gloss] = [row for digest in digests() if digest.key.game == "mtg" for row in digest.glosses if row.locator == locator]
    hits = search_body(digest_searcher, Request(f"{gloss.words['en']} See rule 400.11b.", ("mtg",)))["hits"]
    assert hits[0]["locator"] == locator


@pytest.mark.parametrize(
    ("query", "options", "part"),
    [
        ("400.7d", {"games": ("dm",)}, "no rule of Duel Masters in the library has the number 400.7d"),
        ("319.5a-1", {}, "no rule in the library has the number 319.5a-1"),
        ("dm 514だと", {}, "収録されている デュエル・マスターズ のルールに、番号 514 のものはありません"),
        ("デュエルマスターズ", {}, "ゲーム名（デュエル・マスターズ）しかありません"),
        ("mtg rules", {}, "only Magic: The Gathering is named"),
        ("yard", {"book_lang": "en"}, "no book in en is in the library"),
        ("mtg yard", {"book_lang": "ja"}, "no book of Magic: The Gathering in ja is in the library"),
        ("pokémon prizes", {}, "the question names pokemon, a game without"),
    ],
)
def test_what_cannot_be_answered_says_why(digest_searcher: Searcher, query: str, options: dict[str, Any], part: str) -> None:
    body = search_body(digest_searcher, Request(query, **options))
    assert (body["abstained"], body["hits"]) == (True, [])
    assert part in (body["reason"] or "")


def test_every_hit_that_is_counted_can_be_paged_to(digest_searcher: Searcher) -> None:
    body = search_body(digest_searcher, Request("graveyard", limit=1))
    last = search_body(digest_searcher, Request("graveyard", limit=5, offset=body["total"] - 1))
    assert len(last["hits"]) == 1
    assert search_body(digest_searcher, Request("graveyard", offset=body["total"]))["hits"] == []


def test_a_hit_names_only_the_concepts_that_it_speaks_of(digest_searcher: Searcher) -> None:
    """Concepts with an address; `order` is an idea of search alone."""
    graveyard, hand = (f"{BASE}id/concept/{name}" for name in ("graveyard", "hand"))
    hits = search_body(digest_searcher, Request("graveyard hand order in magic and duel masters", limit=30))["hits"]
    concept_sets = [set(hit["why"]["concepts"]) for hit in hits]
    assert {graveyard, hand} in concept_sets
    assert {graveyard} in concept_sets or {hand} in concept_sets
    assert not any("/floor/" in concept for concept in set().union(*concept_sets))


@pytest.mark.parametrize(
    ("query", "concept", "other"),
    [
        ("my spell got countered", "countering", "counter"),
        ("does countering it cost anything", "countering", "counter"),
        ("how many counters are on it", "counter", "stack"),
        ("can I discard two", "discarding", "stack"),
        ("discarding two", "discarding", "graveyard"),
        ("is it in the discard pile", "graveyard", "discarding"),
        ("we are attacking together", "floor/attack", "power"),
    ],
)
def test_a_verb_form_does_not_name_a_thing(digest_searcher: Searcher, query: str, concept: str, other: str) -> None:
    concepts = digest_searcher.understand(Request(query, ("mtg",))).concepts
    assert concept in concepts
    assert other not in concepts


def test_a_counterpart_that_a_hit_lifts_says_so(digest_searcher: Searcher) -> None:
    hits = search_body(digest_searcher, Request("graveyard order in duel masters and magic"))["hits"]
    lifted = [hit for hit in hits if "lifted" in hit["why"]["legs"]]
    partners = {counterpart["iri"] for hit in hits for counterpart in hit["counterparts"]}
    assert any(hit["iri"] in partners for hit in lifted)


@pytest.mark.parametrize("shape", [(0,), (7,), (0, 3), (5, 3)])
@pytest.mark.parametrize("kind", [np.int8, np.int32, np.float32])
def test_an_array_comes_back_as_it_was(tmp_path: Path, shape: tuple[int, ...], kind: type) -> None:
    values: NDArray[Any] = np.arange(np.prod(shape)).reshape(shape).astype(kind)
    arrays.save(tmp_path / "array.npy", values)
    loaded = arrays.load(tmp_path / "array.npy")
    assert (loaded.dtype, loaded.shape, loaded.tolist()) == (values.dtype, shape, values.tolist())


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], "the query is empty"),
        ([" \t　"], "the query is empty"),
        (["墓" * 1001], "1001 characters long"),
        (["yard", "--game", "chess,dm"], "'chess': no rules of that game are loaded; expected some of"),
        (["yard", "--limit", "٣"], "expected a whole number from 1 to 100"),
        (["yard", "--limit", "0"], "expected a whole number from 1 to 100"),
        (["yard", "--lang", "fr"], "fr"),
        (["yard", "--in", "xx"], "xx"),
        (["yard", "--batch", "queries.jsonl"], "either QUERY or --batch FILE"),
        (["--batch", "no/such.jsonl"], "there is no file no/such.jsonl"),
        (["--batch", "."], "there is no file ."),
    ],
)
def test_bad_questions_are_one_line(digest_home: Home, capsys: pytest.CaptureFixture[str], arguments: list[str], part: str) -> None:
    assert main(["--home", str(digest_home.path), "search", *arguments]) == 2
    output = capsys.readouterr()
    assert (output.out, len(output.err.splitlines())) == ("", 1)
    assert part in output.err


@pytest.mark.parametrize("query", ["🃏🔥", "مقبرة", "?!…", "\ud83c yard", "a" * 1000, "0", "-5", "​"])
def test_strange_questions_are_answered_or_not(digest_home: Home, capsys: pytest.CaptureFixture[str], query: str) -> None:
    assert main(["--home", str(digest_home.path), "search", "--json", "--", query]) in (0, 1)
    output = capsys.readouterr()
    assert (set(json.loads(output.out)) >= {"query", "hits", "reason"}, output.err) == (True, "")


@pytest.mark.parametrize(
    ("lines", "bad"),
    [
        ('{"id": "a", "query": "yard"}\n' + "[" * 100_000, 2),
        ('\ufeff\r\n{"id": "a", "query": "yard"}\r\n\r\n{"id": "b"}\r\n', 4),
        ('{"id": "a", "query": "' + "x" * 1001 + '"}', 1),
        ('{"id": "a", "query": "yard", "game": ["dm"]}', 1),
        ("{", 1),
        ("[]", 1),
        ('{"id": 1, "query": "x"}', 1),
        ('{"id": "a", "query": ""}', 1),
        ('{"id": "a", "query": "yard"}\n{"id": "b", "query": "yard", "game": "chess"}', 2),
    ],
)
def test_a_bad_line_of_a_batch_writes_nothing(
    digest_home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: str, bad: int
) -> None:
    (tmp_path / "queries.jsonl").write_text(lines, encoding="utf-8", newline="")
    assert main(["--home", str(digest_home.path), "search", "--batch", str(tmp_path / "queries.jsonl")]) == 2
    output = capsys.readouterr()
    assert (output.out, f"line {bad}:" in output.err, len(output.err.splitlines())) == ("", True, 1)


def test_a_batch_of_odd_lines_is_answered_in_order(digest_home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("b", "yard", None), ("a", "墓地", "デュエマ"), ("b", "chess", None), ("", "mtg", "")]
    lines = [json.dumps({"id": name, "query": query, "game": game, "limit": "no"}) for name, query, game in rows]
    (tmp_path / "queries.jsonl").write_bytes(("\ufeff" + "\r\n \r\n".join(lines)).encode())
    assert main(["--home", str(digest_home.path), "search", "--batch", str(tmp_path / "queries.jsonl")]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(answer["id"], answer["abstained"]) for answer in answers] == [("b", False), ("a", False), ("b", True), ("", True)]
    assert {hit["game"] for hit in answers[1]["hits"]} == {"dm"}


def test_the_options_of_a_batch_apply_to_every_line(digest_home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [{"id": "a", "query": "graveyard order"}, {"id": "b", "query": "graveyard order", "game": "mtg"}]
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    arguments = ["--home", str(digest_home.path), "search", "--batch", str(tmp_path / "queries.jsonl")]
    assert main([*arguments, "--limit", "2", "--game", "ygo"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [({hit["game"] for hit in answer["hits"]}, len(answer["hits"])) for answer in answers] == [({"ygo"}, 2), ({"mtg"}, 2)]
    for option in (["--limit", "11"], ["--game", "chess"], ["--lang", "tlh"]):
        assert main([*arguments, *option]) == 2
        output = capsys.readouterr()
        assert (output.out, "line 1" in output.err, len(output.err.splitlines())) == ("", False, 1)


@pytest.mark.parametrize("query", ["400.7", "graveyard order", "墓地の順番", "额外怪兽区"])
def test_a_page_fits_a_phone(digest_searcher: Searcher, query: str) -> None:
    lines = list(search_lines(search_body(digest_searcher, Request(query)), 40))
    assert [line for line in lines if display_width(line) > 40] == []


def test_a_rule_names_the_rules_that_complete_it(digest_searcher: Searcher) -> None:
    body = search_body(digest_searcher, Request("400.7", ("mtg",), limit=1))
    [parts] = [line for line in search_lines(body, None) if "↳" in line]
    assert parts.split("↳ ")[1] == "400.7c, 400.7d, 400.7e, 400.7f, 400.7g, 400.7h, 400.7i, 400.7j, … (rulestone show mtg:400.7)"
    assert body["hits"][0]["why"]["parts"] == 12


@pytest.mark.usefixtures("books_alone")
@pytest.mark.parametrize("file", ["keys.npy", "vectors.npy", "index.json"])
def test_a_damaged_index_does_not_keep_a_book_from_being_added(alone_home: Home, tmp_path: Path, file: str) -> None:
    copy = Home(shutil.copytree(alone_home.path, tmp_path / "home"))
    [damaged] = copy.path.glob(f"bundles/*/search/{file}")
    damaged.write_bytes(damaged.read_bytes()[:-9])
    put(copy.path, PIER["en"], "2024-01-01", game="harbour")
    assert search_body(searching(copy), Request("sunken pile", ("harbour",)))["hits"]


@pytest.mark.usefixtures("books_alone")
def test_a_number_of_an_earlier_edition_leads_to_the_rule_as_it_is_numbered_now(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    for edition, number in (("2023-01-01", "402.3"), ("2024-01-01", "402.7")):
        put(home.path, PIER["en"].replace("402.3", number), edition, game="harbour")
    body = search_body(searching(home), Request("402.3", ("harbour",)))
    assert [(hit["edition"], hit["locator"], hit["current"]) for hit in body["hits"][:1]] == [("2024-01-01", "402.7", True)]


@pytest.mark.usefixtures("books_alone")
def test_a_server_says_that_an_index_is_damaged_and_goes_on_without_it(digest_home: Home, tmp_path: Path) -> None:
    copy = Home(Path(shutil.copytree(digest_home.path, tmp_path / "home")))
    [index] = copy.path.glob("bundles/*/search/index.json")
    index.write_text('{"format": 1}', encoding="utf-8")
    with TestClient(create_app(Library(copy, create=False)), raise_server_exceptions=False) as client:
        response = client.get("/v1/search?q=yard")
        assert (response.status_code, response.headers["content-type"]) == (503, "application/problem+json")
        assert "is damaged" in response.json()["detail"]
        assert "run:" not in response.json()["detail"]
        assert client.get("/v1/rules?ref=dm:400.3b").status_code == 200
        build(copy)
        time.sleep(POLL_SECONDS)
        assert client.get("/v1/search?q=yard").json()["hits"]
