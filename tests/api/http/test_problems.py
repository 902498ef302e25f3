"""An error over HTTP is a problem in JSON, with its status and a sentence."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from api.http.app import create_app
from rulestone import Library
from tests.support.bodies import fits


@pytest.mark.parametrize(
    ("method", "path", "status", "detail"),
    [
        ("GET", "/v1/rules?ref=999.9", 404, "no rule 999.9"),
        ("GET", "/v1/rules", 400, "missing: ref; e.g. ?ref=dm:400.3b"),
        ("GET", "/v1/rules?ref=", 400, "ref is empty; give e.g. dm:400.3b"),
        ("GET", "/v1/rules?ref=::", 400, "names no rule"),
        ("GET", "/v1/rules?ref=" + "9" * 500, 400, "ref has more than 300 characters"),
        ("GET", '/v1/rules?ref=100.1%22%20%7D%0A%00%F0%9F%A6%A2%ED%A0%80"', 400, ""),
        ("GET", "/v1/rules/ferry/100.1%22%5C%00%F0%9F%A6%A2", 404, "no rule"),
        ("GET", "/v1/rules/ferry/" + "9" * 500, 400, "ref has more than 300 characters"),
        ("GET", "/v1/rules/ferry/100.1?lang=tlh", 400, "lang 'tlh': expected one of ja, zh, zh-Hans, zh-Hant, en"),
        ("GET", "/v1/changes?book=ferry/cr", 400, "missing: from; e.g. ?from=2024-06-07"),
        ("GET", "/v1/changes", 400, "missing: book, from; e.g. ?book=mtg/cr&from=2024-06-07"),
        ("GET", "/v1/rulings?changed=maybe", 400, "changed 'maybe': expected true or false"),
        ("GET", "/v1/termbase?format=doc", 400, "format 'doc': expected one of tbx, tbx-2008, csv, xlsx, skos"),
        ("GET", "/v1/search?q=a&limit=many&offset=-1", 400, "limit 'many': expected a whole number from 1 to 100"),
        ("GET", "/v1/search?limit=0&page=2", 400, "/v1/search has no parameter page; known parameters: q, game"),
        ("GET", "/v1/rules/ferry/100.1?in=xx", 400, "in 'xx'"),
        ("GET", "/id/ferry/cr/2021-05-03/999", 404, "nothing has the address"),
        ("GET", "/id/ferry/cr/2021-05-03/%3E%22%20%7D", 404, "nothing has the address"),
        ("GET", "/id/ferry/cr/latest/999", 404, "no rule 999"),
        ("GET", "/id/nogame/cr/latest", 404, "no current edition"),
        ("GET", "/v1/concepts/mtg/graveyrad", 404, "'graveyrad' in mtg"),
        ("GET", "/v1/concepts?ref=yard&kind=zone", 400, "kind filter the list"),
        ("GET", "/v1/concepts?game=chess", 400, "game 'chess'"),
        ("GET", "/v1/rules/chess/100.1", 404, "no book of a game chess is loaded; loaded games: dm,"),
        ("GET", "/v1/rules/mtg/99999.9", 404, "no rule 99999.9 in mtg; loaded books: mtg/cr"),
        ("GET", "/v1/concepts?limit=0", 400, "limit '0'"),
        ("GET", "/v1/concepts/mtg/%22%20%7D%00%F0%9F%A6%A2", 404, "no concept"),
        ("GET", "/v1/terms?label=yard&limit=1001", 400, "limit '1001'"),
        ("GET", "/id/concept/mtg/graveyrad", 404, "mtg/graveyrad; /v1/concepts lists all"),
        ("GET", "/id/concept/%3E%22%20%7D", 404, "nothing has the address"),
        ("GET", "/id/", 404, "is no route"),
        ("GET", "/nowhere", 404, "no route GET /nowhere"),
        ("POST", "/v1/rules", 405, "POST /v1/rules"),
        ("DELETE", "/id/ferry/cr/2021-05-03/101", 405, "DELETE"),
    ],
)
def test_problems(client: TestClient, method: str, path: str, status: int, detail: str) -> None:
    response = client.request(method, path)
    body = response.json()
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")
    fits("problem", body)
    assert body["status"] == status
    assert detail in body["detail"]
    assert status != 405 or response.headers["allow"] == "GET"


@pytest.mark.parametrize(
    ("path", "english", "japanese"),
    [("/v1/rules?ref=ferry:999.9", "Nothing found", "見つかりませんでした"), ("/v1/nothing", "Not Found", "見つかりません")],
)
def test_a_title_is_in_the_language_of_the_client_and_the_type_is_not(
    client: TestClient, path: str, english: str, japanese: str
) -> None:
    bodies = [client.get(path, headers={"Accept-Language": lang}).json() for lang in ("en", "ja")]
    assert [body["title"] for body in bodies] == [english, japanese]
    assert len({body["type"] for body in bodies}) == 1


def test_an_unexpected_error_is_a_problem(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Library, "rules", lambda *_, **__: 1 / 0)
    response = client.get("/v1/rules?ref=101.1")
    assert (response.status_code, response.headers["content-type"]) == (500, "application/problem+json")
    assert "ZeroDivisionError" in response.json()["detail"]


def test_without_a_bundle_it_is_unavailable(tmp_path: Path) -> None:
    with TestClient(create_app(Library.open(tmp_path, create=False))) as client:
        for path in ("/healthz", "/v1/rules?ref=400.3b", "/v1/editions", "/id/a/b/c/d"):
            response = client.get(path)
            assert (response.status_code, response.headers["content-type"]) == (503, "application/problem+json")
            assert response.json()["detail"] == f"there is no knowledge base in {tmp_path} yet"


@pytest.mark.parametrize(
    "path",
    ["/v1/rules?ref={}", "/v1/rules/{}", "/v1/rules/ferry/{}", "/v1/search?q=a&game={}", "/id/{}", "/id/ferry/cr/{}/1", "/{}"],
)
def test_errors_repeat_little_of_the_input(client: TestClient, path: str) -> None:
    answer = client.get(path.format("墓" * 600))
    assert answer.status_code in (400, 404)
    assert len(answer.json()["detail"]) < 600
    assert len(answer.json()["instance"]) <= 200


@pytest.mark.parametrize("path", ["/id/%C2%83", "/id/%EE%80%80", "/id/ferry/cr/2021-05-03/%25", "/id/concept/%25zz"])
def test_invalid_paths_are_not_found(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_no_redirect_trusts_the_host(client: TestClient) -> None:
    answer = client.get("/v1/rules/?ref=ferry:101.1", headers={"Host": "evil.example"})
    assert answer.status_code == 200
    assert "evil" not in str(answer.headers)
