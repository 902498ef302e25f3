"""Training on: an invented book in two languages teaches the model its words and takes nothing away."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from search.encode.encoder import SHIPPED_MODEL, UNKNOWN_TOKEN, StaticEncoder, folder_sha256
from search.train.extend import learn_translations, parallel_texts, train_on_pairs
from search.train.static import TrainingSettings

WHO = {"heron": "苍鹭", "otter": "水獭", "ferryman": "摆渡人", "lighthouse": "灯塔", "barnacle": "藤壶"}
DOES = {"greets": "问候", "carries": "搬运", "polishes": "擦亮", "swallows": "吞下", "borrows": "借走"}
WHAT = {"rope": "绳索", "lantern": "灯笼", "anchor": "船锚", "oyster": "牡蛎", "compass": "罗盘"}
BOOK = [
    (f"The {who} {does} a {what}.", f"{WHO[who]}{DOES[does]}一个{WHAT[what]}。") for who, does, what in product(WHO, DOES, WHAT)
]
KEPT_ASIDE = BOOK[::12]
TAUGHT = [pair for pair in BOOK if pair not in KEPT_ASIDE]
SMALL = TrainingSettings(dimensions=24, epochs=2, batch=32)
TEXTS = ["墓地の順番", "can I look at my own shields?", "坟墓场 顺序"]


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("extended")
    train_on_pairs(SHIPPED_MODEL, TAUGHT, folder, SMALL)
    return folder


def firsts(model: StaticEncoder) -> float:
    """How often the translation of a sentence kept aside comes first among all sentences of the book."""
    cosines = model.encode([sentence for sentence, _ in KEPT_ASIDE]) @ model.encode([other for _, other in BOOK]).T
    return float(np.mean([BOOK[place] == pair for place, pair in zip(cosines.argmax(axis=1), KEPT_ASIDE, strict=True)]))


@pytest.mark.slow
def test_sentences_never_seen_find_their_translation(extended: Path) -> None:
    assert firsts(StaticEncoder(extended)) > 0.75
    assert firsts(StaticEncoder(SHIPPED_MODEL)) < 0.25


@pytest.mark.slow
def test_what_was_known_stays_known(extended: Path) -> None:
    before, after = StaticEncoder(SHIPPED_MODEL), StaticEncoder(extended)
    assert after.dimensions == before.dimensions + SMALL.dimensions
    assert set(before.vocabulary) < set(after.vocabulary)
    old, new = before.encode(TEXTS), after.encode(TEXTS)
    assert new @ new.T == pytest.approx(old @ old.T, abs=0.25)
    assert folder_sha256(extended) != before.sha256


@pytest.mark.slow
def test_the_same_book_gives_the_same_bytes(extended: Path, tmp_path: Path) -> None:
    train_on_pairs(SHIPPED_MODEL, TAUGHT, tmp_path, SMALL)
    assert folder_sha256(tmp_path) == folder_sha256(extended)


@pytest.mark.slow
def test_sentence_transformers_reads_it_too(extended: Path) -> None:
    from sentence_transformers import SentenceTransformer

    model = StaticEncoder(extended)
    texts = [*TEXTS, "the otter greets a Zweihänder and a Ωμέγα"]
    assert UNKNOWN_TOKEN in model.tokens(texts[-1])
    vectors = SentenceTransformer(str(extended), device="cpu").encode([" ".join(model.tokens(text)) for text in texts])
    assert vectors.astype(np.float32) == pytest.approx(model.encode(texts), abs=4e-3)


def test_translations_are_what_both_languages_believe() -> None:
    pairs = [
        (sentence.lower().strip(".").split(), [other[:2], other[2:4], *other[4:6]]) for sentence, other in BOOK if len(other) > 6
    ]
    learned = learn_translations(pairs)
    belief = learned.probability.toarray()
    best = {token: learned.tokens[1][int(row.argmax())] for token, row in zip(learned.tokens[0], belief, strict=True)}
    assert {who: best[who] for who in ("heron", "otter")} == {"heron": "苍鹭", "otter": "水獭"}
    assert belief.min() >= 0 and belief.max() <= 1


def records() -> Iterator[Any]:
    for english, other in (("A pier.", "桟橋。"), ("A pier.", "桟橋。"), ("A gull.", "")):
        texts = {lang: {"text": text} for lang, text in (("en", english), ("ja", other)) if text}
        yield {"texts": texts, "examples": [], "notes": [], "headwords": {}}


def test_only_what_is_printed_in_two_languages_is_parallel_and_once() -> None:
    assert [(english.strip(), other.strip()) for english, other in parallel_texts(records())] == [("A pier.", "桟橋。")]
