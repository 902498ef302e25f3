"""The competency questions: the shipped ontology answers each as expected, and the page shows these answers."""

import json
from pathlib import Path

import pytest

from corpus.media import RESULTS_JSON
from corpus.store.engine import Store
from corpus.store.sparql.evaluate import evaluate
from corpus.store.sparql.question import SparqlQuestion
from ontology.checks import questions
from ontology.checks.questions import Question, Table
from ontology.shipped import shipped_store
from tests.support.shipped import known

PAGE = Path(__file__).parents[2] / "docs" / "questions.md"
EVERY = questions.questions()


def answer(store: Store, query: str) -> Table:
    pieces: list[bytes] = []
    evaluate(store, SparqlQuestion(query, (RESULTS_JSON,)), pieces.append)
    return questions.result_table(json.loads(b"".join(pieces)))


@pytest.mark.parametrize("question", EVERY, ids=lambda question: question.slug)
def test_the_answer_is_the_expected_one(question: Question) -> None:
    rows = answer(known(), question.query)
    assert rows == question.expected
    assert len(rows) > 1, "an answer without rows proves nothing"


def test_every_question_is_asked_in_three_languages() -> None:
    for question in EVERY:
        assert set(question.words) == {"en", "ja", "zh"}, question.slug
        assert len(set(question.words.values())) == 3, question.slug


def test_no_answer_depends_on_the_loaded_books() -> None:
    """A rule's own triples, a verdict and a proposed claim change nothing."""
    more = shipped_store()
    claim, ns = "<https://w3id.org/rulestone/id/claim/proposed>", "https://w3id.org/rulestone/ns#"
    deck = "<https://w3id.org/rulestone/id/concept/dm/deck>"
    rule = "<https://w3id.org/rulestone/id/dm/cr/2025-12-17/400.1>"
    support = "<https://w3id.org/rulestone/id/claim/proposed#support-1>"
    quads = [
        f"{claim} <{ns}subject> {deck} <urn:g> .",
        f"{claim} <{ns}property> <{ns}sharing> <urn:g> .",
        f"{claim} <{ns}value> <{ns}shared> <urn:g> .",
        f"{claim} <{ns}status> <{ns}proposed> <urn:g> .",
        f"{claim} <{ns}support> {support} <urn:g> .",
        f"{support} <http://www.w3.org/ns/oa#hasSource> {rule} <urn:g> .",
        f'{support} <{ns}verified> "false" <urn:g> .',
        f'{rule} <{ns}text> "Ferry."@en <urn:g> .',
    ]
    more.load("\n".join(quads).encode())
    more.flush()
    for question in EVERY:
        assert answer(more, question.query) == question.expected, question.slug


def test_the_page_shows_them() -> None:
    assert PAGE.read_text(encoding="utf-8") == questions.questions_page(), "python -m ontology.checks.questions > docs/questions.md"
