"""Parameters of requests: no route takes one that its description lacks, or one twice."""

import re
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from api.http.app import create_app
from rulestone import Library

Route = tuple[str, str, list[str]]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    return create_app(Library.open(tmp_path_factory.mktemp("parameters"), create=False))


@pytest.fixture(scope="module")
def routes(app: FastAPI) -> list[Route]:
    """Every route with a word in each place of its path, and the parameters that it describes."""
    return [
        (
            method,
            re.sub(r"\{\w+\}", "x", path),
            [parameter["name"] for parameter in operation.get("parameters", ()) if parameter["in"] == "query"],
        )
        for path, item in app.openapi()["paths"].items()
        for method, operation in item.items()
    ]


@pytest.fixture(scope="module")
def lists(app: FastAPI) -> set[str]:
    """Repeatable parameters."""
    operations = (operation for item in app.openapi()["paths"].values() for operation in item.values())
    return {
        parameter["name"]
        for operation in operations
        for parameter in operation.get("parameters", ())
        if parameter["schema"].get("type") == "array"
    }


@pytest.fixture(scope="module")
def client(app: FastAPI) -> TestClient:
    return TestClient(app, follow_redirects=False)


def refusal(client: TestClient, url: str, method: str = "get") -> dict[str, Any]:
    response = client.request(method, url)
    assert (response.status_code, response.headers["content-type"]) == (400, "application/problem+json"), url
    body: dict[str, Any] = response.json()
    return body


def test_an_unknown_parameter_is_refused_with_those_that_are_known(client: TestClient, routes: list[Route]) -> None:
    assert len(routes) > 10
    for method, path, known in routes:
        start, _, names = refusal(client, f"{path}?bogus=1", method)["detail"].partition("; known parameters: ")
        assert start == f"{path} has no parameter bogus"
        assert set(names.split(", ")) == set(known or ["none"])


def test_a_parameter_given_twice_is_refused(client: TestClient, routes: list[Route], lists: set[str]) -> None:
    parameters = [(method, path, name) for method, path, known in routes for name in known if name not in lists]
    assert lists == {"default-graph-uri", "named-graph-uri"}
    assert {name for *_, name in parameters} >= {"q", "ref", "label", "lang", "limit"}
    for method, path, name in parameters:
        detail = refusal(client, f"{path}?{name}=a&{name}=a", method)["detail"]
        assert detail == f"{name}: given more than once; give each parameter once"


def test_case_makes_another_parameter(client: TestClient) -> None:
    assert "has no parameter Q" in refusal(client, "/v1/search?Q=graveyard")["detail"]
