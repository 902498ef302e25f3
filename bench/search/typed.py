"""Questions as a judge types them, without a game, about complete books: `python -m bench.search.typed [--home HOME]`.

`typed.tsv` has 120 in three languages, each with rules (`game:locator`), any of which answers it. Prints how often such a rule is
the first hit, in the first three and in the first ten; and how often any claim, the first claim and every claim of `ask` is from
such a rule: for all questions, and for those whose answer is in the state `sure` and `likely`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bench.search.homes import home_option, opened
from bench.search.runs import TEN, Group, Outcome, RankedList, Search, by, evaluate, print_table
from bench.search.topics import Topic, typed_questions
from corpus.address import split_rule
from rulestone import Library
from search.answer.answerer import Certainty

CLAIM, FIRST_CLAIM, EVERY_CLAIM = "a claim", "first claim", "every claim"


def shown_rules(library: Library) -> Search:
    """Search as users see it: without the hits of an abstention, and without rulings."""

    def rank(topic: Topic) -> RankedList:
        hits = library.search(topic.query, limit=TEN)["hits"]
        return RankedList([_rule(hit["iri"]) for hit in hits if hit["kind"] != "ruling"])

    return rank


def with_claim_figures(library: Library, outcome: Outcome) -> Outcome:
    """The outcome with the figures of the claims of `ask`; the kind of its topic is the state of the answer."""
    topic, answer = outcome.topic, library.ask(outcome.topic.query)
    right = [_rule(claim["rule"]) in topic.needs for claim in answer["claims"] if not claim["part_of"]]
    figures = {CLAIM: any(right), FIRST_CLAIM: any(right[:1]), EVERY_CLAIM: all(right)}
    return Outcome(replace(topic, kind=answer["state"]), {**outcome.figures, **figures})


def _rule(iri: str) -> str:
    rule = split_rule(iri)
    return f"{rule.key.game}:{rule.locator}"


def groups(outcomes: Sequence[Outcome]) -> Iterator[Group]:
    """All outcomes and those in each state of the answer, and those of each language."""
    for state in ("all", Certainty.SURE, Certainty.LIKELY):
        own = [outcome for outcome in outcomes if state in ("all", outcome.topic.kind)]
        yield state, own
        yield from by(own, lambda topic: topic.lang, f"{state} {{}}")


def main() -> None:
    """Prints the figures."""
    with opened(home_option(__doc__)) as books, Library.open(books.home) as library:
        books.searcher()  # blocks until the encoder is there
        outcomes = [with_claim_figures(library, outcome) for outcome in evaluate(typed_questions(), shown_rules(library))]
    measures = ("Success@1", "Success@3", "Success@10", CLAIM, FIRST_CLAIM, EVERY_CLAIM)
    print_table("answers", measures, groups(outcomes))


if __name__ == "__main__":
    main()
