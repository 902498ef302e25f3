"""Questions of our own against whole books: `python -m bench.answers [--home DIR]`.

100 questions with the rules that answer them and 40 without an answer in the books (`questions.toml`), written with only the books
at hand; the held-out half of the judges' questions (`bench.search.books`); then whether the words of every claim are at its span,
for 2,000 of the digest's questions.
"""

import statistics
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.search.homes import home_option, opened
from corpus.address import split_rule
from corpus.contract import Ask
from rulestone import Library
from search.index.passages import questions_by_rule

QUESTIONS_FILE = Path(__file__).parent / "questions.toml"
LEAST_FOUND, LEAST_ABSTAINED = 0.7, 0.8
SPANS = 2000
"""Number of the digest's questions whose claims are compared with the rules' texts."""
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one question."""

    question: Json
    answer: Ask

    @property
    def answering_claim_places(self) -> list[int]:
        """The positions of the claims whose rule answers the question."""
        rules = [split_rule(claim["rule"]) for claim in self.answer["claims"]]
        return [
            at for at, rule in enumerate(rules) if rule.key.game == self.question["game"] and rule.locator in self.question["needs"]
        ]

    @property
    def has_answering_clause(self) -> bool:
        """Whether a claim contains the clause that answers, not only its rule."""
        claims = self.answer["claims"]
        return any(self.question["says"] in claims[at]["text"] for at in self.answering_claim_places)


def main() -> int:
    """Prints the figures; returns 1 if one is below its target or a span is wrong."""
    with opened(home_option(__doc__)) as books, Library.open(books.home) as library:
        sound = [_quality(library), _check_spans(library)]
    return 0 if all(sound) else 1


def _quality(library: Library) -> bool:
    data = tomllib.loads(QUESTIONS_FILE.read_text(encoding="utf-8"))
    outcomes = [Outcome(question, library.ask(question["query"])) for question in data["question"]]
    outcomes_without_answer = [Outcome(question, library.ask(question["query"])) for question in data["unanswerable"]]
    for line in _table(outcomes):
        print(line)
    abstention = statistics.fmean(outcome.answer["abstained"] for outcome in outcomes_without_answer)
    print(f"{'unanswerable, no claim':<34}{abstention:>7.3f}   of {len(outcomes_without_answer)}, at least {LEAST_ABSTAINED}")
    return _share(outcomes) >= LEAST_FOUND and abstention >= LEAST_ABSTAINED


def _share(outcomes: Sequence[Outcome]) -> float:
    return statistics.fmean(bool(outcome.answering_claim_places) for outcome in outcomes)


def _table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    def line(name: str, value: float, details: str = "", digits: int = 3) -> str:
        return f"{name:<34}{value:>7.{digits}f}   {details}".rstrip()

    yield line("a claim from a rule that answers", _share(outcomes), f"of {len(outcomes)}, at least {LEAST_FOUND}")
    for name in ("game", "lang"):
        for value in dict.fromkeys(outcome.question[name] for outcome in outcomes):
            yield line(f"  {value}", _share([outcome for outcome in outcomes if outcome.question[name] == value]))
    with_answer = [outcome for outcome in outcomes if outcome.answering_claim_places and outcome.question["says"]]
    answering = statistics.fmean(outcome.has_answering_clause for outcome in with_answer)
    yield line("  it is the first claim", statistics.fmean(0 in outcome.answering_claim_places for outcome in outcomes))
    yield line("  of those the clause that answers", answering, f"of {len(with_answer)}")
    yield line("answerable, no claim", statistics.fmean(outcome.answer["abstained"] for outcome in outcomes))
    claim_counts = [len(outcome.answer["claims"]) for outcome in outcomes if not outcome.answer["abstained"]]
    characters = statistics.fmean(len(claim["text"]) for outcome in outcomes for claim in outcome.answer["claims"])
    yield line("claims an answer", statistics.fmean(claim_counts), f"of {characters:.0f} characters each", 1)


def _check_spans(library: Library) -> bool:
    """Compares the words of every claim with the text of its rule in `show`."""
    wrong = claims = 0
    questions = _digest_questions(library)
    for query in questions:
        for claim in library.ask(query)["claims"]:
            claims += 1
            wrong += claim["text"] != shown_text(library, claim["rule"], claim["lang"], claim["source"])[claim_span(claim)]
            wrong += claim["text"] != claim["quote"]["text"]
    print(f"{claims} claims to {len(questions)} questions of the digest, {wrong} not at their span")
    return not wrong


def shown_text(library: Library, iri: str, lang: str, source: str) -> str:
    """The text of a rule, or of its gloss, in `show`."""
    [rule] = library.rules(iri)["rules"]
    return rule["texts"][lang]["text"] if source == "rule" else rule["digest"][lang]


def claim_span(claim: Any) -> slice:  # noqa: ANN401
    """The span of a claim."""
    return slice(claim["quote"]["start"], claim["quote"]["end"])


def _digest_questions(library: Library) -> list[str]:
    """Some of the digest's questions, evenly spread over all."""
    every = sorted({words for some in questions_by_rule(library._bundle().knowledge).values() for _, words in some})
    return every[:: max(1, len(every) // SPANS)][:SPANS]


if __name__ == "__main__":
    sys.exit(main())
