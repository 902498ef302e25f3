"""Questions as a judge types them, without a game, about complete books: `python -m bench.search.typed [--home HOME]`.

`typed.tsv` has 120 in three languages, each with rules (`game:locator`), any of which answers it. Prints how often such a rule is
the first hit, in the first three and in the first ten; how often any claim and the first claim of `ask` is from such a rule; and
how many answers are `sure`, how many of them have a claim from another rule, and how often a claim answers if the state is
`likely`.
"""

import statistics
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bench.measure import folder_or_temporary
from bench.search.homes import home_parser, loaded
from bench.search.runs import TEN, Outcome, RankedList, Search, evaluate, mean
from bench.search.topics import Topic, typed_questions
from corpus.address import split_rule
from rulestone import Library
from search.answer.answerer import Certainty


class Answer(NamedTuple):
    """For each claim of an answer, whether its rule answers the question; and the state of the answer."""

    claims: list[bool]
    state: Certainty


def shown_rules(library: Library) -> Search:
    """Search as users see it: without the hits of an abstention, and without rulings."""

    def rank(topic: Topic) -> RankedList:
        hits = library.search(topic.query, limit=TEN)["hits"]
        return RankedList([_rule(hit["iri"]) for hit in hits if hit["kind"] != "ruling"])

    return rank


def ask(library: Library, topic: Topic) -> Answer:
    """The claims of an answer to a question."""
    answer = library.ask(topic.query)
    claims = [_rule(claim["rule"]) in topic.needs for claim in answer["claims"] if not claim["part_of"]]
    return Answer(claims, Certainty(answer["state"]))


def _rule(iri: str) -> str:
    rule = split_rule(iri)
    return f"{rule.key.game}:{rule.locator}"


def table(outcomes: Sequence[Outcome], answers: Sequence[Answer]) -> Iterable[str]:
    """The figures of all questions and of each language."""
    yield f"{'language':<10}{'asked':>6}  first   in 3  in 10    ask  first claim  sure  wrong in sure  likely, and a claim answers"
    for lang in ("", *sorted({one.topic.lang for one in outcomes})):
        own = [one for one in outcomes if lang in ("", one.topic.lang)]
        own_answers = [answer for one, answer in zip(outcomes, answers, strict=True) if lang in ("", one.topic.lang)]
        shares = [mean(own, f"Success@{cut}") for cut in (1, 3, TEN)]
        shares += [statistics.fmean(any(answer.claims[:cut]) for answer in own_answers) for cut in (None, 1)]
        with_answer = [answer for answer in own_answers if answer.state is not Certainty.UNSURE]
        sure = [answer for answer in with_answer if answer.state is Certainty.SURE]
        wrong = sum(not all(answer.claims) for answer in sure)
        likely = [any(answer.claims) for answer in with_answer if answer.state is Certainty.LIKELY]
        yield (
            f"{lang or 'all':<10}{len(own):>6}"
            + "".join(f"{share:>7.3f}" for share in shares)
            + f"      {len(sure)}/{len(with_answer)}  {wrong}  {len(likely)} {statistics.fmean(likely or [0]):.3f}"
        )


def main() -> None:
    """Prints the figures."""
    with folder_or_temporary(home_parser(__doc__).parse_args().home) as home:
        loaded(home).searcher()  # makes the home, and waits for the encoder
        with Library.open(home) as library:
            topics = typed_questions()
            print("\n".join(table(evaluate(topics, shown_rules(library)), [ask(library, topic) for topic in topics])))


if __name__ == "__main__":
    main()
