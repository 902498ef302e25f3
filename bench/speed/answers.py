"""What two engines answer to the same questions, and what that takes."""

import statistics
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from bench.speed.processes import processor

LIMIT = 10
Ask = Callable[[str], list[str]]


class Told(NamedTuple):
    """The first ten of one question, and what they took."""

    first: list[str]
    seconds: float
    processor: float


def asked(ask: Ask, texts: Sequence[str]) -> list[Told]:
    """What is answered; the first question is asked once before."""
    ask(texts[0])
    return [told(ask, text) for text in texts]


def told(ask: Ask, text: str) -> Told:
    """What one question takes."""
    began, own = time.perf_counter(), processor()
    hits = ask(text)
    return Told(hits, time.perf_counter() - began, processor() - own)


def agreement(mine: Sequence[Told], theirs: Sequence[Told]) -> str:
    """How often both give the same."""
    both = list(zip(mine, theirs, strict=True))
    same = sum(answer.first == other.first for answer, other in both)
    first = sum(answer.first[:1] == other.first[:1] for answer, other in both)
    sets = sum(set(answer.first) == set(other.first) for answer, other in both)
    return f"{len(both)} questions: the same ten in order {same}, the same ten {sets}, the same first {first}"


def times(answers: Sequence[Told]) -> str:
    """How long answers take: the middle one and the slowest but five in a hundred, and processor time of the middle one."""
    seconds = sorted(answer.seconds for answer in answers)
    own = statistics.median(answer.processor for answer in answers)
    return f"{1000 * statistics.median(seconds):.1f} ms (95 % {1000 * seconds[int(len(seconds) * 0.95)]:.1f}, cpu {1000 * own:.1f})"
