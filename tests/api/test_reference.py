"""The reference pages are what the program says of itself."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_reference_pages_are_up_to_date() -> None:
    check = subprocess.run([sys.executable, "tools/reference.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (check.returncode, check.stdout) == (0, "nothing to do\n"), check.stderr


def test_every_setting_of_the_code_is_in_a_table() -> None:
    rooms = ("corpus", "ontology", "ingest", "search", "rulestone", "api")
    settings = {
        name
        for room in rooms
        for path in (ROOT / room).rglob("*.py")
        for name in re.findall(r'"(RULESTONE_[A-Z_]+)"', path.read_text("utf-8"))
    }
    documented_names = re.findall("RULESTONE_[A-Z_]+", (ROOT / "docs/settings.md").read_text("utf-8"))
    assert settings - {*documented_names} == set()
