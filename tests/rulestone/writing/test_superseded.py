"""The store of a bundle lacks superseded editions: answers, exports and queries over all editions are as if it had them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from corpus.address import RS, iri_of
from corpus.store.home import Home
from ingest.recognise import Hints
from rulestone import Library
from rulestone.writing.add import add
from rulestone.writing.draft import editions as writing
from tests.support.editions import EDITIONS, MIDDLE, NEWEST, OLDEST, built, text
from tests.support.homes import books_alone, opened, put


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """The same three editions, all in the store."""
    with books_alone(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing.EditionsWriter, "_is_superseded", lambda *_: False)
        return built(tmp_path_factory.mktemp("stored"), EDITIONS)


def test_the_superseded_editions_are_not_in_the_store(editions: Home, stored: Home) -> None:
    assert {key.edition for key in opened(editions).unstored_editions} == {OLDEST, MIDDLE}
    assert not opened(stored).unstored_editions
    graphs = opened(editions).store.select("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }")
    assert [row["g"] for row in graphs if row["g"].endswith("/en")] == [f"https://w3id.org/rulestone/graph/ferry/cr/{NEWEST}/en"]


@contextmanager
def both(editions: Home, stored: Home) -> Iterator[tuple[Library, Library]]:
    with Library.open(editions.path) as library, Library.open(stored.path) as other:
        yield library, other


@pytest.mark.parametrize("kind", ["nquads", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("jsonl", "turtle"))])
def test_exports_are_the_same_bytes(editions: Home, stored: Home, kind: str) -> None:
    with both(editions, stored) as (library, other):
        assert b"".join(library.export(kind)) == b"".join(other.export(kind))


RULE = f"ferry/cr/{OLDEST}/101.3"
ASKED = {
    "the rules of a number": lambda library: library.rules("ferry:101.3"),
    "a rule of an old edition": lambda library: library.rules(f"ferry:{OLDEST}:101.2"),
    "as of": lambda library: library.rules("101.3", as_of=MIDDLE),
    "what it cites": lambda library: library.cites(f"ferry:{OLDEST}:101.3"),
    "its thread": lambda library: library.thread(f"ferry:{OLDEST}:101.3"),
    "changes": lambda library: library.changes("ferry/cr", OLDEST, NEWEST),
    "its triples": lambda library: library.turtle(RULE),
    "the triples of a current rule": lambda library: library.turtle(f"ferry/cr/{NEWEST}/101.4"),
    "the triples of an edition": lambda library: library.turtle(f"ferry/cr/{OLDEST}"),
    "words in context": lambda library: library.concordance("traveller"),
    "a part of a word": lambda library: library.concordance("ravell"),
    "a term": lambda library: library.term("traveller"),
    "a term in wide capitals": lambda library: library.term("ＴＲＡＶＥＬＬＥＲ"),
    "a part of a term": lambda library: library.term("ravell"),
    "a term with signs": lambda library: library.term("101.3"),
    "suggested numbers": lambda library: library.suggest("101"),
    "suggested titles": lambda library: library.suggest("ferries"),
    "citations": lambda library: library.verify("ferry rule 101.3 and rule 101.2", game="ferry", as_of=OLDEST),
    "editions": lambda library: library.editions(),
}


@pytest.mark.parametrize("name", ASKED)
def test_answers_are_the_same(editions: Home, stored: Home, name: str) -> None:
    with both(editions, stored) as (library, other):
        assert ASKED[name](library) == ASKED[name](other)


QUERIES = {
    "graphs": "SELECT ?g (COUNT(*) AS ?quads) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g ORDER BY ?g",
    "texts": f"SELECT ?rule ?text {{ ?rule <{RS}text> ?text }} ORDER BY ?rule ?text",
    "threads": "SELECT ?new ?old { ?new <http://www.w3.org/ns/prov#wasRevisionOf> ?old } ORDER BY ?new ?old",
    "one": f"DESCRIBE <{iri_of(RULE)}>",
}


@pytest.mark.parametrize("name", QUERIES)
def test_no_query_over_all_editions_misses_one(editions: Home, stored: Home, name: str) -> None:
    with both(editions, stored) as (library, other):
        answer = library.sparql(QUERIES[name], editions="all").body
        assert answer == other.sparql(QUERIES[name]).body
        assert OLDEST.encode() in answer


@pytest.mark.usefixtures("books_alone")
def test_a_superseded_edition_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_FEW_DELETED", 0)
    monkeypatch.setattr(writing, "_MAX_DELETED_SHARE", 0)  # the store is written anew each time
    home = built(tmp_path, (OLDEST,))
    with Library.open(home.path) as library:
        alone = b"".join(library.export("nquads"))
        put(home.path, text(NEWEST), NEWEST)
        assert len(opened(home).unstored_editions) == 1
        library.remove(f"ferry:{NEWEST}")
        assert b"".join(library.export("nquads")) == alone
        assert not opened(home).unstored_editions


def test_shared_texts_of_editions_are_stored_once(editions: Home) -> None:
    rows = opened(editions).documents.select_rows("SELECT COUNT(*), COUNT(DISTINCT body) FROM entry")
    [(rules, bodies)] = rows
    assert bodies < rules


@pytest.mark.usefixtures("books_alone")
def test_a_later_edition_of_a_flat_book_supersedes_rules_below_its_titles(tmp_path: Path) -> None:
    rules = "".join(f"{number}. Ferry {number} waits for its token.\n{number}.1. It may ring.\n" for number in range(103, 115))
    for edition, more in (("2024-05-01", "115. A bell is rung.\n"), ("2025-05-01", "")):
        file = tmp_path / f"{edition}.txt"
        file.write_text(f"100. Piers\n101. Ropes\n102. A rope is tied before noon.\n{rules}{more}", encoding="utf-8")
        add(Home(tmp_path / "home"), [file], Hints(game="ferry", edition=edition, structure="letters-as-levels"))
    with Library.open(tmp_path / "home") as library:
        current = {number: library.rules(f"ferry:2024-05-01:{number}")["rules"][0]["current"] for number in ("104.1", "115")}
    assert current == {"104.1": False, "115": True}
