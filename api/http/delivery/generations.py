"""A server's own process on Linux: when a bundle has come, processes that answer from it take the place of those before.

So all memory that an old bundle took goes with its processes, and nobody waits for the new one to be opened. The socket stays;
whoever is asked something answers it first.
"""

import logging
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection, wait
from socket import socket
from types import FrameType

from uvicorn import Config

from api.http.delivery.forked import RETIRE, answer
from api.http.delivery.shelf import Shelf
from corpus.errors import EnvironmentFault

EVERY = 0.25
"""Seconds between two looks for a new bundle."""
RETIRED = 2
"""So many bundles may have answers under way beside the one that is answered from; before a further one comes, one of them goes."""
_log = logging.getLogger(__name__)


class Generation:
    """Processes that answer from one bundle."""

    def __init__(self, config: Config, sockets: list[socket], bundle: str | None) -> None:
        """`bundle` is the one that they will open, unless a newer one comes meanwhile."""
        self.bundle = bundle
        self._begun, theirs = Pipe(duplex=False)
        self._process = get_context("spawn").Process(target=answer, args=(config, sockets, theirs))
        with _ctrl_c_held_back():
            self._process.start()
        theirs.close()

    @property
    def is_alive(self) -> bool:
        """Whether they have not ended."""
        return self._process.is_alive()

    @property
    def events(self) -> list[Connection | int]:
        """What there is something to see of when they begin or end."""
        return [self._begun, self._process.sentinel]

    def has_begun(self) -> bool:
        """Whether they have begun to answer; told once."""
        with suppress(EOFError, OSError):
            return self._begun.poll() and bool(self._begun.recv_bytes())
        return False

    def retire(self) -> None:
        """Lets them answer what they are asked, and end."""
        if self._process.pid and self.is_alive:
            os.kill(self._process.pid, RETIRE)

    def end(self) -> None:
        """Has them end."""
        self._process.terminate()

    def join(self) -> None:
        """Waits until they have ended."""
        self._process.join()


class Generations:
    """One after another, each with its bundle."""

    def __init__(self, config: Config, sockets: list[socket], newest: Callable[[], str | None]) -> None:
        """`newest` names the bundle that ought to be answered from now."""
        self._config = config
        self._sockets = sockets
        self._newest = newest
        self._seen: tuple[str | None] | None = None
        self._coming: Generation | None = None
        self._answering: Generation | None = None
        self._retired: list[Generation] = []
        self._is_ended = False

    def run(self) -> None:
        """Answers until SIGINT or SIGTERM. Raises EnvironmentFault where the first processes end before they answer."""
        for number, heard in ((signal.SIGINT, self._end), (signal.SIGTERM, self._end), (signal.SIGHUP, self._renew)):
            signal.signal(number, heard)
        try:
            while not self._is_ended:
                self._step()
                wait([event for generation in self._all() for event in generation.events[generation is not self._coming :]], EVERY)
        finally:
            for generation in self._all():
                generation.end()
            for generation in self._all():
                generation.join()

    def _all(self) -> list[Generation]:
        return [generation for generation in (*self._retired, self._answering, self._coming) if generation]

    def _end(self, _: int, __: FrameType | None) -> None:
        self._is_ended = True

    def _renew(self, _: int, __: FrameType | None) -> None:
        """Other processes for the same bundle, as uvicorn has it at SIGHUP."""
        self._seen = None

    def _step(self) -> None:
        """Whatever is to be done now."""
        self._retired = [generation for generation in self._retired if generation.is_alive]
        if self._answering and not self._answering.is_alive:
            _log.error("the processes that answered have ended: starting others")
            self._answering, self._seen = None, None
        if self._coming is None:
            self._look()
        elif self._coming.has_begun():
            self._take_over(self._coming)
        elif not self._coming.is_alive:
            self._give_up(self._coming)

    def _look(self) -> None:
        newest = (self._newest(),)
        if newest != self._seen and len(self._retired) < RETIRED:
            self._seen = newest
            self._coming = Generation(self._config, self._sockets, *newest)

    def _take_over(self, coming: Generation) -> None:
        if self._answering:
            self._answering.retire()
            self._retired.append(self._answering)
        self._answering, self._coming = coming, None
        if shelf := Shelf.of():
            shelf.keep({generation.bundle for generation in self._all()})

    def _give_up(self, coming: Generation) -> None:
        """Goes on with the processes there are, until another bundle comes."""
        self._coming = None
        if self._answering is None:
            raise EnvironmentFault("the processes of the server ended before they answered; what they say stands above")
        _log.error(
            "the processes for bundle %s ended before they answered: going on with %s", coming.bundle, self._answering.bundle
        )


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """A process that is started meanwhile has SIGINT blocked until it minds it: Python would print where it was."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
