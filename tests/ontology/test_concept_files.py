"""The files that look-ups read of concepts say what the store says."""

from typing import NamedTuple

import pytest

from corpus.address import BASE, CONCEPT, NS, RDF_TYPE, SKOS
from corpus.store.engine import Store
from ontology import shipped
from ontology.concepts.bundle import PARTS, ConceptFiles, StoredConcepts, write_part
from ontology.translation.glossary import Curated, curated_quads

GRAVEYARD = f"{CONCEPT}mtg/graveyard"
BOOK_TERM = rf"""
<{CONCEPT}mtg/pier> <{RDF_TYPE}> <{NS}BookTerm> <{BASE}graph/x> .
<{CONCEPT}mtg/pier> <{SKOS}prefLabel> "Pier, \"the\" long"@en <{BASE}graph/x> .
"""


class Both(NamedTuple):
    """The concepts as the store and as the files have them."""

    stored: StoredConcepts
    filed: ConceptFiles


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    """What ships, a label that a person prefers, and a term of a book."""
    store, folder = Store(), tmp_path_factory.mktemp("concepts")
    labels = [Curated(GRAVEYARD, "en", "boneyard", "preferred", "Ann"), Curated(GRAVEYARD, "ja", "墓", "admitted", "Bo")]
    for lines in (*shipped.graphs().values(), curated_quads(labels), BOOK_TERM.encode()):
        store.load(lines)
    store.flush()
    for part in PARTS:
        write_part(folder, part, store)
    return Both(StoredConcepts(store), ConceptFiles(folder))


def test_every_concept_has_the_same_names_in_the_same_order(both: Both) -> None:
    stored, filed = both.stored.names, both.filed.names
    assert list(filed.labels) == list(stored.labels)
    assert len(filed.labels) > 300
    assert dict(filed.labels) == dict(stored.labels)
    assert (filed.hubs, filed.cases, filed.of_books) == (stored.hubs, stored.cases, stored.of_books)
    assert filed.of_books == {f"{CONCEPT}mtg/pier"}
    assert filed.by_language(GRAVEYARD) == stored.by_language(GRAVEYARD)
    assert filed.by_language(GRAVEYARD)["en"][0] == {"label": "boneyard", "sort": "preferred", "official": False, "curator": "Ann"}
    assert filed.name(GRAVEYARD, "en")["label"] == "boneyard"


def test_every_name_finds_the_same_concepts(both: Both) -> None:
    stored, filed = both.stored.names, both.filed.names
    names = {label.text for some in stored.labels.values() for label in some}
    assert [name for name in names if filed.called(name) != stored.called(name)] == []
    assert filed.called("ＧＲＡＶＥＹＡＲＤＳ") == stored.called("graveyard") != []
    assert filed.close("graveyerd") == stored.close("graveyerd")
    assert filed.called("a name that nothing has") == []
    assert f"{CONCEPT}mtg/nothing" not in filed.labels


@pytest.mark.parametrize("asked", [None, [GRAVEYARD], [f"{CONCEPT}ygo/graveyard", GRAVEYARD, f"{CONCEPT}mtg/nothing"], []])
def test_claims_and_mappings_are_the_same(both: Both, asked: list[str] | None) -> None:
    assert both.filed.claims(asked) == both.stored.claims(asked)
    assert both.filed.mappings(asked) == both.stored.mappings(asked)
    assert bool(both.filed.claims(asked)) == (asked != [])
