"""Parts of one rule among the first hits: a few of them answer, the others give way to other rules."""

from collections.abc import Mapping, Sequence


def give_way(order: Sequence[int], wholes: Sequence[int], most: int, among: int) -> tuple[list[int], Mapping[int, list[int]]]:
    """Places in order with at most so many of one rule among so many first, and the best of a rule → the parts that gave way to it.

    `wholes` has the rule that each place of `order` is a part of.
    """
    kept: list[int] = []
    shown: dict[int, list[int]] = {}
    gone: dict[int, list[int]] = {}
    for place, whole in zip(order, wholes, strict=True):
        family = shown.setdefault(whole, [])
        if len(kept) == among:
            break
        if len(family) < most:
            family.append(place)
            kept.append(place)
        else:
            gone.setdefault(family[0], []).append(place)
    there = set(kept)
    return [*kept, *(place for place in order if place not in there)], gone
