"""What is not searched, or found to have no rule, and why: the question names no game that is loaded, or asks nothing.

Where rules are found but none is sure enough, `search.rank.doubt` says why.
"""

from collections.abc import Sequence

from corpus.messages import Message, message
from search.query.query import Query
from search.rank.named import GameNames
from search.rank.ranker import Ranking


def unknown_game(query: Query, games: Sequence[str]) -> Message | None:
    """Why a question about another game is not answered; None where the library knows a game it names."""
    known = [game for game in query.games if game in games]
    if query.games and not known:
        return message("no rulebook of {games} is in the library; add one with: rulestone add FILE", games=GameNames(query.games))
    if query.elsewhere and not known:
        named = ", ".join(query.elsewhere)
        return message("the question names {games}, a game that the library has no rulebook of", games=named)
    return None


def nothing_asked(query: Query) -> Message | None:
    """Why the name of a game alone is not answered: every rule of the game would do as well."""
    if not query.names_only:
        return None
    return message("only {games} is named; ask something of it, or give a rule's number", games=GameNames(query.games))


def no_book_in(query: Query, within: str) -> Message:
    """Why nothing is found in books of a language that there are none in."""
    if not query.games:
        return message("no book in {lang} is in the library; leave out the language of the books, or add one", lang=within)
    return message(
        "no book of {games} in {lang} is in the library; leave out the language of the books, or add one",
        games=GameNames(query.games),
        lang=within,
    )


def nothing_found(query: Query, ranking: Ranking) -> Message | None:
    """Why a ranking without a hit, or one of a number that no rule has, is not shown; None where there is something to show."""
    if query.numbers_only:
        return _unnumbered(query)
    if not ranking.hits:
        return message("no rule has any of these words; try other words, or a rule's number")
    return None


def _unnumbered(query: Query) -> Message:
    numbers = " / ".join(query.numbers)
    if query.games:
        return message(
            "no rule of {games} in the library has the number {numbers}; leave out the game, or ask in words",
            games=GameNames(query.games),
            numbers=numbers,
        )
    return message(
        "no rule in the library has the number {numbers}; ask in words, or add the book with: rulestone add FILE", numbers=numbers
    )
