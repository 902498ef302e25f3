"""How old an edition is, told by its name: a date, or a version such as 1.10."""

import re

_NUMBER = re.compile(r"\d+")


def age(edition: str) -> tuple[tuple[int, ...], str]:
    """What sorts editions by their age, the oldest first; those without a date or version are older than all others."""
    dated = edition[:1].isdigit()
    return tuple(int(number) for number in _NUMBER.findall(edition)) if dated else (), edition


def newest_first(edition: str) -> tuple[list[int], str]:
    """What sorts editions the other way round, the newest first; those without a date or version last, by name."""
    numbers, _ = age(edition)
    return [-number for number in numbers] or [0], edition
