"""Answers of look-ups as bytes, kept for the life of a bundle: what one client asked, the next one gets at once."""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import NamedTuple

from api.http.delivery.compression import IDENTITY, compressed

MOST = 24 << 20
"""Bytes that are kept in all, in each process."""
Headers = list[tuple[bytes, bytes]]


class Key(NamedTuple):
    """What an answer depends on."""

    path: str
    query: bytes
    lang: str | None  # that the client would rather have
    accept: bytes


@dataclass(slots=True)
class Answer:
    """A 200 with an entity tag, in every coding that was asked for so far."""

    tag: str
    headers: Headers  # without entity tag, length and coding
    codings: dict[str, bytes] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        return sum(map(len, self.codings.values()))

    def coded(self, coding: str, *, often: bool = True) -> bytes:
        """Its body in a coding, computed once."""
        if coding not in self.codings:
            self.codings[coding] = compressed(self.codings[IDENTITY], coding, often=often)
        return self.codings[coding]


class Kept:
    """The answers of one bundle, those that were asked for last. Thread-safe."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._bundle: str | None = None
        self._answers: OrderedDict[Key, Answer] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, bundle: str, key: Key) -> Answer | None:
        """What was answered before from the same bundle."""
        with self._lock:
            if bundle != self._bundle or key not in self._answers:
                return None
            self._answers.move_to_end(key)
            return self._answers[key]

    def put(self, bundle: str, key: Key, answer: Answer) -> None:
        """Keeps an answer; those of another bundle go, and those that nobody asked for longest where there is no room."""
        with self._lock:
            if bundle != self._bundle:
                self._answers.clear()
                self._bundle, self._bytes = bundle, 0
            if key not in self._answers:
                self._answers[key] = answer
                self._bytes += _room(answer)
            while self._bytes > self._most:
                self._bytes -= _room(self._answers.popitem(last=False)[1])


def _room(answer: Answer) -> int:
    """Bytes that an answer may come to take: its codings, made later, are together hardly more than half of it."""
    return len(answer.codings[IDENTITY]) * 3 // 2 + 1024
