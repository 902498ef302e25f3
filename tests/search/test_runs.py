"""Figures of the benches of search: those of ir_measures equal plain arithmetic over the ranks."""

import random

import pytest

from bench.search.runs import ABSTAINED, RankedList, by, confidence_interval, evaluate, print_table
from bench.search.topics import Topic

pytest.importorskip("ir_measures", reason="pytrec_eval-terrier has no wheel for this platform")
RULES = [f"{game}:{number}" for game in ("ferry", "barge") for number in range(40)]


def topic(nth: int, *needs: str) -> Topic:
    return Topic(f"t{nth}", "invented", "en", "How many tokens?", needs=needs)


def figures(needs: tuple[str, ...], rules: list[str]) -> dict[str, float]:
    """The figures by arithmetic: a rule that is found again counts once, and takes a rank."""
    ranks = [rank for rank, rule in enumerate(rules, 1) if rule in needs]
    return {
        "R@10": len({rule for rule in rules[:10] if rule in needs}) / len(needs),
        "R@50": len({rule for rule in rules[:50] if rule in needs}) / len(needs),
        **{f"Success@{cut}": float(any(rank <= cut for rank in ranks)) for cut in (1, 3, 10)},
        "RR@10": next((1 / rank for rank in ranks if rank <= 10), 0.0),
    }


def test_figures_are_those_of_arithmetic() -> None:
    draw = random.Random(0)
    topics = [topic(nth, *draw.sample(RULES, draw.randint(1, 5))) for nth in range(200)]
    rankings = {topic.ident: draw.choices(RULES, k=draw.choice((0, 1, 10, 60))) for topic in topics}
    outcomes = evaluate(topics, lambda topic: RankedList(rankings[topic.ident]))
    assert [outcome.topic for outcome in outcomes] == topics
    for one in outcomes:
        assert one.figures == {**figures(one.topic.needs, rankings[one.topic.ident]), ABSTAINED: 0.0}, one.topic


def test_a_topic_that_needs_nothing_has_only_its_abstention() -> None:
    empty, other = evaluate([topic(0), topic(1, "ferry:1")], lambda topic: RankedList(["ferry:2", "ferry:1"], not topic.needs))
    assert empty.figures == {ABSTAINED: 1.0}
    assert (other.figures["RR@10"], other.figures[ABSTAINED]) == (0.5, 0.0)


def test_a_table_has_the_means_of_the_topics_that_have_a_figure(capsys: pytest.CaptureFixture[str]) -> None:
    outcomes = evaluate([topic(0, "ferry:1"), topic(1, "ferry:2"), topic(2)], lambda _: RankedList(["ferry:1"]))
    groups = [("all", outcomes), *by(outcomes, lambda topic: topic.needs[0] if topic.needs else "none", "of {}"), ("no", [])]
    print_table("invented", ("R@10", "Success@1", ABSTAINED), groups)
    assert [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()] == [
        "invented topics R@10 Success@1 abstained",
        "all 3 0.500 [0.000, 1.000] 0.500 0.000",
        "of ferry:1 1 1.000 [1.000, 1.000] 1.000 0.000",
        "of ferry:2 1 0.000 [0.000, 0.000] 0.000 0.000",
        "of none 1 0.000",
        "no 0",
    ]


def test_the_interval_of_a_mean() -> None:
    low, high = confidence_interval([0.0, 1.0] * 50)
    assert (low, high) == pytest.approx((0.4, 0.6), abs=0.03)
