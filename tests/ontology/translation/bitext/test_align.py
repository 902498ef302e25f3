"""Sentences and their translations: numbers, concepts and lengths tell which is which."""

import pytest

from corpus.words.sentences import split_sentences
from ontology.translation.sentence_alignment import Bead, Side, align_sentences


def side(lang: str, text: str, *concepts: set[str]) -> Side:
    spans = split_sentences(text)
    return Side(lang, text, spans, concepts or [set()] * len(spans))


def steps(beads: list[Bead]) -> list[tuple[int, int]]:
    return [(bead.source[1] - bead.source[0], bead.target[1] - bead.target[0]) for bead in beads]


EN = "A ferry carries six tokens. The seventh token waits at pier 4. See rule 101.2."


@pytest.mark.parametrize(
    ("ja", "expected"),
    [
        ("渡し舟は駒を六個運ぶ。七個目は桟橋4で待つ。101.2を見よ。", [(1, 1), (1, 1), (1, 1)]),
        ("渡し舟は駒を六個運び、七個目は桟橋4で待つことになる。101.2を見よ。", [(2, 1), (1, 1)]),
        ("渡し舟は駒を六個運ぶ。七個目は待つ。場所は桟橋4とする。101.2を見よ。", [(1, 1), (1, 2), (1, 1)]),
        ("渡し舟は駒を六個運ぶ。七個目は桟橋4で待つ。", [(1, 1), (1, 1), (1, 0)]),
    ],
)
def test_sentences_find_their_translations(ja: str, expected: list[tuple[int, int]]) -> None:
    assert steps(align_sentences(side("en", EN), side("ja", ja))) == expected


def test_shared_concepts_outweigh_lengths() -> None:
    source = side("en", "Row. The traveller who cannot pay the toll waits.", {"row"}, {"toll"})
    target = side("ja", "通行料を払えない旅人は待つ。漕げ。", {"toll"}, {"row"})
    right = side("ja", "漕げ。通行料を払えない旅人は待つ。", {"row"}, {"toll"})
    crossed, straight = align_sentences(source, target), align_sentences(source, right)
    assert min(bead.confidence for bead in straight) > max(bead.confidence for bead in crossed if 0 not in steps([bead])[0])


def test_every_sentence_is_in_one_bead_and_confidence_is_a_share() -> None:
    beads = align_sentences(side("en", EN), side("ja", "一。二。三。四。五。"))
    assert (beads[0].source[0], beads[0].target[0], beads[-1].source[1], beads[-1].target[1]) == (0, 0, 3, 5)
    assert all(0 <= bead.confidence <= 1 for bead in beads)
    assert align_sentences(side("en", "One."), side("ja", "一。"))[0].confidence == 1
