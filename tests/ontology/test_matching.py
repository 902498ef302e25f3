"""Zones and terms of a game that nobody annotated are matched to cross-game concepts, as proposals."""

import csv
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from api.text.compare import zones_table
from api.web.compare import ZoneCell, ZoneView, _property_table
from bench.extraction.__main__ import Book, edition_of
from bench.matching.__main__ import candidates
from corpus.address import RS, SKOS, EditionKey, concept_iri, concept_name, rule_iri
from corpus.store.engine import Store
from corpus.store.home.manifest import EditionEntry, Manifest
from ingest.extract.propose import nquads
from ingest.extract.text import ExtractedClaim, ExtractedSupport, ExtractedZone, Proposals
from ontology import shipped, spokes
from ontology.checks.report import query_violations
from ontology.concepts.zones import zones
from ontology.knowledge import Knowledge
from ontology.mappings import mappings_in, matches_by_concept
from ontology.matching import COMPOSITE, Candidate, HubKnowledge, propose
from ontology.proposed import PROPOSED, ProposedMatches, write_proposed
from ontology.spokes import PROPOSED_HUB
from ontology.vocabulary import property_labels
from search.index.concept_tokens import loaded_label_entries
from tests.support import shipped as support

UNTAUGHT = Path(__file__).parents[1] / "cases" / "untaught"
FERRY, PIER = EditionKey("ferry", "cr", "undated"), EditionKey("pier", "cr", "undated")


def book(key: EditionKey, *names: str, lang: str = "en", **visible: str) -> Proposals:
    """The extracted zones of an invented book, numbered 1, 2, …; `visible` has the visibility of some."""
    zones = tuple(ExtractedZone(f"zone-{place}", ((lang, name),), (str(place),)) for place, name in enumerate(names, 1))
    claims = (
        ExtractedClaim(zone.slug, "visibility", visible[name], (ExtractedSupport(zone.defining_locators[0], lang, "words"),))
        for zone, name in zip(zones, names, strict=True)
        if name in visible
    )
    return Proposals(key, zones, tuple(claims))


def store_with(*books: Proposals) -> Store:
    """The shipped graphs, the extracted zones of some books, and what is proposed for them."""
    store = Store()
    for lines in (*shipped.shipped_graphs().values(), *(lines for each in books for lines in nquads(each).values())):
        store.load(lines)
    write_proposed(store)
    return store


@cache
def ferries() -> Store:
    """Two games: one in English, one in Japanese."""
    return store_with(
        book(FERRY, "Trash", "Hand", "Security Area", "Quay", "Energy Zone", Trash="public", Hand="owner-only"),
        book(PIER, "控え室", "手札", "エネルギー置き場", "Quay", lang="ja"),
    )


@cache
def known() -> HubKnowledge:
    return ProposedMatches(support.known()).knowledge()


def matched(kind: str, *names: str, **values: str) -> str | None:
    """The cross-game concept that is proposed for one candidate."""
    proposals = propose([Candidate(concept_iri("ferry/it"), kind, names, values, [])], known())
    return concept_name(proposals[0].hub) if proposals else None


@pytest.mark.parametrize(
    ("name", "hub"),
    [
        ("Trash", "graveyard"),
        ("Discard Pile", "graveyard"),
        ("Drop Zone", "graveyard"),
        ("控え室", "graveyard"),
        ("トラッシュ", "graveyard"),
        ("休息室", "graveyard"),
        ("廢棄區", "graveyard"),
        ("Resource Area", "resource-zone"),
        ("エネルギー置き場", "resource-zone"),
        ("Rune Deck", "resource-deck"),
        ("Security", "life-zone"),
        ("Ｒｅｍｏｖａｌ　Ａｒｅａ", "exile"),
        ("養成區", "breeding-zone"),
        ("Quay", None),
        ("This", None),
    ],
)
def test_a_zone_is_matched_by_its_name_in_any_language(name: str, hub: str | None) -> None:
    assert matched("zone", name) == hub


@pytest.mark.parametrize(
    ("name", "hub"),
    [("Opponent", "opponent"), ("Main Phase", "main-phase"), ("回合玩家", "turn-player"), ("Trash", None), ("Quay", None)],
)
def test_a_term_is_matched_by_a_preferred_label(name: str, hub: str | None) -> None:
    assert matched("term", name) == hub


def test_a_term_is_a_zone_only_if_its_name_says_so() -> None:
    assert (matched("term", "Legend Zone"), matched("term", "Legend")) == ("leader-zone", None)


def test_what_holds_several_zones_is_the_field_as_a_whole() -> None:
    assert (matched(COMPOSITE, "Field"), matched(COMPOSITE, "Hand", visibility="public")) == ("field", None)


def test_properties_that_no_case_has_lower_the_confidence() -> None:
    def confidence(**values: str) -> float:
        return propose([Candidate(concept_iri("ferry/it"), "zone", ["Trash"], values, [])], known())[0].confidence

    assert confidence(visibility="public") == confidence() > confidence(visibility="hidden") > 0.7


@pytest.mark.parametrize("name", sorted(file.stem for file in UNTAUGHT.glob("*.txt")))
def test_every_zone_of_an_invented_book_in_a_style_of_its_own(name: str) -> None:
    """From the text to the cross-game concepts: each zone is found, nothing else is, and no match is wrong."""
    with (UNTAUGHT / "hubs.tsv").open(encoding="utf-8") as file:
        expected = {row["name"]: row["hub"] for row in csv.DictReader(file, delimiter="\t") if row["book"] == name}
    zones = candidates(edition_of(UNTAUGHT, Book(name, "ferry", (f"{name}.txt",))))
    hubs = {proposal.candidate.concept: concept_name(proposal.hub) for proposal in propose(zones, known())}
    assert {zone.names[0]: hubs.get(zone.concept, "-") for zone in zones if zone.kind != "term"} == expected


def test_what_a_zone_is_for_decides_between_the_meanings_of_its_name() -> None:
    def hub(name: str, purpose: str) -> str | None:
        proposals = propose([Candidate(concept_iri("ferry/it"), "zone", [name], {}, [], purpose)], known())
        return concept_name(proposals[0].hub) if proposals else None

    assert hub("Memory", "Cards that were removed from the game are put here.") == "exile"
    assert hub("Memory", "Cards that pay the costs of others are put here.") == "resource-zone"
    assert hub("Sea Bed", "Ferries that were destroyed are put here.") == "graveyard"
    assert hub("Sea Bed", "A place for ferries.") is None


def test_what_a_zone_is_for_is_read_from_the_first_rules_of_its_section() -> None:
    store = Store()
    store.load(next(iter(nquads(book(FERRY, "Sea Bed")).values())))
    for place, text in enumerate(["Destroyed ferries lie here.", "It is public.", "Pay attention."], 1):
        rule = f"<{rule_iri(FERRY, f'1.{place}')}>"
        store.load(
            f"{rule} <{RS}parent> <{rule_iri(FERRY, '1')}> <urn:g> .\n"
            f'{rule} <{RS}text> "{text}"@en <urn:g> .\n'
            f'{rule} <{RS}order> "{place}"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:g> .\n'.encode()
        )
    store.flush()
    assert [zone.purpose for zone in ProposedMatches(store).candidates()] == ["Destroyed ferries lie here.\nIt is public."]


def test_a_game_may_have_several_slots_for_equipment() -> None:
    slots = [Candidate(concept_iri(f"ferry/{name}"), "zone", [name], {}, []) for name in ("Head", "Weapon")]
    assert len(propose(slots, known())) == 2


def test_two_zones_of_a_game_are_not_one() -> None:
    """The zone whose properties agree is matched; the other has no match."""
    pile = Candidate(concept_iri("ferry/pile"), "zone", ["Discard Pile"], {"visibility": "hidden"}, [])
    trash = Candidate(concept_iri("ferry/trash"), "zone", ["Trash"], {"visibility": "public"}, [])
    assert [proposal.candidate for proposal in propose([pile, trash], known())] == [trash]


def test_leaving_a_game_out_removes_its_names() -> None:
    ante = Candidate(concept_iri("ferry/ante"), "zone", ["Ante Zone"], {}, [])
    assert propose([ante], known()) and not propose([ante], known().without("mtg"))
    hand = Candidate(concept_iri("ferry/hand"), "zone", ["Hand"], {}, [])
    assert propose([hand], known().without("mtg"))


def test_proposals_are_marked_and_are_no_facts() -> None:
    """Every row has its status; nothing that is proposed is a direct triple or a cross-game concept of the game."""
    store = ferries()
    by_concept = matches_by_concept(mappings_in(store), "en")
    matches = by_concept[concept_iri("ferry/zone-1")]
    assert {match["status"] for match in matches} == {"proposed"}
    assert {match["game"] for match in matches} >= {"dm", "fow", "mtg", "ygo", "pier"}
    assert all(match["own_rule"] and (match["rule"] or match["concept"] is None) for match in matches)
    graveyard = by_concept[concept_iri("mtg/graveyard")]
    assert {match["game"] for match in graveyard if match["status"] == "proposed"} == {"ferry", "pier"}
    assert [match["status"] for match in graveyard] == sorted(match["status"] for match in graveyard)
    zone = concept_iri("ferry/zone-1")
    direct = store.select(f"SELECT ?p {{ GRAPH ?g {{ <{zone}> ?p ?o FILTER(?p IN (<{RS}hub>, <{SKOS}closeMatch>)) }} }}")
    assert list(direct) == []
    assert list(query_violations(store)) == []


def test_differences_of_a_proposed_pair_follow_from_the_claims() -> None:
    matches = matches_by_concept(mappings_in(ferries()), "en")[concept_iri("ferry/zone-1")]
    comment = next(match["comment"] for match in matches if match["game"] == "mtg")
    assert comment.startswith("Both correspond to “discard pile”. [By the claims: Same: visibility (proposed).")


def test_a_proposed_zone_stands_in_its_row() -> None:
    body = {zone["concept"]: zone for zone in zones(ferries(), "ja", ["ferry", "pier"])["zones"]}
    hubs = {concept: zone["proposed_hub"] and concept_name(zone["proposed_hub"]["concept"]) for concept, zone in body.items()}
    assert [hubs[concept_iri(f"ferry/zone-{place}")] for place in range(1, 6)] == [
        "graveyard",
        "hand",
        "life-zone",
        None,
        "resource-zone",
    ]
    assert [hubs[concept_iri(f"pier/zone-{place}")] for place in range(1, 5)] == ["graveyard", "hand", "resource-zone", None]
    assert body[concept_iri("ferry/zone-1")]["hub"] is None
    assert body[concept_iri("ferry/zone-1")]["proposed_hub"]["label"] == "墓地"  # type: ignore[index]


def test_words_for_a_matched_zone_lead_to_its_cross_game_concept() -> None:
    """A question about a graveyard finds rules about 控え室 of a game that nobody annotated."""
    entry = EditionEntry("pier", "cr", "undated", "", 0, (), (), {}, {}, {}, 0, "", {})
    knowledge = cast(Knowledge, SimpleNamespace(store=ferries(), manifest=Manifest(editions={PIER: entry})))
    assert set(loaded_label_entries(knowledge)) == {
        ("控え室", "pier graveyard"),
        ("手札", "pier hand"),
        ("エネルギー置き場", "pier resource-zone"),
        ("pier", "game:pier"),
    }


def test_without_games_of_that_kind_nothing_is_proposed() -> None:
    store = store_with()
    matches = ProposedMatches(store)
    assert (matches.spokes, list(matches.pairs), matches.graphs()) == ([], [], {})
    graphs = f"<{PROPOSED}> <{PROPOSED_HUB}>"
    assert list(store.select(f"SELECT ?s {{ VALUES ?g {{ {graphs} }} GRAPH ?g {{ ?s ?p ?o }} }}")) == []


def test_proposals_follow_the_books() -> None:
    """Written again, they are those of the zones that are there."""
    store = store_with(book(FERRY, "Trash"))
    graph = next(iter(nquads(book(FERRY, "Trash"))))
    assert ProposedMatches(store).spokes[0]["mapping_justification"] == "semapv:LexicalMatching"
    store.drop([graph])
    write_proposed(store)
    assert list(store.select(f"SELECT ?s {{ GRAPH <{PROPOSED_HUB}> {{ ?s ?p ?o }} }}")) == []
    assert spokes.hub_links(ProposedMatches(store).spokes) == {}


def test_the_comparison_puts_a_proposed_zone_beside_its_hub_with_a_mark() -> None:
    lines = list(zones_table(zones(ferries(), "en", ["mtg", "ferry"]), property_labels(), None))
    names = [line.strip("│├ ").split("│")[0].strip() for line in lines]
    place = names.index("ferry Trash")
    assert names[place + 1] == "~ discard pile (very likely)"
    assert "mtg graveyard" in names[place - 3 : place] and not any(line.startswith("├") for line in lines[place - 2 : place])


def test_shared_zones_come_first_and_silent_ones_are_only_named() -> None:
    lines = list(zones_table(zones(ferries(), "en", ["mtg", "ferry"]), property_labels(), None))
    shared = next(place for place, line in enumerate(lines) if "ferry Trash" in line)
    assert shared < next(place for place, line in enumerate(lines) if "mtg stack" in line)
    (last_line,) = [line for line in lines if line.startswith("no rule states any of this: ")]
    assert "mtg whammy zone" in last_line and not any("whammy" in line for line in lines if line != last_line)


@pytest.mark.parametrize(("lang", "heads", "limit"), [("ja", "公開性", "手札の上限: 7"), ("zh-Hant", "公开性", "手牌上限: 7")])
def test_the_table_speaks_the_readers_language(lang: str, heads: str, limit: str) -> None:
    lines = list(zones_table(zones(ferries(), lang, ["mtg"]), property_labels(), None))
    assert heads in lines[1] and "visibility" not in lines[1]
    assert any(limit in line for line in lines)


def test_the_page_of_the_comparison_has_one_row_for_both() -> None:
    body = zones(ferries(), "en", ["mtg", "ferry"])["zones"]
    table = _property_table(body, ZoneView("visibility", None, False, False), ["mtg", "ferry"], "en")
    hub = concept_iri("graveyard")
    assert {game for row, game in table.cells if row == hub} == {"mtg", "ferry"}
    assert [len([game for game in ("mtg", "ferry") if (row.key, game) in table.cells]) for row in table.rows[:2]] == [2, 2]
    assert "whammy zone" not in {row.label for row in table.rows}
    cell = table.cells[hub, "ferry"]
    assert isinstance(cell, ZoneCell) and cell.heading.label == "Trash" and cell.zone["proposed_hub"]
