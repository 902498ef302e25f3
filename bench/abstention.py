"""Fits when search abstains, and says by cross-validation how well: questions that the library answers against others.

`python -m bench.abstention` prints the figures and the weights of `search/abstain.py`.
"""

import shutil
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

import rulestone
from bench.judged import library
from bench.measure import seeds_alone, texts
from ontology.store.home import Home
from search.rank import abstain
from search.rank.evidence import Evidence
from search.searcher import Request, Searcher

_FOLDS = 10


def questions() -> Mapping[str, list[Mapping[str, Any]]]:
    """`answerable` and `unanswerable` questions of our own."""
    return tomllib.loads((Path(__file__).parent / "abstention.toml").read_text(encoding="utf-8"))


def evidence(searcher: Searcher, text: str) -> Evidence | None:
    """The evidence for a question's first hit; None where it names a game that the library lacks."""
    query = searcher.understood(request := Request(text))
    if abstain.unknown_game(query, searcher.index.games):
        return None
    return searcher.ranked(query, request).evidence


def main() -> None:
    """Prints how well the two kinds are told apart, and the weights fitted to all of them."""
    seeds_alone()
    scratch = Path(tempfile.mkdtemp())
    try:
        rulestone.Library.open(scratch).add(sorted((texts() / "seeds").glob("*.txt")))
        searcher = library(Home(scratch)).searcher()
        asked, rules = questions(), searcher.index.rules.distinct
        found = [(evidence(searcher, one["query"]), kind) for kind in ("answerable", "unanswerable") for one in asked[kind]]
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    named = sum(one is None for one, _ in found)
    print(f"{named} of {len(asked['unanswerable'])} unanswerable questions name a game that the library lacks")
    known = [(one, kind) for one, kind in found if one is not None]
    names = list(abstain.WEIGHTS)
    facts = np.array([[getattr(one, name) for name in names] for one, _ in known])
    right = np.array([kind == "answerable" for _, kind in known])
    scale = facts.std(axis=0)
    model = LogisticRegression(C=0.2, max_iter=5000)
    held = cross_val_predict(
        model, facts / scale, right, cv=StratifiedKFold(_FOLDS, shuffle=True, random_state=0), method="predict_proba"
    )[:, 1]
    print(f"{_FOLDS}-fold cross-validation: area under the curve {roc_auc_score(right, held):.3f}")
    for least in (0.1, 0.2, 0.3, abstain.LEAST):
        lost, kept = float((held[right] < least).mean()), float((held[~right] < least).mean())
        print(f"  below {least:.2f}: {kept:.0%} of the unanswerable abstained, {lost:.1%} of the answerable lost")
    model.fit(facts / scale, right)
    weights = {name: round(float(weight), 2) for name, weight in zip(names, model.coef_[0] / scale, strict=True)}
    print(f"rules in this library: {rules}")
    print(f"BIAS = {float(model.intercept_[0]):.2f}\nWEIGHTS = {weights}")


if __name__ == "__main__":
    main()
