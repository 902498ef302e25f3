"""The order of rules and rulings in one list: a ruling on every third place, the first one where it answers the very question."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

EVERY, FIRST, MOST = 3, 10, 3
"""Each third hit may be a ruling; of the first ten three at most, however few rules there are."""
One = TypeVar("One")
Other = TypeVar("Other")


def beside(rules: Sequence[One], rulings: Sequence[Other], *, before: bool) -> list[One | Other]:
    """Rules and rulings in one order. `before`: the first ruling comes before the first rule."""
    listed: list[One | Other] = []
    first, second = iter(rules), iter(rulings)
    turns = _turns(before)
    shown = 0
    while len(listed) < len(rules) + len(rulings):
        wanted = next(turns) and (len(listed) >= FIRST or shown < MOST)
        following = next(second, None) if wanted else next(first, None)
        if following is not None:
            shown += wanted
            listed.append(following)
            continue
        rest = list(first) if wanted else [*second][: None if len(listed) >= FIRST else max(0, MOST - shown)]
        return [*listed, *rest]
    return listed


def _turns(before: bool) -> Iterator[bool]:
    """Whose turn it is: a ruling's where true."""
    place = 0 if before else 1
    while True:
        yield place % EVERY == 0
        place += 1
