"""When to say that no rule is sure enough: a wrong rule shown as if it were sure costs a match."""

from collections.abc import Sequence

from corpus.catalogue import catalogue
from search.query import Query
from search.rank import Ranking

LEAST_COVERAGE = 0.3
"""Share of what is asked, weighed by rarity, that the best rule must hold."""


def unknown_game(query: Query, games: Sequence[str]) -> str | None:
    """Why a question about another game is not answered; None where the library knows a game it names."""
    known = [game for game in query.games if game in games]
    if query.games and not known:
        names = ", ".join(_name(game) for game in query.games)
        return f"no rulebook of {names} is in the library; add one with: rulestone add FILE"
    if query.elsewhere and not known:
        return f"the question names {', '.join(query.elsewhere)}, a game that the library has no rulebook of"
    return None


def _name(game: str) -> str:
    known = catalogue().games.get(game)
    return known.names.get("en", game) if known else game


def reason(query: Query, ranking: Ranking) -> str | None:
    """Why a ranking is not shown; None where it is."""
    if not ranking.hits:
        return "no rule has any of these words; try other words, or a rule's number"
    if query.numbers and ranking.hits[0].score >= 2:
        return None
    if ranking.coverage < LEAST_COVERAGE:
        share = round(100 * ranking.coverage)
        return (
            f"no confident match: the nearest rule holds {share} % of what is asked; name the game, the zone or the rule's number"
        )
    return None
