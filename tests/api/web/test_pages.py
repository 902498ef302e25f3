"""Each page without a browser: what a person finds there, and that every way on it leads somewhere."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from api import labels
from api.web.home import games as games_of
from api.web.rendering import WORDS, ReaderChoice
from rulestone import Library

EDITION = "ferry/cr/2021-05-03"
PAGES = (
    "/",
    "/?q=tokens+on+a+ferry",
    "/?q=qwxyzzy",
    f"/id/{EDITION}/101.1",
    f"/id/{EDITION}/101.1?texts=all&as_of=2021",
    "/id/ferry/cr/2020-01-01/101.1",
    f"/id/{EDITION}",
    f"/read/{EDITION}/1",
    f"/read/{EDITION}/101?find=token",
    "/id/concept/graveyard",
    "/id/concept/mtg/graveyard",
    "/concepts",
    "/concepts?kind=idea",
    "/terms",
    "/terms?label=graveyard&game=mtg&in=en",
    "/compare",
    "/compare?property=ordering&turn=1&differ=1",
    "/compare?game=dm",
    "/compare/topics",
    "/compare/topics?find=mulligan&turn=1&games=dm,mtg",
    "/zones",
    "/zones?game=mtg&beside=dm",
    "/changes",
    "/changes?book=ferry/cr&from=2020-01-01",
    "/changes?book=ferry/cr&from=2020-01-01&kind=edited",
    "/changes?book=ferry/cr&from=2020-01-01&kind=reused",
    "/check",
    "/library",
    "/languages",
    "/ns",
    "/id/evil/rulings/desk/7",
)


def test_the_first_section_stands_above_the_hits_with_the_rules_found_whole(client: TestClient) -> None:
    html = client.get("/?q=tokens+on+a+ferry&game=ferry").text
    section = html[html.index('class="answer section"') : html.index('<ol class="hits"')]
    body = client.get("/v1/search", params={"q": "tokens on a ferry", "game": "ferry"}).json()["sections"][0]
    assert f'href="/id/{body["ref"].split(":")[0]}' in section
    for rule in body["rules"]:
        remainder = section[section.index(f'href="/id/{EDITION}/{rule["locator"]}"') :]
        assert rule["marked"] == ('class="found"' in section[: len(section) - len(remainder)].rsplit("<li", 1)[-1])
    assert any(rule["marked"] for rule in body["rules"])
    assert 'class="answer section"' not in client.get("/?q=tokens+on+a+ferry&game=ferry&offset=10").text


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_whole_in_every_language(client: TestClient, path: str) -> None:
    for lang in ("ja", "zh-Hans", "zh-Hant", "en"):
        answer = client.get(path, headers={"Accept-Language": lang})
        assert answer.status_code == 200, answer.text[-500:]
        assert f'<html lang="{lang}">' in answer.text
        identities = re.findall(r'\sid="([^"]+)"', answer.text)
        assert len(identities) == len(set(identities)), lang
        assert answer.text.count("<h1") == 1, lang


def test_every_way_leads_somewhere(client: TestClient) -> None:
    paths: set[str] = set()
    waiting = [*PAGES]
    while waiting and len(paths) < 250:
        path = waiting.pop(0)
        paths.add(path)
        answer = client.get(path)
        assert answer.status_code in (200, 303, 307), path
        ways = {unescape(way).partition("#")[0] for way in re.findall(r'(?:href|data-preview|data-part)="(/[^"]*)"', answer.text)}
        local = {way for way in ways if re.match("/id/ferry|/read/ferry|/part/[^?]*ferry|/changes|/id/concept/dm", way)}
        waiting += sorted(local - paths - set(waiting))
    assert len(paths) > 80


def test_a_question_is_answered_with_the_matches_marked(client: TestClient) -> None:
    page = client.get("/", params={"q": "how many tokens may a ferry carry", "game": "ferry"}).text
    assert '<ol class="hits"' in page
    assert "<mark>" in page
    assert 'href="/id/ferry/cr/2021-05-03/' in page
    assert 'name="game" value="ferry"' in page  # the next question is asked there too


def test_an_unanswered_question_suggests_other_ways(client: TestClient) -> None:
    page = unescape(client.get("/", params={"q": "qwxyzzy", "game": "dm", "as_of": "2026-01-01"}).text)
    assert all(way in page for way in ("What to try", "Ask in all games", "Ask in today's rules", "/terms?label=qwxyzzy"))


def test_the_contents_lead_to_every_chapter_and_these_to_every_rule(client: TestClient) -> None:
    contents = client.get(f"/id/{EDITION}").text
    assert f'href="/read/{EDITION}/1"' in contents
    reading = client.get(f"/read/{EDITION}/1").text
    numbers = re.findall(r'<a class="number" href="/id/ferry/cr/2021-05-03/([^"]+)"', reading)
    assert numbers[:3] == ["100", "100.1", "100.1a"]
    assert 'rel="next"' in reading


def test_find_in_a_chapter_marks_and_counts_its_matches(client: TestClient) -> None:
    page = client.get(f"/read/{EDITION}/1?find=TOKEN").text
    assert re.search(r"<mark>tokens?</mark>|<mark>token</mark>", page)
    assert page.count("<li class=") < client.get(f"/read/{EDITION}/1").text.count("<li class=")
    assert "Rules found: 0" in client.get(f"/read/{EDITION}/1?find=zebra").text


def test_where_no_book_is_loaded_the_page_of_changes_says_so(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Library, "feed", lambda _, lang: {"editions": [], "lang": lang})
    assert "Once a book is loaded in two editions" in client.get("/changes").text


def test_the_entrance_has_each_game_once_with_the_date_of_its_newest_rules(client: TestClient) -> None:
    page = client.get("/").text
    games = re.findall(r'<li><a href="/id/(\w+)/([^"]+)">.*?<span class="edition">([^<]+)<', page)
    assert len({game for game, *_ in games}) == len(games)
    assert {("dm", "cr/2025-12-17", "17 Dec 2025"), ("ferry", "cr/2021-05-03", "3 May 2021")} <= set(games)
    assert ("ygo", "undated") in {(game, date) for game, _, date in games}
    assert 'href="/changes?book=ferry%2Fcr&amp;from=2020-01-01"' in page


def test_the_entrance_leads_to_the_official_text_only_where_it_is_not_loaded(client: TestClient, home: Path) -> None:
    with Library.open(home, create=False) as library:
        games = {game.slug: game for game in games_of(library.editions()["editions"])}
    assert games["mtg"].publisher == "https://magic.wizards.com/en/rules"
    assert not games["mtg"].is_loaded
    assert games["ferry"].is_loaded
    assert games["ferry"].publisher is None
    page = client.get("/").text
    assert 'href="https://magic.wizards.com/en/rules"' in page
    assert '<code translate="no">rulestone get</code>' in page


def test_one_game_is_proposed_for_offline_use(client: TestClient) -> None:
    assert 'href="/library?keep=ferry#offline"' in client.get("/").text
    page = client.get("/library?keep=ferry").text
    assert re.findall(r'name="game" value="(\w+)" checked', page) == ["ferry"]
    assert 'data-game="ferry"' in page


def test_the_gloss_leads_where_the_book_is_in_another_language(client: TestClient) -> None:
    gloss, texts = 'class="gloss leads"', ["en"]
    assert ReaderChoice("zh-Hant", None).is_gloss_first("zh-Hans", texts)
    assert not ReaderChoice("zh-Hans", "en").is_gloss_first("zh-Hans", texts)  # who chose these books reads them
    assert not ReaderChoice("zh-Hans", None, WORDS).is_gloss_first("zh-Hans", texts)
    assert not ReaderChoice("ja", None).is_gloss_first("en", ["zh-Hans"])
    assert gloss not in client.get("/id/dm/cr/2025-12-17/402.2").text  # there are no words for it to lead


def test_the_first_text_is_a_saved_choice(client: TestClient) -> None:
    answer = client.get("/languages?first=words&back=/library")
    assert answer.headers["set-cookie"].startswith("first=words; HttpOnly; Max-Age=31536000")
    assert answer.headers["location"] == "/library"
    assert 'name="first" value="words" aria-current="true"' in client.get("/", headers={"Cookie": "first=words"}).text
    assert 'name="first" value="gloss" aria-current="true"' in client.get("/", headers={"Cookie": "first=tlh"}).text
    assert client.get("/languages?first=tlh").status_code == 400
    client.cookies.clear()


def test_a_copied_citation_holds_words_that_are_verified(client: TestClient) -> None:
    page = client.get(f"/id/{EDITION}/101.1", headers={"Accept-Language": "ja"}).text
    citation = unescape(re.findall(r'data-copy="([^"]*)"', page)[0])
    assert citation.startswith("ferry CR 101.1 (2021-05-03): “A ferry holds")  # official ones, although Japanese ones are shown
    verdicts = client.post("/v1/verify", json={"text": citation}).json()["citations"]
    assert [(one["status"], one["checked"]) for one in verdicts] == [("verified", "words")]


def test_a_topic_has_its_cells(client: TestClient) -> None:
    page = client.get("/id/concept/hand-size-limit").text
    cells = page[page.index('class="cells"') :].partition("</section>")[0]
    games = re.findall(r'class="game"[^>]*>([^<]+)<', cells)
    assert {"DM", "FOW", "MTG", "YGO"} <= set(games)
    assert len(re.findall('class="(?:cite|number)"', cells)) == len(games)


@pytest.mark.parametrize("state", ["sure", "likely", "unsure"])
def test_how_sure_the_answer_is_stands_above_the_hits(client: TestClient, monkeypatch: pytest.MonkeyPatch, state: str) -> None:
    def search_and_ask(self: Library, query: str, **options: Any) -> Any:  # noqa: ANN401
        return self.search(query, **options), self.ask(query, lang="en") | {"state": state}

    monkeypatch.setattr(Library, "search_and_ask", search_and_ask)
    page = client.get("/", params={"q": "how many tokens may a ferry carry", "game": "ferry"}).text
    above = page[page.index('<main id="main"') : page.index('<ol class="hits"')]
    assert ("<blockquote" in above) == (state == "sure")
    assert ("Likely:" in above, "Unsure:" in above) == (state == "likely", state == "unsure")
    if state == "sure":
        assert "A ferry holds" in above
        assert ">101.1</a>" in above
        assert "3 May 2021" in above


def test_the_rule_itself_is_the_answer_to_its_number(client: TestClient) -> None:
    assert "<blockquote" not in client.get("/?q=101.1&game=ferry").text


def test_changes_are_shown_word_by_word(client: TestClient) -> None:
    page = client.get("/changes?book=ferry/cr&from=2020-01-01").text
    assert re.search(r"<del>five</del><ins>six</ins>", page)
    assert "/changes?book=ferry%2Fcr&amp;from=2020-01-01&amp;to=2021-05-03" in client.get("/changes").text


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Ferry CR 101.1 applies.", "exists"),
        ("Ferry CR 101.1: “A ferry holds at most six tokens.”", "verified"),
        ("See Ferry CR 999.9 there.", "not_found"),
        ("Ferry CR 101.1: “A ferry carries ninety tokens at once.”", "misquoted"),
    ],
)
def test_a_text_is_checked(client: TestClient, text: str, status: str) -> None:
    page = client.post("/check", data={"text": text, "game": "ferry", "as_of": ""}).text
    assert f'class="status {status}"' in page
    assert f'<a class="status {status}" href="#c1">' in page


@pytest.mark.parametrize(
    ("quotation", "excerpt"),
    [
        ("A ferry holds at most five tokens.", "A ferry holds at most six tokens."),
        ("olds at most five tok", "…holds at most six tokens…"),
        ("A ferry holds at least six", "A ferry holds at most six…"),
    ],
)
def test_the_rules_own_words_are_whole_and_say_where_the_rule_goes_on(client: TestClient, quotation: str, excerpt: str) -> None:
    page = client.post("/check", data={"text": f"Ferry CR 101.1 says: “{quotation}”", "game": "ferry", "as_of": ""}).text
    assert f"<ins>{excerpt}</ins>" in page


def test_a_text_that_is_too_long_or_no_form_is_refused(client: TestClient) -> None:
    assert client.post("/check", content=b"text=" + b"a" * (70 << 10)).status_code == 413
    assert client.post("/check", content=b"text=" + b"a" * (300 << 10)).status_code == 413
    assert client.post("/check", content="text=é".encode()).status_code == 400


def test_the_table_turns_and_narrows_to_differences(client: TestClient) -> None:
    whole, differing = client.get("/compare?property=ordering").text, client.get("/compare?property=ordering&differ=1").text
    assert whole.count('<th scope="row">') > differing.count('<th scope="row">') > 0
    transposed_page = client.get("/compare?property=ordering&turn=1").text
    assert transposed_page.count('<th scope="row">') == whole.count('<th scope="col">')
    assert 'data-preview="/part/proof/mtg/graveyard?property=ordering"' in whole


def test_topics_stand_beside_each_other_and_narrow_to_gaps_of_a_game(client: TestClient) -> None:
    whole, gaps = client.get("/compare/topics?group=all").text, client.get("/compare/topics?group=all&differ=1").text
    assert whole.count('<th scope="row">') > gaps.count('<th scope="row">') > 0
    rows = gaps.split("<tbody>")[1].split("</tr>")[:-1]
    assert all("no such rule; nearest:" in row for row in rows)
    two = client.get("/compare/topics?group=combat&games=dm,mtg&turn=1").text
    assert two.count('<th scope="row">') == 3  # two games and what differs
    assert "Magic: The Gathering" in two


@pytest.mark.parametrize("turn", ["", "&turn=1"])
def test_a_game_without_a_rule_on_a_topic_has_an_empty_cell(client: TestClient, turn: str) -> None:
    """The sentence about what differs is about other games, and stands in its own column alone."""
    body = client.get("/v1/topics?lang=en").json()
    topic = next(topic for topic in body["topics"] if len(topic["cells"]) < len(body["games"]) and topic["differs"])
    page = client.get(f"/compare/topics?group=all{turn}", headers={"Accept-Language": "en"}).text
    assert unescape(page).count(topic["differs"]) == 1
    assert 'aria-label="none known"' in page


def test_words_find_topics_in_every_group(client: TestClient) -> None:
    page = client.get("/compare/topics?find=MULLIGAN").text
    assert 'href="/id/concept/mulligan"' in page
    assert 'href="/id/concept/mulligan"' in client.get("/compare/topics?find=マリガン").text
    assert "Topics: 0" in client.get("/compare/topics?find=qwxyzzy").text


@pytest.mark.parametrize("query", ["group=chess", "games=chess"])
def test_topics_that_nobody_knows_are_refused(client: TestClient, query: str) -> None:
    answer = client.get(f"/compare/topics?{query}")
    assert answer.status_code == 400
    assert "chess" in answer.text


def test_each_topic_of_a_game_opens_its_own_claim(client: TestClient) -> None:
    page = client.get("/compare/topics?group=all").text
    proofs = {unescape(way) for way in re.findall(r'data-preview="(/part/proof/[^"]+)"', page)}
    nearest = next(way for way in sorted(proofs) if "property=nearest" in way)
    assert client.get(nearest).text.count('<div class="claimed">') == 1


def test_a_topic_states_each_position_once_and_names_no_concept_that_a_game_lacks(client: TestClient) -> None:
    page = client.get("/id/concept/mulligan").text
    assert page.count("Any cards are shuffled into the deck") == 1
    assert page.count("Can I exchange my opening hand?") == 1
    assert not re.search(r">\s*None\s*<", page)
    assert "17 Dec 2025" in page


def test_the_rules_that_define_a_concept_stand_with_their_edition(client: TestClient) -> None:
    page = client.get("/terms?label=graveyard&game=dm").text
    [defining] = re.findall(r"Defined by(.*?)</p>", page, re.DOTALL)
    assert re.search(r"総合ゲームルール, 17 Dec 2025</span>\s*<span [^>]+>404.1</span>", defining)
    assert re.search(r"ゾーンの要約, undated</span>\s*<a [^>]+>404.1</a>", defining)


def test_a_rule_that_is_not_loaded_is_named_without_a_link(client: TestClient) -> None:
    page = client.get("/id/concept/fow/zone").text
    assert '<span class="number" translate="no">301.1</span>' in page
    assert "/id/fow/cr/2025-09-18/" not in page


def test_a_concept_has_its_proofs(client: TestClient) -> None:
    page = client.get("/id/concept/mtg/graveyard").text
    assert 'id="visibility"' in page
    assert "404.2" in page
    proof = client.get("/part/proof/mtg/graveyard?property=ordering").text
    assert "sources disagree" in proof
    assert "<html" not in proof


def test_the_map_of_a_game_shows_zones_and_the_ways_that_claims_prove(client: TestClient) -> None:
    page = client.get("/zones?game=mtg&beside=dm").text
    assert page.count('<svg class="picture"') == 2
    assert page.count('class="way"') == page.count('class="mark"') > 10
    assert re.search(r'<a href="/id/concept/mtg/graveyard"[^>]*><rect class="box', page)
    assert 'data-preview="/part/proof/mtg/stack?property=on-leave"' in page
    assert 'href="/zones?game=dm"' in client.get("/compare?game=dm").text
    assert client.get("/zones?game=chess").status_code == 400


def test_a_concept_has_a_picture_of_its_neighbours(client: TestClient) -> None:
    page = client.get("/id/concept/mtg/graveyard").text
    assert re.search(r'<a href="/id/concept/mtg/graveyard" aria-current="true"><rect class="box middle"', page)
    assert re.search(r'<a href="/id/concept/dm/graveyard"><rect class="box thin"', page)
    assert page.count('class="way thin"') + 1 == page.count('<rect class="box')


def _downloads(client: TestClient, query: str) -> dict[str, str]:
    page = client.get(f"/terms?{query}").text
    links = re.findall(r'<a class="chip" href="([^"]+)" download translate="no">([^<]+)</a>', page)
    return {name: unescape(address) for address, name in links}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        pytest.param("", ["CSV", "XLSX", "TBX", "TMX ferry/cr"], marks=pytest.mark.slow),
        ("label=graveyard&game=mtg&in=ja", ["CSV", "XLSX", "TBX", "SKOS"]),
        ("label=ferry&game=ferry", ["CSV", "XLSX", "TBX", "SKOS", "TMX ferry/cr"]),
        ("game=mtg&in=zh-Hant", ["CSV", "XLSX", "TBX", "SKOS"]),
        ("game=evil&in=ja", []),
    ],
)
def test_the_content_of_the_terms_page_can_be_downloaded(client: TestClient, query: str, names: list[str]) -> None:
    downloads = _downloads(client, query)
    assert [*downloads] == names
    for name, address in downloads.items():
        answer = client.get(address)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-disposition"].startswith('attachment; filename="rulestone.')
        assert name.split()[0].lower() in address


def test_a_download_has_the_game_and_the_language_that_are_shown(client: TestClient) -> None:
    table = client.get(_downloads(client, "label=graveyard&game=mtg&in=ja")["CSV"]).text
    assert "墓地" in table
    assert {line.split(",")[1] for line in table.splitlines()[1:] if line.startswith("http")} == {"mtg"}
    assert "ja status" in table
    assert "en status" not in table


def test_a_quotation_in_a_language_that_is_not_loaded_is_not_struck_out(client: TestClient) -> None:
    text = "Evil CR 101.1「墓地的牌不能改變順序」"
    page = client.post("/check", data={"text": text}).text
    assert "not checked: text not loaded" in page
    assert "is loaded in English, not in the language quoted" in page
    assert "<del>" not in page


def test_an_entry_of_a_glossary_is_called_by_its_word() -> None:
    assert labels.rule_place("glossary/summoning-sickness-rule", "en") == "Glossary: summoning sickness rule"
    assert labels.rule_place("glossary/haste", "zh-Hant") == "詞彙表：haste"
    assert labels.rule_place("400.7", "ja") == "400.7"


def test_the_place_of_a_rule_is_localised_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "rule_place", lambda locator, lang: f"‹{locator}›")
    text = "Ferry CR 101.1 (2020-01-01) says so. The rule 101.1 is old."
    pages = [client.get(path).text for path in PAGES] + [client.post("/check", data={"text": text}).text]
    ways = [way for page in pages for way in re.findall(r'<(?:a class="cite"|span class="number")[^>]*>([^<]*)</', page)]
    assert sum("‹" in way for way in ways) > 50  # others are citations in the words of a rule
    assert [way for way in ways if way.count("‹") > 1 or way.startswith("glossary/")] == []


@pytest.mark.parametrize("lang", ["en", "ja", "zh-Hans", "zh-Hant"])
def test_no_label_of_a_neighbourhood_is_cut(client: TestClient, lang: str) -> None:
    for name in ("card-beats-rule", "graveyard", "mtg/graveyard", "dm/battle-zone"):
        page = client.get(f"/id/concept/{name}", headers={"Accept-Language": lang}).text
        picture = page.partition('<svg class="picture"')[2].partition("</svg>")[0]
        boxes = re.findall(r'height="([\d.]+)" rx="7"/><text[^>]*>(.*?)</text>', picture)
        assert boxes
        for height, words in boxes:
            lines = re.findall(r"<tspan[^>]*>(.*?)</tspan>", words)
            assert "…" not in words
            assert not any(line.startswith(("ー", "ッ", "ョ")) for line in lines)
            assert 15 * len(lines) <= float(height)


def test_the_second_edition_without_a_date_is_not_called_by_its_slug() -> None:
    assert [labels.edition_date(edition, "en") for edition in ("undated", "undated-2", "2025-02-07")] == [
        "undated",
        "undated (2)",
        "7 Feb 2025",
    ]
