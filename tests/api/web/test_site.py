"""Properties of every page: access, language, loaded files and caching."""

import re

import pytest
from starlette.testclient import TestClient

from api.web.site import DATA_PREFIXES, PAGE_PREFIXES
from corpus.address import BASE

RULE = "/id/ferry/cr/2021-05-03/101.1"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize(
    ("path", "accept", "media"),
    [
        ("/", BROWSER, "text/html; charset=utf-8"),
        ("/", "*/*", "text/html; charset=utf-8"),
        ("/", "application/json", "application/json"),
        (RULE, BROWSER, "text/html; charset=utf-8"),
        (RULE, "application/json", "application/json"),
        (RULE, "*/*", "application/json"),
        (RULE, "text/turtle", "text/turtle; charset=utf-8"),
        ("/v1/rules?ref=ferry:101.1", BROWSER, "application/json"),
    ],
)
def test_browsers_get_pages_and_programs_get_data(client: TestClient, path: str, accept: str, media: str) -> None:
    answer = client.get(path, headers={"Accept": accept})
    assert (answer.status_code, answer.headers["content-type"]) == (200, media)
    if media.startswith("text/html"):
        assert {"Accept-Language", "Cookie"} <= set(re.split(r"[, ]+", answer.headers["vary"]))


def test_a_program_at_the_entrance_is_told_where_the_api_is(client: TestClient) -> None:
    body = client.get("/", headers={"Accept": "application/json"}).json()
    assert {body["api"], body["description"]} == {"/v1", "/openapi.json"}
    assert client.get(body["description"]).status_code == 200


def test_pages_may_load_nothing_from_elsewhere_and_hold_no_code(client: TestClient) -> None:
    for path in ("/", "/?q=ferry", RULE, "/languages", "/read", "/offline", "/id/ferry/cr/2021-05-03/999"):
        answer = client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        if answer.headers["content-type"].startswith("text/html"):
            code = r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+="
            elsewhere = r"<(?!a )[^>]*\s(?:src|href)=\"(?:https?:)?//"  # a link may lead there
            assert not re.search(f"{code}|{elsewhere}", answer.text), path


def test_static_files_are_kept_for_ever_at_an_address_of_their_content(client: TestClient) -> None:
    page = client.get("/").text
    paths = re.findall(r"/static/[\w.-]+/[\w.-]+", page)
    assert {path.rsplit(".")[-1] for path in paths} >= {"css", "js", "svg"}
    for path in set(paths):
        answer = client.get(path)
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "public, max-age=31536000, immutable"), path
        assert client.get(path, headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
    older = re.sub(r"/static/\w+", "/static/000000000000", paths[0])
    assert client.get(older).headers["cache-control"] == "no-cache"
    assert client.get("/static/x/../conftest.py").status_code == 404


def test_a_page_has_an_entity_tag(client: TestClient) -> None:
    tag = client.get(RULE).headers["etag"]
    assert client.get(RULE, headers={"If-None-Match": tag}).status_code == 304
    assert client.get(RULE, headers={"If-None-Match": tag, "Accept-Language": "ja"}).status_code == 200
    assert client.get(RULE, headers={"If-None-Match": tag, "Cookie": "lang=ja"}).status_code == 200


@pytest.mark.parametrize(
    ("header", "cookie", "lang"),
    [
        ("ja", "", "ja"),
        ("zh-TW,zh;q=0.8", "", "zh-Hant"),
        ("zh-CN", "", "zh-Hans"),
        ("fr", "", "en"),
        ("ja", "lang=zh-Hans", "zh-Hans"),
        ("ja", "lang=tlh", "ja"),
    ],
)
def test_a_page_is_in_the_language_chosen_else_in_that_of_the_browser(
    client: TestClient, header: str, cookie: str, lang: str
) -> None:
    answer = client.get("/", headers={"Accept-Language": header, "Cookie": cookie})
    assert f'<html lang="{lang}">' in answer.text
    assert answer.headers["content-language"] == lang


def test_a_choice_of_language_stays_and_leads_back(client: TestClient) -> None:
    answer = client.get("/languages", params={"lang": "zh", "back": "/?q=a&game=dm"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/?q=a&game=dm")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("lang=zh-Hans; HttpOnly; Max-Age=31536000; Path=/; SameSite=lax")
    client.cookies.clear()
    assert 'books=""' in client.get("/languages?books=").headers["set-cookie"]
    client.cookies.clear()


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/a\nb", ""])
def test_the_way_back_leads_nowhere_else(client: TestClient, back: str) -> None:
    assert client.get("/languages", params={"lang": "ja", "back": back}).headers["location"] == "/"
    client.cookies.clear()


@pytest.mark.parametrize(
    ("path", "status"),
    [("/read", 404), ("/languages?lang=tlh", 400), ("/?q=a&offset=-1", 400), ("/id/ferry/cr/2021-05-03/999", 404)],
)
def test_errors_are_pages(client: TestClient, path: str, status: int) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert client.post("/", data={}).status_code == 405


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/nonexistent", "there is no page /nonexistent"),
        ("/rules/xxx", "there is no page /rules/xxx"),
        ("/library/xxx", "there is no page /library/xxx"),
        ("/id/", "there is no page /id"),
        ("/id/ferry/cr/2021-05-03/999", "the library has no rule ferry CR 999 (2021-05-03)"),
        ("/id/ferry/cr/1999-01-01", "the library has no edition ferry CR (1999-01-01)"),
        ("/read/ferry/cr/1999-01-01/1", "the library has no edition ferry CR (1999-01-01)"),
        ("/id/evil/rulings/desk/99", "the library has no ruling evil/rulings/desk/99"),
        ("/id/concept/ferry/nothing", "the library has no concept ferry/nothing"),
        ("/part/rule/ferry/cr/1", "/id/ferry/cr/1 is not the address of a rule; expected one like /id/mtg/cr/2024-06-07/400.7d"),
    ],
)
def test_a_missing_page_names_the_missing_thing_in_the_readers_language(client: TestClient, path: str, reason: str) -> None:
    english, japanese = (client.get(path, headers={"Accept": BROWSER, "Accept-Language": lang}) for lang in ("en", "ja"))
    assert english.status_code == japanese.status_code == (400 if path.startswith("/part") else 404)
    assert reason in english.text
    assert reason not in japanese.text
    for text in (english.text, japanese.text):
        assert BASE not in text
        assert "/v1/" not in text.replace('data-suggest="/v1/suggestions"', "")
        assert '<form class="ask" role="search"' in text
        assert 'href="/library"' in text


def test_programs_get_problems_and_paths_of_data_are_no_pages(client: TestClient) -> None:
    for path, accept in (
        ("/nonexistent", "*/*"),
        ("/rules/xxx", "application/json"),
        ("/v1/nothing", BROWSER),
        ("/docs/x", BROWSER),
    ):
        answer = client.get(path, headers={"Accept": accept})
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json"), path


def test_every_route_of_data_has_a_first_segment_that_is_known(client: TestClient) -> None:
    firsts = {path.split("/")[1] for path in client.get("/openapi.json").json()["paths"]}
    assert firsts <= DATA_PREFIXES | {"", "id", "ns", "sparql"}
    assert not DATA_PREFIXES & PAGE_PREFIXES


ATTACK = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{7*7}}"


@pytest.mark.parametrize("path", ["/", "/languages", "/id/ferry/cr/2021-05-03/" + "%3Cscript%3Ealert(1)%3C/script%3E"])
def test_input_is_shown_as_text(client: TestClient, path: str) -> None:
    text = client.get(path, params={"q": ATTACK, "as_of": ATTACK, "game": ATTACK, "back": f"/{ATTACK}"}).text
    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert "{{7*7}}" in text or "7*7" not in text


def test_a_rule_page_has_its_words_its_age_and_its_neighbours(client: TestClient) -> None:
    page = client.get(RULE).text
    assert all(words in page for words in ("2021-05-03", "current", "official text", 'rel="next"', "copy"))
    old = client.get("/id/ferry/cr/2020-01-01/101.1").text
    assert "Superseded by edition" in old
    assert RULE in old
