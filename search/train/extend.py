"""Continues the training of the static model on books in two languages: every token gets a second vector beside its first.

The new vectors start from translation probabilities (IBM Model 1, Brown et al. 1993, in both directions) and are trained like the
shipped ones. The first vectors are kept, so that nothing is forgotten.
"""

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corpus.contract import RuleRecord
from ontology.knowledge import Knowledge
from search.encode.encoder import LABELS_FILE, SHIPPED_MODEL, UNKNOWN_TOKEN, StaticEncoder, Vectors, write_static_model
from search.index.passages import full_text
from search.train.static import LEARNING_RATE, TokenizedGroup, TokenPair, Tokens, TrainingSettings, single_threaded, train_vectors

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

BOOK_TRAINING = TrainingSettings(dimensions=256, epochs=3)
NEW_WEIGHT = 1.0
"""Mean length of the new part of a text's vector, relative to the shipped part."""
MIN_PAIRS = 100
"""Minimum number of rules in two languages for training to help."""
UNKNOWN_FACTOR = 4.0
"""Factor of the unknown token's vector after training: in training it represents rare words, in use new names."""
EM_ROUNDS = 5
"""Rounds of expectation maximisation; more do not improve search."""
_MAX_CANDIDATES = 30
"""Number of candidate translations of a token, chosen by Dice's coefficient."""
_MIN_DICE = 0.02
_MIN_PROBABILITY = 2e-3
"""Probability below which translations are dropped in each round."""
_MIN_PRODUCT = 1e-3
"""Product of both directions below which translations are dropped at the end."""
TextPair = tuple[str, str]


def train_for_bundle(folder: Path, knowledge: Knowledge) -> bool:
    """Continues the training of the shipped model in a folder, if enough is loaded in two languages; returns whether it did."""
    editions = sorted((key for key, entry in knowledge.manifest.editions.items() if len(entry.languages) > 1), key=str)
    pairs = parallel_texts(record for key in editions for record in knowledge.stored_records(key))
    if len(pairs) >= MIN_PAIRS:
        train_on_pairs(SHIPPED_MODEL, pairs, folder)
    return len(pairs) >= MIN_PAIRS


def parallel_texts(records: Iterable[RuleRecord]) -> list[TextPair]:
    """The distinct pairs of texts of one rule, heading or glossary entry in two languages."""
    return list(dict.fromkeys(pair for record in records for pair in _pairs(record)))


def _pairs(record: RuleRecord) -> Iterator[TextPair]:
    texts = {lang: f"{record['headwords'].get(lang, '')}\n{full_text(record, lang)}" for lang in record["texts"]}
    for lang, other in combinations(sorted(texts), 2):
        yield texts[lang], texts[other]


def train_on_pairs(base: Path, pairs: Sequence[TextPair], folder: Path, settings: TrainingSettings = BOOK_TRAINING) -> None:
    """Writes a model with the vectors of `base` and those learnt from the pairs; deterministic on one machine."""
    encoder = StaticEncoder(base)
    bags = [(list(dict.fromkeys(encoder.tokenize(text))), list(dict.fromkeys(encoder.tokenize(other)))) for text, other in pairs]
    sides = [_rare_as_unknown([bag[side] for bag in bags]) for side in (0, 1)]
    couples = list(zip(*sides, strict=True))
    with single_threaded():
        tokens, rows = _initial_vectors(couples, settings)
        rows = train_vectors([TokenizedGroup(couple, ()) for couple in couples], tokens, rows, settings)
    rows[0] *= UNKNOWN_FACTOR
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(base / LABELS_FILE, folder / LABELS_FILE)
    texts = [text for couple in couples for text in couple]
    write_static_model(folder, *_concatenate_vectors(encoder.token_vectors(), (tokens, rows), texts))


def _rare_as_unknown(texts: Sequence[Tokens]) -> list[Tokens]:
    """Texts in which tokens of a single text are replaced by UNKNOWN, so that new names are translated by new names."""
    frequency = Counter(token for text in texts for token in text)
    return [list(dict.fromkeys(token if frequency[token] > 1 else UNKNOWN_TOKEN for token in text)) for text in texts]


def _initial_vectors(couples: Sequence[TokenPair], settings: TrainingSettings) -> tuple[list[str], Vectors]:
    """Tokens, UNKNOWN first, and vectors in which translations are near each other."""
    from sklearn.utils.extmath import randomized_svd

    learnt = learn_translations(couples)
    rank = min(settings.dimensions, *learnt.probability.shape)
    left, strength, right = randomized_svd(learnt.probability.sqrt(), rank, n_iter=4, random_state=settings.seed)
    tokens = [UNKNOWN_TOKEN, *sorted({*learnt.tokens[0], *learnt.tokens[1]} - {UNKNOWN_TOKEN})]
    row = {token: nth for nth, token in enumerate(tokens)}
    rows = np.zeros((len(tokens), settings.dimensions), dtype=np.float32)
    for side, part in enumerate((left, right.T)):
        idf = np.log1p(len(couples) / np.array(learnt.counts[side]))
        padded = np.pad(part * np.sqrt(strength), ((0, 0), (0, settings.dimensions - part.shape[1])))
        np.add.at(rows, [row[token] for token in learnt.tokens[side]], padded * idf[:, None])
    return tokens, rows * np.float32(LEARNING_RATE / np.abs(rows).mean())


def _concatenate_vectors(
    old: tuple[list[str], Vectors], new: tuple[list[str], Vectors], texts: Sequence[Tokens]
) -> tuple[list[str], Vectors]:
    """Every token with its old and new vectors concatenated, scaled so that the parts of a text have the ratio NEW_WEIGHT to 1."""
    tokens = list(dict.fromkeys([*old[0], *new[0]]))
    row = {token: nth for nth, token in enumerate(tokens)}
    parts = []
    for known, vectors in (old, new):
        part = np.zeros((len(tokens), vectors.shape[1]), dtype=np.float32)
        part[[row[token] for token in known]] = vectors
        lengths = [float(np.linalg.norm(part[[row[token] for token in text]].sum(axis=0))) for text in texts[::10]]
        parts.append(part / np.float32(np.mean(lengths)))
    return tokens, np.concatenate([parts[0], np.float32(NEW_WEIGHT) * parts[1]], axis=1)


class Translations(NamedTuple):
    """Computes which tokens of two languages translate each other."""

    tokens: tuple[Sequence[str], Sequence[str]]  # of each language, sorted
    counts: tuple[Sequence[int], Sequence[int]]  # texts that contain them
    probability: "csr_matrix"  # product of both directions, shape (tokens of one, tokens of the other)


def learn_translations(pairs: Sequence[TokenPair]) -> Translations:
    """Translation probabilities from parallel texts; deterministic. 3,800 rules of Magic take 5 s on one core."""
    (first, own), (second, other) = (_occurrence_matrix([pair[side] for pair in pairs]) for side in (0, 1))
    candidates = _dice_candidates(own, other)
    forward = _ibm_model_1(candidates, own, other)
    backward = _ibm_model_1(candidates.T.tocsr(), other, own)
    both = forward.multiply(backward.T).tocsr()
    both.data[both.data < _MIN_PRODUCT] = 0
    both.eliminate_zeros()
    return Translations((first, second), (_text_counts(own), _text_counts(other)), both)


def _text_counts(matrix: "csr_matrix") -> list[int]:
    return [int(total) for total in np.asarray(matrix.sum(axis=0)).ravel()]


def _occurrence_matrix(texts: Sequence[Tokens]) -> tuple[list[str], "csr_matrix"]:
    """The tokens of texts, sorted, and a matrix of ones where a text contains a token, shape (texts, tokens)."""
    from scipy.sparse import csr_matrix

    tokens = sorted({token for text in texts for token in text})
    column = {token: nth for nth, token in enumerate(tokens)}
    rows = [sorted({column[token] for token in text}) for text in texts]
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.array([token for row in rows for token in row], dtype=np.int32)
    return tokens, csr_matrix((np.ones(len(columns), dtype=np.float32), columns, ends), shape=(len(texts), len(tokens)))


def _dice_candidates(matrix: "csr_matrix", other: "csr_matrix") -> "csr_matrix":
    """Dice's coefficient of each token with its best candidates, in either direction; 0 for all other pairs."""
    from scipy.sparse import csr_matrix

    together = (matrix.T @ other).tocoo()
    own_counts, other_counts = (np.asarray(side.sum(axis=0)).ravel() for side in (matrix, other))
    dice = 2 * together.data.astype(np.float64) / (own_counts[together.row] + other_counts[together.col])
    far = dice < _MIN_DICE
    near = csr_matrix((dice[~far], (together.row[~far], together.col[~far])), shape=together.shape)
    return _best_per_row(near).maximum(_best_per_row(near.T.tocsr()).T).tocsr()


def _best_per_row(matrix: "csr_matrix") -> "csr_matrix":
    """The greatest values of each row; of equal ones, the first."""
    matrix.sort_indices()
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    order = np.argsort(rows + (1 - matrix.data), kind="stable")  # by row, then by value: values are at most 1
    rank = np.arange(matrix.nnz) - np.repeat(matrix.indptr[:-1], np.diff(matrix.indptr))
    kept = matrix.copy()
    kept.data[order[rank >= _MAX_CANDIDATES]] = 0
    kept.eliminate_zeros()
    return kept


def _ibm_model_1(candidates: "csr_matrix", matrix: "csr_matrix", other: "csr_matrix") -> "csr_matrix":
    """The probability that each token is translated by each candidate, shape (tokens, tokens of the other language).

    Rows sum to 1.
    """
    table, own_texts = _rows_to_sum_1(candidates), matrix.T.tocsr()
    for _ in range(EM_ROUNDS):
        expected = other.multiply(matrix @ table).tocsr()
        expected.data = 1 / np.maximum(expected.data, 1e-9)
        table = _rows_to_sum_1(table.multiply(own_texts @ expected).tocsr())
        table.data[table.data < _MIN_PROBABILITY] = 0
        table.eliminate_zeros()
    return table


def _rows_to_sum_1(matrix: "csr_matrix") -> "csr_matrix":
    sums = np.asarray(matrix.sum(axis=1)).ravel()
    scaled = matrix.copy()
    scaled.data = (matrix.data / np.repeat(np.maximum(sums, 1e-9), np.diff(matrix.indptr))).astype(np.float32)
    return scaled
