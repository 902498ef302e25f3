"""The mapping of each game to the hub, and the rows between two games that follow from it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from corpus.address import RS, EditionKey, concept_iri, concept_name, game_of, rule_iri
from ontology import shipped, spokes, sssom
from ontology.concepts.claims import Claim, Support
from ontology.sssom import MappingRow

HUB = {concept_iri("pile"): {"en": "discard pile", "ja": "墓地", "zh-Hans": "墓地"}}
SUPPORT = Support("urn:s", "urn:c", rule_iri(EditionKey("a", "cr", "2020"), "1"), "words", "en", None)
GUIDE = Path(__file__).parents[2] / "docs/coding.md"


def spoke(concept: str, predicate: str = "closeMatch", confidence: str = "0.9", **cells: str) -> MappingRow:
    game = concept.partition("/")[0]
    row = spokes.spoke_row(
        concept_iri(concept),
        f"skos:{predicate}",
        concept_iri("pile"),
        lambda iri: concept_name(iri),
        confidence=confidence,
        rule=f"https://w3id.org/rulestone/id/{game}/cr/2020/1",
    )
    return {**row, **cells}


def lacking(game: str) -> MappingRow:
    return spoke(f"{game}/x", subject_id=sssom.NO_TERM_FOUND, subject_label="", comment="None. Nearest: x.")


def claim(concept: str, value: str) -> Claim:
    return Claim(f"claim:{concept}", concept_iri(concept), "visibility", value, "accepted", {}, (SUPPORT,), {})


def derived(
    rows: Sequence[MappingRow], judged: Sequence[MappingRow] = (), claims: Mapping[str, Sequence[Claim]] | None = None
) -> list[tuple[str, str, str, str]]:
    derived_rows = spokes.chained_rows(rows, judged, HUB, lambda _: claims or {})
    return [
        (
            row["subject_id"].removeprefix("concept:"),
            row["predicate_id"],
            row["object_id"].removeprefix("concept:"),
            row["confidence"],
        )
        for row in derived_rows
    ]


def test_two_games_with_one_hub_concept_are_counterparts() -> None:
    assert derived([spoke("b/trash", confidence="0.8"), spoke("a/yard")]) == [("a/yard", "skos:closeMatch", "b/trash", "0.72")]
    row = next(spokes.chained_rows([spoke("a/yard"), spoke("b/trash")], [], HUB, lambda _: {}))
    assert row["comment"] == "Both correspond to “discard pile”." and row["mapping_justification"] == spokes.CHAINED
    assert (row["subject_rule"], row["object_rule"]) == ("rule:a/cr/2020/1", "rule:b/cr/2020/1")


@pytest.mark.parametrize(("first", "second", "predicate"), [(*pair, predicate) for pair, predicate in spokes.COMPOSED.items()])
def test_predicates_are_composed_as_the_guide_says(first: str, second: str, predicate: str) -> None:
    rows = [spoke("a/yard", first.removeprefix("skos:")), spoke("b/trash", second.removeprefix("skos:"))]
    same = {concept_iri(name): [claim(name, "public")] for name in ("a/yard", "b/trash")}
    assert [row[1] for row in derived(rows, claims=same)] == [predicate]
    if predicate == spokes.EXACT:
        other = same | {concept_iri("b/trash"): [claim("b/trash", "hidden")]}
        assert [row[1] for row in derived(rows, claims=other)] == [spokes.CLOSE]
    cells = " | ".join(name.removeprefix("skos:").removesuffix("Match") for name in (first, second, predicate))
    assert f"| {cells} |" in GUIDE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "judged",
    [
        spoke("a/yard", object_id="concept:b/heap", object_source="scheme:b"),
        spoke("a/yard", object_id=sssom.NO_TERM_FOUND, object_source="scheme:b"),
        spoke("a/yard", object_id="concept:b/trash", object_source="scheme:b", predicate_modifier="Not"),
        spoke("a/yard", object_id="concept:b/trash", object_source="scheme:b", predicate_id="skos:relatedMatch"),
    ],
)
def test_judged_mappings_are_not_derived(judged: MappingRow) -> None:
    assert derived([spoke("a/yard"), spoke("b/trash"), spoke("c/bin")], [judged]) == [
        ("a/yard", "skos:closeMatch", "c/bin", "0.81"),
        ("b/trash", "skos:closeMatch", "c/bin", "0.81"),
    ]


def test_a_game_that_lacks_the_hub_concept_has_no_counterpart() -> None:
    assert (
        derived([spoke("a/yard"), lacking("b"), lacking("c")]) == [("a/yard", "skos:closeMatch", sssom.NO_TERM_FOUND, "0.81")] * 2
    )


def test_gaps_of_a_game_are_derived_beside_a_judged_gap() -> None:
    judged = spoke("a/heap", object_id=sssom.NO_TERM_FOUND, object_source="scheme:c")
    assert derived([spoke("a/yard"), lacking("b")], [judged]) == [("a/yard", "skos:closeMatch", sssom.NO_TERM_FOUND, "0.81")]


def test_a_judged_gap_of_one_game_leaves_those_of_the_others() -> None:
    judged = spoke("a/yard", object_id=sssom.NO_TERM_FOUND, object_source="scheme:b")
    rows = spokes.chained_rows([spoke("a/yard"), lacking("b"), lacking("c")], [judged], HUB, lambda _: {})
    assert [(row["subject_id"], row["object_id"], row["object_source"]) for row in rows] == [
        ("concept:a/yard", sssom.NO_TERM_FOUND, "scheme:c")
    ]


def test_two_concepts_of_one_game_are_no_counterparts() -> None:
    assert derived([spoke("a/yard"), spoke("a/heap")]) == []


def test_every_case_of_a_hub_concept_has_one_source() -> None:
    """`rs:hub` is in no file; each spoke gives it once, in the graph that describes the concept."""
    rows = [row for row in shipped.shipped_spokes() if row["subject_id"] != sssom.NO_TERM_FOUND]
    assert {name: count for name, count in Counter(row["subject_id"] for row in rows).items() if count > 1} == {}
    hubs = spokes.hub_links(rows)
    assert shipped.shipped_links().hub == hubs and len(hubs) > 640
    assert not [file for file in sssom.DATA.glob("concepts/*.ttl") if "rs:hub" in file.read_text(encoding="utf-8")]
    assert f"<{RS}hub>".encode() in shipped.shipped_graphs()["https://w3id.org/rulestone/graph/concepts/mtg"]
    assert {game_of(concept) for concept in hubs} >= {"dm", "fow", "mtg", "ygo"}


def test_shipped_rows_that_follow_from_the_hub_agree_with_judgements() -> None:
    """Rows of pairs that share a hub concept, against those that the composition would give."""
    judged = {
        frozenset((row["subject_id"], row["object_id"])): row
        for row in shipped.shipped_mappings()
        if "Both correspond" not in row["comment"] and row["object_id"] != sssom.NO_TERM_FOUND
    }
    rows = list(spokes.chained_rows(shipped.shipped_spokes(), [], shipped.hub_labels(), lambda _: {}))
    both = [(row, judged[pair]) for row in rows if (pair := frozenset((row["subject_id"], row["object_id"]))) in judged]
    same = [row for row, other in both if not other["predicate_modifier"] and other["predicate_id"] != spokes.RELATED]
    assert len(both) > 600 and len(same) >= 0.98 * len(both)
