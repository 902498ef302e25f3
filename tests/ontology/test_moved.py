"""Addresses of concepts are for ever: each that was given away is a concept or leads to one."""

import csv
from pathlib import Path

import pytest

from corpus.address import concept_iri, concept_name
from ingest.define import concepts
from ingest.merge import merge
from ontology.concepts.names import ConceptNames, moved_concepts, resolve_reference
from ontology.shipped import shipped_labels
from tests.ontology.test_keywords import BOOKS
from tests.support.texts import readings

SHIPPED = {label.concept for label in shipped_labels()}
with (Path(__file__).parents[1] / "cases/concept_addresses.tsv").open(encoding="utf-8") as table:
    GIVEN = {concept_iri(row["concept"]): row["from"] for row in csv.DictReader(table, delimiter="\t")}
"""Addresses of concepts, each with its source: `shipped`, or `book` for what the loaded books of BOOKS define."""


def test_every_shipped_address_is_kept() -> None:
    assert {iri for iri, source in GIVEN.items() if source == "shipped"} - SHIPPED - moved_concepts().keys() == set()


@pytest.mark.real
def test_every_address_of_the_terms_of_books_is_kept() -> None:
    now = SHIPPED | moved_concepts().keys()
    for files in BOOKS.values():
        every = [reading for name in files for reading in readings(name)]
        now |= {concept.iri for concept in concepts(merge(every[0].key, every))}
    assert GIVEN.keys() - now == set()


def test_a_former_address_leads_to_a_shipped_concept_and_is_none_itself() -> None:
    assert moved_concepts().keys().isdisjoint(SHIPPED)
    assert set(moved_concepts().values()) <= SHIPPED


@pytest.mark.parametrize("ref", ["mtg/search", "MTG/Search", concept_iri("mtg/search")])
def test_a_former_address_is_a_reference(ref: str) -> None:
    names = ConceptNames({concept_iri("mtg/searching"): []}, lambda _: (), {})
    assert list(map(concept_name, resolve_reference(names, ref))) == ["mtg/searching"]


def test_a_concept_that_bears_the_address_comes_first() -> None:
    """A bundle of before the move still has it."""
    names = ConceptNames({concept_iri(f"mtg/{slug}"): [] for slug in ("search", "searching")}, lambda _: (), {})
    assert (
        resolve_reference(names, "mtg/search") == resolve_reference(names, concept_iri("mtg/search")) == [concept_iri("mtg/search")]
    )
