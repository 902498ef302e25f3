"""Modules that a command must not import, since its user waits for every import."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.texts import ROOT

PARSERS = (
    "rulestone.publishers httpx2 ingest docutils spacy torch sentence_transformers rdflib fastapi rich api.cli.commands.server"
)
LOOK_UP = f"{PARSERS} search pydantic numpy"
QUESTION = f"{PARSERS} scipy bm25s"
SCRIPT = "import sys\nfrom api.cli.app import main\nmain(sys.argv[2:])\nprint(sorted(set(sys.modules) & set(sys.argv[1].split())))"


@pytest.mark.parametrize(
    ("arguments", "first", "forbidden"),
    [
        (["show", "ferry:101.1"], "", f"{LOOK_UP} opencc"),
        (["--help"], "Usage", PARSERS.replace(" api.cli.commands.server", "")),
        (["search", "graveyard ordre", "--game", "dm"], "searched for", QUESTION),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (
                (["get"], "mtg/cr", f"{LOOK_UP} lxml"),
                (["cites", "ferry:101.1"], "", LOOK_UP),
                (["export", "jsonl"], "", LOOK_UP),
                (["concept", "mtg/墓地"], "", LOOK_UP),
                (["term", "yard", "--json"], "", LOOK_UP),
                (["compare", "zones", "--json"], "", LOOK_UP),
                (["compare", "topics", "--json"], "", LOOK_UP),
                (["cards", "Fog"], "", LOOK_UP),
                (["ask", "graveyard ordre", "--game", "dm"], "1. “", QUESTION),
            )
        ),
    ],
)
def test_a_command_imports_nothing_that_it_does_not_need(home: Path, arguments: list[str], first: str, forbidden: str) -> None:
    command = [sys.executable, "-c", SCRIPT, forbidden, "--home", str(home), *arguments]
    lines = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout.splitlines()
    assert lines[0].startswith(first)
    assert lines[-1] == "[]"
