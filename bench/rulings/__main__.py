"""Rules proposed for rulings: how often a correct rule is among the first three, and the calibration of the confidence.

144 rulings (judged.tsv) were written for One Piece and Duel Masters, in Japanese and English, each with the rules that it rests on,
before any proposal was made; 24 rest on no rule. The weights are fitted to the odd lines (`--write`) and evaluated on the even
ones.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.measure import table_rows
from bench.search.homes import bundle_of
from bench.search.runs import RankedList, by, evaluate, print_table
from bench.search.topics import Topic
from bench.search.weights import write_weights
from ontology.knowledge import Knowledge
from search.rank.answerability import SENTENCES, STATIC, LogisticWeights
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


class RankedRuling(NamedTuple):
    """A ruling, the rules that search ranked for it, and their numbers."""

    topic: Topic
    ranking: Ranking
    numbers: Sequence[str]

    def is_right(self, nth: int) -> bool:
        """Whether a hit is a rule that the ruling rests on."""
        return self.numbers[nth] in self.topic.needs


def judged_rulings() -> list[Topic]:
    """Every ruling in the order of the file; any of the rules that it needs is correct."""
    return [
        Topic(
            row["id"],
            "rulings",
            row["lang"],
            f"{row['question']} {row['answer']}",
            game=row["game"],
            needs=(*row["rules"].split(),),
        )
        for row in table_rows(JUDGED_FILE)
    ]


def rank_rulings(searcher: Searcher, rulings: Iterable[Topic]) -> list[RankedRuling]:
    """The ranking for each ruling."""
    rankings = ((topic, rank_rules(searcher, topic.game, topic.query)) for topic in rulings)
    locators = searcher.index.rules.locators
    return [RankedRuling(topic, ranking, [locators[hit.rule] for hit in ranking.hits]) for topic, ranking in rankings]


def proposal_positions(rulings: Sequence[RankedRuling]) -> Iterator[tuple[RankedRuling, int]]:
    """Each ruling with the position of each rule that may be proposed."""
    return ((case, nth) for case in rulings for nth in range(min(LINKS.most, len(case.numbers))))


def fit_weights(rulings: Sequence[RankedRuling], names: Sequence[str]) -> LogisticWeights:
    """The maximum likelihood weights."""
    from sklearn.linear_model import LogisticRegression

    every = list(proposal_positions(rulings))
    features_of_hits = [[link_features(case.ranking.hits, nth)[name] for name in names] for case, nth in every]
    model = LogisticRegression(C=1e4, max_iter=10_000).fit(features_of_hits, [case.is_right(nth) for case, nth in every])
    return LogisticWeights(float(model.intercept_[0]), dict(zip(names, map(float, model.coef_[0]), strict=True)))


def print_figures(name: str, cases: Sequence[RankedRuling], *, encoded: bool) -> None:
    """Prints how often a correct rule is found, and the precision by confidence."""
    numbers = {case.topic.ident: case.numbers for case in cases if case.topic.needs}
    outcomes = evaluate([case.topic for case in cases if case.topic.needs], lambda topic: RankedList(numbers[topic.ident]))
    groups = [("all", outcomes), *by(outcomes, lambda topic: f"  {topic.game} {topic.lang}")]
    print_table(name, ("Success@1", "Success@3", "Success@10"), groups)
    probabilities = np.array([link_confidence(case.ranking.hits, nth, encoded=encoded) for case, nth in proposal_positions(cases)])
    right = np.array([case.is_right(nth) for case, nth in proposal_positions(cases)])
    for low, high in pairwise(BINS):
        there = (probabilities >= low) & (probabilities < high)
        if there.any():
            mean, true = probabilities[there].mean(), right[there].mean()
            print(f"  said {low:.1f}–{min(high, 1):.1f}: mean {mean:.2f}, right {true:.2f} of {there.sum()}")


def main() -> None:
    """Prints the figures for a home with both books; with `--write` the weights are fitted first."""
    bundle = bundle_of(Path(next((argument for argument in sys.argv[1:] if not argument.startswith("-")), ".")))
    searcher, every = Searcher(bundle, Knowledge.open(bundle)), judged_rulings()
    with_static = rank_rulings(_without_encoder(bundle), every)
    searcher.wait_for_encoder()
    with_sentences = rank_rulings(searcher, every) if searcher.sentence_encoder else []
    halves = {SENTENCES: with_sentences, STATIC: with_static}
    if "--write" in sys.argv:
        tables = {name: fit_weights(some[0::2], FEATURE_NAMES[name]) for name, some in halves.items() if some}
        write_weights(WEIGHTS_FILE, "the confidence of proposed links from rulings to rules", "bench.rulings HOME", tables)
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
