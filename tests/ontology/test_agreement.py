"""The agreement of two passes: its figures, its sheets, and that what was coded is of what ships."""

import csv
from collections import Counter

import pytest

from bench.agreement import draw, sample
from bench.agreement.__main__ import coded, confidence, kappa
from corpus.address import EditionKey
from corpus.model import Node
from ontology import shipped

TEXTLESS: dict[tuple[EditionKey, str], dict[str, Node]] = {}


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        (
            [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15,
            0.4,
        ),
        ([("a", "a"), ("b", "b")], 1.0),
        ([("a", "b"), ("b", "a")], -1.0),
        ([("a", "a")] * 9, None),
    ],
)
def test_kappa(pairs: list[tuple[str, str]], expected: float | None) -> None:
    assert kappa(pairs) == (expected if expected is None else pytest.approx(expected))


def test_a_sheet_is_drawn_alike_again_and_its_decoys_ask_what_nobody_claims() -> None:
    once, again = draw.claims(TEXTLESS), draw.claims(TEXTLESS)
    assert once == again
    decoys = [question for question in once if question.first == draw.SILENT]
    assert len(decoys) == draw.DECOYS
    assert len({question.about for question in once if question.first != draw.SILENT}) == draw.CLAIMS
    assert len(draw.mappings(TEXTLESS)) == draw.MAPPINGS


def test_every_property_of_claims_was_coded() -> None:
    properties = {row["asked"] for row in coded()}
    assert {*draw.NUMBERS, "visibility", "sharing", "ordering", "kind", "outcome", "topic", "sub-zone", "predicate"} <= properties
    assert Counter(row["sheet"] for row in coded())["mappings"] == draw.MAPPINGS


def test_what_was_coded_are_claims_that_ship() -> None:
    claims = {
        line.split(b" ")[0] for graph, lines in shipped.graphs().items() if "/claims/" in graph for line in lines.splitlines()
    }
    assert {f"<{row['about']}>".encode() for row in coded() if row["sheet"] == "claims"} <= claims


def test_the_confidence_of_a_mapping_is_what_the_passes_agreed_on() -> None:
    measured = confidence(coded())
    assert set(measured) == set(draw.PREDICATES)
    for row in shipped.mappings():
        assert float(row["confidence"]) == measured[draw.predicate_of(row)], (row["subject_id"], row["object_id"])


def test_what_was_judged_is_the_sample_that_the_page_tells_of() -> None:
    with sample.JUDGED.open(encoding="utf-8") as file:
        rows = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))
    again = [(seed, kind) for seed in ("5014", "6014") for kind in ("mapping", "counterpart")]
    drawn = [*(("2014", kind) for kind in sample.SIZES), *again]
    assert Counter((row["seed"], row["kind"]) for row in rows) == {(seed, kind): sample.SIZES[kind] for seed, kind in drawn}
    assert {row["verdict"] for row in rows} == {"right", "debatable", "wrong"}
    assert {kind: len(lines) for kind, lines in sample.sample(2014).items()} == sample.SIZES
