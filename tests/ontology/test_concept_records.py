"""The records of concepts say what the store says."""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import pytest

from corpus.address import BASE, CONCEPT, RDF_TYPE, RS, SKOS
from corpus.store.documents import FILE_NAME, Documents, draft_documents
from corpus.store.engine import Store
from ontology import shipped
from ontology.concepts.bundle import StoredConcepts, write_concepts
from ontology.concepts.claims import claims_in
from ontology.concepts.names import StoredNames, comparison_form, stored_names
from ontology.keywords import KEYWORD_KINDS, keywords
from ontology.mappings import mappings_in
from ontology.translation.glossary import CuratedLabel, curated_quads

GRAVEYARD = f"{CONCEPT}mtg/graveyard"
BOOK_TERM = rf"""
<{CONCEPT}mtg/pier> <{RDF_TYPE}> <{RS}BookTerm> <{BASE}graph/x> .
<{CONCEPT}mtg/pier> <{SKOS}prefLabel> "Pier, \"the\" long"@en <{BASE}graph/x> .
"""


class Both(NamedTuple):
    """The concepts as a store has them, and as the records do."""

    store: Store
    stored: StoredNames
    records: StoredConcepts


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    """The shipped concepts, a label that a person prefers, and a term of a book."""
    store, folder = Store(), Path(tmp_path_factory.mktemp("bundle"))
    labels = [CuratedLabel(GRAVEYARD, "en", "boneyard", "preferred", "Ann"), CuratedLabel(GRAVEYARD, "ja", "墓", "admitted", "Bo")]
    for lines in (*shipped.shipped_graphs().values(), curated_quads(labels), BOOK_TERM.encode()):
        store.load(lines)
    store.flush()
    with draft_documents(folder, None) as records:
        write_concepts(records, store)
    return Both(store, stored_names(store), StoredConcepts(Documents(folder / FILE_NAME)))


def test_every_concept_has_the_same_names_in_the_same_order(both: Both) -> None:
    names = both.records.names
    assert names.labels[GRAVEYARD] == [label for label in both.stored.labels if label.concept == GRAVEYARD]
    assert [label for some in names.labels.values() for label in some] == both.stored.labels
    assert len(names.labels) > 300
    assert names.hubs == both.stored.hubs
    assert names.of_books == {f"{CONCEPT}mtg/pier", *(word.concept for word in keywords() if word.kind in KEYWORD_KINDS)}
    assert names.by_language(GRAVEYARD)["en"][0] == {"label": "boneyard", "sort": "preferred", "official": False, "curator": "Ann"}
    assert names.body_with_name(GRAVEYARD, "en")["label"] == "boneyard"
    assert f"{CONCEPT}mtg/nothing" not in names.labels


def test_every_name_finds_the_concepts_that_have_it(both: Both) -> None:
    bearers: dict[tuple[str, ...], set[str]] = {}
    for label in both.stored.labels:
        bearers.setdefault(comparison_form(label.text), set()).add(label.concept)
    names = both.records.names
    assert [
        label.text
        for label in both.stored.labels
        if {*names.concepts_with_name(label.text)} != bearers[comparison_form(label.text)]
    ] == []
    assert names.concepts_with_name("ＧＲＡＶＥＹＡＲＤＳ") == names.concepts_with_name("graveyard") != []
    assert names.concepts_with_name("a name that nothing has") == []


@pytest.mark.parametrize("iris", [None, [GRAVEYARD], [f"{CONCEPT}ygo/graveyard", GRAVEYARD, f"{CONCEPT}mtg/nothing"], []])
def test_claims_and_mappings_are_the_same(both: Both, iris: Collection[str] | None) -> None:
    assert both.records.claims(iris) == [claim for claim in claims_in(both.store) if iris is None or claim.concept in iris]
    assert both.records.mappings(iris) == [row for row in mappings_in(both.store) if iris is None or row["concept"] in iris]
    assert bool(both.records.claims(iris)) == (iris != [])
