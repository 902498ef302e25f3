"""The description of the API: readable names, closed sets as enums, ranges and lengths, and every answer that a route gives."""

import re
from typing import Any

import pytest

from api.http.app import create_app
from api.schemas import schema_definitions
from corpus.contract import Claim, Rule, Zone
from rulestone import Library

Json = dict[str, Any]


@pytest.fixture(scope="module")
def description(tmp_path_factory: pytest.TempPathFactory) -> Json:
    return create_app(Library.open(tmp_path_factory.mktemp("openapi"), create=False)).openapi()


def operations(description: Json) -> list[tuple[str, str, Json]]:
    return [(path, method, operation) for path, item in description["paths"].items() for method, operation in item.items()]


def parameters(description: Json, path: str) -> dict[str, Json]:
    """The schema of each parameter, without what is said of it in words."""
    spoken = {"title", "description", "examples"}
    return {
        parameter["name"]: {keyword: value for keyword, value in parameter["schema"].items() if keyword not in spoken}
        for parameter in description["paths"][path]["get"]["parameters"]
    }


def test_it_is_openapi_3_1_with_a_name_for_every_operation(description: Json) -> None:
    names = [operation["operationId"] for _, _, operation in operations(description)]
    assert description["openapi"].startswith("3.1.")
    assert len(names) == len(set(names))
    assert {"get_rules", "get_rules_by_path", "search", "get_zones"} <= set(names)  # generated clients call them so
    assert [name for name in names if not re.fullmatch("[a-z]+(_[a-z]+)*", name)] == []


@pytest.mark.parametrize(
    ("path", "name", "schema"),
    [
        ("/v1/search", "limit", {"type": "integer", "minimum": 1, "maximum": 100, "default": 10}),
        ("/v1/search", "offset", {"type": "integer", "minimum": 0, "maximum": 1000, "default": 0}),
        ("/v1/search", "q", {"type": "string", "minLength": 1, "maxLength": 1000}),
        ("/v1/terms", "limit", {"type": "integer", "minimum": 0, "maximum": 1000, "default": 10}),
        ("/v1/concepts", "limit", {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}),
        ("/v1/rules", "ref", {"type": "string", "minLength": 1, "maxLength": 300}),
        ("/v1/rules", "lang", {"$ref": "#/components/schemas/AnswerLang"}),
        ("/v1/rules/{game}/{ref}", "in", {"$ref": "#/components/schemas/AnswerLang"}),
    ],
)
def test_parameters_describe_their_values(description: Json, path: str, name: str, schema: Json) -> None:
    assert parameters(description, path)[name] == schema


def test_every_route_tells_all_its_answers(description: Json) -> None:
    for path, method, operation in operations(description):
        cached = {"304"} if method == "get" and path != "/healthz" else set()
        statuses = {"200", "405"} | (set() if path == "/ns" else {"400", "404", "503"}) | cached
        assert statuses <= set(operation["responses"]), path
        assert "422" not in operation["responses"]


@pytest.mark.parametrize(
    ("kind", "name", "schema"),
    [
        (Rule, "kind", {"$ref": "#/components/schemas/RuleKind"}),
        (Rule, "number", {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        (Rule, "parent", {"anyOf": [{"$ref": "#/components/schemas/Iri"}, {"type": "null"}]}),
        (
            Rule,
            "texts",
            {
                "type": "object",
                "propertyNames": {"$ref": "#/components/schemas/Lang"},
                "additionalProperties": {"$ref": "#/components/schemas/RuleText"},
            },
        ),
        (Zone, "properties", {"required": ["visibility", "sharing", "ordering", "capacity"]}),
        (Claim, "supports", {"type": "array", "items": {"$ref": "#/components/schemas/Support"}, "minItems": 1}),
    ],
)
def test_a_type_becomes_a_schema(kind: type, name: str, schema: Json) -> None:
    definition = schema_definitions(kind)[kind.__name__]
    assert definition["description"]
    assert schema.items() <= definition["properties"][name].items()
