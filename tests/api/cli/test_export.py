"""`export` writes everything, the same to a file as to a pipe, in every format."""

import json
from pathlib import Path

import pyoxigraph as ox
import pytest

from ontology import shipped, sssom
from tests.support.commands import Ended, call

FERRY = "https://w3id.org/rulestone/id/ferry/cr/2021-05-03"


@pytest.mark.parametrize("kind", ["jsonl", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("nquads", "turtle"))])
def test_export_writes_the_same_to_a_file(home: Path, tmp_path: Path, kind: str) -> None:
    target = tmp_path / kind
    target.write_text("old")
    assert call(home, "export", kind, "-o", target) == Ended(0, "", "")
    assert target.read_text("utf-8") == call(home, "export", kind).out
    assert list(tmp_path.iterdir()) == [target]


def test_every_rule_is_exported_once_and_in_order(home: Path) -> None:
    rules = [json.loads(line) for line in call(home, "export", "jsonl").out.splitlines()]
    assert len({rule["iri"] for rule in rules}) == len(rules)
    assert [rule["order"] for rule in rules if rule["iri"].startswith(FERRY)] == list(range(18 + 1))


def test_export_sssom_is_one_file_of_mappings_and_counterparts(home: Path) -> None:
    text = call(home, "export", "sssom").out
    rows = sssom.read_mappings(text, "export")
    shipped_rows = [tuple(row.items()) for folder in sssom.MAPPING_FOLDERS for row in shipped.shipped_mappings(folder)]
    assert {*shipped_rows} - {tuple(row.items()) for row in rows} == set()
    assert (text.count("#curie_map:"), text.count("\nsubject_id\t")) == (1, 1)


@pytest.mark.slow
def test_turtle_says_what_the_quads_say(home: Path) -> None:
    turtle, triples = _turtle_and_triples(home)
    read = {str(triple) for triple in ox.parse(turtle, ox.RdfFormat.TURTLE)}
    assert read == {str(triple) for triple in ox.parse(triples, ox.RdfFormat.N_TRIPLES)}
    assert len(read) > 100


@pytest.mark.slow
def test_another_library_reads_the_same_in_turtle(home: Path) -> None:
    from rdflib import Graph

    turtle, triples = _turtle_and_triples(home)
    assert set(Graph().parse(data=turtle, format="turtle")) == set(Graph().parse(data=triples, format="nt"))


def _turtle_and_triples(home: Path) -> tuple[str, str]:
    quads = (line.rsplit(" ", 2) for line in call(home, "export", "nquads").out.splitlines())
    triples = "\n".join(f"{triple} ." for triple, graph, _ in quads if not graph.endswith("/records>"))
    return call(home, "export", "turtle").out, triples
