"""Trains the shipped static model: `make model`.

Token vectors start from latent semantic analysis of groups of texts with the same meaning. Then texts of one group attract each
other and those of different groups repel each other (multiple negatives ranking loss of sentence-transformers).
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyoxigraph as ox

from corpus.address import SKOS
from corpus.digest import Digest, Gloss, digests
from corpus.words.lexicon import Lexicon
from ontology.shipped import concept_quads, shipped_labels
from search.encode.encoder import (
    LABELS_FILE,
    SHIPPED_MODEL,
    UNKNOWN_TOKEN,
    ConceptTokenizer,
    Vectors,
    word_level_tokenizer,
    write_static_model,
)
from search.index.concept_tokens import CONCEPT, shared_concept
from search.index.thesaurus import thesaurus_entries

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Random = np.random.Generator
Tokens = Sequence[str]
"""The tokens of a text."""
TokenPair = tuple[Tokens, Tokens]
"""Two texts with the same meaning, or a question and its answer."""
LEARNING_RATE = 0.06
"""Mean absolute component of a token vector before training, to which the learning rate is fitted."""
_DEFINITION = f"{SKOS}definition"


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """The settings of training; docs/model.md describes how the values were chosen."""

    dimensions: int = 192
    epochs: int = 8
    batch: int = 256  # pairs; the other pairs of a batch are the negatives of each
    min_batch: int = 32  # pairs; the rest of an epoch below that has too few negatives
    learning_rate: float = 0.01  # of Adam, decreasing linearly to 0
    scale: float = 20.0  # of cosines in the loss
    dropout: float = 0.3  # share of a text's tokens that a step omits
    min_texts: int = 10  # that have a token; rarer tokens get no vector: most are pieces of Chinese and Japanese words
    text_share: float = 0.7  # how often a question is paired with a text of its rule instead of another question
    seed: int = 1


TRAINING_SETTINGS = TrainingSettings()


class TextGroup(NamedTuple):
    """Texts with the same meaning in any language: those that state it, and those that ask for it or name it."""

    name: str
    texts: tuple[str, ...]
    questions: tuple[str, ...] = ()


def shipped_groups() -> list[TextGroup]:
    """All shipped data, sorted by name: rules with their questions, concepts with their labels in every game."""
    return sorted([*rule_groups(digests()), *concept_groups()])


def rule_groups(digests: Iterable[Digest]) -> Iterator[TextGroup]:
    """The rules and headings of some digests."""
    for digest in digests:
        for gloss in digest.glosses:
            questions = tuple(question for lang in sorted(gloss.questions) for question in gloss.questions[lang])
            yield TextGroup(f"{digest.key}/{gloss.locator}", _gloss_texts(gloss), questions)


def _gloss_texts(gloss: Gloss) -> tuple[str, ...]:
    """A gloss in each language, after its headword, and its example."""
    texts = ("\n".join(filter(None, (gloss.headword.get(lang), gloss.words[lang]))) for lang in sorted(gloss.words))
    return (*texts, *(gloss.example[lang] for lang in sorted(gloss.example)))


def concept_groups() -> Iterator[TextGroup]:
    """The concepts: the definitions and labels of their counterparts in all games."""
    names: dict[str, set[str]] = {}
    for label in shipped_labels():
        names.setdefault(shared_concept(label.concept), set()).add(label.text)
    definitions: dict[str, set[str]] = {}
    for concept, words in _definitions():
        definitions.setdefault(shared_concept(concept), set()).add(words)
    for idea in thesaurus_entries():
        names.setdefault(idea.concept, set()).update(idea.words)
        definitions.setdefault(idea.concept, set()).update([idea.means] if idea.means else [])
    for name in sorted(names):
        yield TextGroup(f"concept/{name}", tuple(sorted(definitions.get(name, ()))), tuple(sorted(names[name])))


def _definitions() -> Iterator[tuple[str, str]]:
    for quad in concept_quads():
        if quad.predicate.value == _DEFINITION and isinstance(quad.subject, ox.NamedNode):
            yield quad.subject.value, str(getattr(quad.object, "value", ""))


def shipped_lexicon() -> Lexicon:
    """Every label with the tokens of the concepts that it names in any game, and every word of the thesaurus."""
    shipped = ((label.text, CONCEPT + shared_concept(label.concept)) for label in shipped_labels())
    thesaurus = ((word, CONCEPT + idea.concept) for idea in thesaurus_entries() for word in idea.words)
    return Lexicon(chain(shipped, thesaurus))


class TokenizedGroup(NamedTuple):
    """A group whose texts are tokenized."""

    texts: Sequence[Tokens]
    questions: Sequence[Tokens]

    @property
    def all_texts(self) -> list[Tokens]:
        """Texts and questions."""
        return [*self.texts, *self.questions]


def train_static(groups: Sequence[TextGroup], folder: Path, settings: TrainingSettings = TRAINING_SETTINGS) -> None:
    """Trains a model and writes its folder: the same groups give the same bytes on one machine."""
    lexicon = shipped_lexicon()
    folder.mkdir(parents=True, exist_ok=True)
    lexicon.save(folder / LABELS_FILE)
    tokenize = ConceptTokenizer(lexicon)
    bags = [
        TokenizedGroup([tokenize(text) for text in group.texts], [tokenize(text) for text in group.questions]) for group in groups
    ]
    tokens = shared_tokens(bags, settings.min_texts)
    known_bags = [_without_unknown(bag, frozenset(tokens)) for bag in bags]
    with single_threaded():
        rows = initial_vectors(known_bags, tokens, settings.dimensions, settings.seed)
        rows = np.concatenate([np.zeros((1, settings.dimensions), dtype=np.float32), rows])
        write_static_model(folder, [UNKNOWN_TOKEN, *tokens], train_vectors(known_bags, [UNKNOWN_TOKEN, *tokens], rows, settings))


def shared_tokens(groups: Sequence[TokenizedGroup], min_texts: int) -> list[str]:
    """The tokens of at least so many texts, sorted: a token of one text connects nothing."""
    texts = Counter(token for group in groups for text in group.all_texts for token in set(text))
    return sorted(token for token, count in texts.items() if count >= min_texts)


def _without_unknown(group: TokenizedGroup, tokens: frozenset[str]) -> TokenizedGroup:
    texts, questions = ([list(dict.fromkeys(token for token in text if token in tokens)) for text in part] for part in group)
    return TokenizedGroup([text for text in texts if text], [text for text in questions if text])


@contextmanager
def single_threaded() -> Iterator[None]:
    """Limits torch and BLAS to one thread: another order of summation would give other bytes."""
    import torch
    from threadpoolctl import threadpool_limits

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with threadpool_limits(1):
            yield
    finally:
        torch.set_num_threads(threads)


def initial_vectors(groups: Sequence[TokenizedGroup], tokens: Sequence[str], dimensions: int, seed: int) -> Vectors:
    """Token vectors by latent semantic analysis, shape (tokens, dimensions): tokens of the same groups are near each other.

    Vectors keep their lengths, which are large for tokens that occur with others: with unit length, chance would count as much as
    translation (docs/model.md). Columns beyond the number of groups are zero.
    """
    from scipy.sparse import csr_matrix
    from sklearn.utils.extmath import randomized_svd

    column = {token: nth for nth, token in enumerate(tokens)}
    bags = [Counter(column[token] for text in group.all_texts for token in text if token in column) for group in groups]
    bags = [bag for bag in bags if bag]
    columns = np.array([token for bag in bags for token in bag], dtype=np.int64)
    counts = np.array([count for bag in bags for count in bag.values()], dtype=np.float64)
    idf = np.log1p(len(bags) / np.bincount(columns, minlength=len(tokens)))
    values = (1 + np.log(counts)) * idf[columns]
    ends = np.cumsum([0, *(len(bag) for bag in bags)])
    values /= np.repeat(np.sqrt(np.add.reduceat(values**2, ends[:-1])), np.diff(ends))
    matrix = csr_matrix((values, columns, ends), shape=(len(bags), len(tokens)))
    rank = min(dimensions, *matrix.shape)
    _, strength, directions = randomized_svd(matrix, rank, n_iter=4, random_state=seed)
    rows = np.zeros((len(tokens), dimensions), dtype=np.float32)
    rows[:, :rank] = directions.T * np.sqrt(strength) * idf[:, None]
    return rows * np.float32(LEARNING_RATE / np.abs(rows).mean())


def train_vectors(groups: Sequence[TokenizedGroup], tokens: Sequence[str], rows: Vectors, settings: TrainingSettings) -> Vectors:
    """Token vectors after training, shape (tokens, dimensions), from `rows`; the first of the tokens is UNKNOWN."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, StaticEmbedding

    random = np.random.default_rng(settings.seed)
    steps = [batch for _ in range(settings.epochs) for batch in batches(groups, settings, random)]
    static = StaticEmbedding(word_level_tokenizer(tokens), embedding_weights=rows.copy())
    _gradient_descent(SentenceTransformer(modules=[static, Normalize()], device="cpu"), steps, settings, random)
    return np.asarray(static.embedding.weight.detach().numpy(), dtype=np.float32)


def _gradient_descent(
    model: "SentenceTransformer", steps: Sequence[list[TokenPair]], settings: TrainingSettings, random: Random
) -> None:
    """Trains the token vectors in place, one step per batch."""
    import torch
    from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss

    loss = MultipleNegativesRankingLoss(
        model, settings.scale, directions=("query_to_doc", "doc_to_query"), partition_mode="per_direction"
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.learning_rate)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=len(steps))
    for batch in steps:
        columns = [
            model.preprocess([_drop_tokens(text, settings, random) for text in column]) for column in zip(*batch, strict=True)
        ]
        optimizer.zero_grad()
        loss(columns, torch.empty(0)).backward()
        optimizer.step()
        schedule.step()


def batches(groups: Sequence[TokenizedGroup], settings: TrainingSettings, random: Random) -> Iterator[list[TokenPair]]:
    """The batches of one epoch. A batch has at most one pair of each group, because other pairs of a batch are negatives."""
    pairs = [(nth, pair) for nth, group in enumerate(groups) for pair in _training_pairs(group, settings, random)]
    drawn_batches: list[list[TokenPair]] = []
    last_batch: dict[int, int] = {}  # of each group
    first_open = 0  # earlier batches are full
    for place in random.permutation(len(pairs)):
        nth, pair = pairs[place]
        batch_index = max(last_batch.get(nth, -1) + 1, first_open)
        while batch_index < len(drawn_batches) and len(drawn_batches[batch_index]) == settings.batch:
            batch_index += 1
        if batch_index == len(drawn_batches):
            drawn_batches.append([])
        drawn_batches[batch_index].append(pair)
        last_batch[nth] = batch_index
        while first_open < len(drawn_batches) and len(drawn_batches[first_open]) == settings.batch:
            first_open += 1
    return takewhile(lambda batch: len(batch) >= min(settings.min_batch, len(groups)), drawn_batches)


def _training_pairs(group: TokenizedGroup, settings: TrainingSettings, random: Random) -> Iterator[TokenPair]:
    """Each question with a text of the group or another question, and two of the texts."""
    for nth, question in enumerate(group.questions):
        others = [*group.questions[:nth], *group.questions[nth + 1 :]]
        pool = group.texts if group.texts and (not others or random.random() < settings.text_share) else others
        if pool:
            yield question, pool[int(random.integers(len(pool)))]
    if len(group.texts) > 1:
        first, second = random.choice(len(group.texts), 2, replace=False)
        yield group.texts[int(first)], group.texts[int(second)]


def _drop_tokens(text: Tokens, settings: TrainingSettings, random: Random) -> str:
    """Most of a text's tokens, joined by spaces; all if none is left."""
    keeps = random.random(len(text)) >= settings.dropout
    return " ".join(token for token, keep in zip(text, keeps, strict=True) if keep) or " ".join(text)


def main() -> int:
    """Trains the shipped model."""
    train_static(shipped_groups(), SHIPPED_MODEL)
    return 0


if __name__ == "__main__":
    sys.exit(main())
