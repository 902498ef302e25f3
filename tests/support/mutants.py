"""Inputs made out of sound ones by changes at random: some fifty times as many a second as hypothesis draws.

Hypothesis knows how to make a failing input small; this knows only how to make many. Both run in `make fuzz`. The n-th input of a
seed is always the same, and what fails says which it was.
"""

import os
from collections.abc import Callable, Sequence
from random import Random

Mutation = Callable[[Random, str, Sequence[str]], str]
KEPT = 500
"""So many changed inputs are changed further; more would leave each of them nearly as it began."""
LONGEST = 4
"""An input grows to so many times the longest that it began with, and to 64 characters at least."""


def tried(holds: Callable[[str, Random], None], sound: Sequence[str], scraps: Sequence[str], few: int) -> None:
    """Asks whether something holds for so many changed inputs, or as many as RULESTONE_INPUTS says; RULESTONE_SEED gives others."""
    many, seed = int(os.environ.get("RULESTONE_INPUTS", few)), int(os.environ.get("RULESTONE_SEED", "0"))
    random, pool = Random(seed), [*sound]
    longest = max(64, LONGEST * max(map(len, sound)))
    for place in range(many):
        text = mutated(random, random.choice(pool), scraps)[:longest]
        _keep(random, pool, text, len(sound))
        try:
            holds(text, Random(place))
        except Exception as fault:
            fault.add_note(f"input {place} of seed {seed}: {text!r}")
            raise


def mutated(random: Random, text: str, scraps: Sequence[str]) -> str:
    """A text after one to six changes."""
    for _ in range(random.randint(1, 6)):
        text = random.choice(MUTATIONS)(random, text, scraps)
    return text


def _keep(random: Random, pool: list[str], text: str, sound: int) -> None:
    """A changed text takes the place of an earlier one; the sound ones stay."""
    if len(pool) < sound + KEPT:
        pool.append(text)
    else:
        pool[random.randrange(sound, len(pool))] = text


def _stretch(random: Random, text: str) -> tuple[int, int]:
    """Where a short stretch of a text begins and ends."""
    start = random.randint(0, len(text))
    return start, min(len(text), start + random.choice((1, 1, 2, 5, 20)))


def _scrap(random: Random, text: str, scraps: Sequence[str]) -> str:
    start = random.randint(0, len(text))
    return text[:start] + random.choice(scraps) + text[start:]


def _character(random: Random, text: str, _: Sequence[str]) -> str:
    """Any character but half a surrogate pair stands where another stood."""
    start, end = _stretch(random, text)
    code = random.randrange(random.choice((0x80, 0x3100, 0xA000, 0x11_0000)))
    return text[:start] + ("\ufffd" if 0xD800 <= code < 0xE000 else chr(code)) + text[end:]


def _gone(random: Random, text: str, _: Sequence[str]) -> str:
    start, end = _stretch(random, text)
    return text[:start] + text[end:]


def _twice(random: Random, text: str, _: Sequence[str]) -> str:
    start, end = _stretch(random, text)
    return text[:end] + text[start:end] * random.choice((1, 1, 2, 9)) + text[end:]


def _elsewhere(random: Random, text: str, _: Sequence[str]) -> str:
    """A stretch stands elsewhere too."""
    start, end = _stretch(random, text)
    place = random.randint(0, len(text))
    return text[:place] + text[start:end] + text[place:]


def _half(random: Random, text: str, _: Sequence[str]) -> str:
    """Only its beginning or its end."""
    place = random.randint(0, len(text))
    return text[:place] if random.random() < 0.5 else text[place:]


MUTATIONS: tuple[Mutation, ...] = (_scrap, _scrap, _scrap, _character, _character, _gone, _gone, _twice, _elsewhere, _half)
