"""The agreement of two passes: its figures, its sheets, and that what was coded is of what ships."""

import csv
from collections import Counter
from statistics import fmean

import pytest

from bench.agreement import draw, sample
from bench.agreement.__main__ import coded_rows, confidence, kappa
from corpus.address import EditionKey
from corpus.model import Node
from ontology import shipped

TEXTLESS: dict[tuple[EditionKey, str], dict[str, Node]] = {}


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15, 0.4),
        ([("a", "a"), ("b", "b")], 1.0),
        ([("a", "b"), ("b", "a")], -1.0),
        ([("a", "a")] * 9, None),
    ],
)
def test_kappa(pairs: list[tuple[str, str]], expected: float | None) -> None:
    assert kappa(pairs) == (expected if expected is None else pytest.approx(expected))


@pytest.mark.slow
def test_a_sheet_is_reproducible_and_its_decoys_state_no_claim() -> None:
    once, again = draw.claims(TEXTLESS), draw.claims(TEXTLESS)
    assert once == again
    decoys = [question for question in once if question.first == draw.NO_ANSWER]
    assert len(decoys) == draw.DECOYS
    assert len({question.about for question in once if question.first != draw.NO_ANSWER}) == draw.CLAIMS
    assert len(draw.mappings(TEXTLESS)) == draw.MAPPINGS


def test_every_property_of_claims_was_coded() -> None:
    properties = {row["asked"] for row in coded_rows()}
    assert {
        *draw.NUMERIC_PROPERTIES,
        "visibility",
        "sharing",
        "ordering",
        "kind",
        "outcome",
        "topic",
        "sub-zone",
        "predicate",
    } <= properties
    assert Counter(row["sheet"] for row in coded_rows())["mappings"] == draw.MAPPINGS


def test_coded_claims_are_shipped_claims() -> None:
    claims = {
        line.split(b" ")[0]
        for graph, lines in shipped.shipped_graphs().items()
        if "/claims/" in graph
        for line in lines.splitlines()
    }
    assert {f"<{row['about']}>".encode() for row in coded_rows() if row["sheet"] == "claims"} <= claims


def test_the_confidence_of_a_mapping_is_its_own_and_fits_the_measurement() -> None:
    measured = confidence(coded_rows())
    assert set(measured) == set(draw.PREDICATES)
    confidences: dict[str, list[float]] = {}
    for row in shipped.shipped_mappings():
        confidences.setdefault(draw.predicate_of(row), []).append(float(row["confidence"]))
    for predicate, values in confidences.items():
        assert abs(fmean(values) - measured[predicate]) < 0.1, predicate
        assert len(set(values)) > min(len(values) // 4, 5), predicate


def test_every_row_of_a_sample_is_judged() -> None:
    with sample.JUDGED_FILE.open(encoding="utf-8") as file:
        rows = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))
    assert {row["verdict"] for row in rows} == {"right", "debatable", "wrong"}


@pytest.mark.slow
def test_a_sample_is_drawn_alike_again_and_no_kind_changes_another() -> None:
    whole = sample.draw_sample(7)
    assert {kind: len(rows) for kind, rows in whole.items()} == sample.SIZES
    assert all(len({row.name for row in rows}) == len(rows) for rows in whole.values())
    assert sample.draw_sample(7, {"topic": 120}) == {"topic": whole["topic"]}
    assert sample.draw_sample(8, {"topic": 120}) != {"topic": whole["topic"]}


@pytest.mark.parametrize("kind", sorted(sample.SIZES.keys() - {"label"}))
def test_a_row_of_a_sample_is_said_in_every_language_and_names_its_rules(kind: str) -> None:
    for row in sample.draw_sample(7, {kind: 20})[kind]:
        assert {lang for lang in sample.LANGUAGES if any(f"{lang}: " in line for line in row.lines)} in (set(), {*sample.LANGUAGES})
        assert row.rules


def test_a_label_of_a_sample_is_shown_among_the_names_of_its_concept() -> None:
    for row in sample.draw_sample(7, {"label": 20})["label"]:
        lang, label = row.lines[0].partition(" [")[0].split(": ", 1)
        assert any(line.startswith(f"names {lang}: ") and label in line for line in row.lines[1:])
        assert row.name.endswith(f" {lang} {label}")
