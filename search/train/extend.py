"""Trains a model on: a book in two languages gives every token a second vector beside its first.

The new vectors start from the translations that the book shows (`search/train/translate.py`) and are trained as the shipped ones
are. The first ones stay as they are: what the model knew, it goes on knowing.
"""

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from corpus.contract import RuleRecord
from search.encode import model_folder
from search.encode.encoder import LABELS, UNKNOWN, StaticEncoder, Vectors
from search.index.passages import full_text
from search.train import translate
from search.train.lsa import STEP, TokenizedGroup, TokenPair, Tokens
from search.train.static import Recipe, alone, learn

BOOKS = Recipe(dimensions=256, epochs=3)
WEIGHT = 1.0
"""How long the book's part of a rule's vector is beside the part that shipped."""
FEWEST = 100
"""Rules in two languages below which a book teaches nothing."""
NEWS = 4.0
"""How much longer the unknown token is made after training: in training it stands for rare words, in use for new names."""

Parallel = tuple[str, str]


def parallel(records: Iterable[RuleRecord]) -> list[Parallel]:
    """The texts of rules, headings and glossary entries that are printed in two languages or more, each pair once."""
    return list(dict.fromkeys(pair for record in records for pair in _pairs(record)))


def _pairs(record: RuleRecord) -> Iterator[Parallel]:
    texts = {lang: f"{record['headwords'].get(lang, '')}\n{full_text(record, lang)}" for lang in record["texts"]}
    for tag, other in combinations(sorted(texts), 2):
        yield texts[tag], texts[other]


def train_on(base: Path, pairs: Sequence[Parallel], folder: Path, recipe: Recipe = BOOKS) -> None:
    """Writes a model that knows what `base` knows and what the pairs show; deterministic on one machine."""
    encoder = StaticEncoder(base)
    bags = [(list(dict.fromkeys(encoder.tokenize(text))), list(dict.fromkeys(encoder.tokenize(other)))) for text, other in pairs]
    known = [_rarest_as_unknown([bag[side] for bag in bags]) for side in (0, 1)]
    couples = list(zip(*known, strict=True))
    with alone():
        tokens, rows = _start(couples, recipe)
        rows = learn([TokenizedGroup(couple, ()) for couple in couples], tokens, rows, recipe)
    rows[0] *= NEWS
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(base / LABELS, folder / LABELS)
    model_folder.write(folder, *_joined(encoder.vectors(), (tokens, rows), [text for couple in couples for text in couple]))


def _rarest_as_unknown(texts: Sequence[Tokens]) -> list[Tokens]:
    """Tokens of a single text stand for all that are met later: new names are translated by new names."""
    spread = Counter(token for text in texts for token in text)
    return [list(dict.fromkeys(token if spread[token] > 1 else UNKNOWN for token in text)) for text in texts]


def _start(couples: Sequence[TokenPair], recipe: Recipe) -> tuple[list[str], Vectors]:
    """Tokens, UNKNOWN first, and vectors such that those that translate each other lie near each other."""
    from sklearn.utils.extmath import randomized_svd

    learnt = translate.learn(couples)
    rank = min(recipe.dimensions, *learnt.belief.shape)
    left, strength, right = randomized_svd(learnt.belief.sqrt(), rank, n_iter=4, random_state=recipe.seed)
    tokens = [UNKNOWN, *sorted({*learnt.tokens[0], *learnt.tokens[1]} - {UNKNOWN})]
    places = {token: place for place, token in enumerate(tokens)}
    rows = np.zeros((len(tokens), recipe.dimensions), dtype=np.float32)
    for side, part in enumerate((left, right.T)):
        rarity = np.log1p(len(couples) / np.array(learnt.counts[side]))
        np.add.at(rows, [places[token] for token in learnt.tokens[side]], _wide(part * np.sqrt(strength), recipe) * rarity[:, None])
    return tokens, rows * np.float32(STEP / np.abs(rows).mean())


def _wide(part: Vectors, recipe: Recipe) -> Vectors:
    return np.pad(part, ((0, 0), (0, recipe.dimensions - part.shape[1])))


def _joined(old: tuple[list[str], Vectors], new: tuple[list[str], Vectors], texts: Sequence[Tokens]) -> tuple[list[str], Vectors]:
    """Every token's old vector and new vector as one, the new ones WEIGHT times as long in the book's texts."""
    tokens = list(dict.fromkeys([*old[0], *new[0]]))
    places = {token: place for place, token in enumerate(tokens)}
    parts = []
    for known, rows in (old, new):
        part = np.zeros((len(tokens), rows.shape[1]), dtype=np.float32)
        part[[places[token] for token in known]] = rows
        sums = [float(np.linalg.norm(part[[places[token] for token in text]].sum(axis=0))) for text in texts[::10]]
        parts.append(part / np.float32(np.mean(sums)))
    return tokens, np.concatenate([parts[0], np.float32(WEIGHT) * parts[1]], axis=1)
