"""Concepts, claims and mappings: canonical, sound, proved by the texts where these are loaded, and shown side by side."""

import re
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from rdflib import Graph

from corpus.address import BASE, OA, RS, SKOS, concept_iri, concept_name, scheme_of
from corpus.catalogue import catalogue
from corpus.contract import Zone
from corpus.errors import InputError
from corpus.reference import parse_reference
from corpus.store.home import Home
from ontology import comparison, shipped, spokes, sssom
from ontology.checks.claims import claim_findings, verify_supports
from ontology.checks.report import query_violations
from ontology.checks.shapes import broken_shapes
from ontology.concepts.claims import claims_in
from ontology.concepts.zones import games_with_zones, zones
from ontology.knowledge import Knowledge
from ontology.spokes import shipped_files
from ontology.successor import successor_of
from rulestone.writing.add import add
from tests.support.homes import DIGEST, opened
from tests.support.shipped import known
from tests.support.texts import TEXTS

FILES = [
    file for folder in shipped.CONCEPT_FOLDERS for file in sorted(files("ontology").joinpath("data", folder).iterdir(), key=str)
]
LARGE = 100_000
"""Bytes of a file that rdflib parses and writes in seconds."""
COMPARED = {"dm", "fow", "mtg", "ygo"}
"""The games each zone and principle of which was judged against each of the others; the rest are mapped to the hub only."""
LONGEST_QUOTE = {"ja": 19, "zh-hans": 19, "en": 7}


@cache
def compared(lang: str = "en") -> list[Zone]:
    """The shipped zones as a reader of a language sees them."""
    return zones(known(), lang)["zones"]


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> Knowledge:
    home = Home(tmp_path_factory.mktemp("seeds") / "home")
    add(home, sorted((TEXTS / "seeds").glob("*.txt")))
    return opened(home)


@pytest.mark.parametrize(
    "file",
    [pytest.param(file, marks=pytest.mark.slow) if len(file.read_bytes()) > LARGE else file for file in FILES],
    ids=lambda file: f"{file.parent.name}/{file.name}",
)
def test_turtle_is_canonical(file: Path) -> None:
    words = file.read_text(encoding="utf-8")
    assert Graph().parse(data=words, format="turtle").serialize(format="turtle") == words


@pytest.mark.slow
def test_shapes_hold() -> None:
    assert list(broken_shapes(known())) == []


def test_quotes_are_short_enough_to_find_the_place_only() -> None:
    query = f"SELECT ?quote (LANG(?quote) AS ?lang) WHERE {{ GRAPH ?g {{ ?s <{OA}exact> ?quote }} }}"
    quotes = list(known().select(query))
    assert {row["lang"] for row in quotes} == set(LONGEST_QUOTE)
    for row in quotes:
        length = len(row["quote"].split()) if row["lang"] == "en" else len("".join(row["quote"].split()))
        assert length <= LONGEST_QUOTE[row["lang"]], row["quote"]


def test_a_dispute_has_two_sides_at_least() -> None:
    disputes = [
        (zone["concept"], name, Counter(claim["value"] for claim in claims if claim["status"] == "disputed"))
        for zone in compared()
        for name, claims in zone["properties"].items()
    ]
    disputed = [(concept, name, values) for concept, name, values in disputes if values]
    assert disputed
    assert [(concept, name) for concept, name, values in disputed if len(values) < 2] == []


def test_a_language_without_labels_takes_those_of_the_next() -> None:
    """No zone has labels in traditional characters; every one is named nevertheless, as readers of the other script name it."""
    simplified, traditional = ({z["concept"]: z["labels"] for z in compared(lang)} for lang in ("zh-Hans", "zh-Hant"))
    assert len(traditional) > 50
    assert {concept: labels["zh-Hans"] for concept, labels in traditional.items()} == {
        concept: labels["zh-Hans"] for concept, labels in simplified.items()
    }
    assert all(labels["zh-Hans"] for labels in traditional.values())


def test_every_value_is_told_in_three_languages() -> None:
    for zone in compared("ja"):
        for name, claims in zone["properties"].items():
            for claim in claims:
                words = claim["value_labels"]
                assert set(words) == {"ja", "zh-Hans", "en"}
                if not isinstance(claim["value"], int):
                    assert words["ja"] != words["en"], (zone["concept"], name, claim["value"])


@pytest.mark.parametrize(
    ("concept", "name", "value"),
    [
        ("mtg/hand", "capacity", "unlimited"),
        ("mtg/hand", "hand-limit", 7),
        ("fow/hand", "hand-limit", 7),
        ("dm/super-gr-zone", "start-size", 12),
        ("ygo/main-monster-zone", "visibility", "public"),
        ("dm/mana-zone", "face-down-seen-by", "zone-player"),
        ("mtg/stack", "ordering", "newest-on-top"),
        ("mtg/battlefield", "sub-zone", "midway"),
    ],
)
def test_a_value_is_a_slug_or_a_number(concept: str, name: str, value: str | int) -> None:
    zone = next(table for table in compared() if table["concept"].endswith(f"/{concept}"))
    assert value in [claim["value"] for claim in zone["properties"][name]]


def test_a_limit_of_one_moment_is_no_capacity() -> None:
    """Every hand of a game whose rules limit it only at the end of the turn has no capacity; nor has a deck its size when built."""
    properties = {claim.iri: claim.property for claim in claims_in(known())}
    capacities = [(zone["concept"], properties[claim["claim"]]) for zone in compared() for claim in zone["properties"]["capacity"]]
    assert len(capacities) > 10 and {name for _, name in capacities} == {"capacity"}
    empty = {zone["concept"] for zone in compared() if not zone["properties"]["capacity"]}
    assert {concept_iri(f"{game}/hand") for game in ("fow", "ygo", "onepiece", "digimon")} <= empty


def test_nothing_is_verified_without_the_texts(digest_home: Home) -> None:
    rows = zones(opened(digest_home).store, "en")["zones"]
    assert {
        support["verified"]
        for zone in rows
        for claims in zone["properties"].values()
        for claim in claims
        for support in claim["supports"]
    } == {None}


@pytest.mark.real
def test_every_support_stands_in_its_rule(seeds: Knowledge) -> None:
    verdicts = verify_supports(seeds)
    assert verdicts
    assert [support for support, holds in verdicts.items() if not holds] == []


@pytest.mark.real
def test_no_claim_is_unsound_beside_the_seeds(seeds: Knowledge) -> None:
    assert [claim_finding for claim_finding in claim_findings(seeds) if not claim_finding.is_information] == []


@pytest.mark.real
@pytest.mark.parametrize("name", ["visibility", "sharing"])
def test_most_cells_are_filled_and_proved_by_the_seeds(seeds: Knowledge, name: str) -> None:
    """Of the zones that the texts describe; what they only name has no properties."""
    every = (zone for zone in zones(seeds.store, "en")["zones"] if zone["kind"] != "not-a-zone")
    described = [zone for zone in every if any(zone["properties"].values())]
    filled = [zone for zone in described if zone["properties"][name]]
    assert len(filled) >= 0.8 * len(described)


WIKI = {"library": "✗✗✓", "hand": "✗✗✗", "battlefield": "✓✓✗", "graveyard": "✓✗varies", "stack": "✓✓✓", "exile": "✓✓✗"}
TICKS = {"public": "✓", "shared": "✓", "fixed": "✓", "newest-on-top": "✓"}


@pytest.mark.parametrize("slug", WIKI)
def test_wiki_table_is_reproduced_from_claims(slug: str) -> None:
    zone = next(table for table in compared() if table["concept"].endswith(f"/mtg/{slug}"))
    cells = []
    for name in ("visibility", "sharing", "ordering"):
        values = {TICKS.get(str(claim["value"]), "✗") for claim in zone["properties"][name]}
        cells.append(values.pop() if len(values) == 1 else "varies")
    assert "".join(cells) == WIKI[slug]


@pytest.mark.real
def test_a_rule_of_the_summary_names_its_place_in_the_official_edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESTONE_DIGEST", DIGEST)
    home = Home(tmp_path / "home")
    add(home, [TEXTS / "seeds/000-dm-zones.ja.txt", TEXTS / "dm/dm_rule.ja.md"])
    knowledge = opened(home)
    record = knowledge.rules(parse_reference("400.3b"))[0]
    now = successor_of(knowledge, record)
    assert now is not None
    assert (record["current"], now["edition"], now["same_number"]) == (False, "2025-12-17", None)
    assert [rule["iri"] for rule in now["mapped"]] == [f"{BASE}id/dm/cr/2025-12-17/400.5"]


HEADER = "\t".join(sssom.COLUMNS)
ROW = (
    "concept:a/x\tx\tskos:closeMatch\t\tconcept:b/y\ty\tsemapv:ManualMappingCuration\t\t\t0.9\trule:a\trule:b\tdiffers\t違う\t不同"
)


def test_sssom_round_trip() -> None:
    rows = sssom.read_mappings(f"#comment\n{HEADER}\n{ROW}\n", "pair.sssom.tsv")
    assert sssom.read_mappings(sssom.write_mappings(rows), "again") == rows
    turned = list(sssom.with_inverses(rows))[1]
    assert (turned["subject_id"], turned["object_rule"]) == ("concept:b/y", "rule:a")


@pytest.mark.parametrize(
    "text",
    [
        HEADER.replace("comment", "remark"),
        f"{HEADER}\n{ROW}\textra",
        f"{HEADER}\n{ROW.replace('0.9', '9')}",
        f"{HEADER}\n{ROW.replace('skos:', '')}",
        f"{HEADER}\n{ROW.replace('closeMatch	', 'closeMatch	no')}",
        f"{HEADER}\n{ROW.replace('concept:b/y', sssom.NO_TERM_FOUND)}",
    ],
)
def test_broken_sssom_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(InputError, match="pair"):
        sssom.read_mappings(text, "pair")


MAPPINGS = sorted(files("ontology").joinpath("data/mappings").iterdir(), key=str)
JUSTIFIED = {"semapv:MappingChaining", "semapv:ManualMappingCuration"}


@pytest.mark.parametrize("file", MAPPINGS, ids=lambda file: file.name)
def test_shipped_mappings_are_canonical(file: Path) -> None:
    words = file.read_text(encoding="utf-8")
    rows = sssom.read_mappings(words, file.name)
    assert sssom.write_mappings(rows, f"mappings/{file.name.split('.')[0]}") == words
    places = [(row["subject_id"], row["object_id"], row["predicate_modifier"], row["predicate_id"]) for row in rows]
    assert places == sorted(set(places))
    games = {row[f"{side}_source"].removeprefix("scheme:") for row in rows for side in ("subject", "object")} - {"hub"}
    assert "-".join(sorted(games)) == file.name.removesuffix(".sssom.tsv")


def test_mappings_hold_together() -> None:
    assert list(query_violations(known())) == []


@cache
def labels() -> dict[str, str]:
    """Concept → its preferred label in English."""
    query = f'SELECT ?c ?l {{ GRAPH ?g {{ ?c <{SKOS}prefLabel> ?l FILTER(LANG(?l) = "en") }} }}'
    return {row["c"]: row["l"] for row in known().select(query)}


def test_every_mapping_has_the_fields_that_a_judge_needs() -> None:
    for row in shipped.shipped_mappings():
        assert row["mapping_justification"] in JUSTIFIED
        assert row["comment"] and row["comment_ja"] and row["comment_zh"] and row["subject_rule"], row
        assert not re.search(r"[A-Za-z]+ [a-z]+ [a-z]+ [a-z]+", row["comment_ja"] + row["comment_zh"]), row
        for side in ("subject", "object"):
            if row[f"{side}_id"] != sssom.NO_TERM_FOUND:
                assert row[f"{side}_label"] == labels()[sssom.expand_curie(row[f"{side}_id"])], row
                assert row[f"{side}_rule"], row
    assert set(catalogue().games) >= set(games_with_zones(known()))


def test_comments_agree_with_the_claims() -> None:
    rows = shipped_files().pairs
    assert sum("By the claims" in row["comment"] for row in rows) > 40
    assert comparison.with_comparisons(rows, shipped.shipped_claims()) == [dict(row) for row in rows], "python tools/comparisons.py"


def test_a_comparison_has_differences_agreements_and_one_sided_statements() -> None:
    row = dict.fromkeys(sssom.COLUMNS, "") | {"subject_id": "concept:dm/hand", "object_id": "concept:mtg/hand"}
    statements = {lang: comparison.compared_claims(row, shipped.shipped_claims(), lang) for lang in ("en", "ja", "zh-Hans")}
    assert "Differs: hand limit unlimited (402.2) in Duel Masters, 7 (402.2) in Magic" in statements["en"]
    assert "Same: visibility, sharing, ordering" in statements["en"]
    assert "limit unlimited (402.2) in Magic" in statements["en"]
    assert "手札の上限はデュエル・マスターズで「無制限」" in statements["ja"]
    assert "手牌上限在决斗大师为“无上限”" in statements["zh-Hans"]
    assert comparison.compared_claims(row | {"predicate_modifier": "Not"}, shipped.shipped_claims(), "en") == ""
    assert comparison.compared_claims(row | {"object_id": sssom.NO_TERM_FOUND}, shipped.shipped_claims(), "en") == ""


def test_a_comment_comes_in_the_language_asked_for() -> None:
    said = {lang: compared(lang)[0]["matches"][0]["comment"] for lang in ("en", "ja", "zh-Hans", "zh-Hant")}
    assert len(set(said.values())) == 3
    assert said["zh-Hant"] == said["zh-Hans"]


def test_a_concept_without_counterpart_names_the_nearest_one() -> None:
    plain = [row for row in shipped.shipped_mappings() if " has none. " in row["comment"]]
    assert len(plain) > 80
    assert [row for row in plain if "Nearest: " not in row["comment"] or "最も近い" not in row["comment_ja"]] == []
    nearest, both = re.compile(r"\(.*\d.*\)\.$"), re.compile(r"\(.*\d.*\)\. .+: .*\(.*\d.*\)\.$")
    assert [row for row in plain if not nearest.search(row["comment"])] == []
    judged = [row for row in plain if row["mapping_justification"] != spokes.CHAINED]
    assert len(judged) > 70
    assert [row for row in judged if not both.search(row["comment"])] == []


def test_every_zone_has_a_counterpart_in_every_compared_game_or_is_said_to_have_none() -> None:
    wide = {"skos:closeMatch", "skos:exactMatch", "skos:broadMatch", "skos:narrowMatch"}
    for zone in compared():
        answered = {match["game"] for match in zone["matches"] if match["predicate"] in wide}
        assert answered | {zone["game"]} >= COMPARED, zone["concept"]


def test_every_shared_principle_is_mapped_or_missed_between_every_compared_pair() -> None:
    query = f"SELECT ?c ?hub {{ GRAPH ?g {{ ?c a <{RS}Principle> ; <{RS}hub> ?hub }} }}"
    hubs: dict[str, set[str]] = {}
    for row in known().select(query):
        hubs.setdefault(row["hub"], set()).add(row["c"])
    pairs = {
        (both_way["subject_id"], both_way["object_source"])
        for both_way in sssom.with_inverses(shipped.shipped_mappings())
        if not both_way["predicate_modifier"]
    }
    assert sum(len(concepts) > 1 for concepts in hubs.values()) >= 12
    for concepts in hubs.values():
        shared = [concept for concept in concepts if scheme_of(concept) in COMPARED]
        for concept in shared if len(shared) > 1 else ():
            for game in COMPARED - {scheme_of(concept)}:
                assert (f"concept:{concept_name(concept)}", f"scheme:{game}") in pairs, (concept, game)


def test_the_comparison_shows_a_match_from_either_side() -> None:
    matches = {(zone["concept"], match["concept"], match["predicate"]) for zone in compared() for match in zone["matches"]}
    turned = {"skos:broadMatch": "skos:narrowMatch", "skos:narrowMatch": "skos:broadMatch"}
    places = {zone["concept"] for zone in compared()}
    assert any(predicate == "skos:broadMatch" for _, _, predicate in matches)
    for subject, other, predicate in matches:
        if other in places:
            assert (other, subject, turned.get(predicate, predicate)) in matches, (subject, other)


@pytest.mark.parametrize(
    ("subject", "other", "predicate"),
    [
        ("mtg/new-object", "dm/new-object", "skos:closeMatch"),
        ("mtg/whole-zone-action", "dm/whole-zone-action", "skos:exactMatch"),
        ("dm/field-card", "fow/field", "not skos:closeMatch"),
        ("ygo/main-monster-zone", "mtg/battlefield", "skos:broadMatch"),
    ],
)
def test_verdicts_of_a_judge(subject: str, other: str, predicate: str) -> None:
    rows = [
        row
        for row in sssom.with_inverses(shipped.shipped_mappings())
        if (row["subject_id"], row["object_id"]) == (f"concept:{subject}", f"concept:{other}")
    ]
    said = [("not " if row["predicate_modifier"] else "") + row["predicate_id"] for row in rows]
    assert said == [predicate]


def test_yu_gi_oh_has_no_rule_of_a_new_object() -> None:
    missing = {
        row["subject_id"]
        for row in shipped.shipped_mappings()
        if row["object_id"] == sssom.NO_TERM_FOUND and row["object_source"] == "scheme:ygo"
    }
    assert {"concept:dm/new-object", "concept:fow/new-object", "concept:mtg/new-object"} <= missing
