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
        return [joined([part for whole in schema["allOf"] for part in variants(whole, known)])]
    if "anyOf" in schema or "oneOf" in schema:
        return [part for choice in schema.get("anyOf") or schema["oneOf"] for part in variants(choice, known)]
    if isinstance(schema.get("type"), list):
        return [schema | {"type": name} for name in schema["type"]]
    return [schema]


def joined(parts: list[Json]) -> Json:
    """One object that is all that several are."""
    properties = {name: value for part in parts for name, value in part.get("properties", {}).items()}
    return {"type": "object", "required": [name for part in parts for name in part.get("required", ())], "properties": properties}


def demands(theirs: Json, ours: Json, known: tuple[Json, Json]) -> bool:
    """Whether whatever our schema lets pass their schema lets pass too."""
    return all(any(_fits(variant, other, known) for variant in variants(theirs, known[0])) for other in variants(ours, known[1]))


def _fits(theirs: Json, ours: Json, known: tuple[Json, Json]) -> bool:
    if "type" in theirs and theirs["type"] not in (ours.get("type"), "number" if ours.get("type") == "integer" else None):
        return False
    if "enum" in theirs and not set(ours.get("enum", [ours.get("const")])) <= set(theirs["enum"]):
        return False
    if any(name in theirs and ours.get(name) != theirs[name] for name in _BOUNDS) or not _has(theirs, ours):
        return False
    inner = [(theirs[name], ours.get(name, {})) for name in ("items", "additionalProperties", "propertyNames") if name in theirs]
    named = ours.get("properties", {})
    inner += [(value, named[name]) for name, value in theirs.get("properties", {}).items() if name in named]
    return all(demands(demand, other, known) for demand, other in inner)


def _has(theirs: Json, ours: Json) -> bool:
    return set(theirs.get("required", ())) <= set(ours.get("required", ()))


def test_the_published_schemas_demand_what_the_contract_demands() -> None:
    theirs: Json = json.loads((CONTRACT / "schemas.json").read_text("utf-8"))["$defs"]
    ours: Json = SCHEMAS | {name: SCHEMAS[component(name)] for name in theirs if component(name) in SCHEMAS}
    shared = {"rule", "rules", "cites", "search", "hit", "batch_line", "claim", "zone", "zones", "rule_ref", "lang", "authority"}
    assert shared <= set(ours) & set(theirs)
    assert [name for name in set(ours) & set(theirs) if not demands(theirs[name], ours[name], (theirs, ours))] == []


@pytest.mark.parametrize(
    ("theirs", "ours", "passes"),
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
def test_demands(theirs: Json, ours: Json, passes: bool) -> None:
    known = {"x": {"type": "integer"}}
    assert demands(theirs, ours, (known, known)) is passes
