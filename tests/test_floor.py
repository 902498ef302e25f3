"""The floor vocabulary: three languages for every concept, and one meaning for every label."""

from collections import defaultdict
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from rdflib import RDF, SKOS, Graph, URIRef

from corpus.model import BASE, NS
from corpus.text import fold

CONCEPT = f"{BASE}id/concept/"
FLOOR = f"{CONCEPT}floor/"
LANGS = {"en", "ja", "zh-Hans"}
KINDS = (SKOS.prefLabel, SKOS.altLabel, SKOS.hiddenLabel)


@cache
def graph() -> Graph:
    """All shipped concepts."""
    found = Graph()
    for file in files("ontology").joinpath("concepts").iterdir():
        found.parse(data=file.read_text(encoding="utf-8"), format="turtle")
    return found


def floor_terms() -> list[str]:
    return sorted(str(one).removeprefix(FLOOR) for one in graph().subjects(RDF.type, URIRef(f"{NS}FloorTerm")))


@cache
def owners() -> dict[str, set[str]]:
    """Folded label → the concepts that have it; what two games call alike is one idea where they share a hub."""
    found: dict[str, set[str]] = defaultdict(set)
    for kind in KINDS:
        for concept, label in graph().subject_objects(kind):
            found[fold(str(label))].add(str(concept).removeprefix(CONCEPT))
    return found


def shared() -> list[tuple[list[str], set[str]]]:
    """Rows of the table: the spellings of a label, the concepts it belongs to."""
    rows = (Path(__file__).parent / "cases" / "shared_labels.tsv").read_text(encoding="utf-8").splitlines()[1:]
    cells = [row.split("\t") for row in rows]
    assert all(len(row) == 3 and row[2] for row in cells), "each row says why"
    return [(row[0].split("/"), set(row[1].split())) for row in cells]


def test_the_vocabulary_is_there() -> None:
    assert len(floor_terms()) >= 250


@pytest.mark.parametrize("term", floor_terms())
def test_three_languages(term: str) -> None:
    concept = URIRef(FLOOR + term)
    for predicate in (SKOS.prefLabel, SKOS.definition):
        assert {getattr(words, "language", None) for words in graph().objects(concept, predicate)} == LANGS
    assert all(str(label).strip() == str(label) for kind in KINDS for label in graph().objects(concept, kind))


def test_a_label_has_one_meaning_unless_the_table_says_why() -> None:
    listed = {fold(label): concepts for labels, concepts in shared() for label in labels}
    found = {label: names for label, names in owners().items() if len(names) > 1 and any(one.startswith("floor/") for one in names)}
    assert {label: names for label, names in found.items() if not names <= listed.get(label, set())} == {}


@pytest.mark.parametrize("labels, concepts", shared(), ids=lambda one: "/".join(sorted(one)))
def test_the_table_is_not_out_of_date(labels: list[str], concepts: set[str]) -> None:
    known = set().union(*(owners().get(fold(label), set()) for label in labels))
    assert concepts <= known


def test_a_label_stands_once_in_a_concept() -> None:
    """Japanese and Chinese may write a label alike; one language need not say it twice."""
    for term in floor_terms():
        for lang in LANGS:
            labels = [
                fold(str(one)) for kind in KINDS for one in graph().objects(URIRef(FLOOR + term), kind) if one.language == lang
            ]  # type: ignore[attr-defined]
            assert len(labels) == len(set(labels)), (term, lang)


@pytest.mark.parametrize(
    "label, term",
    [
        ("並べ替え", "rearrange"),
        ("调换顺序", "rearrange"),
        ("reorder", "rearrange"),
        ("覗き", "look-at"),
        ("偷看", "look-at"),
        ("peek", "look-at"),
        ("何枚", "how-many"),
        ("几张", "how-many"),
        ("how many", "how-many"),
        ("満杯", "full"),
        ("放满", "full"),
        ("no room", "full"),
        ("とみなす", "count-as"),
        ("算不算", "count-as"),
        ("count as", "count-as"),
    ],
)
def test_what_players_type(label: str, term: str) -> None:
    assert owners()[fold(label)] == {f"floor/{term}"}


@pytest.mark.parametrize(
    "label, idea",
    [
        ("gy", "graveyard"),
        ("坟", "graveyard"),
        ("トラッシュ", "graveyard"),
        ("EMZ", "extra-monster-zone"),
        ("バトゾン", "battlefield"),
        ("EXデッキ", "extra-deck"),
        ("魔陷区", "spell-trap-zone"),
        ("パクる", "control-change"),
        ("steal", "control-change"),
    ],
)
def test_slang_of_zones_leads_to_the_cross_game_idea(label: str, idea: str) -> None:
    names = owners()[fold(label)]
    hubs = {str(hub).removeprefix(CONCEPT) for name in names for hub in graph().objects(URIRef(CONCEPT + name), URIRef(f"{NS}hub"))}
    assert idea in names | hubs


@pytest.mark.parametrize(
    "one, other",
    [
        ("look-at", "rearrange"),
        ("rearrange", "shuffle"),
        ("leave", "enter"),
        ("limit", "unlimited"),
        ("top", "bottom"),
        ("permitted", "prohibited"),
        ("must", "optional"),
        ("same", "difference"),
        ("before", "after"),
        ("win-game", "lose-game"),
        ("increase", "decrease"),
    ],
)
def test_distinct_ideas_share_no_label(one: str, other: str) -> None:
    assert [label for label, names in owners().items() if {f"floor/{one}", f"floor/{other}"} <= names] == []
