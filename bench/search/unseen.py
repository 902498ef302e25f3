"""Search across languages in our own digest, by cross-validation.

A question must find its rule's gloss in another language. The questions of a fifth of the rules are held out of training; each is
searched in the glosses of all rules in the two other languages. The baseline is BM25 over the same tokens, including concept
tokens.
"""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.measure import use_only_seed_digests
from corpus.digest import GLOSS_LANGUAGES, Gloss, digests
from search.encode.encoder import StaticEncoder
from search.train.static import shipped_groups, train_static

FOLDS = 5
Scores = NDArray[np.float32]


class Question(NamedTuple):
    """A held-out question, and the position of its rule."""

    place: int
    lang: str
    text: str


def rules() -> list[tuple[str, Gloss]]:
    """Every glossed rule with the name of its group."""
    return [(f"{digest.key}/{gloss.locator}", gloss) for digest in digests() for gloss in digest.glosses if not gloss.heading]


def held_out_questions(glosses: Sequence[tuple[str, Gloss]], held_out: Sequence[int]) -> Iterator[Question]:
    """The questions of some rules."""
    for place in held_out:
        gloss = glosses[place][1]
        yield from (Question(place, lang, text) for lang in GLOSS_LANGUAGES for text in gloss.questions.get(lang, ()))


def bm25_scores(tokens_of_texts: Sequence[Sequence[str]], queries: Sequence[Sequence[str]]) -> Scores:
    """Scores by bm25s, shape (queries, texts)."""
    from bm25s import BM25

    vocabulary: dict[str, int] = {}
    ids = [[vocabulary.setdefault(token, len(vocabulary)) for token in text] for text in tokens_of_texts]
    index = BM25(method="lucene")
    index.index((ids, vocabulary), show_progress=False, create_empty_token=False)
    known_tokens = [[token for token in dict.fromkeys(query) if token in vocabulary] for query in queries]
    return np.array(
        [index.get_scores(query) if query else np.zeros(len(tokens_of_texts)) for query in known_tokens], dtype=np.float32
    )


def ranks(scores: Scores, places: Sequence[int]) -> list[int]:
    """The rank of each correct position, from 0; among equal scores it counts as the last."""
    right = scores[np.arange(len(places)), places][:, None]
    return [int(rank) for rank in (scores > right).sum(axis=1) + (scores == right).sum(axis=1) - 1]


def fold_ranks(all_glosses: Sequence[tuple[str, Gloss]], held_out: Sequence[int]) -> tuple[list[int], list[int]]:
    """The ranks of one fold, by the model and by BM25."""
    names = {all_glosses[place][0] for place in held_out}
    with tempfile.TemporaryDirectory() as name:
        train_static([group._replace(questions=()) if group.name in names else group for group in shipped_groups()], Path(name))
        model = StaticEncoder(Path(name))
        questions = list(held_out_questions(all_glosses, held_out))
        dense: list[int] = []
        lexical: list[int] = []
        for lang in GLOSS_LANGUAGES:
            others = [question for question in questions if question.lang != lang]
            glosses, texts, places = (
                [item.words[lang] for _, item in all_glosses],
                [question.text for question in others],
                [question.place for question in others],
            )
            dense += ranks(model.encode(texts) @ model.encode(glosses).T, places)
            lexical += ranks(
                bm25_scores([model.tokenize(gloss) for gloss in glosses], [model.tokenize(text) for text in texts]), places
            )
    return dense, lexical


def main() -> None:
    """Prints the figures of all folds together."""
    use_only_seed_digests()
    glosses = rules()
    order = [int(place) for place in np.random.default_rng(0).permutation(len(glosses))]
    folds = [fold_ranks(glosses, order[number::FOLDS]) for number in range(FOLDS)]
    for name, side in (("model", 0), ("BM25 with concept tokens", 1)):
        every = [rank for part in folds for rank in part[side]]
        first, ten = (float(np.mean([rank < cut for rank in every])) for cut in (1, 10))
        print(
            f"{name:<26} first {first:.3f} in ten {ten:.3f} of {len(glosses)} rules, {len(every)} questions × languages", flush=True
        )


if __name__ == "__main__":
    main()
