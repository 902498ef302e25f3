"""The API describes itself, on a page that needs no network."""

import json

import pytest
from starlette.testclient import TestClient


def test_the_api_describes_itself(client: TestClient) -> None:
    description = client.get("/openapi.json").json()
    assert set(description["paths"]["/v1/rules"]["get"]["responses"]) == {
        "200",
        "304",
        "400",
        "401",
        "404",
        "405",
        "414",
        "421",
        "429",
        "503",
    }
    schemas = description["components"]["schemas"]
    references = json.dumps(description).split("#/components/schemas/")[1:]
    assert {name.split('"')[0] for name in references} <= set(schemas)
    assert client.get("/docs").status_code == 200


def test_the_documentation_page_needs_no_network(client: TestClient) -> None:
    page = client.get("/docs").text
    assert "://" not in page.replace("http://www.w3.org/", "")
    script = page.split('<script src="')[1].split('"')[0]
    assert client.get(script).status_code == 200


@pytest.mark.parametrize("path", ["/docs", "/redoc"])
def test_the_description_loads_nothing_from_elsewhere(client: TestClient, path: str) -> None:
    policy = client.get(path).headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "http" not in policy
    assert "content-security-policy" not in client.get("/v1/editions").headers
