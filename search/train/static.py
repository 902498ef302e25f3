"""Trains the static model with sentence-transformers: `make model` from what ships, `build` on from two languages of a book.

Token vectors start from latent semantic analysis; then texts of one group attract each other, and those of different groups
part (multiple negatives ranking loss).
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from search.encode import model_folder
from search.encode.encoder import LABELS, SHIPPED, UNKNOWN, Vectors
from search.encode.tokenizer import Tokenizer
from search.train.aligned import Group, named, shipped
from search.train.lsa import TokenizedGroup, TokenPair, Tokens, start, vocabulary

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Random = np.random.Generator


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a model is trained; docs/model.md says what the figures were chosen by."""

    dimensions: int = 192
    epochs: int = 8
    batch: int = 256  # pairs; each is told apart from all others of its batch
    least: int = 32  # pairs: a smaller batch has too little to tell apart, the rest of an epoch is left
    rate: float = 0.01  # of Adam, falling to 0
    scale: float = 20.0  # of cosines in the loss
    hidden: float = 0.3  # share of a text's tokens that a step does not see
    told: float = 0.7  # how often a question meets what tells its rule, not another question
    seed: int = 1


RECIPE = Recipe()


def train(groups: Sequence[Group], folder: Path, recipe: Recipe = RECIPE) -> None:
    """Trains a model from aligned texts and writes its folder: the same groups give the same bytes on one machine."""
    labels = named()
    folder.mkdir(parents=True, exist_ok=True)
    labels.save(folder / LABELS)
    tokenize = Tokenizer(labels)
    bags = [TokenizedGroup([tokenize(text) for text in group.texts], [tokenize(text) for text in group.asked]) for group in groups]
    tokens = vocabulary(bags)
    known = [_known(bag, frozenset(tokens)) for bag in bags]
    with alone():
        rows = start(known, tokens, recipe.dimensions, recipe.seed)
        rows = np.concatenate([np.zeros((1, recipe.dimensions), dtype=np.float32), rows])
        model_folder.write(folder, [UNKNOWN, *tokens], learn(known, [UNKNOWN, *tokens], rows, recipe))


def _known(group: TokenizedGroup, tokens: frozenset[str]) -> TokenizedGroup:
    texts, asked = ([list(dict.fromkeys(token for token in text if token in tokens)) for text in part] for part in group)
    return TokenizedGroup([text for text in texts if text], [text for text in asked if text])


@contextmanager
def alone() -> Iterator[None]:
    """One thread: sums in another order give other bytes."""
    import torch
    from threadpoolctl import threadpool_limits

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with threadpool_limits(1):
            yield
    finally:
        torch.set_num_threads(threads)


def learn(groups: Sequence[TokenizedGroup], tokens: Sequence[str], rows: Vectors, recipe: Recipe) -> Vectors:
    """Token vectors after training, shape (tokens, dimensions); the first of the tokens is UNKNOWN."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, StaticEmbedding

    random = np.random.default_rng(recipe.seed)
    steps = [batch for _ in range(recipe.epochs) for batch in batches(groups, recipe, random)]
    static = StaticEmbedding(model_folder.tokenizer(tokens), embedding_weights=rows.copy())
    _descend(SentenceTransformer(modules=[static, Normalize()], device="cpu"), steps, recipe, random)
    return np.asarray(static.embedding.weight.detach().numpy(), dtype=np.float32)


def _descend(model: "SentenceTransformer", steps: Sequence[list[TokenPair]], recipe: Recipe, random: Random) -> None:
    """Changes the token vectors so that the texts of each pair find each other within their batch."""
    import torch
    from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss

    loss = MultipleNegativesRankingLoss(
        model, recipe.scale, directions=("query_to_doc", "doc_to_query"), partition_mode="per_direction"
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=recipe.rate)
    slowing = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=len(steps))
    for batch in steps:
        columns = [model.preprocess([_seen(text, recipe, random) for text in column]) for column in zip(*batch, strict=True)]
        optimizer.zero_grad()
        loss(columns, torch.empty(0)).backward()
        optimizer.step()
        slowing.step()


def batches(groups: Sequence[TokenizedGroup], recipe: Recipe, random: Random) -> Iterator[list[TokenPair]]:
    """One epoch in batches. No group is twice in a batch: its own texts would be told apart."""
    pairs = [(place, pair) for place, group in enumerate(groups) for pair in _pairs(group, recipe, random)]
    waiting = [pairs[place] for place in random.permutation(len(pairs))]
    while waiting:
        batch: dict[int, TokenPair] = {}
        later = []
        for place, pair in waiting:
            if place in batch or len(batch) == recipe.batch:
                later.append((place, pair))
            else:
                batch[place] = pair
        if len(batch) < min(recipe.least, len(groups)):
            return
        yield list(batch.values())
        waiting = later


def _pairs(group: TokenizedGroup, recipe: Recipe, random: Random) -> Iterator[TokenPair]:
    """Each question with what tells the rule or another question, and two of the texts that tell it."""
    for place, question in enumerate(group.asked):
        others = [*group.asked[:place], *group.asked[place + 1 :]]
        pool = group.texts if group.texts and (not others or random.random() < recipe.told) else others
        if pool:
            yield question, pool[int(random.integers(len(pool)))]
    if len(group.texts) > 1:
        first, second = random.choice(len(group.texts), 2, replace=False)
        yield group.texts[int(first)], group.texts[int(second)]


def _seen(text: Tokens, recipe: Recipe, random: Random) -> str:
    """What a step sees of a text: most of its tokens."""
    stays = random.random(len(text)) >= recipe.hidden
    return " ".join(token for token, stay in zip(text, stays, strict=True) if stay) or " ".join(text)


def main() -> int:
    """Trains the model that ships."""
    train(shipped(), SHIPPED)
    return 0


if __name__ == "__main__":
    sys.exit(main())
