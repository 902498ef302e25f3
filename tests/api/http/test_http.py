"""The HTTP API: the same bodies as the command line, problems, caches, addresses, and a new bundle under a running server."""

import json
import subprocess
import sys
import urllib.request
from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from api.cli.app import main
from api.http.accept import best_media
from api.http.app import create_app
from api.http.schemas import components
from api.languages import accepted, of_locale
from corpus.errors import InputError, NotFoundError
from corpus.languages import choose, fallback
from ontology.store.home import Home
from rulestone import Library
from rulestone.languages import language_option, named_language
from rulestone.live import Live
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import put
from tests.support.texts import ROOT

FERRY = "ferry/cr/2021-05-03"
IRI = f"https://w3id.org/rulestone/id/{FERRY}"
SCHEMAS = dict(components())


def cli(home: Path, *arguments: str) -> Any:  # noqa: ANN401
    out = TextIOWrapper(BytesIO(), "utf-8")
    with redirect_stdout(out):
        assert main(["--home", str(home), *arguments, "--json"]) == 0
    out.seek(0)
    return json.loads(out.read())


def fits(name: str, body: object) -> None:
    schema = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": SCHEMAS}}
    Draft202012Validator(schema).validate(body)


# Bodies


@pytest.mark.parametrize(
    ("path", "schema", "arguments"),
    [
        ("/v1/rules?ref=ferry:101", "rules", ["show", "ferry:101", "--lang", "en"]),
        ("/v1/rules?ref=dm:400.3b&lang=ja", "rules", ["show", "dm:400.3b", "--lang", "ja"]),
        ("/v1/rules?ref=ferry:101.1&in=en&lang=zh", "rules", ["show", "ferry:101.1", "--in", "en", "--lang", "zh"]),
        ("/v1/rules?ref=dm%20400.3", "rules", ["show", "dm", "400.3", "--lang", "en"]),
        ("/v1/cites?ref=ferry:101.2", "cites", ["cites", "ferry:101.2"]),
        ("/v1/concepts?ref=yard&lang=ja", "concepts", ["concept", "yard", "--lang", "ja"]),
        ("/v1/concepts?ref=graveyard", "concepts", ["concept", "graveyard", "--lang", "en"]),
        ("/v1/concepts/mtg/graveyard?lang=zh-Hant", "concepts", ["concept", "mtg/graveyard", "--lang", "zh-Hant"]),
        ("/v1/terms?label=%E5%B1%B1%E6%9C%AD&lang=ja", "terms", ["term", "山札", "--lang", "ja"]),
        (
            "/v1/terms?label=yard&in=zh&game=mtg&offset=1&limit=2",
            "terms",
            ["term", "yard", "--in", "zh", "--game", "mtg", "--offset", "1", "--limit", "2"],
        ),
    ],
)
def test_bodies_equal_those_of_the_command_line(
    client: TestClient, home: Path, path: str, schema: str, arguments: list[str]
) -> None:
    response = client.get(path)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    fits(schema, response.json())
    assert response.json() == cli(home, *arguments)


@pytest.mark.parametrize(
    ("path", "editions"),
    [
        ("ferry/101.1", ["2021-05-03", "2020-01-01"]),
        ("ferry/2020-01-01:101.1", ["2020-01-01"]),
        ("ferry/cr/2020-01-01/101.1", ["2020-01-01"]),
        ("ferry/cr/latest/101.1", ["2021-05-03", "2020-01-01"]),
        ("ferry/glossary/goose", ["2021-05-03", "2020-01-01"]),
        ("dm/zones-summary/400.3b", ["undated"]),
        ("dm/zones-summary/undated/400.3b", ["undated"]),
        ("DM/400.3B", ["undated"]),
    ],
)
def test_rules_by_path(client: TestClient, path: str, editions: list[str]) -> None:
    body = client.get(f"/v1/rules/{path}").json()
    assert body["ref"] == path
    assert [rule["edition"] for rule in body["rules"]] == editions
    assert client.get(f"/v1/cites/{path}").json()["rule"]["edition"] == editions[0]


def test_editions(client: TestClient) -> None:
    body = client.get("/v1/editions").json()
    fits("editions", body)
    ferry = [(one["edition"], one["current"], one["rules"]) for one in body["editions"] if one["game"] == "ferry"]
    assert ferry == [("2020-01-01", False, 18), ("2021-05-03", True, 18)]


def test_the_list_of_concepts(client: TestClient) -> None:
    body = client.get("/v1/concepts?game=mtg&kind=zone&limit=4&offset=2&lang=ja").json()
    fits("concept_list", body)
    assert (len(body["concepts"]), body["offset"], body["limit"]) == (4, 2, 4)
    assert {(one["game"], one["kind"], one["lang"]) for one in body["concepts"]} == {("mtg", "zone", "ja")}
    whole = client.get("/v1/concepts?limit=1000").json()
    assert whole["total"] == len(whole["concepts"]) > 400
    assert len(client.get("/v1/concepts").json()["concepts"]) == 100


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("/v1/concepts/mtg/exile", "zh-Hans"),
        ("/v1/concepts/exile", "zh-Hans"),
        ("/v1/concepts", "zh-Hans"),
        ("/v1/terms?label=exile", "zh-Hans"),
        ("/id/concept/mtg/exile", "zh-Hans"),
        ("/v1/terms?label=exile&lang=ja", "ja"),
    ],
)
def test_concepts_say_which_language_they_are_told_in(client: TestClient, path: str, language: str) -> None:
    """Who asks for traditional Chinese gets the simplified names, and is told so."""
    response = client.get(path, headers={"Accept-Language": "fr, zh-TW;q=0.9, en;q=0.1", "Accept": "application/json"})
    assert response.headers["content-language"] == language
    assert "Accept-Language" in response.headers["vary"]
    tag = response.headers["etag"]
    again = client.get(path, headers={"Accept-Language": "zh-TW", "Accept": "application/json", "If-None-Match": tag})
    assert again.status_code == 304


def test_health(client: TestClient, home: Path) -> None:
    body = client.get("/healthz").json()
    fits("health", body)
    assert body["bundle"] == (home / "current").read_text().strip()
    assert body["rules"] > 36


# Problems


@pytest.mark.parametrize(
    ("method", "path", "status", "detail"),
    [
        ("GET", "/v1/rules?ref=999.9", 404, "no rule 999.9"),
        ("GET", "/v1/rules/nogame/100.1", 404, "in nogame"),
        ("GET", "/v1/rules", 400, "?ref="),
        ("GET", "/v1/rules?ref=", 400, "no reference"),
        ("GET", "/v1/rules?ref=::", 400, "names no rule"),
        ("GET", "/v1/rules?ref=" + "9" * 500, 400, "no reference"),
        ("GET", '/v1/rules?ref=100.1%22%20%7D%0A%00%F0%9F%A6%A2%ED%A0%80"', 400, ""),
        ("GET", "/v1/rules/ferry/100.1%22%5C%00%F0%9F%A6%A2", 404, "no rule"),
        ("GET", "/v1/rules/ferry/100.1?lang=tlh", 400, "'tlh': expected ja, zh"),
        ("GET", "/v1/rules/ferry/100.1?in=xx", 400, "in 'xx'"),
        ("GET", "/v1/cites?ref=999.9", 404, "no rule 999.9"),
        ("GET", "/id/ferry/cr/2021-05-03/999", 404, "nothing has the address"),
        ("GET", "/id/ferry/cr/2021-05-03/%3E%22%20%7D", 404, "nothing has the address"),
        ("GET", "/id/ferry/cr/latest/999", 404, "no rule 999"),
        ("GET", "/id/nogame/cr/latest", 404, "no current edition"),
        ("GET", "/v1/concepts?ref=graveyrad", 404, "close to it: Graveyard"),
        ("GET", "/v1/concepts/mtg/graveyrad", 404, "'graveyrad' in mtg"),
        ("GET", "/v1/concepts/nosuchidea", 404, "no concept"),
        ("GET", "/v1/concepts?ref=", 400, "expected mtg/graveyard"),
        ("GET", "/v1/concepts?ref=http://example.org/x", 400, "no address of a concept"),
        ("GET", "/v1/concepts?ref=yard&kind=zone", 400, "kind filter the list"),
        ("GET", "/v1/concepts?game=chess", 400, "game 'chess'"),
        ("GET", "/v1/concepts?kind=pier", 400, "kind 'pier'"),
        ("GET", "/v1/concepts?limit=0", 400, "limit '0'"),
        ("GET", "/v1/concepts/mtg/%22%20%7D%00%F0%9F%A6%A2", 404, "no concept"),
        ("GET", "/v1/terms", 400, "?label="),
        ("GET", "/v1/terms?label=", 400, "expected a name"),
        ("GET", "/v1/terms?label=graveyrad", 404, "close to it"),
        ("GET", "/v1/terms?label=yard&game=chess", 400, "'chess' is no game"),
        ("GET", "/v1/terms?label=yard&limit=1001", 400, "limit '1001'"),
        ("GET", "/v1/terms?label=yard&lang=tlh", 400, "'tlh'"),
        ("GET", "/id/concept/mtg/graveyrad", 404, "/v1/concepts lists all"),
        ("GET", "/id/concept/%3E%22%20%7D", 404, "nothing has the address"),
        ("GET", "/id/", 404, "nothing has the address"),
        ("GET", "/nowhere", 404, "/nowhere is no route"),
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


def test_what_is_unexpected_is_a_problem(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Library, "rules", lambda *_, **__: 1 / 0)
    response = client.get("/v1/rules?ref=101.1")
    assert (response.status_code, response.headers["content-type"]) == (500, "application/problem+json")
    assert "ZeroDivisionError" in response.json()["detail"]


def test_without_a_bundle_it_is_unavailable(tmp_path: Path) -> None:
    with TestClient(create_app(Library.open(tmp_path, create=False))) as client:
        for path in ("/healthz", "/v1/rules?ref=400.3b", "/v1/editions", "/id/a/b/c/d"):
            response = client.get(path)
            assert (response.status_code, response.headers["content-type"]) == (503, "application/problem+json")
            assert "rulestone build" in response.json()["detail"]


# Languages


@pytest.mark.parametrize(
    ("query", "header", "lang"),
    [
        ("", None, "en"),
        ("", "ja", "ja"),
        ("", "fr, zh-TW;q=0.8, ja;q=0.7", "zh-Hans"),
        ("", "en;q=0, ja;q=0.1", "ja"),
        ("", "*;q=0.5, fr", "en"),
        ("", ";;q=,,q=x;ja", "en"),
        ("&lang=zh", "ja", "zh-Hans"),
    ],
)
def test_the_clients_language(client: TestClient, query: str, header: str | None, lang: str) -> None:
    response = client.get(f"/v1/rules?ref=dm:400.3b{query}", headers={"Accept-Language": header} if header else {})
    assert response.json()["rules"][0]["lang"] == lang
    assert response.headers["content-language"] == lang
    assert "Accept-Language" in response.headers["vary"]


@pytest.mark.parametrize(
    ("tag", "lang"),
    [
        *[("ja", "ja"), ("ja_JP.UTF-8", "ja"), ("JA-jp", "ja"), ("en_GB@euro", "en"), ("jav", None), ("", None)],
        *[("zh", "zh-Hans"), ("zh_CN.GB18030", "zh-Hans"), ("zh-SG", "zh-Hans"), ("zh-Hans-HK", "zh-Hans")],
        *[("zh-Hant", "zh-Hant"), ("zh_TW", "zh-Hant"), ("zh-hk", "zh-Hant"), ("C", None), ("POSIX", None)],
    ],
)
def test_the_language_of_a_tag(tag: str, lang: str | None) -> None:
    assert named_language(tag) == lang


def test_languages_fall_back_in_one_order() -> None:
    assert fallback("ja") == ["ja", "en", "zh-Hans", "zh-Hant"]
    assert fallback("zh-Hant") == ["zh-Hant", "zh-Hans", "en", "ja"]
    assert choose("zh-Hant", {"ja", "zh-Hans"}) == "zh-Hans"
    assert choose("en", ()) is None
    assert of_locale({"LC_ALL": "", "LANG": "zh_HK.UTF-8"}) == "zh-Hant"
    assert of_locale({"LC_ALL": "C", "LANG": "ja_JP"}) == "en"
    assert accepted(None) is None
    assert language_option(None, "--lang") is None
    with pytest.raises(InputError, match="--lang 'jp'"):
        language_option("jp", "--lang")


@pytest.mark.parametrize(
    ("header", "media"),
    [
        (None, "a/json"),
        ("*/*", "a/json"),
        ("t/*", "t/turtle"),
        ("t/turtle;q=0.5, a/json;q=0.4", "t/turtle"),
        ("a/json;q=0, */*;q=0.1", "t/turtle"),
        ("t/html", None),
        ("t/turtle; charset=utf-8; q=0.9, a/json;q=nine", "t/turtle"),
        ("", "a/json"),
    ],
)
def test_best_media(header: str | None, media: str | None) -> None:
    assert best_media(header, ("a/json", "t/turtle")) == media


# Caches, browsers, tools


def test_etags(client: TestClient) -> None:
    first = client.get("/v1/rules?ref=ferry:101.1")
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"
    for header in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        again = client.get("/v1/rules?ref=ferry:101.1", headers={"If-None-Match": header})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert client.get("/v1/rules?ref=ferry:101.1", headers={"If-None-Match": '"x"'}).status_code == 200
    assert client.get("/v1/rules?ref=dm:400.3b", headers={"If-None-Match": tag}).status_code == 200


def test_cors_and_head(client: TestClient) -> None:
    assert client.get("/v1/editions", headers={"Origin": "https://bot.example"}).headers["access-control-allow-origin"] == "*"
    asked = {"Origin": "https://bot.example", "Access-Control-Request-Method": "GET"}
    assert client.options("/v1/editions", headers=asked).status_code == 200
    assert client.head("/v1/editions").status_code == 200


def test_the_api_describes_itself(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    assert {"/v1/rules", "/v1/rules/{game}/{ref}", "/v1/editions", "/v1/cites", "/healthz", "/ns"} <= set(described["paths"])
    assert {"/v1/concepts", "/v1/concepts/{slug}", "/v1/concepts/{game}/{slug}", "/v1/terms"} <= set(described["paths"])
    asked = described["paths"]["/v1/terms"]["get"]["parameters"]
    assert [one["name"] for one in asked] == ["label", "lang", "in", "game", "offset", "limit"]
    assert [one["name"] for one in asked if one["required"]] == ["label"]
    by_reference = described["paths"]["/v1/rules"]["get"]
    assert [(one["name"], one["required"]) for one in by_reference["parameters"]] == [
        ("ref", True),
        ("lang", False),
        ("in", False),
    ]
    assert set(by_reference["responses"]) == {"200", "304", "400", "404", "405", "503"}
    schemas = described["components"]["schemas"]
    named = json.dumps(described).split("#/components/schemas/")[1:]
    assert {name.split('"')[0] for name in named} <= set(schemas)
    assert client.get("/docs").status_code == 200


# Addresses


@pytest.mark.parametrize(
    ("path", "accept", "status", "location"),
    [
        (f"{FERRY}/101.1", "application/json", 200, None),
        (f"{FERRY}/101.1", "text/turtle", 200, None),
        (f"{FERRY}/101.1", "text/html,application/xhtml+xml,*/*;q=0.8", 303, f"/v1/rules/{FERRY}/101.1"),
        (f"{FERRY}/101.1", "application/ld+json", 406, None),
        ("ferry/cr/latest/101.1", "text/html", 307, f"/id/{FERRY}/101.1"),
        ("ferry/cr/latest/101.1", "application/json", 307, f"/id/{FERRY}/101.1"),
        ("ferry/cr/latest", "application/json", 307, f"/id/{FERRY}"),
        (FERRY, "application/json", 200, None),
        (FERRY, "text/turtle", 200, None),
        (FERRY, "text/html", 303, "/v1/editions"),
        ("concept/mtg/graveyard", "application/json", 200, None),
        ("concept/mtg/graveyard", "text/turtle", 200, None),
        ("concept/mtg/graveyard", "text/html", 303, "/v1/concepts/mtg/graveyard"),
        ("concept/graveyard", "text/html", 303, "/v1/concepts/graveyard"),
        ("concept/graveyard", "application/ld+json", 406, None),
    ],
)
def test_addresses(client: TestClient, path: str, accept: str, status: int, location: str | None) -> None:
    response = client.get(f"/id/{path}", headers={"Accept": accept})
    assert (response.status_code, response.headers.get("location")) == (status, location)
    assert status == 406 or {"Accept", "Accept-Language"} <= set(response.headers["vary"].replace(",", " ").split())
    if location and "latest" not in path:
        assert client.get(location).status_code == 200


def test_an_address_answers_with_its_rule_or_edition(client: TestClient) -> None:
    rule = client.get(f"/id/{FERRY}/101").json()
    fits("rule", rule)
    assert rule == client.get(f"/v1/rules/{FERRY}/101").json()["rules"][0]
    assert client.get(f"/id/{FERRY}").json()["rules"] == 18


def test_an_address_answers_in_turtle(client: TestClient) -> None:
    from rdflib import RDF, Graph, Namespace, URIRef

    terms = Namespace("https://w3id.org/rulestone/ns#")
    found = Graph().parse(data=client.get(f"/id/{FERRY}/101.2", headers={"Accept": "text/turtle"}).text, format="turtle")
    rule = URIRef(f"{IRI}/101.2")
    assert (rule, RDF.type, terms.Rule) in found
    assert set(found.objects(rule, terms.cites)) == {URIRef(f"{IRI}/100.1a"), URIRef(f"{IRI}/201.1")}
    assert {str(exact) for exact in found.objects(None, terms.exact)} == {"100.1a", "201.1"}
    assert not list(found.objects(None, terms.record))
    gloss = client.get("/id/dm/zones-summary/undated/400.3b", headers={"Accept": "text/turtle"}).text
    assert {getattr(word, "language", None) for word in Graph().parse(data=gloss, format="turtle").objects(None, terms.gloss)} >= {
        "en",
        "ja",
    }
    edition = client.get(f"/id/{FERRY}", headers={"Accept": "text/turtle"}).text
    assert (URIRef(IRI), RDF.type, terms.Edition) in Graph().parse(data=edition, format="turtle")


def test_a_concept_answers_with_its_claims(client: TestClient) -> None:
    from rdflib import RDF, SKOS, Graph, Namespace, URIRef

    terms, quotes = Namespace("https://w3id.org/rulestone/ns#"), Namespace("http://www.w3.org/ns/oa#")
    told = client.get("/id/concept/mtg/graveyard", headers={"Accept": "application/json"}).json()
    fits("concept", told)
    assert told == client.get("/v1/concepts/mtg/graveyard").json()["concepts"][0]
    turtle = client.get("/id/concept/mtg/graveyard", headers={"Accept": "text/turtle"}).text
    found, concept = Graph().parse(data=turtle, format="turtle"), URIRef(told["concept"])
    assert (concept, RDF.type, SKOS.Concept) in found
    claims = {claim["claim"] for of_one in told["properties"].values() for claim in of_one}
    assert set(map(str, found.subjects(terms.subject, concept))) == claims
    supports = [one for of_one in told["properties"].values() for claim in of_one for one in claim["supports"]]
    assert {str(words) for words in found.objects(None, quotes.exact)} == {one["quote"] for one in supports}
    assert {str(rule) for rule in found.objects(None, quotes.hasSource)} == {one["rule"] for one in supports}


def test_the_vocabulary(client: TestClient) -> None:
    response = client.get("/ns")
    assert response.headers["content-type"].startswith(("text/turtle", "application/problem+json"))
    assert response.status_code in (200, 404)


# A running server


def test_a_new_bundle_is_picked_up_and_the_old_one_let_go(tmp_path: Path) -> None:
    home = tmp_path / "home"
    put(home, HUNDREDS_EN, "2021-05-03")
    live = Live(Home(home), every=0)
    with TestClient(create_app(Library(Home(home), create=False, every=0))) as client:
        assert client.get("/v1/rules/ferry/101.1").json()["rules"][0]["edition"] == "2021-05-03"
        in_flight = live.bundle()
        put(home, HUNDREDS_EN.replace("six tokens", "seven tokens"), "2022-02-02")
        rules = client.get("/v1/rules/ferry/101.1").json()["rules"]
        assert [(rule["edition"], rule["current"]) for rule in rules] == [("2022-02-02", True), ("2021-05-03", False)]
        assert live.bundle() is not in_flight
        assert "2022-02-02" not in {one["edition"] for one in in_flight.knowledge.editions()}
        old = in_flight.path
        del in_flight
        put(home, HUNDREDS_EN.replace("six tokens", "eight tokens"), "2023-03-03")
        assert not old.exists()
    live.close()


def test_live_looks_only_so_often(home: Path) -> None:
    live = Live(Home(home), every=60)
    assert live.bundle() is live.bundle()
    with pytest.raises(NotFoundError, match="rulestone build"):
        Live(Home(home / "nowhere")).bundle()
    live.close()


def test_serve(home: Path) -> None:
    command = [sys.executable, "-m", "api.cli.app", "--home", str(home), "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stderr
        address = process.stderr.readline().split()[1].removesuffix("/v1,")
        with urllib.request.urlopen(f"{address}/v1/rules/ferry/101.1", timeout=20) as response:
            assert json.load(response)["rules"][0]["game"] == "ferry"
        process.send_signal(2)
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_the_documentation_page_needs_no_network(client: TestClient) -> None:
    page = client.get("/docs").text
    assert "://" not in page.replace("http://www.w3.org/", "")
    script = page.split('<script src="')[1].split('"')[0]
    assert client.get(script).status_code == 200
