"""Concepts, claims and mappings: canonical, sound, proved by the texts where these are loaded, and shown side by side."""

from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from conftest import TEXTS
from rdflib import Graph

from corpus.catalogue import catalogue
from corpus.errors import InputError
from corpus.model import BASE
from corpus.reference import parse_reference
from ontology import shipped, sssom, verify
from ontology.check import broken_shapes
from ontology.home import Home
from ontology.knowledge import Knowledge
from ontology.store import OxigraphStore
from ontology.successor import successor
from ontology.zones import games_with_zones, zones
from search.bundle import add, build

FILES = [file for folder in shipped.FOLDERS for file in sorted(files("ontology").joinpath(folder).iterdir(), key=str)]
LONGEST_QUOTE = {"ja": 19, "zh-hans": 19, "en": 7}


@cache
def store() -> OxigraphStore:
    """The shipped graphs, and the vocabulary that their shapes speak of."""
    store = OxigraphStore()
    for lines in shipped.graphs().values():
        store.load(lines)
    store.flush()
    return store


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> Knowledge:
    home = Home(tmp_path_factory.mktemp("seeds") / "home")
    add(home, sorted((TEXTS / "seeds").glob("*.txt")))
    bundle = home.current()
    assert bundle is not None
    return Knowledge.open(bundle)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_turtle_is_canonical(file: Path) -> None:
    words = file.read_text(encoding="utf-8")
    assert Graph().parse(data=words, format="turtle").serialize(format="turtle") == words


def test_shapes_hold() -> None:
    assert list(broken_shapes(store())) == []


def test_quotes_are_short_enough_to_find_the_place_only() -> None:
    query = f"SELECT ?quote (LANG(?quote) AS ?lang) WHERE {{ GRAPH ?g {{ ?s <{verify.OA}exact> ?quote }} }}"
    for row in store().select(query):
        length = len(row["quote"].split()) if row["lang"] == "en" else len("".join(row["quote"].split()))
        assert length <= LONGEST_QUOTE[row["lang"]], row["quote"]


def test_disputed_claims_come_in_pairs() -> None:
    for zone in zones(store(), "en")["zones"]:
        for name, claims in zone["properties"].items():
            values = Counter(claim["value"] for claim in claims if claim["status"] == "disputed")
            assert len(values) != 1, (zone["concept"], name)


def test_fallback_of_labels_never_hides_a_zone() -> None:
    for zone in zones(store(), "zh-Hant")["zones"]:
        assert any(zone["labels"].values()), zone["concept"]


def test_games_limit_the_comparison() -> None:
    first = games_with_zones(store())[0]
    assert {zone["game"] for zone in zones(store(), "en", [first])["zones"]} == {first}


def test_nothing_is_verified_without_the_texts(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    build(home)
    bundle = home.current()
    assert bundle is not None
    found = zones(Knowledge.open(bundle).store, "en")["zones"]
    assert {
        one["verified"] for zone in found for claims in zone["properties"].values() for claim in claims for one in claim["supports"]
    } == {None}


@pytest.mark.real
def test_every_support_stands_in_its_rule(seeds: Knowledge) -> None:
    verdicts = verify.verified(seeds.store)
    assert verdicts
    assert [support for support, holds in verdicts.items() if not holds] == []


@pytest.mark.real
@pytest.mark.parametrize("name", ["visibility", "sharing"])
def test_most_cells_are_filled_and_proved_by_the_seeds(seeds: Knowledge, name: str) -> None:
    """Of the zones that the texts describe; what they only name has no properties."""
    every = (zone for zone in zones(seeds.store, "en")["zones"] if zone["kind"] != "not-a-zone")
    found = [zone for zone in every if any(zone["properties"].values())]
    filled = [zone for zone in found if zone["properties"][name]]
    assert len(filled) >= 0.8 * len(found)


WIKI = {"library": "✗✗✓", "hand": "✗✗✗", "battlefield": "✓✓✗", "graveyard": "✓✗varies", "stack": "✓✓✓", "exile": "✓✓✗"}
TICKS = {"public": "✓", "shared": "✓", "fixed": "✓", "newest-on-top": "✓"}


@pytest.mark.parametrize("slug", WIKI)
def test_wiki_table_is_reproduced_from_claims(slug: str) -> None:
    zone = next(one for one in zones(store(), "en", ["mtg"])["zones"] if one["concept"].endswith(f"/mtg/{slug}"))
    cells = []
    for name in ("visibility", "sharing", "ordering"):
        values = {TICKS.get(str(claim["value"]), "✗") for claim in zone["properties"][name]}
        cells.append(values.pop() if len(values) == 1 else "varies")
    assert "".join(cells) == WIKI[slug]


def test_the_one_cell_on_which_the_wiki_and_the_rules_disagree_is_disputed() -> None:
    found = {
        (zone["concept"].rsplit("/", 1)[1], name)
        for zone in zones(store(), "en", ["mtg"])["zones"]
        for name in ("visibility", "sharing", "ordering")
        for claim in zone["properties"][name]
        if claim["status"] == "disputed"
    }
    assert found == {("graveyard", "ordering")}


@pytest.mark.real
def test_a_rule_of_the_summary_names_its_place_in_the_official_edition(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    add(home, [TEXTS / "seeds/000-dm-zones.ja.txt", TEXTS / "dm/dm_rule.ja.md"])
    bundle = home.current()
    assert bundle is not None
    knowledge = Knowledge.open(bundle)
    record = knowledge.rules(parse_reference("400.3b"))[0]
    now = successor(knowledge, record)
    assert now is not None
    assert (record["current"], now["edition"], now["same_number"]) == (False, "2025-12-17", None)
    assert [one["iri"] for one in now["mapped"]] == [f"{BASE}id/dm/cr/2025-12-17/400.5"]


HEADER = "\t".join(sssom.COLUMNS)
ROW = "concept:a/x\tx\tskos:closeMatch\t\tconcept:b/y\ty\tsemapv:ManualMappingCuration\t0.9\trule:a\trule:b\tdiffers"


def test_sssom_round_trip() -> None:
    rows = sssom.read(f"#comment\n{HEADER}\n{ROW}\n", "pair.sssom.tsv")
    assert sssom.read(sssom.write(rows), "again") == rows
    turned = list(sssom.both_ways(rows))[1]
    assert (turned["subject_id"], turned["object_rule"]) == ("concept:b/y", "rule:a")


def test_broad_turns_into_narrow() -> None:
    rows = sssom.read(f"{HEADER}\n{ROW.replace('closeMatch', 'broadMatch')}\n", "pair")
    assert [row["predicate_id"] for row in sssom.both_ways(rows)] == ["skos:broadMatch", "skos:narrowMatch"]


@pytest.mark.parametrize(
    "text",
    [
        HEADER.replace("comment", "remark"),
        f"{HEADER}\n{ROW}\textra",
        f"{HEADER}\n{ROW.replace('0.9', '9')}",
        f"{HEADER}\n{ROW.replace('skos:', '')}",
    ],
)
def test_broken_sssom_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(InputError, match="pair"):
        sssom.read(text, "pair")


def test_shipped_mappings_name_concepts_that_exist() -> None:
    known = {
        row["s"]
        for row in store().select(
            f"SELECT ?s WHERE {{ GRAPH ?g {{ ?s <{BASE}ns#hub>|<http://www.w3.org/2004/02/skos/core#inScheme> ?o }} }}"
        )
    }
    for row in sssom.shipped():
        for column in ("subject_id", "object_id"):
            assert row[column] == sssom.NOTHING or sssom.expand(row[column]) in known, row[column]
    assert set(catalogue().games) >= set(games_with_zones(store()))
