"""The query processes of one bundle, from the parent's side: a pool of running ones, which saves starting one for each query.

A process that takes too long is ended.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from corpus.errors import BusyError, EnvironmentFault, InputError, NotAcceptableError, RulestoneError, TooCostlyError
from corpus.store.sparql.question import (
    DATA,
    END,
    QUESTION,
    READY,
    SPARQL_LIMITS,
    SparqlAnswer,
    SparqlQuestion,
    receive_frame,
    send_frame,
)

_FAULT_ERRORS: Mapping[str, type[RulestoneError]] = {
    error.__name__: error for error in (InputError, NotAcceptableError, TooCostlyError, EnvironmentFault)
}
_OPENING_SECONDS = 30.0
"""Timeout of opening the store, in seconds."""


class Process:
    """One process for the store of one bundle. Used by one thread at a time."""

    def __init__(self, store: Path, memory: int) -> None:
        self._memory = memory
        self._process = subprocess.Popen(
            [sys.executable, "-m", "corpus.store.sparql.worker", str(store), str(memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            start_new_session=True,  # shields it from the signals that the program receives
        )
        self.usable = True
        """Whether it can accept another query."""
        self.grown = 0
        """Bytes by which its memory has grown since its start."""

    def wait_until_ready(self) -> None:
        """Blocks until the process has opened the store. Raises EnvironmentFault if it cannot."""
        with self._deadline(_OPENING_SECONDS):
            frame = self._receive_frame()
        if frame is None or frame[0] != READY:
            self.kill()
            raise EnvironmentFault("the query process could not be started; check the knowledge base for damage")

    def ask(self, question: SparqlQuestion, seconds: float, write: Callable[[bytes], object]) -> SparqlAnswer:
        """The answer; its body is streamed to `write`.

        Raises InputError for an invalid query, TooCostlyError if it exceeds `seconds` or the memory limit.
        """
        try:
            with self._deadline(seconds) as expired:
                frame = self._stream_answer(question, seconds, write)
        except BaseException:
            self.kill()  # nothing reads its remaining output
            raise
        if frame is None or expired.is_set():
            raise self._missing_answer_error(seconds, expired=expired.is_set())
        kind, body = frame[0], cast("dict[str, Any]", json.loads(frame[1]))
        if kind == END:
            self.grown = body.pop("grown")
            return SparqlAnswer(**body)
        if body["kind"] == MemoryError.__name__:
            self.kill()
            raise self._memory_fault()
        raise _FAULT_ERRORS[body["kind"]](body["text"], **body["values"])

    @property
    def is_alive(self) -> bool:
        """Whether the process is still running."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Kills it."""
        self.usable = False
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                cast("Any", stream).close()

    def _stream_answer(
        self, question: SparqlQuestion, seconds: float, write: Callable[[bytes], object]
    ) -> tuple[bytes, bytes] | None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            send_frame(cast("Any", self._process.stdin), QUESTION, b"%.3f\n" % seconds + question.to_bytes())
        while (frame := self._receive_frame()) is not None and frame[0] == DATA:
            write(frame[1])
        return frame

    def _receive_frame(self) -> tuple[bytes, bytes] | None:
        assert self._process.stdout is not None
        return receive_frame(cast("Any", self._process.stdout))

    @contextmanager
    def _deadline(self, seconds: float) -> Iterator[threading.Event]:
        """Kills the process if the block does not end in time; then the event is set."""
        expired = threading.Event()

        def kill_process() -> None:
            expired.set()
            self._process.kill()

        timer = threading.Timer(seconds, kill_process)
        timer.daemon = True
        timer.start()
        try:
            yield expired
        finally:
            timer.cancel()
            timer.join()  # it may still be running

    def _missing_answer_error(self, seconds: float, *, expired: bool) -> RulestoneError:
        """The error for a missing answer."""
        self.kill()
        if expired or -self._process.returncode == getattr(signal, "SIGXCPU", None):
            return TooCostlyError(
                "the query took longer than {seconds:g} s; narrow it down: name a graph, a game or a rule, or use LIMIT",
                seconds=seconds,
            )
        if -self._process.returncode == signal.SIGSEGV:
            return TooCostlyError(
                "the query is nested too deeply for the engine; write it with fewer brackets and operators in a row"
            )
        return self._memory_fault()

    def _memory_fault(self) -> TooCostlyError:
        return TooCostlyError(
            "the query needs more than {megabytes} MB of memory; narrow it down: add a join condition, or sort fewer rows",
            megabytes=self._memory >> 20,
        )


def _environment() -> dict[str, str]:
    """The environment of the process: Python's module paths, and no secrets."""
    names = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TZ")
    return {name: os.environ[name] for name in names if name in os.environ} | {
        "PYTHONPATH": os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)
    }


class Pool:
    """A limited number of processes; idle ones that have not grown are reused. Thread-safe."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._idle: list[Process] = []
        self._is_closed = False
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(int(SPARQL_LIMITS.processes))

    def ask(self, question: SparqlQuestion, seconds: float, write: Callable[[bytes], object]) -> SparqlAnswer:
        """The answer; its body is streamed to `write`.

        Raises InputError for an invalid or too costly query, BusyError if no process becomes free in time.
        """
        if len(question.query.encode("utf-8", "replace")) > SPARQL_LIMITS.query:
            raise InputError("the query has more than {most} KiB; expected a SPARQL query", most=int(SPARQL_LIMITS.query) >> 10)
        with self._process() as process:
            return process.ask(question, seconds, write)

    def close(self) -> None:
        """Ends the idle processes; busy ones end with their answer."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for process in idle:
            process.kill()

    @contextmanager
    def _process(self) -> Iterator[Process]:
        if not self._places.acquire(timeout=SPARQL_LIMITS.wait):
            raise BusyError("too many queries are running; retry in {seconds:g} s", seconds=SPARQL_LIMITS.wait)
        try:
            process = self._take_process()
            try:
                yield process
            finally:
                self._return_process(process)
        finally:
            self._places.release()

    def _take_process(self) -> Process:
        with self._lock:
            while self._idle:
                if (idle := self._idle.pop()).is_alive:
                    return idle
                idle.kill()
        process = Process(self._store, int(SPARQL_LIMITS.memory))
        process.wait_until_ready()
        return process

    def _return_process(self, process: Process) -> None:
        with self._lock:
            if process.usable and not self._is_closed and process.grown < SPARQL_LIMITS.kept:
                self._idle.append(process)
                return
        process.kill()
