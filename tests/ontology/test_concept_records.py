"""The records of concepts say what the store says."""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import pytest

from corpus.address import BASE, CONCEPT, NS, RDF_TYPE, SKOS
from corpus.store.documents import FILE, Documents, writing
from corpus.store.engine import Store
from ontology import shipped
from ontology.concepts.bundle import Concepts, write_concepts
from ontology.concepts.claims import claims_in
from ontology.concepts.names import StoredNames, form_of, stored_names
from ontology.keywords import KINDS, keywords
from ontology.mappings import mappings_in
from ontology.translation.glossary import Curated, curated_quads

GRAVEYARD = f"{CONCEPT}mtg/graveyard"
BOOK_TERM = rf"""
<{CONCEPT}mtg/pier> <{RDF_TYPE}> <{NS}BookTerm> <{BASE}graph/x> .
<{CONCEPT}mtg/pier> <{SKOS}prefLabel> "Pier, \"the\" long"@en <{BASE}graph/x> .
"""


class Both(NamedTuple):
    """The concepts as a store has them, and as the records do."""

    store: Store
    stored: StoredNames
    kept: Concepts


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    """The shipped concepts, a label that a person prefers, and a term of a book."""
    store, folder = Store(), Path(tmp_path_factory.mktemp("bundle"))
    labels = [Curated(GRAVEYARD, "en", "boneyard", "preferred", "Ann"), Curated(GRAVEYARD, "ja", "墓", "admitted", "Bo")]
    for lines in (*shipped.graphs().values(), curated_quads(labels), BOOK_TERM.encode()):
        store.load(lines)
    store.flush()
    with writing(folder, None) as records:
        write_concepts(records, store)
    return Both(store, stored_names(store), Concepts(Documents(folder / FILE)))


def test_every_concept_has_the_same_names_in_the_same_order(both: Both) -> None:
    names = both.kept.names
    assert names.labels[GRAVEYARD] == [label for label in both.stored.labels if label.concept == GRAVEYARD]
    assert [label for some in names.labels.values() for label in some] == both.stored.labels
    assert len(names.labels) > 300
    assert names.hubs == both.stored.hubs
    assert names.of_books == {f"{CONCEPT}mtg/pier", *(word.concept for word in keywords() if word.kind in KINDS)}
    assert names.by_language(GRAVEYARD)["en"][0] == {"label": "boneyard", "sort": "preferred", "official": False, "curator": "Ann"}
    assert names.name(GRAVEYARD, "en")["label"] == "boneyard"
    assert f"{CONCEPT}mtg/nothing" not in names.labels


def test_every_name_finds_the_concepts_that_have_it(both: Both) -> None:
    bearers: dict[tuple[str, ...], set[str]] = {}
    for label in both.stored.labels:
        bearers.setdefault(form_of(label.text), set()).add(label.concept)
    names = both.kept.names
    assert [label.text for label in both.stored.labels if {*names.called(label.text)} != bearers[form_of(label.text)]] == []
    assert names.called("ＧＲＡＶＥＹＡＲＤＳ") == names.called("graveyard") != []
    assert names.called("a name that nothing has") == []


@pytest.mark.parametrize("asked", [None, [GRAVEYARD], [f"{CONCEPT}ygo/graveyard", GRAVEYARD, f"{CONCEPT}mtg/nothing"], []])
def test_claims_and_mappings_are_the_same(both: Both, asked: Collection[str] | None) -> None:
    assert both.kept.claims(asked) == claims_in(both.store, asked)
    assert both.kept.mappings(asked) == mappings_in(both.store, asked)
    assert bool(both.kept.claims(asked)) == (asked != [])
