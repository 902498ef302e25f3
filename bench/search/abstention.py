"""Abstention by cross-validation: questions that a library answers, and others.

`python -m bench.search.abstention --books HOME --bare HOME --seeds HOME [--write]` prints the figures, and writes the weights of
`search/data/answerability.toml`. The libraries are the books of `bench.search.homes` with their glosses, the same without any, and
the five seeds alone; missing homes are built, which takes a quarter of an hour. The questions are `calibration.tsv`,
`abstention.toml` (of the seeds) and the half of `judges/` for choosing settings; the digest's own questions are not among them.
"""

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bench.measure import SEED_DIGESTS
from bench.search.homes import BOOK_FILES, loaded
from bench.search.runs import ABSTAINED, Group, Outcome, print_table
from bench.search.topics import ANSWERABLE, BOOKS, TEACH, Topic, calibration_questions, judge_questions, seed_questions
from bench.search.weights import write_weights
from ontology.labels import LabelSort
from ontology.shipped import shipped_labels
from search.rank import abstention
from search.rank.answerability import SENTENCES, STATIC, WEIGHTS_FILE, LogisticWeights, classifier_inputs
from search.searcher import Request, Searcher
from search.settings import MIN_PROBABILITY

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

BOOKS_HOME, BARE, SEEDS_HOME = "books", "bare", "seeds"
FILES = {SEEDS_HOME: ("seeds",)}
"""The files of each home; those of the complete books by default."""
HOME_DIGESTS = {BARE: "dm.zones-summary.*", SEEDS_HOME: ",".join(SEED_DIGESTS)}
"""The glosses loaded in each home; all by default; some are required."""
ONLY_ENCODED = {"dense_cosine", "nearest_dense", "dense_margin", "mean_similarity", "out_of_scope"}
SAMPLING_STEP = 12
"""One in this many names of terms is asked."""
REGULARISATION = 0.3
"""Inverse of the regularisation's strength (scikit-learn's C), of standardised facts."""
Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """The features of a question in a library; None if the question names a game that the library lacks."""

    topic: Topic
    home: str
    features: Mapping[str, float] | None

    @property
    def is_answerable(self) -> bool:
        """Whether the library answers it."""
        return bool(self.topic.game) or self.topic.kind == ANSWERABLE


def terms() -> Iterator[Topic]:
    """A sample of the games' names of zones and terms, without slang."""
    labels_by_text = {
        label.text: label for label in shipped_labels() if label.scheme in BOOKS and label.sort is not LabelSort.SLANG
    }
    for text in sorted(labels_by_text)[::SAMPLING_STEP]:
        yield Topic(f"term-{text}", "terms", labels_by_text[text].lang, text, TEACH, labels_by_text[text].scheme)


def book_topics() -> list[Topic]:
    """The questions about complete books."""
    return [*calibration_questions(), *judge_questions(TEACH), *terms()]


ASKED: Mapping[str, Callable[[], Iterable[Topic]]] = {
    BOOKS_HOME: book_topics,
    BARE: book_topics,
    SEEDS_HOME: seed_questions,
}


def row(searcher: Searcher, topic: Topic, home: str) -> Row:
    """The features of one question."""
    query = searcher.understand(request := Request(topic.query))
    if abstention.unknown_game(query, searcher.index.games):
        return Row(topic, home, None)
    return Row(topic, home, classifier_inputs(searcher.rank(query, request).features, searcher.index.rules.group_count))


def open_searcher(folder: Path, name: str) -> Searcher:
    """A searcher of a home, which is built if it is missing."""
    return loaded(folder, HOME_DIGESTS.get(name, ""), FILES.get(name, BOOK_FILES)).searcher()


def static_only(searcher: Searcher) -> Searcher:
    """A searcher without sentence embeddings."""
    searcher.index.is_encoded = False
    return searcher


def feature_matrix(rows: Sequence[Row], names: Sequence[str]) -> Vector:
    """The features of some rows, shape (rows, names)."""
    return np.array([[row.features[name] for name in names] for row in rows if row.features is not None])


def fit_weights(values: Vector, right: NDArray[np.bool_]) -> "Pipeline":
    """The weights of standardised features."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression(C=REGULARISATION, max_iter=5000)).fit(values, right)


def held_out(rows: Sequence[Row], names: Sequence[str]) -> Vector:
    """The probability for each row, by weights that were fitted without its game and its question."""
    from sklearn.model_selection import LeaveOneGroupOut

    values, right = feature_matrix(rows, names), np.array([row.is_answerable for row in rows])
    sure = np.zeros(len(rows))
    for train, test in LeaveOneGroupOut().split(values, right, _folds(rows)):
        sure[test] = fit_weights(values[train], right[train]).predict_proba(values[test])[:, 1]
    return sure


def _folds(rows: Sequence[Row]) -> list[str]:
    """A fold for each game's questions; questions without a game are distributed over as many folds by their words."""
    games = list(BOOKS)
    return [row.topic.game or games[sum(map(ord, row.topic.query)) % len(games)] for row in rows]


def groups(rows: Sequence[Row], probabilities: Vector) -> list[Group]:
    """The answerable and the unanswerable questions, with whether they are not answered, by library, source, game or kind."""
    outcomes: dict[str, list[Outcome]] = defaultdict(list)
    for row, value in zip(rows, probabilities, strict=True):
        kind, what = (row.topic.game, "answerable") if row.is_answerable else (row.topic.kind, "unanswerable")
        for name in ("all", kind):
            group = outcomes[f"  {row.home} {row.topic.source} {what} {name}"]
            group.append(Outcome(row.topic, {ABSTAINED: float(value < MIN_PROBABILITY)}))
    return sorted(outcomes.items())


def reliability(rows: Sequence[Row], probabilities: Vector) -> Iterator[str]:
    """The share of answerable questions by predicted probability."""
    right = np.array([row.is_answerable for row in rows])
    yield "sureness   said   right     n"
    for low in np.arange(0, 1, 0.1):
        inside = (probabilities >= low) & (probabilities < low + 0.1 + (low > 0.85))
        if inside.any():
            yield f"{low:.1f}–{low + 0.1:.1f}  {probabilities[inside].mean():.3f}   {right[inside].mean():.3f} {inside.sum():>5}"


def fitted_weights(values: Vector, right: NDArray[np.bool_], names: Sequence[str]) -> LogisticWeights:
    """The weights of the features themselves."""
    model = fit_weights(values, right)
    scale, regression = model[0], model[1]
    weights = regression.coef_[0] / scale.scale_
    bias = float(regression.intercept_[0] - weights @ scale.mean_)
    return LogisticWeights(bias, dict(zip(names, weights.tolist(), strict=True)))


def main() -> None:
    """Prints the accuracy of the classifier, and writes the weights fitted to all questions."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for option, what in ((BOOKS_HOME, "the books with their glosses"), (BARE, "without"), (SEEDS_HOME, "the five seeds")):
        parser.add_argument(f"--{option}", type=Path, help=f"a home with {what}, kept and used again")
    parser.add_argument("--write", action="store_true", help=f"write {WEIGHTS_FILE}")
    options = vars(parser.parse_args())
    with tempfile.TemporaryDirectory() as scratch:
        fit({home: options[home] or Path(scratch) / home for home in ASKED}, write=options["write"])


def fit(homes: Mapping[str, Path], *, write: bool) -> None:
    """Fits the weights with and without sentence embeddings, and prints the accuracy of each."""
    searchers = {home: open_searcher(homes[home], home) for home in ASKED}
    tables = {}
    for name in (SENTENCES, STATIC):
        rows = [row(searcher, topic, home) for home, searcher in searchers.items() for topic in ASKED[home]()]
        tables[name] = evaluate_features(name, rows)
        searchers = {home: static_only(open_searcher(homes[home], home)) for home in ASKED}
    if write:
        write_weights(WEIGHTS_FILE, "the answerability classifier", "bench.search.abstention", tables)


def evaluate_features(name: str, rows: Sequence[Row]) -> LogisticWeights:
    """Prints the accuracy of the classifier; returns the weights fitted to all rows."""
    from sklearn.metrics import roc_auc_score

    known_rows = [row for row in rows if row.features is not None]
    lacking = sum(row.is_answerable for row in rows) - sum(row.is_answerable for row in known_rows)
    names = [fact for fact in known_rows[0].features or () if name == SENTENCES or fact not in ONLY_ENCODED]
    sure, right = held_out(known_rows, names), np.array([row.is_answerable for row in known_rows])
    print(f"\n== {name}: a game and its questions held out; area under the curve {roc_auc_score(right, sure):.3f}")
    print(
        f"{len(rows) - len(known_rows)} of {len(rows)} questions name a game that the library lacks, {lacking} of them answerable"
    )
    print_table("  library, questions", [ABSTAINED], groups(known_rows, sure))
    print("\n".join(f"  {line}" for line in reliability(known_rows, sure)), flush=True)
    return fitted_weights(feature_matrix(known_rows, names), right, names)


if __name__ == "__main__":
    main()
