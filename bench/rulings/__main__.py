"""Rules proposed for rulings: how often a correct rule is among the first three, and the calibration of the confidence.

144 rulings (judged.tsv) were written for One Piece and Duel Masters, in Japanese and English, each with the rules that it rests on,
before any proposal was made; 24 rest on no rule. The weights are fitted to the odd lines (`--write`) and evaluated on the even
ones.
"""

import csv
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from corpus.store.home import Home
from ontology.knowledge import Knowledge
from search.rank.answerability import SENTENCES, STATIC
from search.rank.ranker import Ranking
from search.ruling_links import WEIGHTS_FILE, link_confidence, link_features, rank_rules
from search.searcher import Searcher
from search.settings import LINKS

JUDGED_FILE = Path(__file__).parent / "judged.tsv"
FEATURE_NAMES = {
    SENTENCES: ("above_rest", "lead", "static_cosine", "dense_cosine"),
    STATIC: ("above_rest", "lead", "static_cosine"),
}
"""The features in each table of weights."""
BINS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.001)


class JudgedRuling(NamedTuple):
    """A ruling, and the rules that it rests on by number; any of them is correct."""

    game: str
    id: str
    lang: str
    words: str
    rules: frozenset[str]


class RankedJudgedRuling(NamedTuple):
    """The search results of a ruling, and the numbers of the rules."""

    judged: JudgedRuling
    ranking: Ranking
    numbers: Sequence[str]

    def is_right(self, nth: int) -> bool:
        """Whether a hit is a rule that the ruling rests on."""
        return self.numbers[nth] in self.judged.rules


def judged_rulings() -> list[JudgedRuling]:
    """Every ruling in the order of the file."""
    with JUDGED_FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        JudgedRuling(row["game"], row["id"], row["lang"], f"{row['question']} {row['answer']}", frozenset(row["rules"].split()))
        for row in rows
    ]


def rank_rulings(searcher: Searcher, rulings: Sequence[JudgedRuling]) -> list[RankedJudgedRuling]:
    """The ranking for each ruling."""
    return [_rank_ruling(searcher, ruling) for ruling in rulings]


def _rank_ruling(searcher: Searcher, ruling: JudgedRuling) -> RankedJudgedRuling:
    ranking = rank_rules(searcher, ruling.game, ruling.words)
    return RankedJudgedRuling(ruling, ranking, [searcher.index.rules[hit.rule].locator for hit in ranking.hits])


def share(rulings: Sequence[RankedJudgedRuling], first: int) -> float:
    """How often a correct rule is among the first hits, for rulings that rest on a rule."""
    resting = [case for case in rulings if case.judged.rules]
    return sum(any(case.is_right(nth) for nth in range(min(first, len(case.numbers)))) for case in resting) / len(resting)


def proposal_positions(rulings: Sequence[RankedJudgedRuling]) -> Iterator[tuple[RankedJudgedRuling, int]]:
    """Each ruling with the position of each rule that may be proposed."""
    return ((case, nth) for case in rulings for nth in range(min(LINKS.most, len(case.numbers))))


def fit_weights(rulings: Sequence[RankedJudgedRuling], names: Sequence[str]) -> tuple[float, dict[str, float]]:
    """The maximum likelihood weights: the bias, then a weight for each feature."""
    from sklearn.linear_model import LogisticRegression

    every = list(proposal_positions(rulings))
    features_of_hits = [[link_features(case.ranking.hits, nth)[name] for name in names] for case, nth in every]
    model = LogisticRegression(C=1e4, max_iter=10_000).fit(features_of_hits, [case.is_right(nth) for case, nth in every])
    return float(model.intercept_[0]), dict(zip(names, map(float, model.coef_[0]), strict=True))


def write(tables: dict[str, tuple[float, dict[str, float]]]) -> None:
    """Writes the weights."""
    lines = ["# Weights of the confidence of proposed links from rulings to rules, in logits: python -m bench.rulings --write"]
    for name, (bias, weights) in tables.items():
        lines += [
            "",
            f"[{name}]",
            f"bias = {bias:.4f}",
            f"[{name}.weights]",
            *(f"{feature} = {weight:.4f}" for feature, weight in weights.items()),
        ]
    WEIGHTS_FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def print_figures(name: str, cases: Sequence[RankedJudgedRuling], *, encoded: bool) -> None:
    """Prints how often a correct rule is found, and the precision by confidence."""
    print(f"{name}: right rule first {share(cases, 1):.3f}, among three {share(cases, 3):.3f}, among ten {share(cases, 10):.3f}")
    for game in ("onepiece", "dm"):
        for lang in ("en", "ja"):
            own = [case for case in cases if (case.judged.game, case.judged.lang) == (game, lang)]
            print(f"  {game} {lang}: among three {share(own, LINKS.most):.3f} of {sum(bool(case.judged.rules) for case in own)}")
    probabilities = np.array([link_confidence(case.ranking.hits, nth, encoded=encoded) for case, nth in proposal_positions(cases)])
    right = np.array([case.is_right(nth) for case, nth in proposal_positions(cases)])
    for low, high in pairwise(BINS):
        there = (probabilities >= low) & (probabilities < high)
        if there.any():
            mean, true = probabilities[there].mean(), right[there].mean()
            print(f"  said {low:.1f}–{min(high, 1):.1f}: mean {mean:.2f}, right {true:.2f} of {there.sum()}")


def main() -> None:
    """Prints the figures for a home with both books; with `--write` the weights are fitted first."""
    home = Home(Path(next((argument for argument in sys.argv[1:] if not argument.startswith("-")), ".")))
    bundle = home.current_folder()
    if bundle is None:
        raise SystemExit(f"{home.path} holds no knowledge base; give one with the books of One Piece and Duel Masters")
    searcher, every = Searcher(bundle, Knowledge.open(bundle)), judged_rulings()
    with_static = rank_rulings(_without_encoder(bundle), every)
    searcher.wait_for_encoder()
    with_sentences = rank_rulings(searcher, every) if searcher.sentence_encoder else []
    halves = {SENTENCES: with_sentences, STATIC: with_static}
    if "--write" in sys.argv:
        write({name: fit_weights(some[0::2], FEATURE_NAMES[name]) for name, some in halves.items() if some})
    for name, some in halves.items():
        if some:
            print_figures(f"{name}, calibrated on", some[0::2], encoded=name == SENTENCES)
            print_figures(f"{name}, held out", some[1::2], encoded=name == SENTENCES)


def _without_encoder(bundle: Path) -> Searcher:
    """Search by words and static vectors alone."""
    searcher = Searcher(bundle, Knowledge.open(bundle))
    searcher.__dict__["_uses_sentence_encoder"] = False
    return searcher


if __name__ == "__main__":
    main()
