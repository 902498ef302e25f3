"""Threads in a knowledge base: written when an edition is added, the same bytes in whatever order."""

from pathlib import Path

import pytest

from corpus.address import iri_of, split_rule
from ontology.store.home import Home
from ontology.store.knowledge import Knowledge
from ontology.threads import Kind
from tests.support.homes import opened, put

LINES = {
    "2020-01-01": ("101.2. The ferryman decides who boards first.", "101.3. A traveller who cannot pay waits. See rule 101.2."),
    "2021-01-01": (
        "101.2. A ferry that leaks carries nobody.",
        "101.3. The ferryman decides who boards first.",
        "101.4. A traveller who cannot pay waits. See rule 101.3.",
    ),
    "2022-01-01": (
        "101.2. A ferry that leaks carries nobody.",
        "101.3. A raft is no ferry at all.",
        "101.4. The ferryman alone decides who boards first.",
        "101.5. A traveller who cannot pay waits. See rule 101.4.",
    ),
}
OLDEST, MIDDLE, NEWEST = LINES
DIGEST = "dm.zones-summary.*"
"""The smallest one: what it holds is no matter here."""


def text(edition: str) -> str:
    """An edition of a small invented book."""
    lines = (
        "1. The River",
        "101. Ferries",
        "101.1. A ferry carries up to six travellers across the river.",
        *LINES[edition],
        "102. Tolls",
    )
    return "\n".join((*lines, "102.1. Each traveller pays one copper coin.", "102.2. A goat counts as two travellers.", ""))


def built(folder: Path, editions: tuple[str, ...]) -> Home:
    home = Home(folder / "home")
    for edition in editions:
        put(home.path, text(edition), edition)
    return home


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULESTONE_DIGEST", DIGEST)
        return built(tmp_path_factory.mktemp("in-order"), tuple(LINES))


def rule(edition: str, locator: str) -> str:
    return iri_of(f"ferry/cr/{edition}/{locator}")


def test_a_thread_goes_through_all_editions(home: Home) -> None:
    thread = opened(home).threads.thread_of(rule("2021-01-01", "101.3"))
    assert [(version.edition.edition, version.iri, version.step.kind) for version in thread] == [
        ("2020-01-01", rule("2020-01-01", "101.2"), Kind.FIRST),
        ("2021-01-01", rule("2021-01-01", "101.3"), Kind.MOVED),
        ("2022-01-01", rule("2022-01-01", "101.4"), Kind.MOVED_EDITED),
    ]


def test_any_two_editions_join(home: Home) -> None:
    threads = opened(home).threads
    old, new = rule(OLDEST, "101.3"), rule(NEWEST, "101.5")
    [step] = threads.now_of(old)
    assert (step.kind, step.new, step.only_references) == (Kind.MOVED_EDITED, new, True)
    assert [back.old for back in threads.at(new, split_rule(old).key)] == [old]
    assert threads.is_reused(old, split_rule(new).key)
    assert not threads.is_reused(rule(OLDEST, "101.1"), split_rule(new).key)


def test_the_graph_says_the_same(home: Home) -> None:
    knowledge = opened(home)
    asked = """SELECT ?before ?thread WHERE {
      GRAPH ?g { <%s> <http://www.w3.org/ns/prov#wasRevisionOf> ?before ; <http://purl.org/dc/terms/isVersionOf> ?thread } }"""
    rows = knowledge.store.select(asked % rule(NEWEST, "101.4"))
    assert [(row["before"], row["thread"].rpartition("/thread/")[2]) for row in rows] == [
        (rule("2021-01-01", "101.3"), "ferry/cr/2020-01-01/101.2")
    ]


def test_the_order_of_adding_leaves_no_trace(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESTONE_DIGEST", DIGEST)
    assert dump(opened(built(tmp_path, (NEWEST, OLDEST, MIDDLE)))) == dump(opened(home))


def dump(knowledge: Knowledge) -> list[str]:
    return list(knowledge.store.dump())
