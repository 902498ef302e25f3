"""Verdicts of curators on proposed mappings: read from a table, kept in the home, above proposals."""

from pathlib import Path

import pytest

from corpus.address import RDF_TYPE, RS, SKOS, concept_iri, concept_name, iri_of, path_of
from corpus.errors import InputError
from corpus.store.engine import Store
from corpus.store.home.checksums import TABLES_FOLDER
from corpus.store.home.given import GivenKind
from ontology import shipped, spokes, sssom
from ontology.checks.report import query_violations
from ontology.concepts.zones import zones
from ontology.mappings import (
    JUDGED_COUNTERPARTS,
    PROPOSED_COUNTERPARTS,
    judged_cases,
    mappings_in,
    matches_by_concept,
    rule_mappings_in,
)
from ontology.proposed import JUDGED, PROPOSED, write_proposed
from ontology.proposed_counterparts import proposed_pairs, write_counterparts
from ontology.spokes import JUDGED_HUB, PROPOSED_HUB
from ontology.verdicts import FILE_NAME, NO, YES, Judgeable, Verdict, read_verdicts, saved_verdicts, verdicts_table, without_file
from tests.ontology.test_matching import FERRY, book, store_with

TRASH, HAND, QUAY = (concept_iri(f"ferry/zone-{place}") for place in (1, 2, 3))
PROPOSALS = {TRASH: concept_iri("graveyard"), HAND: concept_iri("hand")}
CLIMB, MULLIGAN, DRAW, RAFT = (
    iri_of(path) for path in ("ferry/cr/2024-01-01/3.1", "mtg/cr/2025-02-07/103.5", "mtg/cr/2025-02-07/121.1", "raft/cr/undated/8")
)
KNOWN = Judgeable(
    {**{concept: [hub] for concept, hub in PROPOSALS.items()}, CLIMB: [MULLIGAN, RAFT]},
    shipped.hub_labels(),
    shipped.shipped_links().hub,
    {TRASH, HAND, QUAY, CLIMB, MULLIGAN, DRAW, RAFT, concept_iri("mtg/graveyard")}.__contains__,
)
HEAD = "subject\tobject\tverdict\twho\twhen\tsubject_name"
RULES = "ferry/cr/2024-01-01/3.1\tmtg/cr/2025-02-07/103.5"


def read(*rows: str, head: str = HEAD) -> list[Verdict]:
    return read_verdicts("\n".join((head, *rows)) + "\n", "judged.tsv", KNOWN)


def verdict(verdict: str, concept: str = TRASH) -> Verdict:
    return Verdict(concept, PROPOSALS[concept], verdict, "Aki", "2026-11-28", "judged.tsv")


def about_rules(verdict: str, other: str = MULLIGAN) -> Verdict:
    return Verdict(CLIMB, other, verdict, "Aki", "2026-11-28", "judged.tsv")


def test_a_table_with_verdicts_is_read() -> None:
    rows = ("ferry/zone-1\tgraveyard\tYes\tAki\t2026-11-28\tTrash", "ferry/zone-2\thand\texile\tAki\t2026-11-28\tHand")
    assert read(*rows, "ferry/zone-3\tdeck\t\t\t\tQuay") == [verdict(YES), verdict(concept_iri("exile"), HAND)]


def test_a_concept_without_a_proposal_gets_one() -> None:
    (verdict,) = read("ferry/zone-3\t\texile\tAki\t2026-11-28")
    assert (verdict.object, verdict.accepted, verdict.objects) == ("", concept_iri("exile"), {concept_iri("exile")})


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (f"{RULES}\tyes", about_rules(YES)),
        (f"{RULES}\tNo", about_rules(NO)),
        (f"{RULES}\tmtg/cr/2025-02-07/121.1", about_rules(DRAW)),
        ("ferry/cr/2024-01-01/3.1\traft/cr/undated/8\tyes", about_rules(YES, RAFT)),
    ],
)
def test_counterparts_of_rules_are_judged_in_the_same_table(row: str, expected: Verdict) -> None:
    (verdict,) = read(f"{row}\tAki\t2026-11-28")
    assert verdict == expected and verdict.is_of_rules


def test_each_counterpart_of_a_rule_is_judged() -> None:
    assert len(read(f"{RULES}\tyes\tAki\t", "ferry/cr/2024-01-01/3.1\traft/cr/undated/8\tno\tAki\t")) == 2


@pytest.mark.parametrize(
    ("rows", "line", "words"),
    [
        (["ferry/zone-1\tgraveyard\tperhaps\tAki\t"], 2, "verdict 'perhaps'"),
        (["ferry/zone-9\tgraveyard\tyes\tAki\t"], 2, "subject 'ferry/zone-9'"),
        (["ferry/zone-1\thand\tyes\tAki\t"], 2, "not proposed for ferry/zone-1 any more"),
        (["ferry/zone-3\tdeck\tno\tAki\t"], 2, "not proposed for ferry/zone-3 any more"),
        (["ferry/zone-3\t\tyes\tAki\t"], 2, "verdict 'yes'"),
        (["ferry/zone-1\t\texile\tAki\t"], 2, r"not proposed for ferry/zone-1 any more \(graveyard\)"),
        (["mtg/graveyard\t\texile\tAki\t"], 2, r"not proposed for mtg/graveyard any more \(graveyard\)"),
        (["ferry/zone-1\tgraveyard\tyes\tAki\t", "", "ferry/zone-1\tgraveyard\tno\tAki\t"], 4, "judged twice"),
        (["ferry/zone-1\tgraveyard\tyes\t\t"], 2, "who ''"),
        (["ferry/zone-1\tgraveyard\tyes\tAki\tyesterday"], 2, "when 'yesterday'"),
        (["ferry/cr/2024-01-01/9\tmtg/cr/2025-02-07/103.5\tyes\tAki\t"], 2, "subject 'ferry/cr/2024-01-01/9'"),
        (["ferry/cr/2024-01-01/3.1\tmtg/cr/2025-02-07/9\tyes\tAki\t"], 2, "mtg/cr/2025-02-07/9 is not proposed"),
        (["mtg/cr/2025-02-07/103.5\t\tyes\tAki\t"], 2, "not proposed for mtg/cr/2025-02-07/103.5"),
        ([f"{RULES}\tyes\tAki\t", f"{RULES}\tno\tAki\t"], 3, "judged twice"),
        ([f"{RULES}\tmtg/cr/2025-02-07/9\tAki\t"], 2, "another rule of mtg"),
        ([f"{RULES}\traft/cr/undated/8\tAki\t"], 2, "another rule of mtg"),
        ([f"{RULES}\tgraveyard\tAki\t"], 2, "another rule of mtg"),
        ([f"{RULES}\tyes\t\t"], 2, "who ''"),
    ],
)
def test_a_row_that_cannot_be_used_is_refused_with_its_line(rows: list[str], line: int, words: str) -> None:
    with pytest.raises(InputError, match=f"judged.tsv, line {line}: .*{words}"):
        read(*rows)


@pytest.mark.parametrize("head", ["subject\tobject\tverdict\twho", f"{HEAD}\tmood"])
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
    mappings = {(row["object_id"], row["predicate_modifier"]) for row in sssom.rows_in(store, JUDGED_HUB)}
    assert mappings == {("concept:exile", ""), ("concept:graveyard", "Not")}


def test_a_zone_has_no_concept_that_a_curator_gave_to_another() -> None:
    store = judged_store(verdict(concept_iri("hand")))
    assert [concept_name(sssom.expand_curie(row["subject_id"])) for row in sssom.rows_in(store, PROPOSED_HUB)] == []


def test_without_the_verdict_the_proposal_is_back() -> None:
    store = judged_store(verdict(NO))
    write_proposed(store)
    assert {row["subject_id"] for row in sssom.rows_in(store, PROPOSED_HUB)} == {"concept:ferry/zone-1", "concept:ferry/zone-2"}
    assert [graph for graph in (JUDGED, JUDGED_HUB) if sssom.rows_in(store, graph)] == [] and sssom.rows_in(store, PROPOSED)


def test_a_curator_names_the_concept_of_a_zone_without_a_proposal() -> None:
    exile = concept_iri("exile")
    store = judged_store(Verdict(QUAY, "", exile, "Aki", "2026-11-28", "judged.tsv"))
    assert hub_of(store, QUAY) == [exile]
    assert [row["predicate_modifier"] for row in sssom.rows_in(store, JUDGED_HUB)] == [""]


def hub_of(store: Store, concept: str) -> list[str]:
    return [row["hub"] for row in store.select(f"SELECT ?hub {{ GRAPH ?g {{ <{concept}> <{RS}hub> ?hub }} }}")]


def test_a_game_that_lacks_a_concept_has_it_after_a_curator_found_it() -> None:
    """Digimon lacks counters (shipped); a curator finds some among the terms of a book of Digimon."""
    counter, mark, magic, controller = (concept_iri(name) for name in ("counter", "digimon/mark", "mtg/counter", "mtg/controller"))
    store = judged_store()
    assert lacks(store, magic, "digimon") and lacks(store, controller, "digimon")
    graph = f"{RS}graph/terms/digimon/cr/2031-01-01"
    store.load(f'<{mark}> <{RDF_TYPE}> <{RS}BookTerm> <{graph}> .\n<{mark}> <{SKOS}prefLabel> "Mark"@en <{graph}> .\n'.encode())
    write_proposed(store, [Verdict(mark, "", counter, "Aki", "2026-11-28", "judged.tsv")])
    assert judged_cases(store) == {("digimon", counter)}
    assert not lacks(store, magic, "digimon") and lacks(store, controller, "digimon")
    matches = matches_by_concept(mappings_in(store), "en")[magic]
    assert [match["concept"] for match in matches if match["game"] == "digimon"] == [mark]


def lacks(store: Store, concept: str, game: str) -> bool:
    """Whether a game has nothing like a concept."""
    return any(
        match["concept"] is None and match["game"] == game for match in matches_by_concept(mappings_in(store), "en")[concept]
    )


def test_a_judged_pair_of_rules_is_in_a_graph_of_its_own() -> None:
    store = Store()
    write_counterparts(store, [(CLIMB, RAFT, 0.91)], [about_rules(DRAW)])
    assert proposed_pairs(store) == [(CLIMB, RAFT, 0.91)]
    accepted = {(row["rule"], row["other"]) for row in rule_mappings_in(store, graph=JUDGED_COUNTERPARTS)}
    assert accepted == {(CLIMB, DRAW), (DRAW, CLIMB)}
    rows = {(row["object_id"], row["predicate_modifier"]): row for row in sssom.rows_in(store, JUDGED_COUNTERPARTS)}
    assert {*rows} == {(f"rule:{path_of(rule)}", "") for rule in (CLIMB, DRAW)} | {
        (f"rule:{path_of(rule)}", "Not") for rule in (CLIMB, MULLIGAN)
    }
    assert {(row["status"], row["author_label"], row["mapping_tool"]) for row in rows.values()} == {
        ("rs:accepted", "Aki", "rulestone mappings")
    }
    direct = store.select(f"SELECT ?other {{ GRAPH <{JUDGED_COUNTERPARTS}> {{ <{CLIMB}> <{SKOS}closeMatch> ?other }} }}")
    assert [row["other"] for row in direct] == [DRAW]
    write_counterparts(store, [])
    assert [sssom.rows_in(store, graph) for graph in (JUDGED_COUNTERPARTS, PROPOSED_COUNTERPARTS)] == [[], []]
