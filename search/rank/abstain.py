"""When to say that no rule is sure enough: a wrong rule shown as if it were sure costs a match.

A logistic regression over the evidence for the first hit, fitted by `python -m bench.abstention` to questions that the
library answers and to others that it does not.
"""

import math
from collections.abc import Sequence

from corpus.catalogue import catalogue
from corpus.messages import Message, message
from search.query.query import Query
from search.rank.evidence import Evidence
from search.rank.ranker import Ranking

BIAS = -12.59
WEIGHTS = {"coverage": 2.51, "together": 4.2, "cosine": 4.73, "concepts": 1.62, "missing": -1.78, "length": 1.27}
"""What each piece of evidence counts, in logits."""
LEAST = 0.4
"""Probability below which nothing is shown."""
BARE_BIAS, BARE_COVERAGE = -3.0, 15.0
"""The same for a rule that has no gloss, whose words are all that can be compared: little but coverage tells."""
RULES, GROWTH = 340, 2.5
"""Rules in the library that the weights are fitted to, and logits for each e-fold of them: where a whole book is loaded, a
question is more likely answered, and the first hit holds less of it."""


def sureness(evidence: Evidence, rules: int) -> float:
    """The probability that a library of so many rules answers a question, by the evidence for the first hit."""
    if evidence.glossed:
        logit = BIAS + sum(weight * getattr(evidence, name) for name, weight in WEIGHTS.items())
        logit += GROWTH * max(0.0, math.log(rules / RULES))
    else:
        logit = BARE_BIAS + BARE_COVERAGE * evidence.coverage
    return 1 / (1 + math.exp(-logit))


def unknown_game(query: Query, games: Sequence[str]) -> Message | None:
    """Why a question about another game is not answered; None where the library knows a game it names."""
    known = [game for game in query.games if game in games]
    if query.games and not known:
        return message("no rulebook of {games} is in the library; add one with: rulestone add FILE", games=_names(query.games))
    if query.elsewhere and not known:
        named = ", ".join(query.elsewhere)
        return message("the question names {games}, a game that the library has no rulebook of", games=named)
    return None


def nothing_asked(query: Query) -> Message | None:
    """Why the name of a game alone is not answered: every rule of the game would do as well."""
    if not query.names_only:
        return None
    return message("only {games} is named; ask something of it, or give a rule's number", games=_names(query.games))


def no_book_in(query: Query, within: str) -> Message:
    """Why nothing is found in books of a language that there are none in."""
    if not query.games:
        return message("no book in {lang} is in the library; leave out the language of the books, or add one", lang=within)
    return message(
        "no book of {games} in {lang} is in the library; leave out the language of the books, or add one",
        games=_names(query.games),
        lang=within,
    )


def _names(games: Sequence[str]) -> str:
    return ", ".join(_name(game) for game in games)


def _name(game: str) -> str:
    known = catalogue().games.get(game)
    return known.names.get("en", game) if known else game


def reason(query: Query, ranking: Ranking, rules: int, *, numbered: bool) -> Message | None:
    """Why a ranking is not shown; None where it is. `numbered`: a rule whose number is typed comes first."""
    if numbered:
        return None
    if query.numbers_only:
        return _unnumbered(query)
    if not ranking.hits:
        return message("no rule has any of these words; try other words, or a rule's number")
    sure = sureness(ranking.evidence, rules)
    if sure >= LEAST:
        return None
    return message(
        "no confident match ({sure:.0%} sure): the nearest rule holds {share} % of what is asked;"
        " name the game, the zone or a rule's number",
        sure=sure,
        share=round(100 * ranking.evidence.coverage),
    )


def _unnumbered(query: Query) -> Message:
    numbers = " / ".join(query.numbers)
    if query.games:
        return message(
            "no rule of {games} in the library has the number {numbers}; leave out the game, or ask in words",
            games=_names(query.games),
            numbers=numbers,
        )
    return message(
        "no rule in the library has the number {numbers}; ask in words, or add the book with: rulestone add FILE", numbers=numbers
    )
