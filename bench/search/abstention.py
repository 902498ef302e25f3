"""Fits when search abstains, and says by cross-validation how well: questions that libraries answer against others.

`python -m bench.search.abstention --books HOME --bare HOME --seeds HOME [--write]` prints the figures, and writes the weights of
`search/data/answerability.toml`. The libraries are the books of `bench.search.books` with their glosses, the same without any, and
the five seeds alone; what is not there is built, which takes a quarter of an hour. The questions are `calibration.tsv`,
`abstention.toml` (of the seeds) and the half of `judges/` that settings may be chosen by; what the digest asks is none of them.
"""

import argparse
import csv
import os
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import LeaveOneGroupOut
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from bench.measure import SEEDS, texts
from bench.search.books import BOOKS, asked
from bench.search.judged import library
from corpus.store.home import Home
from ontology.labels import Sort
from ontology.shipped import shipped_labels
from rulestone import Library
from search.rank import abstention
from search.rank.answerability import FILE, SENTENCES, STATIC, classifier_inputs
from search.searcher import Request, Searcher
from search.settings import MIN_PROBABILITY

HERE = Path(__file__).parent
ANSWERABLE = "answerable"
BOOKS_HOME, BARE, SEEDS_HOME = "books", "bare", "seeds"
FILES = {BOOKS_HOME: ("dm", "ygo", "fow", "onepiece", "mtg/20250207_En.txt", "mtg/20250207_Zh.txt"), SEEDS_HOME: ("seeds",)}
DIGESTS = {BARE: "dm.zones-summary.*", SEEDS_HOME: ",".join(SEEDS)}
"""Which glosses are loaded: all where nothing is said; some must be."""
ONLY_ENCODED = {"dense_cosine", "nearest_dense", "dense_margin", "mean_similarity", "out_of_scope"}
EVERY = 12
"""Of so many names of terms one is asked."""
STRENGTH = 0.3
"""Inverse of the regularisation's strength (scikit-learn's C), of standardised facts."""
Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Question:
    """A question and whether the library at hand answers it."""

    query: str
    lang: str
    kind: str  # ANSWERABLE, or why nothing answers it
    game: str  # whose book answers it; "" where that is not said
    source: str


@dataclass(frozen=True, slots=True)
class Row:
    """The facts for a question in a library; None where it names a game that the library lacks."""

    question: Question
    home: str
    features: Mapping[str, float] | None

    @property
    def right(self) -> bool:
        """Whether the library answers it."""
        return self.question.kind == ANSWERABLE


def calibration() -> Iterator[Question]:
    """The questions of our own to whole books."""
    with (HERE / "calibration.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield Question(row["query"], row["lang"], row["kind"], "", "calibration")


def judges() -> Iterator[Question]:
    """The half of the judge's questions that settings may be chosen by."""
    for name in (*BOOKS, "unanswerable"):
        for query in asked(name, tune=True):
            yield Question(query.query, query.lang, ANSWERABLE if query.game else query.kind, query.game, "judges")


def terms() -> Iterator[Question]:
    """A sample of the games' names of zones and terms, without slang."""
    named = {label.text: label for label in shipped_labels() if label.scheme in BOOKS and label.sort is not Sort.SLANG}
    for text in sorted(named)[::EVERY]:
        yield Question(text, named[text].lang, ANSWERABLE, named[text].scheme, "terms")


def of_seeds() -> Iterator[Question]:
    """The questions to the five seeds; one of Magic's other chapters is not answered by them."""
    read = tomllib.loads((HERE / "abstention.toml").read_text(encoding="utf-8"))
    for kind in (ANSWERABLE, "unanswerable"):
        for row in read[kind]:
            yield Question(row["query"], row["lang"], row.get("why", kind), row.get("game", ""), "seeds")


def of_books() -> list[Question]:
    """The questions to whole books."""
    return [*calibration(), *judges(), *terms()]


ASKED: Mapping[str, Callable[[], Iterable[Question]]] = {BOOKS_HOME: of_books, BARE: of_books, SEEDS_HOME: of_seeds}


def row(searcher: Searcher, question: Question, home: str) -> Row:
    """The facts for one question."""
    query = searcher.understand(request := Request(question.query))
    if abstention.unknown_game(query, searcher.index.games):
        return Row(question, home, None)
    return Row(question, home, classifier_inputs(searcher.rank(query, request).features, searcher.index.rules.group_count))


def opened(folder: Path, name: str) -> Searcher:
    """Search in a home, which is built where it is not there yet."""
    home = Home(folder)
    if home.current() is None:
        os.environ.pop("RULESTONE_DIGEST", None)
        os.environ |= {"RULESTONE_DIGEST": DIGESTS[name]} if name in DIGESTS else {}
        with Library.open(folder) as loaded:
            loaded.add([texts() / file for file in FILES.get(name, FILES[BOOKS_HOME])])
            loaded.index(lambda done, total, what: print(f"{name}: {what} {done}/{total}", file=sys.stderr))
    return library(home).searcher()


def static_only(searcher: Searcher) -> Searcher:
    """Search as it is where there are no sentence vectors."""
    searcher.index.is_encoded = False
    return searcher


def matrix(rows: Sequence[Row], names: Sequence[str]) -> Vector:
    """The facts of some rows, shape (rows, names)."""
    return np.array([[row.features[name] for name in names] for row in rows if row.features is not None])


def fitted(values: Vector, right: NDArray[np.bool_]) -> Pipeline:
    """The weights of standardised facts."""
    return make_pipeline(StandardScaler(), LogisticRegression(C=STRENGTH, max_iter=5000)).fit(values, right)


def held_out(rows: Sequence[Row], names: Sequence[str]) -> Vector:
    """The sureness of each row by weights that have seen neither its game nor its question, in whatever library."""
    values, right = matrix(rows, names), np.array([row.right for row in rows])
    sure = np.zeros(len(rows))
    for train, test in LeaveOneGroupOut().split(values, right, _folds(rows)):
        sure[test] = fitted(values[train], right[train]).predict_proba(values[test])[:, 1]
    return sure


def _folds(rows: Sequence[Row]) -> list[str]:
    """A fold of each game's questions; the others are dealt to as many by their words."""
    games = list(BOOKS)
    return [row.question.game or games[sum(map(ord, row.question.query)) % len(games)] for row in rows]


def table(rows: Sequence[Row], sure: Vector) -> Iterator[str]:
    """Wrongly abstained and unanswerable abstained, by library, source, game or kind."""
    answers: dict[tuple[str, str, str, bool], list[bool]] = defaultdict(list)
    for given, value in zip(rows, sure, strict=True):
        question = given.question
        for name in ("all", question.game if given.right else question.kind):
            answers[given.home, question.source, name, given.right].append(bool(value < MIN_PROBABILITY))
    yield f"{'library':<8}{'questions':<14}{'of':<14}{'abstained':>10}{'':>6}"
    for (home, source, name, right), some in sorted(answers.items()):
        what = "answerable" if right else "unanswerable"
        yield f"{home:<8}{source:<14}{name:<20}{what:<14}{np.mean(some):>8.3f}  n={len(some)}"


def reliability(rows: Sequence[Row], sure: Vector) -> Iterator[str]:
    """How many of the questions with a sureness are answered by the library."""
    right = np.array([row.right for row in rows])
    yield "sureness   said   right     n"
    for low in np.arange(0, 1, 0.1):
        inside = (sure >= low) & (sure < low + 0.1 + (low > 0.85))
        if inside.any():
            yield f"{low:.1f}–{low + 0.1:.1f}  {sure[inside].mean():.3f}   {right[inside].mean():.3f} {inside.sum():>5}"


def written(name: str, model: Pipeline, names: Sequence[str]) -> str:
    """A table of weights as TOML."""
    scale, regression = model[0], model[1]
    weights = regression.coef_[0] / scale.scale_
    bias = float(regression.intercept_[0] - weights @ scale.mean_)
    lines = [f"[{name}]", f"bias = {bias:.4f}", "", f"[{name}.weights]"]
    return "\n".join([*lines, *(f"{feature} = {weight:.4f}" for feature, weight in zip(names, weights, strict=True))])


def main() -> None:
    """Prints how well the two kinds are told apart, and writes the weights fitted to all of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for option, what in ((BOOKS_HOME, "the books with their glosses"), (BARE, "without"), (SEEDS_HOME, "the five seeds")):
        parser.add_argument(f"--{option}", type=Path, help=f"a home with {what}, kept and used again")
    parser.add_argument("--write", action="store_true", help=f"write {FILE}")
    options = vars(parser.parse_args())
    with tempfile.TemporaryDirectory() as scratch:
        fit({home: options[home] or Path(scratch) / home for home in ASKED}, write=options["write"])


def fit(homes: Mapping[str, Path], *, write: bool) -> None:
    """Fits the weights with sentence vectors and those without, and prints how well each do."""
    searchers = {home: opened(homes[home], home) for home in ASKED}
    parts = ["# Weights of the answerability classifier, in logits. Written by: python -m bench.search.abstention --write"]
    for name in (SENTENCES, STATIC):
        rows = [row(searcher, question, home) for home, searcher in searchers.items() for question in ASKED[home]()]
        parts.append(weighed(name, rows))
        searchers = {home: static_only(library(Home(homes[home])).searcher()) for home in ASKED}
    if write:
        FILE.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def weighed(name: str, rows: Sequence[Row]) -> str:
    """Prints how well the two kinds are told apart; gives the weights fitted to all rows."""
    known = [given for given in rows if given.features is not None]
    lost = sum(given.right for given in rows) - sum(given.right for given in known)
    names = [fact for fact in known[0].features or () if name == SENTENCES or fact not in ONLY_ENCODED]
    sure, right = held_out(known, names), np.array([given.right for given in known])
    print(f"\n== {name}: a game and its questions held out; area under the curve {roc_auc_score(right, sure):.3f}")
    print(f"{len(rows) - len(known)} of {len(rows)} questions name a game that the library lacks, {lost} of them answerable")
    print("\n".join([*table(known, sure), "", *reliability(known, sure)]), flush=True)
    return written(name, fitted(matrix(known, names), right), names)


if __name__ == "__main__":
    main()
