"""Why no rule is sure enough, and what to ask instead: a wrong rule shown as if it were sure costs a match."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from corpus.messages import Message, message
from search.query.query import Query
from search.rank import decoys
from search.rank.evidence import Evidence
from search.rank.highlight import words_of
from search.rank.named import GameNames

NEARER = 0.05
"""A question is about what no rulebook answers where a decoy is not this much farther than the nearest rule (cosines)."""
_MOST = 4
"""So many words are named."""
_WORD = re.compile(r"[^\W\d_]{3,}|[\u30a1-\u30fa\u30fc]{2,}|[\u3400-\u9fff]{2,}")
"""What is a word of its own: three letters, or two katakana or Han characters; what hiragana joins is not."""


class Shown(NamedTuple):
    """A rule as a reason names it."""

    game: str
    reference: str  # as `show` takes it
    title: str  # the heading that it stands under; "" under none


def doubt(query: Query, evidence: Evidence, sure: float, nearest: Shown, elsewhere: Callable[[], Shown | None]) -> Message:
    """Why the rules for a question are not shown. `elsewhere` looks for a rule of another game that has what these lack."""
    words = lacking(query, evidence)
    if query.games and words:
        return _other_rules(query, words, elsewhere())
    if (kind := about(evidence)) is not None:
        return _ABOUT[kind]()
    if words:
        return message("no text in the library has {words}; use other words, or a rule's number", words=_listed(words))
    return _far(query, sure, nearest)


def lacking(query: Query, evidence: Evidence) -> list[str]:
    """The words of a question that no rule has which may be found, as they were typed."""
    runs = words_of(query, evidence.lacking)
    return list(dict.fromkeys(word for run in runs for word in _WORD.findall(run) if not _is_kana(word)))[:_MOST]


def _is_kana(word: str) -> bool:
    return all("\u3041" <= character <= "\u309f" for character in word)


def about(evidence: Evidence) -> str | None:
    """Which kind of what no rulebook answers a question is about; None where rules are nearer."""
    if not evidence.encoded:
        return None
    near = evidence.decoys.kinds
    best = max(range(len(near)), key=near.__getitem__)
    return decoys.KINDS[best] if near[best] >= evidence.nearest - evidence.decoys.common - NEARER else None


def _other_rules(query: Query, words: Sequence[str], other: Shown | None) -> Message:
    games = GameNames(query.games)
    if other is None:
        return message(
            "no rule of {games} here has {words}; ask in the words of its rules, or give a rule's number",
            games=games,
            words=_listed(words),
        )
    return message(
        "no rule of {games} here has {words}; {other} has: {rule}",
        games=games,
        words=_listed(words),
        other=GameNames((other.game,)),
        rule=_told(other),
    )


def _far(query: Query, sure: float, nearest: Shown) -> Message:
    if query.games:
        return message(
            "no confident match ({sure:.0%} sure), the nearest is {rule}; name the zone, the step, the keyword or a rule's number",
            sure=sure,
            rule=_told(nearest),
        )
    return message(
        "no confident match ({sure:.0%} sure), the nearest is {rule}; name the game, and the zone, the step or a rule's number",
        sure=sure,
        rule=_told(nearest),
    )


def _told(shown: Shown) -> str:
    return f"{shown.reference} ({shown.title})" if shown.title else shown.reference


def _listed(words: Sequence[str]) -> str:
    return " / ".join(words)


def _other_game() -> Message:
    return message(
        "this seems to be about a game that the library has no rulebook of;"
        " name the game that you mean, or add its rulebook with: rulestone add FILE"
    )


def _policy() -> Message:
    return message(
        "this seems to be about how events are run (penalties, time, deck lists, judges), which the rulebooks here leave open;"
        " ask the judge of the event, or see the publisher's tournament rules"
    )


def _prices() -> Message:
    return message("this seems to be about cards to buy, collect or play, and rulebooks say nothing of that; ask how a rule works")


def _nonsense() -> Message:
    return message("this does not seem to be about the rules of a card game; ask about a step, a zone, a term or a rule's number")


_ABOUT: dict[str, Callable[[], Message]] = {
    decoys.OTHER_GAME: _other_game,
    decoys.POLICY: _policy,
    decoys.PRICES: _prices,
    decoys.NONSENSE: _nonsense,
}
