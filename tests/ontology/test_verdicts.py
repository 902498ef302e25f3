"""Verdicts of curators on proposed cross-game concepts: read from a table, kept in the home, above proposals."""

from pathlib import Path

import pytest

from corpus.address import RS, SKOS, concept_iri, concept_name
from corpus.errors import InputError
from corpus.store.engine import Store
from corpus.store.home.checksums import TABLES_FOLDER
from corpus.store.home.given import GivenKind
from ontology import shipped, spokes, sssom
from ontology.checks.report import query_violations
from ontology.concepts.zones import zones
from ontology.mappings import mappings_in, matches_by_concept
from ontology.proposed import JUDGED, PROPOSED, write_proposed
from ontology.spokes import JUDGED_HUB, PROPOSED_HUB
from ontology.verdicts import FILE_NAME, NO, YES, Verdict, read_verdicts, saved_verdicts, verdicts_table, without_file
from tests.ontology.test_matching import FERRY, book, store_with

TRASH, HAND, QUAY = (concept_iri(f"ferry/zone-{place}") for place in (1, 2, 3))
PROPOSALS = {TRASH: concept_iri("graveyard"), HAND: concept_iri("hand")}
HEAD = "concept\thub\tverdict\twho\twhen\tname"


def read(*rows: str, head: str = HEAD) -> list[Verdict]:
    text = "\n".join((head, *rows)) + "\n"
    return read_verdicts(text, "judged.tsv", shipped.hub_labels(), PROPOSALS, {TRASH, HAND, QUAY})


def verdict(verdict: str, concept: str = TRASH) -> Verdict:
    return Verdict(concept, PROPOSALS[concept], verdict, "Aki", "2026-11-28", "judged.tsv")


def test_a_table_with_verdicts_is_read() -> None:
    rows = ("ferry/zone-1\tgraveyard\tYes\tAki\t2026-11-28\tTrash", "ferry/zone-2\thand\texile\tAki\t2026-11-28\tHand")
    assert read(*rows, "ferry/zone-3\tdeck\t\t\t\tQuay") == [verdict(YES), verdict(concept_iri("exile"), HAND)]


@pytest.mark.parametrize(
    ("rows", "line", "words"),
    [
        (["ferry/zone-1\tgraveyard\tperhaps\tAki\t"], 2, "verdict 'perhaps'"),
        (["ferry/zone-9\tgraveyard\tyes\tAki\t"], 2, "concept 'ferry/zone-9'"),
        (["ferry/zone-1\thand\tyes\tAki\t"], 2, "not proposed for ferry/zone-1 any more"),
        (["ferry/zone-3\tdeck\tno\tAki\t"], 2, "not proposed for ferry/zone-3 any more"),
        (["ferry/zone-1\tgraveyard\tyes\tAki\t", "", "ferry/zone-1\tgraveyard\tno\tAki\t"], 4, "judged twice"),
        (["ferry/zone-1\tgraveyard\tyes\t\t"], 2, "who ''"),
        (["ferry/zone-1\tgraveyard\tyes\tAki\tyesterday"], 2, "when 'yesterday'"),
    ],
)
def test_a_row_that_cannot_be_used_is_refused_with_its_line(rows: list[str], line: int, words: str) -> None:
    with pytest.raises(InputError, match=f"judged.tsv, line {line}: .*{words}"):
        read(*rows)


@pytest.mark.parametrize("head", ["concept\thub\tverdict\twho", f"{HEAD}\tmood"])
def test_another_table_is_refused(head: str) -> None:
    with pytest.raises(InputError, match=r"when|mood"):
        read(head=head)


def test_verdicts_are_a_table_of_a_bundle(tmp_path: Path) -> None:
    assert (saved_verdicts(tmp_path), verdicts_table([])) == ([], b"")
    file = tmp_path / TABLES_FOLDER / GivenKind.MAPPINGS / FILE_NAME
    file.parent.mkdir(parents=True)
    file.write_bytes(verdicts_table([verdict(NO, HAND), verdict(YES)]))
    assert saved_verdicts(tmp_path) == sorted([verdict(YES), verdict(NO, HAND)])
    assert [*without_file(saved_verdicts(tmp_path), "judged.tsv")] == []


def judged_store(*verdicts: Verdict) -> Store:
    store = store_with(book(FERRY, "Trash", "Hand", "Quay"))
    write_proposed(store, verdicts)
    return store


def test_an_accepted_proposal_is_a_match_like_any_other() -> None:
    store = judged_store(verdict(YES))
    matches = matches_by_concept(mappings_in(store), "en")
    assert {match["status"] for match in matches[TRASH]} == {"accepted"}
    assert {match["status"] for match in matches[HAND]} == {"proposed"}
    rows = sssom.rows_in(store, JUDGED_HUB)
    assert [(row["author_label"], row["mapping_date"], row["status"]) for row in rows] == [("Aki", "2026-11-28", "rs:accepted")]
    hubs = [row["hub"] for row in store.select(f"SELECT ?hub {{ GRAPH ?g {{ <{TRASH}> <{RS}hub> ?hub }} }}")]
    assert hubs == [concept_iri("graveyard")]
    body = {zone["concept"]: (zone["hub"], zone["proposed_hub"]) for zone in zones(store, "en", ["ferry"])["zones"]}
    assert body[TRASH] == (concept_iri("graveyard"), None)
    other = concept_iri("mtg/graveyard")
    assert [*store.select(f"SELECT ?p {{ GRAPH ?g {{ <{TRASH}> ?p <{other}> FILTER(?p = <{SKOS}closeMatch>) }} }}")]
    assert [row for row in sssom.rows_in(store, PROPOSED_HUB) if row["subject_id"] == "concept:ferry/zone-1"] == []
    assert list(query_violations(store)) == []


def test_a_refused_proposal_is_not_proposed_again() -> None:
    store = judged_store(verdict(NO))
    assert TRASH not in matches_by_concept(mappings_in(store), "en")
    rows = sssom.rows_in(store, JUDGED_HUB)
    assert [(row["object_id"], row["predicate_modifier"]) for row in rows] == [("concept:graveyard", "Not")]
    assert spokes.hub_links(rows) == {}


def test_another_concept_replaces_the_proposed_one() -> None:
    store = judged_store(verdict(concept_iri("exile")))
    matches = matches_by_concept(mappings_in(store), "en")[TRASH]
    assert next(match["concept"] for match in matches if match["game"] == "mtg") == concept_iri("mtg/exile")
    told = {(row["object_id"], row["predicate_modifier"]) for row in sssom.rows_in(store, JUDGED_HUB)}
    assert told == {("concept:exile", ""), ("concept:graveyard", "Not")}


def test_a_zone_has_no_concept_that_a_curator_gave_to_another() -> None:
    store = judged_store(verdict(concept_iri("hand")))
    assert [concept_name(sssom.expand_curie(row["subject_id"])) for row in sssom.rows_in(store, PROPOSED_HUB)] == []


def test_without_the_verdict_the_proposal_is_back() -> None:
    store = judged_store(verdict(NO))
    write_proposed(store)
    assert {row["subject_id"] for row in sssom.rows_in(store, PROPOSED_HUB)} == {"concept:ferry/zone-1", "concept:ferry/zone-2"}
    assert [graph for graph in (JUDGED, JUDGED_HUB) if sssom.rows_in(store, graph)] == [] and sssom.rows_in(store, PROPOSED)
