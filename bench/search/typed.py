"""Questions as a judge types them, without a game, about complete books: `python -m bench.search.typed [--home HOME]`.

`typed.tsv` has 120 in three languages, each with rules (`game:locator`), any of which answers it. Prints how often such a rule is
the first hit, in the first three and in the first ten; how often any claim and the first claim of `ask` is from such a rule; and
how many answers are `sure`, how many of them have a claim from another rule, and how often a claim answers if the state is
`likely`.
"""

import argparse
import csv
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.measure import folder_or_temporary
from bench.search.books import loaded
from corpus.address import split_rule
from rulestone import Library
from search.answer.answerer import Certainty
from search.settings import SEARCH

FILE = Path(__file__).with_suffix(".tsv")
THREE, TEN = 3, 10


@dataclass(frozen=True, slots=True)
class TypedQuestion:
    """A question and the rules, any of which answers it."""

    query: str
    lang: str
    needs: frozenset[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """For each hit and claim of a question, whether its rule answers the question."""

    question: TypedQuestion
    hits: list[bool]
    claims: list[bool]
    state: Certainty


def typed_questions() -> list[TypedQuestion]:
    """The questions, in the order of the file."""
    with FILE.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [TypedQuestion(row["query"], row["lang"], frozenset(row["needs"].split())) for row in rows]


def outcome(library: Library, question: TypedQuestion) -> Outcome:
    """Searches for a question and answers it."""

    def is_right(iri: str) -> bool:
        rule = split_rule(iri)
        return f"{rule.key.game}:{rule.locator}" in question.needs

    hits = [is_right(hit["iri"]) for hit in library.search(question.query, limit=TEN)["hits"] if hit["kind"] != "ruling"]
    answer = library.ask(question.query)
    claims = [is_right(claim["rule"]) for claim in answer["claims"] if not claim["part_of"]]
    return Outcome(question, hits, claims, Certainty(answer["state"]))


def table(outcomes: Sequence[Outcome]) -> Iterable[str]:
    """The figures of all questions and of each language."""
    yield f"{'language':<10}{'asked':>6}  first   in 3  in 10    ask  first claim  sure  wrong in sure  likely, and a claim answers"
    for lang in ("", *sorted({one.question.lang for one in outcomes})):
        own = [one for one in outcomes if lang in ("", one.question.lang)]
        shares = (
            statistics.fmean(any(places[:cut]) for places in column)
            for column, cut in (
                ([one.hits for one in own], 1),
                ([one.hits for one in own], THREE),
                ([one.hits for one in own], TEN),
                ([one.claims for one in own], None),
                ([one.claims for one in own], 1),
            )
        )
        with_answer = [one for one in own if one.state is not Certainty.UNSURE]
        sure = [one for one in with_answer if one.state is Certainty.SURE]
        wrong = sum(not all(one.claims) for one in sure)
        likely = [any(one.claims) for one in with_answer if one.state is Certainty.LIKELY]
        yield (
            f"{lang or 'all':<10}{len(own):>6}"
            + "".join(f"{share:>7.3f}" for share in shares)
            + f"      {len(sure)}/{len(with_answer)}  {wrong}  {len(likely)} {statistics.fmean(likely or [0]):.3f}"
        )


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--home", type=Path, help="a home with the books, kept and used again")
    with folder_or_temporary(parser.parse_args().home) as home:
        loaded(home).searcher(SEARCH)  # makes the home, and waits for the encoder
        with Library.open(home) as library:
            print("\n".join(table([outcome(library, question) for question in typed_questions()])))


if __name__ == "__main__":
    main()
