"""Threads in a knowledge base: written when an edition is added, the same bytes in whatever order."""

from pathlib import Path

import pytest

from corpus.address import DCTERMS, RS, iri_of, split_rule
from corpus.store.home import Home
from corpus.store.threads.step import StepKind
from ontology.knowledge import Knowledge
from tests.support.editions import MIDDLE, NEWEST, OLDEST, text
from tests.support.homes import everything, opened, put


def rule(edition: str, locator: str) -> str:
    return iri_of(f"ferry/cr/{edition}/{locator}")


def test_any_two_editions_join(editions: Home) -> None:
    threads = opened(editions).threads
    old, new = rule(OLDEST, "101.3"), rule(NEWEST, "101.5")
    [step] = threads.steps_to_edition(old, split_rule(new).key)
    assert (step.kind, step.new, step.only_references) == (StepKind.MOVED_EDITED, new, True)
    assert [back.old for back in threads.steps_to_edition(new, split_rule(old).key)] == [old]


def test_the_graph_says_the_same(editions: Home) -> None:
    query = """SELECT ?before ?thread WHERE {
      GRAPH ?g { <%s> <http://www.w3.org/ns/prov#wasRevisionOf> ?before ; <http://purl.org/dc/terms/isVersionOf> ?thread } }"""
    with everything(editions) as knowledge:
        rows = knowledge.store.select(query % rule(NEWEST, "101.4"))
    assert [(row["before"], row["thread"].rpartition("/thread/")[2]) for row in rows] == [
        (rule("2021-01-01", "101.3"), "ferry/cr/2020-01-01/101.2")
    ]


def test_an_edition_is_valid_from_its_date_until_the_next_one(editions: Home) -> None:
    query = f"""SELECT DISTINCT ?edition ?from ?until WHERE {{ GRAPH ?g {{ ?edition a <{RS}Edition> ; <{DCTERMS}issued> ?from }}
      OPTIONAL {{ GRAPH ?h {{ ?edition <{RS}validUntil> ?until }} }} }} ORDER BY ?from"""
    with everything(editions) as knowledge:
        rows = knowledge.store.select(query)
    assert [(row["from"], row.get("until")) for row in rows] == [
        ("2020-01-01", "2021-01-01"),
        ("2021-01-01", "2022-01-01"),
        ("2022-01-01", None),
    ]
    triples = "\n".join(opened(editions).triples(rule(OLDEST, "").rstrip("/")))
    assert '#validUntil> "2021-01-01"^^' in triples


@pytest.mark.slow
@pytest.mark.usefixtures("books_alone")
def test_the_order_of_adding_leaves_no_trace(editions: Home, tmp_path: Path) -> None:
    for edition in (NEWEST, OLDEST, MIDDLE):
        put(tmp_path / "home", text(edition), edition)
    assert dump(opened(Home(tmp_path / "home"))) == dump(opened(editions))


def dump(knowledge: Knowledge) -> list[str]:
    return list(knowledge.quads())
