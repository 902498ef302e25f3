"""Sections: which rules are read together, and the order in which a search returns them."""

from typing import cast

import numpy as np
import pytest

from api.text.search import search_lines
from corpus.address import rule_iri
from corpus.contract import RuleRecord
from corpus.editions.sections import MAX_RULES, section_headings, section_roots, section_titles
from rulestone.search_bodies import search_body
from search.index.rules import NO_RULE, IndexedOutline
from search.rank.sections import MAX_SECTIONS
from search.searcher import Request, Searcher
from tests.search.test_search import HARBOUR

# An outline as pairs of a depth and a kind, and the position that the section of each entry begins with.
OUTLINES = {
    "a short chapter is one section": (
        [(0, "chapter"), (1, "section"), (2, "rule"), (1, "section"), (2, "rule")],
        [0, 0, 0, 0, 0],
    ),
    "sections of a long chapter": (
        [(0, "chapter"), (1, "section"), *[(2, "rule")] * MAX_RULES, (1, "section"), (2, "rule")],
        [0, *[1] * (1 + MAX_RULES), 2 + MAX_RULES, 2 + MAX_RULES],
    ),
    "numbered parts of a long section": (
        [(0, "section"), (1, "rule"), (2, "rule"), *[(1, "rule")] * MAX_RULES],
        [0, 1, 1, *range(3, 3 + MAX_RULES)],
    ),
    "glossary entries": (
        [(0, "section"), (1, "glossary"), (1, "glossary")],
        [0, 1, 2],
    ),
    "numbers without headings": (
        [(0, "rule"), (1, "rule"), (2, "rule"), (0, "rule")],
        [0, 0, 0, 3],
    ),
}


@pytest.mark.parametrize("name", OUTLINES)
def test_the_section_of_each_rule(name: str) -> None:
    outline, roots = OUTLINES[name]
    assert section_roots([depth for depth, _ in outline], [kind for _, kind in outline]) == roots


def test_a_rule_with_a_number_of_another_section_stands_where_it_is_printed() -> None:
    kinds = ["section", "rule", "section", "rule", "rule", "rule"]
    parents = [NO_RULE, 0, NO_RULE, 2, 1, 2]  # the number of the fifth is one below the first section
    outline = IndexedOutline(parents, (), np.array([kind == "section" for kind in kinds]), kinds)
    assert [outline.section_members(0), outline.section_members(2)] == [[0, 1], [2, 3, 4, 5]]


def test_a_search_returns_the_section_of_its_first_hit_with_the_rules_in_order(searcher: Searcher) -> None:
    body = search_body(searcher, Request("whose sunken pile does a stolen crate go to", ("harbour",), lang="en"))
    section = body["sections"][0]
    assert (section["iri"], section["heading"]) == (f"{HARBOUR}/4", ["4. Harbours"])
    locators = [rule["locator"] for rule in section["rules"]]
    assert locators == sorted(locators)
    assert len(locators) > 1
    assert "402.3" in [rule["locator"] for rule in section["rules"] if rule["marked"]]
    assert all(rule["text"] and rule["ref"].endswith(rule["locator"]) for rule in section["rules"])
    assert len({each["iri"] for each in body["sections"]}) == len(body["sections"]) <= MAX_SECTIONS


@pytest.mark.parametrize("query", ["harbour 402", "402だと", "what does section 402 say"])
def test_the_rules_under_a_heading_whose_number_is_in_question_are_found(searcher: Searcher, query: str) -> None:
    section = search_body(searcher, Request(query, ("harbour",)))["sections"][0]
    assert all(rule["marked"] for rule in section["rules"] if rule["locator"].startswith("402."))


@pytest.mark.parametrize(
    ("lang", "titles"), [("en", ["1 The toll"]), ("zh-Hans", ["1 过路费"]), ("zh-Hant", ["1 過路費"]), ("ja", ["1 The toll"])]
)
def test_a_title_of_ours_is_in_the_characters_of_the_reader(lang: str, titles: list[str]) -> None:
    record = {
        "kind": "section",
        "number": "1",
        "heading": [],
        "headings": {},
        "digest": {"zh-Hans": "过路费"},
        "texts": {"en": {"text": "The toll", "authority": "official"}},
    }
    assert section_headings(cast("RuleRecord", record), lang) == titles
    printed = {**record, "texts": {"zh-Hans": {"text": "过路费", "authority": "official"}}}
    assert section_headings(cast("RuleRecord", printed), "zh-Hant") == ["1 过路费"]


@pytest.mark.parametrize(
    ("number", "text", "last"),
    [
        ("18.", "Shelter", "18. Shelter"),
        ("18.", "A boat under a roof stays dry.", "18."),
        ("18.", "", "18."),
        (None, "Shelter", "1 Piers"),
    ],
)
def test_a_section_of_a_rule_is_told_from_its_neighbours(number: str | None, text: str, last: str) -> None:
    texts = {"en": {"text": text, "authority": "official"}} if text else {}
    record = {"kind": "rule", "number": number, "heading": ["1 Piers"], "headings": {}, "digest": {}, "texts": texts}
    assert section_titles(cast("RuleRecord", record), "en")[-1] == last


def test_the_rules_found_stand_in_the_sections(searcher: Searcher) -> None:
    body = search_body(searcher, Request("sunken pile", ("harbour",), limit=3))
    marked = {rule["iri"] for section in body["sections"] for rule in section["rules"] if rule["marked"]}
    assert body["hits"][0]["iri"] in marked


def test_a_terminal_shows_the_first_section_with_the_rules_found_whole(searcher: Searcher) -> None:
    body = search_body(searcher, Request("whose sunken pile does a stolen crate go to", ("harbour",), lang="en"))
    section, lines = body["sections"][0], list(search_lines(body, None))
    assert lines[1] == " › ".join(section["heading"])
    rule_lines = lines[2 : 2 + len(section["rules"])]
    assert [line.startswith("▸ ") for line in rule_lines] == [rule["marked"] for rule in section["rules"]]
    for rule, line in zip(section["rules"], rule_lines, strict=True):
        words = " ".join(rule["text"].split())
        assert line.endswith(words) if rule["marked"] else line.endswith(("…", words))
    assert lines[2 + len(rule_lines)] == ""
    assert lines[3 + len(rule_lines)].startswith("1. ")
    assert next(search_lines({**body, "hits": body["hits"][:1]}, None)).startswith("1. ")


def test_an_abstention_has_no_sections(searcher: Searcher) -> None:
    body = search_body(searcher, Request("how much does a ticket to the moon cost", ("harbour",)))
    assert body["abstained"]
    assert body["sections"] == []


def test_parents_precede_their_parts(searcher: Searcher) -> None:
    parents = searcher.index.outline.parent
    assert all(parent < rule for rule, parent in enumerate(parents.tolist()))


def test_a_question_that_is_a_heading_is_answered_by_its_section(digest_searcher: Searcher) -> None:
    """The words of other sections may lie nearer to it, rule by rule."""
    index = digest_searcher.index
    starts = np.flatnonzero(index.outline.section_starts & index.rules.current & index.rules.heading).tolist()
    questions = []
    for rule in starts:
        key, locator = index.rules.editions[rule], index.rules.locators[rule]
        record = digest_searcher.knowledge.by_iri([rule_iri(key, locator)])[rule_iri(key, locator)]
        if record["digest"] and len(record["digest"]["en"].split()) > 1:
            questions.append((record["digest"]["en"], key.game, locator))
    first = [
        search_body(digest_searcher, Request(f"What happens in the {heading}?", (game,)))["sections"][:1]
        for heading, game, _ in questions
    ]
    right = [
        bool(sections) and sections[0]["ref"].endswith(f":{locator}")
        for sections, (_, _, locator) in zip(first, questions, strict=True)
    ]
    assert len(right) >= 20
    assert sum(right) >= 0.85 * len(right), [one for one, fits in zip(questions, right, strict=True) if not fits]
