"""The project's habits: locks with hashes of every requirement, and docs that match the program."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
APART = {"torch"}
"""Its CPU build comes from an index of its own (constraints.txt)."""


def named(requirements: list[str]) -> set[str]:
    """Names as package indexes compare them (PEP 503)."""
    return {re.sub(r"[-_.]+", "-", re.split(r"[\[<>=~! ]", line)[0]).lower() for line in requirements}


def locked(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("lock", "asked"),
    [
        ("requirements.lock", PROJECT["project"]["dependencies"]),
        ("requirements-dev.lock", [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]),
    ],
)
def test_a_lock_holds_what_is_asked_for(lock: str, asked: list[str]) -> None:
    pins = re.findall(r"^([A-Za-z0-9._-]+)==", locked(lock), re.M)
    assert named(asked) - named(pins) - APART == set(), "run: make lock"


@pytest.mark.parametrize(
    "lock", ["requirements.lock", "requirements-dev.lock", "requirements-client.lock", "requirements-sssom.lock"]
)
def test_every_pin_has_a_hash_and_no_index_is_named(lock: str) -> None:
    pins = [pin for pin in re.split(r"\n(?=[A-Za-z])", locked(lock)) if "==" in pin]
    assert pins
    assert [pin for pin in pins if "--hash=sha256:" not in pin] == []
    assert not re.search("://|file:", locked(lock))


def test_both_locks_agree() -> None:
    def pins(name: str) -> dict[str, str]:
        return dict(re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", locked(name), re.M))

    short, long = pins("requirements.lock"), pins("requirements-dev.lock")
    assert {name: long.get(name) for name in short} == short


ROOMS = ("corpus", "ontology", "ingest", "search", "rulestone", "api", "bench", "tools", "tests")
_ROOMS = "|".join(room for room in ROOMS if room != "tools")  # tools/call is a method of MCP
_COMMAND = re.compile(rf"-m ((?:{_ROOMS})(?:\.\w+)*)")
_PATH = re.compile(rf"`((?:{_ROOMS})/[\w/.-]*\w/?)[`:]")


def named_in(words: str) -> set[str]:
    """The modules that a text has run, and the files and folders that it names, as paths; what is in capitals stands for others."""
    paths = {path for path in _PATH.findall(words) if not re.search("[A-Z]{3}", path)}
    return paths | {name.replace(".", "/") for name in _COMMAND.findall(words)}


def is_there(name: str) -> bool:
    return (ROOT / name).exists() or (ROOT / f"{name}.py").exists()


@pytest.mark.parametrize("kind", ["*.md", "docs/**/*.md", *(f"{room}/**/*.py" for room in ROOMS)])
def test_what_docs_name_is_there(kind: str) -> None:
    files = [file for file in ROOT.glob(kind) if file != Path(__file__)]
    assert files
    named = {(str(file.relative_to(ROOT)), name) for file in files for name in named_in(file.read_text(encoding="utf-8"))}
    assert [pair for pair in sorted(named) if not is_there(pair[1])] == []


def test_a_name_of_nothing_is_noticed() -> None:
    named = named_in("see `search/rank/nowhere.py` and `search/rank/`; run: python -m bench.nowhere")
    assert [name for name in sorted(named) if not is_there(name)] == ["bench/nowhere", "search/rank/nowhere.py"]
