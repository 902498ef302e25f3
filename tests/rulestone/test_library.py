"""The library as a Python user meets it: typed bodies, one rule for games, languages and numbers, always the newest bundle."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rulestone import EnvironmentFault, InputError, Library
from rulestone.limits import Range, page_of, parse_int
from tests.support.bodies import SCHEMAS, component
from tests.support.ferrymen import HUNDREDS_EN

ROOT = Path(__file__).parents[2]
CLOSED = {name: schema | ({"additionalProperties": False} if "properties" in schema else {}) for name, schema in SCHEMAS.items()}
"""The schemas, with no room for what they do not name."""


@pytest.fixture(scope="module")
def library(translated_home: Path) -> Iterator[Library]:
    """The digest, and two editions of The Game of Ferrymen, the later one in two languages."""
    with Library.open(translated_home, create=False) as library:
        yield library


BODIES: list[tuple[str, Callable[[Library], Any]]] = [
    ("rules", lambda library: library.rules("ferry:101.1", lang="ja")),
    ("rules", lambda library: library.rules("2020-01-01:101.1", game="ferry")),
    ("rules", lambda library: library.rules("dm:400.3b")),
    ("rules", lambda library: library.rules("fow:3.9~2", lang="zh")),
    ("cites", lambda library: library.cites("ferry:101.2")),
    ("editions", lambda library: library.editions()),
    ("zones", lambda library: library.zones(lang="zh-Hant")),
    ("ask", lambda library: library.ask("order of cards in the graveyard in Magic and Duel Masters", lang="ja")),
    ("ask", lambda library: library.ask("graveyard order", games="dm", as_of="2024")),
    ("ask", lambda library: library.ask("pokemon prize cards")),
    ("topics", lambda library: library.topics(lang="zh-Hant")),
    ("topics", lambda library: library.topics(topic="state-based action", games="mtg,fow")),
    ("verify", lambda library: library.verify("rule 101.1. Rule 999.9z.", game="ferry", strict=True)),
    ("concepts", lambda library: library.concept("graveyard", lang="ja")),
    ("concept_list", lambda library: library.concepts(games="mtg", limit=5)),
    ("terms", lambda library: library.term("山札", lang="en")),
    ("terms", lambda library: library.term("exile", games="mtg", limit=1)),
    ("search", lambda library: library.search("graveyard ordre", games="dm")),
    ("search", lambda library: library.search("ferry tokens", lang="ja")),
    ("search", lambda library: library.search("pokemon prize cards")),
    ("batch_line", lambda library: library.batch(['{"id": "a", "query": "yard"}'])[0]),
    ("health", lambda library: library.health()),
    ("edition_summary", lambda library: library.resource("ferry/cr/2021-05-03")),
    ("concept", lambda library: library.resource("concept/mtg/graveyard")),
    ("rule", lambda library: library.resource("ferry/cr/2021-05-03/101")),
]


@pytest.mark.parametrize(("name", "ask"), BODIES, ids=[f"{place} {name}" for place, (name, _) in enumerate(BODIES)])
def test_a_body_has_what_its_type_names_and_nothing_else(library: Library, name: str, ask: Callable[[Library], Any]) -> None:
    validate(name, ask(library))


@pytest.mark.slow
def test_findings_have_what_their_type_names(library: Library) -> None:
    validate("findings", library.check())


def validate(name: str, body: Any) -> None:  # noqa: ANN401
    """Raises where a body is not what its schema says."""
    schema = {"$ref": f"#/components/schemas/{component(name)}", "components": {"schemas": CLOSED}}
    Draft202012Validator(schema).validate(body)


def test_every_exported_rule_has_what_its_type_names(library: Library) -> None:
    schema = {"type": "array", "items": {"$ref": "#/components/schemas/RuleRecord"}, "components": {"schemas": CLOSED}}
    records = [json.loads(line) for line in library.export("jsonl")]
    assert len(records) == library.health()["rules"] > 250
    Draft202012Validator(schema).validate(records)


@pytest.mark.parametrize("names", ["dm", "DM", "ｄｍ", "Duel Masters", "デュエマ", " dm , ,", ["Duel Masters"], ("dm", "デュエマ")])
def test_a_game_goes_by_any_of_its_names(library: Library, names: Any) -> None:  # noqa: ANN401
    assert {hit["game"] for hit in library.search("yard", games=names)["hits"]} == {"dm"}


def test_a_game_is_named_alike_in_every_question(library: Library) -> None:
    assert {zone["game"] for zone in library.zones(games=["dm", "デュエマ"])["zones"]} == {"dm"}
    assert {term["game"] for term in library.term("yard", games="デュエマ")["terms"]} == {"dm"}
    assert {concept["game"] for concept in library.concepts(games="ｄｍ")["concepts"]} == {"dm"}


@pytest.mark.parametrize(
    "ask",
    [
        lambda library: library.search("yard", games="chess"),
        lambda library: library.batch(['{"id": "a", "query": "yard", "game": "chess"}'], name="file"),
        lambda library: library.zones(games=["dm", "chess"]),
        lambda library: library.topics(games=["dm", "chess"]),
        lambda library: library.term("yard", games="chess"),
        lambda library: library.concepts(games="chess"),
    ],
)
def test_a_game_that_nobody_knows_is_bad_input_in_every_question(library: Library, ask: Callable[[Library], object]) -> None:
    with pytest.raises(InputError, match="'chess'"):
        ask(library)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda library: library.rules("dm:400.3b", lang="tlh"), "lang 'tlh': expected ja"),
        (lambda library: library.cites("dm:400.3b", book_lang="xx"), "in 'xx': expected ja"),
        (lambda library: library.search("yard", limit=0), "limit '0': expected a whole number from 1 to 100"),
        (lambda library: library.term("yard", offset=-1), "offset '-1'"),
        (lambda library: library.concepts(limit=1001), "limit '1001'"),
        (lambda library: library.add([], authority="pope"), "authority 'pope'"),
        (lambda library: library.export("cards"), "expected jsonl"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(library: Library, ask: Callable[[Library], object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ask(library)


@pytest.mark.parametrize(
    ("value", "number"),
    [(None, 7), ("3", 3), (3, 3), ("1000", 1000), ("-1", None), ("x", None)]
    + [(typed, None) for typed in ("0", "1001", "1e3", "٣", "", "9" * 99)],
)
def test_a_number_that_is_typed(value: str | int | None, number: int | None) -> None:
    if number is None:
        with pytest.raises(InputError, match=r"limit .*: expected a whole number from 1 to 1000"):
            parse_int("limit", value, Range(1, 1000, 7))
    else:
        assert parse_int("limit", value, Range(1, 1000, 7)) == number


@pytest.mark.usefixtures("books_alone")
def test_a_library_follows_what_another_one_writes(tmp_path: Path) -> None:
    (tmp_path / "ferry.txt").write_text(HUNDREDS_EN, encoding="utf-8")
    lines: list[str] = []
    with Library.open(tmp_path / "home", create=False) as reader, Library.open(tmp_path / "home", report=lines.append) as writer:
        with pytest.raises(EnvironmentFault, match="rulestone build"):
            reader.editions()
        assert writer.rules("dm:400.3b")["rules"]
        assert [line.startswith("building the knowledge base in") for line in lines] == [True]
        before = reader.health()
        assert writer.add(tmp_path / "ferry.txt", game="ferry", edition="2021-05-03")["added"][0]["status"] == "added"
        assert writer.rules("ferry:101.1")["rules"]
        reader.close()
        assert reader.health()["rules"] > before["rules"]


def test_a_library_is_safe_to_use_from_several_threads(library: Library) -> None:
    alone = library.search("graveyard order", lang="en")
    with ThreadPoolExecutor(8) as pool:
        futures = [pool.submit(library.search, "graveyard order", lang="en") for _ in range(8)]
        looked = [pool.submit(library.rules, "ferry:101.1") for _ in range(8)]
        assert all(future.result() == alone for future in futures)
        assert all(future.result() == library.rules("ferry:101.1") for future in looked)


def test_a_page_of_an_alignment_or_of_findings_takes_numbers_as_others_do() -> None:
    assert page_of("abcdef", None, None, Range(1, 3, 2)) == "abcdef"
    assert page_of("abcdef", 2, 3, Range(1, 3, 2)) == "de"
    with pytest.raises(InputError, match="limit '4'"):
        page_of("abcdef", 4, 0, Range(1, 3, 2))


def test_importing_the_library_is_light() -> None:
    heavy = {"ingest", "search", "docutils", "spacy", "torch", "rdflib", "fastapi", "pydantic", "numpy", "rich", "typer"}
    script = f"import sys\nfrom rulestone import Library\nprint(set(sys.modules) & {heavy!r})"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    assert ran.stdout == "set()\n"
