"""The contract's own checker against the command line, on the real seeds; and our published schemas against the contract's."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTRACT = ROOT.parent / "shared" / "contract"

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not (CONTRACT / "check.py").is_file(), reason=f"no contract at {CONTRACT}"),
]


@pytest.mark.parametrize("part", ["rules", "zones", "search"])
def test_the_contract_holds(tmp_path: Path, part: str) -> None:
    command = tmp_path / "rulestone"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m api.cli.app "$@"\n')
    command.chmod(0o755)
    check = [sys.executable, str(CONTRACT / "check.py"), str(command), "--only", part]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    ended = subprocess.run(check, capture_output=True, text=True, env=environment, timeout=300, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "the contract holds\n", "")


def contained(theirs: object, ours: object) -> bool:
    """Whether everything one schema says is said by the other, which may say more."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        return all(name in ours and contained(theirs[name], ours[name]) for name in theirs)
    if isinstance(theirs, list) and isinstance(ours, list):
        return all(any(contained(one, other) for other in ours) for one in theirs)
    return theirs == ours


def test_the_published_schemas_demand_what_the_contract_demands() -> None:
    ours = json.loads((ROOT / "api" / "data" / "schemas.json").read_text("utf-8"))
    theirs = json.loads((CONTRACT / "schemas.json").read_text("utf-8").replace("#/$defs/", "#/components/schemas/"))["$defs"]
    assert {"rule", "rules", "cites", "search", "hit"} <= set(ours)
    assert [name for name in set(ours) & set(theirs) if not contained(theirs[name], ours[name])] == []
