"""The contract's own checker against the command line, on the real seeds; and our published schemas against the contract's."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.bodies import SCHEMAS, component

ROOT = Path(__file__).parents[2]
CONTRACT = ROOT.parent / "shared" / "contract"

pytestmark = pytest.mark.skipif(not (CONTRACT / "check.py").is_file(), reason=f"no contract at {CONTRACT}")


@pytest.mark.real
def test_the_contract_holds(tmp_path: Path) -> None:
    command = tmp_path / "rulestone"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m api.cli.app "$@"\n')
    command.chmod(0o755)
    check = [sys.executable, str(CONTRACT / "check.py"), str(command)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    ended = subprocess.run(check, capture_output=True, text=True, env=environment, timeout=600, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "the contract holds\n", "")


Json = dict[str, Any]
_BOUNDS = ("pattern", "minLength", "minItems", "minimum", "exclusiveMinimum", "maximum", "maxItems", "const")


def variants(schema: Json, known: Json) -> list[Json]:
    """A schema as the alternatives it allows, without references: each one type, or any."""
    if "$ref" in schema:
        return variants(known[schema["$ref"].rsplit("/", 1)[-1]], known)
    if "allOf" in schema:
        return [merge([part for whole in schema["allOf"] for part in variants(whole, known)])]
    if "anyOf" in schema or "oneOf" in schema:
        return [part for choice in schema.get("anyOf") or schema["oneOf"] for part in variants(choice, known)]
    if isinstance(schema.get("type"), list):
        return [schema | {"type": name} for name in schema["type"]]
    return [schema]


def merge(parts: list[Json]) -> Json:
    """One object that is all that several are."""
    properties = {name: value for part in parts for name, value in part.get("properties", {}).items()}
    return {"type": "object", "required": [name for part in parts for name in part.get("required", ())], "properties": properties}


def demands(contract: Json, schema: Json, known: tuple[Json, Json]) -> bool:
    """Whether whatever our schema lets pass their schema lets pass too."""
    return all(
        any(_fits(variant, other, known) for variant in variants(contract, known[0])) for other in variants(schema, known[1])
    )


def _fits(contract: Json, schema: Json, known: tuple[Json, Json]) -> bool:
    if "type" in contract and contract["type"] not in (schema.get("type"), "number" if schema.get("type") == "integer" else None):
        return False
    if "enum" in contract and not set(schema.get("enum", [schema.get("const")])) <= set(contract["enum"]):
        return False
    if any(name in contract and schema.get(name) != contract[name] for name in _BOUNDS) or not _has(contract, schema):
        return False
    inner = [
        (contract[name], schema.get(name, {})) for name in ("items", "additionalProperties", "propertyNames") if name in contract
    ]
    properties = schema.get("properties", {})
    inner += [(value, properties[name]) for name, value in contract.get("properties", {}).items() if name in properties]
    return all(demands(demand, other, known) for demand, other in inner)


def _has(contract: Json, schema: Json) -> bool:
    return set(contract.get("required", ())) <= set(schema.get("required", ()))


def test_the_published_schemas_demand_what_the_contract_demands() -> None:
    contract: Json = json.loads((CONTRACT / "schemas.json").read_text("utf-8"))["$defs"]
    schemas: Json = SCHEMAS | {name: SCHEMAS[component(name)] for name in contract if component(name) in SCHEMAS}
    shared = {"rule", "rules", "cites", "search", "hit", "batch_line", "claim", "zone", "zones", "rule_ref", "lang", "authority"}
    assert shared <= set(schemas) & set(contract)
    assert [name for name in set(schemas) & set(contract) if not demands(contract[name], schemas[name], (contract, schemas))] == []


@pytest.mark.parametrize(
    ("contract", "schema", "passes"),
    [
        ({"type": ["string", "null"]}, {"type": "string"}, True),
        ({"type": "string"}, {"type": ["string", "null"]}, False),
        ({"type": "string", "pattern": "a"}, {"type": "string"}, False),
        ({"enum": ["a", "b"]}, {"type": "string", "enum": ["a"]}, True),
        ({"enum": ["a"]}, {"enum": ["a", "b"]}, False),
        ({"type": "object", "required": ["a"]}, {"type": "object", "required": ["a", "b"]}, True),
        ({"type": "object", "required": ["a"]}, {"type": "object"}, False),
        ({"items": {"$ref": "#/$defs/x"}}, {"items": {"anyOf": [{"$ref": "#/c/x"}, {"type": "null"}]}}, False),
        ({"allOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"type": "object", "required": ["b", "a"]}, True),
    ],
)
def test_demands(contract: Json, schema: Json, passes: bool) -> None:
    known = {"x": {"type": "integer"}}
    assert demands(contract, schema, (known, known)) is passes
