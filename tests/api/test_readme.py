"""The README's tables name every command and every route, each once, and nothing that is not there."""

import re
from collections import Counter
from pathlib import Path

import pytest

from api.cli.app import COMMANDS
from api.http.app import create_app
from rulestone import Library

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
UNDESCRIBED = {"/docs", "/openapi.json", "/mcp"}
"""Routes that are no part of the description: they give it, or speak another protocol."""


def firsts(heading: str) -> list[str]:
    """The first cells of the rows of a section's tables."""
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [row.split(" | ")[0] for row in re.findall(r"^\| (`.*)$", section, re.M)]


def test_every_command_has_its_row() -> None:
    rows = [re.findall(r"`([a-z]+)[^`]*`", cell) for cell in firsts("Commands")]
    assert {name for names in rows for name in names} == set(COMMANDS)


def test_every_route_has_its_row(tmp_path: Path) -> None:
    described = set(create_app(Library.open(tmp_path, create=False)).openapi()["paths"])
    named = [path for cell in firsts("HTTP") for path in re.findall(r"(?<![\w/])(/[^?`\s]*)", cell)]
    plain = {path for path in named if not path.startswith("/id/")}
    assert plain - UNDESCRIBED == {path for path in described if not path.startswith("/id/")}


@pytest.mark.parametrize("heading", ["Commands", "HTTP"])
def test_no_row_stands_twice(heading: str) -> None:
    assert [cell for cell, rows in Counter(firsts(heading)).items() if rows > 1] == []
