"""A pool of running query processes for one bundle, which saves starting a process for each query."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from corpus.errors import BusyError, InputError
from corpus.store.sparql.process import Process
from corpus.store.sparql.question import LIMITS, Answer, Question


class Pool:
    """A limited number of processes; idle ones that have not grown are reused. Thread-safe."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._idle: list[Process] = []
        self._closed = False
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(int(LIMITS.processes))

    def ask(self, question: Question, seconds: float, write: Callable[[bytes], object]) -> Answer:
        """The answer; its body is streamed to `write`.

        Raises InputError for an invalid or too costly query, BusyError if no process becomes free in time.
        """
        if len(question.query.encode("utf-8", "replace")) > LIMITS.query:
            raise InputError("the query has more than {most} KiB; expected a SPARQL query", most=int(LIMITS.query) >> 10)
        with self._process() as process:
            return process.ask(question, seconds, write)

    def close(self) -> None:
        """Ends the idle processes; busy ones end with their answer."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for process in idle:
            process.end()

    def confined(self) -> str:
        """The mechanism that blocks network access of queries: `seccomp`, `namespace` or `guard`."""
        with self._process() as process:
            return process.confined

    @contextmanager
    def _process(self) -> Iterator[Process]:
        if not self._places.acquire(timeout=LIMITS.wait):
            raise BusyError("too many queries are running; retry in {seconds:g} s", seconds=LIMITS.wait)
        try:
            process = self._taken()
            try:
                yield process
            finally:
                self._put(process)
        finally:
            self._places.release()

    def _taken(self) -> Process:
        with self._lock:
            while self._idle:
                if (idle := self._idle.pop()).alive:
                    return idle
                idle.end()
        process = Process(self._store, int(LIMITS.memory))
        process.ready()
        return process

    def _put(self, process: Process) -> None:
        with self._lock:
            if process.usable and not self._closed and process.grown < LIMITS.kept:
                self._idle.append(process)
                return
        process.end()
