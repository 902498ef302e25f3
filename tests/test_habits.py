"""The project's habits: locks with hashes of every requirement, and docs that match the program."""

import ast
import graphlib
import re
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
APART = {"torch"}
"""Its CPU build comes from an index of its own (constraints.txt)."""


def package_names(requirements: list[str]) -> set[str]:
    """Names as package indexes compare them (PEP 503)."""
    return {re.sub(r"[-_.]+", "-", re.split(r"[\[<>=~! ]", line)[0]).lower() for line in requirements}


def locked(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("lock", "requirements"),
    [
        ("requirements.lock", PROJECT["project"]["dependencies"]),
        ("requirements-dev.lock", [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]),
    ],
)
def test_a_lock_pins_every_requirement(lock: str, requirements: list[str]) -> None:
    pins = re.findall(r"^([A-Za-z0-9._-]+)==", locked(lock), re.M)
    assert package_names(requirements) - package_names(pins) - APART == set(), "run: make lock"


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
def test_names_in_docs_exist(kind: str) -> None:
    files = [file for file in ROOT.glob(kind) if file != Path(__file__)]
    assert files
    pairs = {(str(file.relative_to(ROOT)), name) for file in files for name in named_in(file.read_text(encoding="utf-8"))}
    assert [pair for pair in sorted(pairs) if not is_there(pair[1])] == []


def test_a_name_of_nothing_is_noticed() -> None:
    names = named_in("see `search/rank/nowhere.py` and `search/rank/`; run: python -m bench.nowhere")
    assert [name for name in sorted(names) if not is_there(name)] == ["bench/nowhere", "search/rank/nowhere.py"]


BOOLEAN_NAME = re.compile(r"_*(?:is|has|can)_")
BOUNDS = {
    "MAX": re.compile(r"(?i)^(?:minimum|fewest|at least|share above)"),
    "MIN": re.compile(r"(?i)^(?:maximum|at most|longest|largest)"),
}
"""The part of a constant's name → beginnings of docstrings that contradict it."""


def contradicting_names(source: str) -> Iterator[str]:
    """Functions named `is_`, `has_` or `can_` that do not return bool, and constants whose docstring contradicts MIN or MAX."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and BOOLEAN_NAME.match(node.name):
            returned = ast.unparse(node.returns) if node.returns else ""
            if returned != "bool" and not returned.startswith(("TypeGuard[", "TypeIs[")):
                yield node.name
        for statement, after in pairwise(getattr(node, "body", ())) if isinstance(getattr(node, "body", ()), list) else ():
            if isinstance(statement, ast.Assign) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                for name in (target.id for target in statement.targets if isinstance(target, ast.Name)):
                    words = name.strip("_").split("_")
                    if any(bound in words and wrong.search(str(after.value.value)) for bound, wrong in BOUNDS.items()):
                        yield name


@pytest.mark.parametrize("room", ROOMS)
def test_names_agree_with_docstrings_and_annotations(room: str) -> None:
    files = sorted((ROOT / room).rglob("*.py"))
    assert files
    pairs = [(file.relative_to(ROOT).as_posix(), name) for file in files for name in contradicting_names(file.read_text("utf-8"))]
    assert pairs == []


def test_a_contradicting_name_is_noticed() -> None:
    source = """def is_open() -> str: ...
def has_room() -> bool: ...
MIN_KEYS = 4
'Maximum number of keys.'
MAX_KEYS = 4
'Maximum number of keys.'
"""
    assert list(contradicting_names(source)) == ["MIN_KEYS", "is_open"]


def test_a_class_name_stands_for_one_thing() -> None:
    """Only the types of the contract, which are the names of the API, may share the name of the class behind them."""
    modules: dict[str, list[str]] = {}
    for room in ("corpus", "ontology", "ingest", "search", "rulestone", "api"):
        for file in sorted((ROOT / room).rglob("*.py")):
            if file.parent != ROOT / "corpus" / "contract":
                nodes = ast.walk(ast.parse(file.read_text("utf-8")))
                for name in (node.name for node in nodes if isinstance(node, ast.ClassDef)):
                    modules.setdefault(name.lstrip("_"), []).append(file.relative_to(ROOT).as_posix())
    assert {name: files for name, files in modules.items() if len(files) > 1} == {}


def test_no_module_imports_itself_through_others() -> None:
    rooms = [room for room in ROOMS if room not in ("bench", "tools", "tests")]
    graph = grimp.build_graph(*rooms, exclude_type_checking_imports=True, cache_dir=None)  # lazy imports included
    graphlib.TopologicalSorter({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}).prepare()


def test_no_pattern_has_a_possessive_group() -> None:
    """Before Python 3.11.5, `(?:…)*+` fails where a part of it fails late (python/cpython#106052); `(?>(?:…)*)` does not."""
    possessive = re.compile(r"(?<!\\)\)[*+?]\+")
    modules = (module for room in ROOMS if room != "tests" for module in (ROOT / room).rglob("*.py"))
    assert [module.name for module in modules if possessive.search(module.read_text(encoding="utf-8"))] == []
