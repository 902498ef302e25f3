"""Which concepts a text names: a table of cases, and the same answers as spaCy's phrase matcher."""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
import spacy
from spacy.matcher import PhraseMatcher
from spacy.tokens import Doc, Span

from corpus.digest import digests
from corpus.words.tokens import singular, words
from ingest.mark import ConceptMarker
from ontology.labels import LabelSort
from ontology.shipped import marked_labels

with (Path(__file__).parents[1] / "cases/mark.tsv").open(encoding="utf-8") as table:
    CASES = list(csv.DictReader(table, delimiter="\t"))


@pytest.mark.parametrize("case", CASES, ids=[case["text"] for case in CASES])
def test_marks(case: dict[str, str]) -> None:
    marks = ConceptMarker(case["game"]).marks(case["text"], case["lang"])
    labels = [f"{case['text'][mark.start : mark.end]}={mark.concept.rsplit('/', 1)[1]}" for mark in marks]
    assert " ".join(labels) == case["marked"]


def test_a_game_without_concepts_is_marked_with_those_of_all_games() -> None:
    marks = list(ConceptMarker("ferry").marks("The graveyard is a pier.", "en"))
    assert [mark.concept for mark in marks] == ["https://w3id.org/rulestone/id/concept/graveyard"]


GLOSSES = [(digest.key.game, lang, text) for digest in digests() for gloss in digest.glosses for lang, text in gloss.words.items()]


def leftmost(spans: Iterable[Span]) -> Iterator[Span]:
    """The longest span at each place, from the left: spaCy's `filter_spans` would let a longer one further on win."""
    end = 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.start >= end:
            yield span
            end = span.end


@pytest.mark.parametrize("lang", ["en", "ja", "zh-Hans"])
@pytest.mark.parametrize("game", ["dm", "fow", "mtg", "ygo"])
def test_agrees_with_spacy_on_the_longest_labels(game: str, lang: str) -> None:
    """The same labels over the same words, found by another engine: every span of more than one character is in both."""
    vocab = spacy.blank("xx").vocab
    matcher = PhraseMatcher(vocab)
    for label in marked_labels():
        if label.scheme == game and label.lang == lang and label.sort != LabelSort.SLANG:
            matcher.add(label.concept, [Doc(vocab, [token.norm for token in words(label.text, singular)])])
    compared = 0
    for text in [text for owner, gloss_lang, text in GLOSSES if (owner, gloss_lang) == (game, lang)]:
        tokens = words(text, singular)
        doc = Doc(vocab, [token.norm for token in tokens])
        whole = (
            span for span in matcher(doc, as_spans=True) if not any(token.opens for token in tokens[span.start + 1 : span.end])
        )
        spans = leftmost(whole)
        theirs = {(tokens[span.start].start, tokens[span.end - 1].end) for span in spans}
        ours = {(mark.start, mark.end) for mark in ConceptMarker(game).marks(text, lang)}
        longer = {span for span in ours if span[1] - span[0] > 1}
        assert longer <= theirs, text
        compared += len(longer)
    assert compared > 50
