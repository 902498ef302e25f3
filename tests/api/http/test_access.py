"""An open server: who may ask, how often, under which name; what is counted and written down. Nothing of it without a setting."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import limits.storage.memory
import limits.strategies
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from api.http import access
from api.http.access import RateLimiter, client_address
from api.http.app import create_app
from api.http.settings import Rate, Settings
from corpus.errors import InputError
from corpus.store.home import Home
from rulestone import Library

RULE = "/v1/rules/ferry/101.1"
KEYS = {sha256(b"one").hexdigest(): "Ada", sha256(b"two").hexdigest(): "Bo"}


@contextmanager
def client_for(home: Path, **settings: Any) -> Iterator[TestClient]:  # noqa: ANN401
    app = create_app(Library.open(home, create=False), Settings(**settings))
    with TestClient(app, raise_server_exceptions=False, follow_redirects=False) as client:
        yield client


class Clock:
    """The time of rate limits; it stands still unless a test moves it. The windows of a limiter begin at full seconds and hours."""

    perf_counter = staticmethod(time.perf_counter)

    def __init__(self) -> None:
        self.now = 1_800_000_600.0

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in (access, limits.strategies, limits.storage.memory):
        monkeypatch.setattr(module, "time", clock)
    return clock


def test_without_settings_everybody_may_ask(home: Path) -> None:
    with client_for(home) as client:
        answer = client.get(RULE)
        assert answer.status_code == 200
        assert not {"ratelimit", "retry-after", "www-authenticate"} & set(answer.headers)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert client.get("/metrics").status_code == 404


def test_who_has_a_key_may_ask(home: Path) -> None:
    accepted: tuple[tuple[str, str], ...] = (
        ("Authorization", "Bearer one"),
        ("Authorization", "bearer  two "),
        ("X-API-Key", "one"),
    )
    wrong_keys = ("X-API-Key", "three"), ("Authorization", "Basic one"), ("Authorization", f"Bearer {next(iter(KEYS))}")
    with client_for(home, keys=KEYS) as client:
        assert {key: client.get(RULE, headers=dict([key])).status_code for key in accepted} == dict.fromkeys(accepted, 200)
        for headers in ({}, *(dict([key]) for key in wrong_keys)):
            answer = client.get(RULE, headers=headers)
            assert (answer.status_code, answer.headers["content-type"]) == (401, "application/problem+json"), headers
            assert answer.headers["www-authenticate"].startswith("Bearer")
        assert client.get("/healthz").status_code == 200


def test_a_long_key_is_wrong_and_takes_no_memory(home: Path) -> None:
    with client_for(home, keys=KEYS) as client:
        before = access._key_hash.cache_info().currsize
        for name in ("X-API-Key", "Authorization"):
            key = "k" * 60_000
            assert client.get(RULE, headers={name: f"Bearer {key}" if name == "Authorization" else key}).status_code == 401
        assert access._key_hash.cache_info().currsize == before


def test_who_has_no_key_may_ask_where_that_is_allowed_but_not_with_a_wrong_one(home: Path) -> None:
    with client_for(home, keys=KEYS, anonymous=True) as client:
        assert client.get(RULE).status_code == 200
        assert client.get(RULE, headers={"X-API-Key": "three"}).status_code == 401


@pytest.mark.usefixtures("clock")
def test_who_asks_too_often_is_told_when_to_come_again(home: Path) -> None:
    with client_for(home, keys=KEYS, anonymous=True, rate=Rate(3, 3600)) as client:
        answers = [client.get(RULE) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert answers[0].headers["ratelimit-policy"] == '"caller";q=3;w=3600'
        assert [answer.headers["ratelimit"].split(";")[1] for answer in answers] == ["r=2", "r=1", "r=0", "r=0"]
        assert answers[3].headers["content-type"] == "application/problem+json"
        assert 0 < int(answers[3].headers["retry-after"]) <= 3600
        assert client.get(RULE, headers={"X-API-Key": "one"}).status_code == 200
        assert client.get("/healthz").status_code == 200


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("headers", [{"X-API-Key": "three"}, {"Authorization": "Bearer three"}, {}])
def test_who_has_no_right_key_uses_up_the_rate_of_their_address(home: Path, headers: dict[str, str]) -> None:
    with client_for(home, keys=KEYS, rate=Rate(2, 3600), total=Rate(1, 3600)) as client:
        answers = [client.get(RULE, headers=headers) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [401, 401, 429]
        assert [answer.headers["ratelimit"].split(";")[1] for answer in answers] == ["r=1", "r=0", "r=0"]
        assert int(answers[2].headers["retry-after"]) > 0
        assert client.get(RULE, headers={"X-API-Key": "four"}).status_code == 429
        assert client.get("/healthz", headers=headers).status_code == 200
        assert client.get(RULE, headers={"X-API-Key": "one"}).status_code == 200, "neither their rate nor that of all is used up"


@pytest.mark.usefixtures("clock")
def test_all_together_may_ask_so_often(home: Path) -> None:
    with client_for(home, keys=KEYS, total=Rate(2, 3600)) as client:
        assert [client.get(RULE, headers={"X-API-Key": key}).status_code for key in ("one", "two", "one")] == [200, 200, 429]


def test_a_server_goes_by_its_names(home: Path) -> None:
    known = {"rules.example.org": 200, "RULES.example.org:8000": 200, "evil.example": 421, "[::1]:8000": 421}
    with client_for(home, hosts=("rules.example.org",)) as client:
        assert {host: client.get(RULE, headers={"Host": host}).status_code for host in known} == known


def test_pages_that_may_ask(home: Path) -> None:
    good, evil = "https://good.example", "https://evil.example"
    with client_for(home, origins=(good,)) as client:
        answers = [client.get(RULE, headers={"Origin": origin}) for origin in (good, evil)]
    assert [answer.headers.get("access-control-allow-origin") for answer in answers] == [good, None]


PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.mark.parametrize(
    ("origins", "status", "allowed"),
    [
        ((), 403, None),
        (("https://other.example",), 403, None),
        (("https://page.example",), 200, "https://page.example"),
        (("*",), 200, "*"),
    ],
)
def test_pages_that_may_use_mcp(home: Path, origins: tuple[str, ...], status: int, allowed: str | None) -> None:
    with client_for(home, origins=origins) as client:
        headers = {"Origin": "https://page.example", "Accept": "application/json"}
        answer = client.post("/mcp", json=PING, headers=headers)
        assert (answer.status_code, answer.headers.get("access-control-allow-origin")) == (status, allowed)
        preflight_headers = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
        preflight = client.options("/mcp", headers=headers | preflight_headers)
        assert (preflight.status_code == 200, preflight.headers.get("access-control-allow-origin")) == (bool(allowed), allowed)
        assert client.post("/mcp", json=PING, headers=headers | {"Origin": "http://localhost:3000"}).status_code == 200


READ = (
    RULE,
    "/v1/search?q=ferry",
    "/v1/answers?q=ferry",
    "/sparql?query=ASK%20%7B%3Fs%20%3Fp%20%3Fo%7D",
    "/v1/export",
    "/id/ferry/cr/2021-05-03",
)
PREFLIGHT = {"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}


@pytest.mark.parametrize(
    ("shared", "allowed"), [((), None), (("mtg/cr",), None), (("ferry/cr",), "*"), (("ferry/cr", "mtg/cr"), "*")]
)
def test_pages_of_others_read_only_what_may_be_shared(home: Path, shared: tuple[str, ...], allowed: str | None) -> None:
    with client_for(home, shared_books=shared) as client:
        for path in READ:
            answer = client.get(path, headers={"Origin": "https://evil.example"})
            assert (answer.status_code, answer.headers.get("access-control-allow-origin")) == (200, allowed), path
        assert client.options("/v1/verify", headers=PREFLIGHT).status_code == (200 if allowed else 405)
        assert "access-control-allow-origin" not in client.get(RULE).headers or allowed


def test_pages_of_others_read_everything_while_no_book_is_loaded(digest_home: Home) -> None:
    with client_for(digest_home.path) as client:
        answer = client.get("/v1/editions", headers={"Origin": "https://bot.example"})
        assert answer.headers["access-control-allow-origin"] == "*"
        assert client.options("/v1/verify", headers=PREFLIGHT).status_code == 200


@pytest.mark.parametrize(
    ("hosts", "requests"),
    [
        (
            (),
            [
                ("127.0.0.1", "127.0.0.1:8000", 200),
                ("127.0.0.1", "localhost", 200),
                ("::1", "[::1]:8000", 200),
                ("::ffff:127.0.0.1", "127.0.0.2", 200),
                ("127.0.0.1", "evil.example:8000", 421),
                ("127.0.0.1", "127.0.0.1.evil.example", 421),
                ("192.0.2.1", "rules.example.org", 200),
            ],
        ),
        (
            ("rules.example.org",),
            [
                ("127.0.0.1", "rules.example.org", 200),
                ("127.0.0.1", "localhost:8000", 200),
                ("192.0.2.1", "localhost:8000", 421),
            ],
        ),
    ],
)
def test_a_page_reaches_no_server_on_its_readers_machine(
    home: Path, hosts: tuple[str, ...], requests: list[tuple[str, str, int]]
) -> None:
    app = create_app(Library.open(home, create=False), Settings(hosts=hosts, metrics=True))
    with TestClient(app):
        for (peer, host, status), path in product(requests, (RULE, "/healthz", "/", "/metrics", "/mcp")):
            answer = TestClient(app, client=(peer, 50000)).get(path, headers={"Host": host})
            assert answer.status_code == (405 if path == "/mcp" and status == 200 else status), (peer, host, path)
            if status == 421:
                assert f"RULESTONE_HOSTS={host.partition(':')[0]}" in answer.json()["detail"], (peer, host, path)


def test_a_page_may_ask_with_any_header(home: Path) -> None:
    with client_for(home, keys=KEYS, origins=("*",)) as client:
        for names in ("If-None-Match", "If-None-Match, X-API-Key", "Content-Type, Authorization"):
            headers = PREFLIGHT | {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": names}
            answer = client.options(RULE, headers=headers)
            assert (answer.status_code, answer.headers["access-control-allow-headers"]) == (200, names)


def test_what_is_counted_has_no_question_in_it(home: Path) -> None:
    with client_for(home, metrics=True) as client:
        for path in (RULE, RULE, "/v1/search?q=secret+question", "/made/up", "/v1/made-up", "/id/ferry/cr/2021-05-03"):
            client.get(path)
        answer = client.get("/metrics")
        assert answer.headers["content-type"].startswith("text/plain")
        assert "secret" not in answer.text
        families = {
            text_string_to_metric_family.name: text_string_to_metric_family
            for text_string_to_metric_family in text_string_to_metric_families(answer.text)
        }
        counts = {
            (sample.labels["path"], sample.labels["status"]): sample.value
            for sample in families["rulestone_requests"].samples
            if "_total" in sample.name
        }
        assert counts[("/v1/rules", "200")] == 2
        assert counts[("/v1/search", "200")] == 1
        assert counts[("other", "404")] == 2
        assert "/id" in {path for path, _ in counts}
        assert "rulestone_request_seconds" in families


@pytest.mark.parametrize("questions", [False, True])
def test_the_log_has_what_was_asked_only_where_that_is_wanted(home: Path, tmp_path: Path, questions: bool) -> None:
    file = tmp_path / "access.log"
    with client_for(home, keys=KEYS, log=str(file), log_questions=questions) as client:
        client.get("/v1/search?q=secret", headers={"X-API-Key": "one"})
        client.get("/v1/search?q=secret")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(entry["caller"], entry["path"], entry["status"]) for entry in lines] == [
        ("Ada", "/v1/search", 200),
        ("testclient", "/v1/search", 401),
    ]
    assert ("secret" in file.read_text()) == questions
    assert "one" not in file.read_text().replace("None", "")


def test_a_window_slides(clock: Clock) -> None:
    limiter = RateLimiter(Rate(2, 1))
    assert [limiter.hit("a").allowed for _ in range(3)] == [True, True, False]
    assert limiter.hit("b").remaining == 1
    clock.now += 1
    assert not limiter.hit("a").allowed
    clock.now += 0.5
    assert limiter.hit("a").allowed


@pytest.mark.parametrize(
    ("client", "address"),
    [
        (("192.0.2.7", 1), "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 1), "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 1), "fe80::/64"),
        (("::ffff:192.0.2.7", 1), "::ffff:c000:207"),
        (None, "unknown"),
    ],
)
def test_addresses_that_are_one_caller(client: tuple[str, int] | None, address: str) -> None:
    assert client_address({"type": "http", "client": client}) == address


def test_settings_are_read_from_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text("# who may ask\n" + "".join(f"{name}:{digest}\n" for digest, name in KEYS.items()))
    environment = {
        "RULESTONE_KEYS": str(file),
        "RULESTONE_RATE": "120/minute",
        "RULESTONE_HOSTS": "a.example, b.example",
        "RULESTONE_METRICS": "yes",
        "RULESTONE_ORIGINS": " ",
    }
    assert Settings.from_environment(environment) == Settings(
        keys=KEYS, rate=Rate(120, 60), hosts=("a.example", "b.example"), metrics=True
    )
    inline = ",".join(f"{name}:{digest}" for digest, name in KEYS.items())
    assert Settings.from_environment({"RULESTONE_KEYS": inline}) == Settings(keys=KEYS)
    assert Settings.from_environment({}) == Settings()


@pytest.mark.parametrize(
    ("name", "words", "message"),
    [
        ("RULESTONE_KEYS", "/no/such/file", "there is no file /no/such/file"),
        ("RULESTONE_KEYS", "ada:secret", "expected name:sha256"),
        ("RULESTONE_RATE", "120", "expected e.g. 120/minute"),
        ("RULESTONE_RATE_TOTAL", "0/minute", "expected e.g. 120/minute"),
        ("RULESTONE_METRICS", "perhaps", "expected yes or no"),
    ],
)
def test_what_cannot_be_understood_is_told(name: str, words: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Settings.from_environment({name: words})
