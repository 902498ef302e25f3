"""The graph in a store that is not ours: `export nquads`, loaded by that store's own loader, answers the competency questions."""

import io
import json
from pathlib import Path

import pyoxigraph as ox
import pytest
from rdflib import Dataset

from corpus.store.home import Home
from ontology.checks.questions import Question, Table, questions, result_table
from tests.support.commands import call

pytestmark = pytest.mark.slow
EVERY = {question.slug: question for question in questions()}


@pytest.fixture(scope="module")
def exported(digest_home: Home, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The graph of a home, as a file."""
    file = tmp_path_factory.mktemp("graph") / "rules.nq"
    assert call(digest_home.path, "export", "nquads", "-o", file).code == 0
    return file


@pytest.fixture(scope="module")
def loaded(exported: Path, tmp_path_factory: pytest.TempPathFactory) -> ox.Store:
    """A fresh store on disk that has read the file."""
    store = ox.Store(str(tmp_path_factory.mktemp("oxigraph")))
    store.bulk_load(path=str(exported), format=ox.RdfFormat.N_QUADS)
    return store


@pytest.mark.parametrize("question", EVERY.values(), ids=EVERY)
def test_oxigraph_answers_from_the_file(loaded: ox.Store, question: Question) -> None:
    results = loaded.query(question.query, use_default_graph_as_union=True)
    assert isinstance(results, ox.QuerySolutions)
    body = results.serialize(format=ox.QueryResultsFormat.JSON)
    assert body is not None
    assert _sorted(result_table(json.loads(body))) == _sorted(question.expected)


@pytest.mark.filterwarnings("ignore:Dataset:DeprecationWarning")  # rdflib uses what it deprecates
def test_rdflib_answers_from_the_file(exported: Path) -> None:
    graph = Dataset(default_union=True)
    graph.parse(exported, format="nquads")
    question = EVERY["owner-only"]
    buffer = io.BytesIO()
    graph.query(question.query).serialize(buffer, format="json")
    assert _sorted(result_table(json.loads(buffer.getvalue()))) == _sorted(question.expected)


def _sorted(rows: Table) -> list[tuple[str, ...]]:
    header, *others = rows
    return [header, *sorted(others)]
