"""Answers of the tools: bodies of the contract, shortened, with the number left out; and errors with a remedy."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from api.encoding import encode
from api.mcp.tools import BYTES_PER_TOKEN, TOKEN_LIMITS, tools, truncate_body
from bench.agents.__main__ import read, table
from bench.search.topics import EDITIONS, JUDGES, Topic
from corpus.errors import InputError, NotFoundError
from rulestone import Library
from rulestone.brief import brief_rule, brief_search
from tests.support.ferrymen import HUNDREDS_EN, HUNDREDS_JA
from tests.support.homes import books_alone, put_languages

ASKED = [
    ("search_rules", {"query": "How many tokens does a ferry carry?", "game": "ferry"}),
    ("search_rules", {"query": "graveyard", "lang": "ja", "tokens": 400}),
    ("ask_rules", {"query": "What is a graveyard?", "lang": "en"}),
    ("get_rule", {"ref": "ferry:101.1"}),
    ("get_rule", {"ref": "ferry:1", "lang": "zh"}),
    ("read_section", {"ref": "ferry:101.1"}),
    ("read_section", {"ref": "dm:4", "lang": "en", "tokens": 400}),
    ("outline", {"book": "dm/zones-summary", "depth": 2}),
    ("verify_citations", {"text": "By 101.1 and 999.9 a ferry sinks.", "game": "ferry"}),
    ("verify_citations", {"text": "By 101.1 a ferry sinks.", "game": "ferry", "allowed": ["ferry:101.1"]}),
    ("compare_zones", {"lang": "ja"}),
    ("compare_zones", {"zone": "graveyard", "lang": "en"}),
    ("look_up_term", {"label": "山札"}),
    ("what_changed", {"book": "ferry/cr", "from": "2020"}),
    ("search_rulings", {}),
    ("get_card", {"name": "Fog"}),
    ("resolve_cards", {"names": ["Fog", "Bell"], "lang": "ja"}),
]


@pytest.mark.parametrize(("name", "arguments"), ASKED)
def test_an_answer_is_short_and_as_its_schema_has_it(library: Library, name: str, arguments: dict[str, Any]) -> None:
    tool = tools()[name]
    body = tool.answer(library, arguments)
    jsonschema.Draft202012Validator.check_schema(tool.output_schema)
    jsonschema.validate(body, tool.output_schema)
    jsonschema.validate(arguments, tool.input_schema)
    entries = body[tool.entries]
    assert len(encode(body)) <= arguments.get("tokens", TOKEN_LIMITS.usual) * BYTES_PER_TOKEN or len(entries) == 1


def test_descriptions_of_tools_are_short() -> None:
    descriptions = [[tool.name, tool.about, tool.input_schema, tool.output_schema] for tool in tools().values()]
    assert len(json.dumps(descriptions)) < 60_000
    assert all(len(tool.about) < 400 for tool in tools().values())


def test_omitted_entries_are_counted(library: Library) -> None:
    whole = library.rules("mtg:400", lang="en")["rules"][0]
    body = tools()["get_rule"].answer(library, {"ref": "mtg:400", "lang": "en", "tokens": 1000})
    count = len(body["rules"][0]["children"])
    assert count < len(whole["children"])
    assert f"children: {len(whole['children']) - count} of {len(whole['children'])}" in body["left_out"]
    assert tools()["get_rule"].answer(library, {"ref": "mtg:400", "lang": "en", "tokens": 20_000})["left_out"] == []


@pytest.mark.parametrize(("ref", "tokens"), [("dm:400", 700), ("dm:400", 400), ("mtg:400", 1000), ("dm:4", 400)])
def test_the_parts_of_a_rule_are_read_on_to_the_last(library: Library, ref: str, tokens: int) -> None:
    whole = [(rule["ref"], part["ref"]) for rule in library.rules(ref, lang="en")["rules"] for part in rule["children"]]
    read: list[tuple[str, str]] = []
    cursor: str | None = "0"
    while cursor is not None:
        body = tools()["get_rule"].answer(library, {"ref": ref, "lang": "en", "cursor": cursor, "tokens": tokens})
        assert body["cursor"] != cursor
        read += [(rule["ref"], part["ref"]) for rule in body["rules"] for part in rule["children"]]
        assert body["truncated"] or body["cursor"] is None
        cursor = body["cursor"]
    assert read == whole


@pytest.mark.parametrize("ref", ["dm:400.3b", "ferry:101.1", "mtg:400.7", "dm:400"])
def test_a_rule_for_models_has_its_words_and_where_it_stands(library: Library, ref: str) -> None:
    brief = tools()["get_rule"].answer(library, {"ref": ref, "lang": "en", "tokens": 20_000})["rules"]
    whole = library.rules(ref, lang="en")["rules"]
    assert len(encode({"rules": brief})) < len(encode({"rules": whole})) / 2
    for rule, record in zip(brief, whole, strict=True):
        assert (rule["texts"], rule["parent_ref"], rule["next_ref"]) == (record["texts"], record["parent_ref"], record["next_ref"])
        assert rule.get("gloss") == (None if record["texts"] else record["digest"]["en"])
        for child, part in zip(rule["children"], record["children"], strict=True):
            assert child["ref"] == part["ref"]
            assert (child.get("text") or child["gloss"]) in [
                *(text["text"] for text in part["texts"].values()),
                part["digest"].get("en"),
            ]
        for cited in rule["cites"]:
            assert library.rules(cited)["rules"][0]["iri"] in [cite["target"] for cite in record["cites"]]


def test_a_cursor_is_of_one_request(library: Library) -> None:
    arguments = {"query": "graveyard", "game": "dm", "lang": "en"}
    cursor = tools()["search_rules"].answer(library, arguments)["cursor"]
    second = tools()["search_rules"].answer(
        library, {**arguments, "lang": "ja", "cursor": cursor, "seen": ["dm:400.3b"], "as_of": None}
    )
    assert second["offset"] == 5
    for name, other in (
        ("search_rules", {**arguments, "query": "graveyards"}),
        ("ask_rules", arguments),
        ("search_rules", {"query": "x"}),
    ):
        with pytest.raises(InputError, match="expected the cursor of the previous answer to the same request"):
            tools()[name].answer(library, {**other, "cursor": cursor})


def test_a_section_is_read_on_to_its_end(library: Library) -> None:
    tool = tools()["read_section"]
    read: list[str] = []
    cursor: str | None = "0"
    while cursor is not None:
        body = tool.answer(library, {"ref": "dm:4", "lang": "en", "cursor": cursor, "tokens": 600})
        assert body["heading"] and body["rules"]
        read += [rule["ref"] for rule in body["rules"]]
        cursor = body["cursor"]
    whole = library.section("dm:4", lang="en", tokens=20_000)
    assert read == [rule["ref"] for rule in whole["rules"]]


def test_an_outline_is_a_line_for_each_heading(library: Library) -> None:
    body = tools()["outline"].answer(library, {"book": "dm/zones-summary", "lang": "en"})
    parts = library.outline("dm/zones-summary", lang="en")["parts"]
    assert len(body["lines"]) == len(parts)
    assert body["lines"][0] == f"4 {parts[0]['title']} {parts[0]['rules']}"


@pytest.mark.slow
def test_a_cursor_goes_on_until_everything_was_told(library: Library) -> None:
    tool = tools()["compare_zones"]
    concepts: list[str] = []
    cursor: str | None = "0"
    while cursor is not None:
        body = tool.answer(library, {"cursor": cursor, "tokens": 8000})
        concepts += [zone["concept"] for zone in body["zones"]]
        assert body["truncated"] or body["cursor"] is None
        cursor = body["cursor"]
    assert concepts == [zone["concept"] for zone in library.zones()["zones"]]


@pytest.mark.parametrize(
    ("name", "arguments", "error", "words"),
    [
        ("search_rules", {}, InputError, "search_rules needs query"),
        ("search_rules", {"query": "x", "page": 2}, InputError, "has no parameter page; known parameters: query, game"),
        ("search_rules", {"query": 7}, InputError, "query: expected string"),
        ("search_rulings", {"changed": "yes"}, InputError, "changed: expected boolean"),
        ("verify_citations", {"text": "101.1", "allowed": [1]}, InputError, "allowed: expected array of strings"),
        ("verify_citations", {"text": "101.1", "allowed": ["ferry:999.9"]}, InputError, r"allowed: .*999\.9"),
        ("get_rule", {"ref": "ferry:101.1", "tokens": True}, InputError, "tokens 'True': expected a whole number"),
        ("get_rule", {"ref": "ferry:101.1", "tokens": 5}, InputError, "from 200 to 20000"),
        ("get_rule", {"ref": "ferry:101.1", "cursor": "x"}, InputError, "cursor"),
        ("get_rule", {"ref": "ferry:999.9"}, NotFoundError, "no rule 999.9"),
        ("get_rule", {"ref": "ferry:101.1", "lang": "fr"}, InputError, "fr"),
        ("compare_zones", {"zone": "tap"}, Exception, "tap"),
        ("verify_citations", {"text": "x" * 70_000}, InputError, "64 KiB"),
    ],
)
def test_refused_questions(library: Library, name: str, arguments: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        tools()[name].answer(library, arguments)


ENTRIES = [{"name": f"entry {nth}", "parts": [{"of": list(range(50))}] * 30} for nth in range(40)]


@pytest.mark.parametrize(("tokens", "count"), [(100_000, 40), (2_000, 3), (200, 1), (20, 1)])
def test_lists_within_entries_are_cut_before_entries(tokens: int, count: int) -> None:
    short = truncate_body({"query": "q", "entries": ENTRIES}, "entries", tokens)
    assert (short.truncated, short.entries >= count) == (count < 40, True)
    assert [entry["name"] for entry in short.body["entries"]] == [entry["name"] for entry in ENTRIES[: short.entries]]
    if tokens >= 200:
        assert len(encode(short.body)) <= tokens * BYTES_PER_TOKEN


def test_a_body_that_fits_is_as_it_was() -> None:
    body = {"query": "q", "entries": [{"name": "one", "parts": [1, 2, 3]}], "others": [1]}
    assert truncate_body(body, "entries", 200) == (body, False, 1)


def search_rules(library: Library, query: str, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401
    """The answer of search_rules, with room for everything."""
    return tools()["search_rules"].answer(library, {"query": query, "tokens": 20_000, **arguments})


def test_a_search_for_models_has_five_hits_with_their_neighbours(library: Library) -> None:
    body = search_rules(library, "graveyard", game="dm", lang="en")
    assert (len(body["hits"]), body["cursor"] is None) == (5, body["total"] <= 5)
    assert 1 <= len(body["sections"]) <= 3
    for section in body["sections"]:
        assert library.section(section["ref"], tokens=20_000)["total"] == section["total"]
    places = [hit["ref"] for hit in body["hits"]]
    siblings = [sibling["ref"] for hit in body["hits"] for sibling in hit["siblings"]]
    assert siblings
    assert len({*places, *siblings}) == len([*places, *siblings])
    for hit in body["hits"]:
        [rule] = library.rules(hit["ref"])["rules"]
        for sibling in hit["siblings"]:
            [other] = library.rules(sibling["ref"])["rules"]
            assert other["parent"] == rule["parent"]
            assert sibling["number"] == other["number"]
            assert other["digest"]["en"].startswith(sibling["words"].removesuffix(" …"))


def test_read_rules_are_not_repeated(library: Library) -> None:
    first = search_rules(library, "graveyard", game="dm", lang="en")
    siblings = [sibling["ref"] for hit in first["hits"] for sibling in hit["siblings"]]
    refs = [*(hit["ref"] for hit in first["hits"][:2]), siblings[0]]
    second = search_rules(library, "graveyard", game="dm", lang="en", seen=refs)
    assert [hit["ref"] for hit in second["hits"]] == [hit["ref"] for hit in first["hits"]]
    assert [hit.get("seen", False) for hit in second["hits"]] == [True, True, False, False, False]
    assert [bool({"text", "gloss"} & hit.keys()) for hit in second["hits"]] == [False, False, True, True, True]
    assert refs[2] not in [sibling["ref"] for hit in second["hits"] for sibling in hit["siblings"]]


HIT: dict[str, Any] = {"gloss": None, "game": "ferry", "edition": "1", "current": True, "number": "1", "heading": [], "score": 1.0}


def test_words_that_two_hits_have_are_told_once() -> None:
    hits = [
        {**HIT, "iri": f"https://x/{ref}", "ref": ref, "text": text} for ref, text in (("a", "Row."), ("b", "Row."), ("c", "Moor."))
    ]
    body: Any = {"query": "q", "hits": hits, "sections": []}
    brief: list[Any] = brief_search(body, once=True)["hits"]
    assert [hit.get("text") for hit in brief] == ["Row.", None, "Moor."]
    assert [hit.get("same_text") for hit in brief] == [None, "a", None]
    full_hits: list[Any] = brief_search(body, once=False)["hits"]
    assert [(hit["text"], hit["heading"], "same_text" in hit) for hit in full_hits] == [
        (hit["text"], hit["heading"], False) for hit in hits
    ]


def test_a_rule_without_the_language_of_its_section_has_words_that_it_has(tmp_path: Path) -> None:
    with books_alone(), Library.open(tmp_path / "home", lang="en") as library:
        alone = "".join(line for line in HUNDREDS_EN.splitlines(keepends=True) if not line.startswith("101.2. "))
        put_languages(tmp_path / "home", {"en": alone, "ja": HUNDREDS_JA}, "2024-01-01")
        body = tools()["read_section"].answer(library, {"ref": "ferry:101.1", "lang": "en"})
        japanese = library.rules("ferry:101.2")["rules"][0]["texts"]["ja"]["text"]
    jsonschema.validate(body, tools()["read_section"].output_schema)
    assert japanese in [rule.get("text") for rule in body["rules"]]
    for rule in body["rules"]:
        assert ("text" in rule, "gloss" in rule) == (True, False)
        assert (rule["text"] == japanese) == rule["ref"].endswith(":101.2")


def test_a_rule_without_words_has_none() -> None:
    rule: Any = {"ref": "a", "number": None, "text": "", "gloss": None, "examples": [], "marked": False}
    assert brief_rule(rule) == {"ref": "a", "number": None}


def test_the_reading_of_a_model_is_measured(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EDITIONS, "ferry", "ferry/cr/2021-05-03")
    topic = Topic("tokens", JUDGES, "en", "How many tokens does a ferry carry?", game="ferry", games=("ferry",))
    for needs, first_found, whole in (
        (("ferry:101.1",), True, True),
        (("ferry:101.1", "ferry:999.9"), True, False),
        (("ferry:999.9",), False, False),
    ):
        reading = read(library, replace(topic, needs=needs))
        assert (reading.found[-1], reading.whole[-1]) == (first_found, whole)
        assert list(reading.found) == sorted(reading.found)
        assert 100 < reading.tokens < 6_000
    assert any("ferry" not in line and "1.000" in line for line in table([reading._replace(found=(True,) * 3)]))
