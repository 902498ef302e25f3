"""The facts graph has a triple for each accepted claim and for no other, by the status that claims have."""

import pyoxigraph as ox

from corpus.address import CONCEPT, RS
from ontology.concepts.claim_status import with_statuses
from ontology.concepts.claims import claims_in
from ontology.facts import FACTS_GRAPH
from ontology.shipped import shipped_graphs
from tests.support.shipped import known


def facts(lines: bytes) -> set[tuple[str, str, str]]:
    quads = ox.parse(lines, format=ox.RdfFormat.N_QUADS)
    return {(str(quad.subject), str(quad.predicate), str(quad.object)) for quad in quads}


def triple(subject: str, name: str, value: str) -> tuple[str, str, str]:
    return f"<{CONCEPT}{subject}>", f"<{RS}{name}>", f"<{RS}{value}>"


def test_a_fact_is_stated_for_each_accepted_claim() -> None:
    shipped = facts(shipped_graphs()[FACTS_GRAPH])
    accepted = {(claim.concept, claim.property, claim.value) for claim in claims_in(known()) if claim.status == "accepted"}
    assert len(shipped) == len(accepted) > 700
    assert triple("mtg/graveyard", "visibility", "public") in shipped


def test_a_disputed_claim_is_no_fact() -> None:
    disputed = [triple("dm/abyss-zone", "visibility", value) for value in ("public", "hidden")]
    claimed = {claim.value.rpartition("#")[2] for claim in claims_in(known()) if claim.status == "disputed"}
    assert {"public", "hidden"} <= claimed
    assert facts(shipped_graphs()[FACTS_GRAPH]).isdisjoint(disputed)


def test_a_claim_that_ended_is_a_fact_no_more() -> None:
    graveyard = triple("mtg/graveyard", "visibility", "public")
    [claim] = [
        claim.iri
        for claim in claims_in(known())
        if (claim.concept, claim.property, claim.status) == (f"{CONCEPT}mtg/graveyard", "visibility", "accepted")
    ]
    ended = facts(with_statuses(shipped_graphs(), {claim: ("accepted", "superseded")})[FACTS_GRAPH])
    assert facts(shipped_graphs()[FACTS_GRAPH]) - ended == {graveyard}
