"""Extraction: what invented rulebooks of many house styles state of their zones, and what the real ones do."""

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from rdflib import SH, SKOS, Graph
from spacy.tokens import Doc
from spacy.vocab import Vocab

from api.cli.app import main
from bench.extraction.__main__ import DEVELOPMENT_BOOKS, NEW_BOOKS, measure_books, missed_targets
from bench.extraction.score import pooled_score
from corpus.errors import InputError
from corpus.store.home import Home
from corpus.words.text import fold_text
from ingest.extract import Proposals, propose
from ingest.extract.patterns import parse
from ingest.extract.propose import turtle
from ingest.extract.text import quoted_phrase
from ingest.merge import merge
from ingest.recognise import Hints
from ontology.checks.shapes import broken_shapes, shape_graph
from ontology.concepts.zones import zones
from rulestone.writing.add import add, build
from tests.support.ferrymen import BOOKS, node, parsed
from tests.support.homes import opened
from tests.support.texts import TEXTS

CASES = tomllib.loads((Path(__file__).parents[1] / "cases" / "zones.toml").read_text("utf-8"))
PATTERNS = files("ingest").joinpath("data/patterns/en.toml").read_text("utf-8")
SHOWN = ("visibility", "sharing", "ordering", "capacity")


def proposed(case: dict[str, Any]) -> Proposals:
    reading = parsed(case["text"].lstrip("\n"), case["grammar"], case["lang"], case.get("media", "text"))
    return propose(merge(reading.key, [reading]))


def table(proposals: Proposals) -> dict[str, str]:
    """Label → what is stated of the zone, a dash for what is left open; capacity only where there is one."""
    cells = {(claim.zone, claim.property): claim.value for claim in proposals.claims}
    rows = {zone.labels[0][1]: [cells.get((zone.slug, name), "-") for name in SHOWN] for zone in proposals.zones}
    return {label: " ".join(row[:3] if row[3] == "-" else row) for label, row in rows.items()}


@pytest.mark.parametrize("case", CASES["book"], ids=lambda case: case["name"])
def test_claims_of_a_book_about_its_zones(case: dict[str, Any]) -> None:
    proposals = proposed(case)
    assert table(proposals) == case["zones"]
    reading = parsed(case["text"].lstrip("\n"), case["grammar"], case["lang"], case.get("media", "text"))
    for support in (support for claim in proposals.claims for support in claim.supports):
        assert fold_text(support.phrase) in fold_text(node(reading, support.locator).text)
        length = len(support.phrase.split()) if case["lang"] == "en" else len("".join(support.phrase.split()))
        assert 0 < length <= {"en": 7}.get(case["lang"], 19), support.phrase


HARBOUR = """\
2. Zones
2-1. Zones
2-1-1. A zone is a place where tokens lie. {general}
2-2. Hold
2-2-1. This is where a captain keeps tokens. {hold}
2-3. Quay
2-3-1. This is where ferries are placed. {quay}
"""


def harbour(general: str = "", hold: str = "", quay: str = "") -> dict[str, str]:
    text = HARBOUR.format(general=general, hold=hold, quay=quay)
    return table(proposed({"text": text, "grammar": "dashed", "lang": "en"}))


@pytest.mark.parametrize(
    ("words", "hold", "quay"),
    [
        ({}, "- - -", "- - -"),
        ({"general": "Each player has one of each zone."}, "- per-player -", "- per-player -"),
        (
            {"general": "Each player has one of each zone.", "quay": "The quay is shared by all players."},
            "- per-player -",
            "- shared -",
        ),
        ({"general": "Every player has own zones, except the quay."}, "- per-player -", "- - -"),
        ({"general": "The quay is a public zone. All other zones are hidden."}, "hidden - -", "public - -"),
        ({"hold": "The hold is a public zone. The hold is a hidden zone."}, "- - -", "- - -"),
        ({"hold": "If a card says so, the hold is a public zone."}, "- - -", "- - -"),
        ({"hold": "The number of cards in the hold is public."}, "- - -", "- - -"),
        ({"hold": "It is hidden, but you may look at the cards here."}, "owner-only - -", "- - -"),
        ({"hold": "The order of the cards is managed."}, "- - fixed", "- - -"),
        ({"hold": "The order of the cards is managed. New cards are put on top."}, "- - newest-on-top", "- - -"),
        ({"hold": "The order cannot be changed. New cards are put on top."}, "- - fixed", "- - -"),
        ({"quay": "The hold is a hidden zone."}, "hidden - -", "- - -"),
        ({"hold": "The upper part is public. The lower part is private."}, "mixed - -", "- - -"),
        ({"hold": "The upper part is public. All players can look at the cards there."}, "- - -", "- - -"),
        ({"hold": "Up to 3 barrels can be placed in the hold."}, "- - - 3", "- - -"),
    ],
)
def test_precedence_of_statements_and_open_conflicts(words: dict[str, str], hold: str, quay: str) -> None:
    assert harbour(**words) == {"Hold": hold, "Quay": quay}


def test_a_general_rule_is_the_proof_where_it_settles_all_zones() -> None:
    case = {
        "text": HARBOUR.format(general="Each player has one of each zone.", hold="", quay=""),
        "grammar": "dashed",
        "lang": "en",
    }
    claims = proposed(case).claims
    assert {(claim.zone, claim.general, claim.supports[0].locator) for claim in claims} == {
        ("hold", True, "2-1-1"),
        ("quay", True, "2-1-1"),
    }


def test_a_book_without_zones_proposes_nothing() -> None:
    assert proposed({"text": BOOKS["dotted-letters"].text, "grammar": "dotted-letters", "lang": "en"}).zones == ()


def test_names_for_several_zones_and_kinds_of_a_zone() -> None:
    text = HARBOUR.format(general="The hold and the quay are together called “the port”.", hold="", quay="It is public.")
    text += "2-3-2. <Stone> Quay\n2-3-2-1. Stone ferries lie here.\n"
    kinds = {zone.slug: (zone.kind, zone.above) for zone in proposed({"text": text, "grammar": "dashed", "lang": "en"}).zones}
    assert kinds == {
        "port": ("composite", None),
        "hold": ("zone", None),
        "quay": ("zone", None),
        "stone-quay": ("sub-zone", "quay"),
    }


def test_two_languages_of_an_edition_share_their_zones() -> None:
    english = parsed("3. Zones\n3.1. Hand\n3.1.1. The hand is hidden.\n3.1.2. You may look at the cards here.\n", "dotted")
    japanese = parsed("3. 領域\n3.1. 手札\n3.1.1. 手札は非公開領域です。\n3.1.2. 手札の上限は7枚です。\n", "dotted", "ja")
    proposals = propose(merge(english.key, [english, japanese]))
    assert [zone.labels for zone in proposals.zones] == [(("en", "Hand"), ("ja", "手札"))]
    assert [(claim.property, claim.value) for claim in proposals.claims] == [("visibility", "owner-only"), ("capacity", "7")]
    assert {support.lang for support in proposals.claims[0].supports} == {"en", "ja"}


@pytest.mark.parametrize(
    ("sentence", "quotation"),
    [
        ("ライブカードが一時的に裏向きに置かれることがあり", "一時的に裏向きに置かれることがあり"),
        ("桟橋は公開領域です", "桟橋は公開領域です"),
        ("櫂の順番が管理さ|れます", "櫂の順番が管理"),
    ],
)
def test_no_quotation_begins_or_ends_inside_a_word(sentence: str, quotation: str) -> None:
    """The match ends at the bar; every character is a token, as in words that are no cue."""
    end = sentence.find("|") if "|" in sentence else len(sentence)
    letters = list(sentence.replace("|", ""))
    assert quoted_phrase(Doc(Vocab(), words=letters, spaces=[False] * len(letters)), 0, end, cjk=True) == quotation


def test_turtle_is_canonical_and_its_claims_keep_to_the_shapes() -> None:
    from pyshacl import validate

    words = turtle(proposed(CASES["book"][0]))
    graph = Graph().parse(data=words, format="turtle")
    assert graph.serialize(format="turtle") == words
    _, report, _ = validate(graph, shacl_graph=shape_graph(), advanced=False)
    missing = {report.value(result, SH.resultPath) for result in report.subjects(SH.focusNode)}
    assert missing == {SKOS.definition, SKOS.prefLabel}  # in three languages: for a judge to write


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("[lists]", "[list]", "lists"),
        ('value = "public"', 'value = "glowing"', "glowing"),
        ('subject = "others"', 'subject = "everything"', "everything"),
        ('words = ["other|remaining AREA is|are .. shared|common"]', 'words = "other AREA"', "must be a list"),
        ("[numbers]", "[numbers", "TOMLDecodeError"),
    ],
)
def test_wrong_patterns_are_refused_with_their_place(old: str, new: str, what: str) -> None:
    assert old in PATTERNS
    with pytest.raises(InputError, match=r"xx\.toml cannot be read") as refused:
        parse(PATTERNS.replace(old, new, 1), "xx")
    assert what in str(refused.value)


@pytest.mark.slow
def test_a_bundle_shows_the_proposals_for_an_unknown_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "ferry.txt"
    book.write_text(CASES["book"][0]["text"].lstrip("\n"), encoding="utf-8")
    home = Home(tmp_path / "home")
    add(home, [book], Hints(game="ferry", lang="en", edition="2024-05-05"))
    build(home)
    store = opened(home).store
    rows = zones(store, "en", ["ferry"])["zones"]
    hand = next(zone for zone in rows if zone["concept"].endswith("/ferry/hand"))
    claim = hand["properties"]["visibility"][0]
    assert (claim["value"], claim["status"], claim["supports"][0]["verified"]) == ("owner-only", "proposed", True)
    assert list(broken_shapes(store)) == []
    assert main(["--home", str(home.path), "propose", "ferry"]) == 0
    assert "visibility owner-only" in " ".join(capsys.readouterr().out.split())
    assert main(["--home", str(home.path), "propose", "ferry", "-o", str(tmp_path / "ferry.ttl")]) == 0
    assert "concept/ferry/hand" in (tmp_path / "ferry.ttl").read_text("utf-8")
    assert main(["--home", str(home.path), "propose", "nosuchgame"]) == 1


def test_a_zone_with_two_names_is_one_and_a_pronoun_is_none() -> None:
    text = """\
2. Zones
2-1. Zones
2-1-1. A zone is a place where tokens lie. The field is divided into the mooring area and the loading area.
2-2. Holds
2-2-1. This is the area where a captain keeps tokens. Each player has their own hold. A hold is a hidden zone.
2-3. Sunk
2-3-1. A player's sunk (also known as their “sunk pile” or their “Sunk zone”) is where lost tokens are placed.
2-3-2. The sunk pile is a public zone.
"""
    zones_ = proposed({"text": text, "grammar": "dashed", "lang": "en"}).zones
    assert {zone.slug: {label for _, label in zone.labels} for zone in zones_} == {
        "mooring-area": {"mooring area"},
        "loading-area": {"loading area"},
        "hold": {"Hold", "Holds"},
        "sunk": {"Sunk", "sunk pile", "Sunk zone"},
    }


def test_ends_of_japanese_sentences_are_no_zones() -> None:
    text = """\
3. 領域
3-1. 領域
3-1-1. 領域とは、ゲーム中に荷を置く場所のことです。
3-2. 岸
3-2-1. 使い終えた荷を置く領域です。
3-2-2. 岸は公開領域です。
3-2-3. 舟置き場には荷1個のみ置くことができます。舟置き場には荷を何個でも置くことができます。
"""
    zones_ = proposed({"text": text, "grammar": "dashed", "lang": "ja"}).zones
    assert [zone.slug for zone in zones_] == ["岸"]


@pytest.mark.real
def test_the_zones_of_games_that_nobody_annotated_are_found() -> None:
    scores = list(measure_books(TEXTS, NEW_BOOKS))
    assert {result.name: round(result.of_zones.f1, 3) for result in scores if result.of_zones.f1 < 0.9} == {}
    assert pooled_score(scores, "together").zones_invented == 0


@pytest.mark.real
def test_the_development_books_reach_the_targets() -> None:
    scores = list(measure_books(TEXTS, DEVELOPMENT_BOOKS))
    assert pooled_score(scores, "together").right > 100
    assert missed_targets(scores) == {}
