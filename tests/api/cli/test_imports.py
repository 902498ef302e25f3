"""What a command must not import, since its user waits for every import."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.texts import ROOT


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "ferry:101.1"],
        ["cites", "ferry:101.1"],
        ["export", "jsonl"],
        ["concept", "mtg/墓地"],
        ["term", "yard", "--json"],
        ["compare", "zones", "--json"],
        ["compare", "topics", "--json"],
        ["cards", "Fog"],
    ],
)
def test_a_look_up_imports_nothing_heavy(home: Path, arguments: list[str]) -> None:
    heavy = {"ingest", "search", "docutils", "spacy", "torch", "rdflib", "fastapi", "pydantic", "numpy", "rich"}
    script = "import sys\nfrom api.cli.app import main\nmain(sys.argv[2:])\nprint(set(sys.modules) & set(sys.argv[1].split()))"
    command = [sys.executable, "-c", script, " ".join(heavy), "--home", str(home), *arguments]
    assert subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout.splitlines()[-1] == "set()"


@pytest.mark.parametrize("command", ["show", "cites"])
def test_a_rule_by_its_number_waits_for_nothing_that_others_need(home: Path, command: str) -> None:
    """Each of these took a millisecond or more of every start."""
    rest = {"zipfile", "tempfile", "secrets", "importlib.resources", "ontology.topics.topic", "corpus.store.threads.compose"}
    script = "import sys\nfrom api.cli.app import main\nmain(sys.argv[2:])\nprint(set(sys.modules) & set(sys.argv[1].split()))"
    asked = [sys.executable, "-c", script, " ".join(rest), "--home", str(home), command, "ferry:101.1"]
    assert subprocess.run(asked, capture_output=True, text=True, cwd=ROOT, check=True).stdout.splitlines()[-1] == "set()"


@pytest.mark.parametrize(("command", "first"), [("search", "searched for"), ("ask", "1. “")])
def test_a_question_imports_no_model_and_no_parser(home: Path, command: str, first: str) -> None:
    heavy = {"ingest", "docutils", "spacy", "torch", "sentence_transformers", "rdflib", "scipy", "bm25s", "fastapi", "rich"}
    script = "import sys\nfrom api.cli.app import main\nmain(sys.argv[2:])\nprint(set(sys.modules) & set(sys.argv[1].split()))"
    asked = [sys.executable, "-c", script, " ".join(heavy), "--home", str(home), command, "graveyard ordre", "--game", "dm"]
    ran = subprocess.run(asked, capture_output=True, text=True, cwd=ROOT, check=True).stdout.splitlines()
    assert ran[0].startswith(first)
    assert ran[-1] == "set()"


def test_a_look_up_imports_no_other_command() -> None:
    script = "import sys\nfrom api.cli.app import main\nmain(['show', '--help'])\nprint('api.cli.commands.server' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "False"
