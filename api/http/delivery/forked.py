"""The processes that answer from one bundle, on Linux: forked from one that has loaded what they share, and ended with it.

That one has no thread and no store open when it forks. Before, a child of it asks again what was asked of the bundle before: see
`warming`.
"""

import ctypes
import math
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from pathlib import Path
from socket import AF_UNIX, SOCK_STREAM, socket
from types import FrameType, SimpleNamespace

from uvicorn import Config, _subprocess
from uvicorn.supervisors.multiprocess import SIGNALS, Multiprocess

from api.http.delivery.connections import Protocol
from api.http.delivery.gently import gently
from api.http.delivery.shelf import NAME as SHELF
from api.http.delivery.upstream import SOCKET
from api.http.delivery.warming import warm

LOADED = "api.http.delivery.loaded"
UPSTREAM = "api.http.delivery.serving:upstream"
RETIRE = signal.SIGUSR1
"""Has the processes of a bundle answer what they are asked on the connections they have, and end."""
EACH = 4
"""For so many that work out what takes long there is a process that listens and looks up."""
_PR_SET_PDEATHSIG = 1


def answer(config: Config, sockets: list[socket], begun: Connection) -> None:
    """Has processes answer on sockets until a signal ends them; `begun` is told once they do.

    As many more work out what takes long, on a socket of their own.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches every process: who started this one sends SIGTERM
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    _end_with_parent()
    gently(lambda: import_module(LOADED))
    warm(Child)
    _subprocess.spawn = SimpleNamespace(Process=Child)  # type: ignore[assignment]  # uvicorn has no setting for it
    with _upstream(config) as behind:
        Processes(config, sockets, begun, behind).run()


@contextmanager
def _upstream(config: Config) -> Iterator[Multiprocess | None]:
    """Processes that those which listen pass on to what takes long; none where there is no place for their socket."""
    with socket(AF_UNIX, SOCK_STREAM) as listener:
        file = Path(os.environ.get(SHELF, os.devnull)) / f"{os.getpid()}.socket"
        try:
            listener.bind(str(file))
        except OSError:  # no folder, or one with too long a name
            yield None
            return
        listener.listen(config.backlog)
        os.environ[SOCKET] = str(file)
        try:
            yield Multiprocess(_behind(config), [listener])
        finally:
            file.unlink(missing_ok=True)


def _behind(config: Config) -> Config:
    """How they listen: as those do which ask them, whose word they take for how they were asked."""
    return Config(
        UPSTREAM,
        factory=True,
        http=config.http,
        workers=config.workers,
        backlog=config.backlog,
        timeout_worker_healthcheck=config.timeout_worker_healthcheck,
        timeout_graceful_shutdown=config.timeout_graceful_shutdown,
        forwarded_allow_ips="*",
        log_level=config.log_level,
        access_log=False,
    )


def _end_with_parent() -> None:
    """Has the kernel end this process when the one that started it is gone, however it went."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


class Child(ForkProcess):
    """A forked process, which has not the signal handlers of the one that it was forked from."""

    def run(self) -> None:
        """Does its work."""
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(RETIRE, _retire)
        _end_with_parent()
        super().run()


def _retire(_: int, __: FrameType | None) -> None:
    """Ends this process as SIGTERM does, but for connections that somebody may be about to ask on."""
    Protocol.retiring = True
    os.kill(os.getpid(), signal.SIGTERM)


class Processes(Multiprocess):
    """uvicorn's processes, which it starts anew where they end or hang."""

    def __init__(self, config: Config, sockets: list[socket], begun: Connection, behind: Multiprocess | None) -> None:
        """`behind` are those that they pass on to what takes long: they begin before them and end after them."""
        super().__init__(config, sockets)
        self.processes_num = math.ceil(config.workers / EACH) if behind else config.workers
        self._begun = begun
        self._behind = behind
        self._retiring = False

    def init_processes(self) -> None:
        """Starts them, and tells when they answer."""
        if self._behind:
            self._behind.init_processes()
        super().init_processes()
        patience = self.config.timeout_worker_healthcheck
        begun = [process.wait_until_ready(patience, self.should_exit) for process in self.processes]
        if any(begun):
            self._begun.send_bytes(b"begun")

    def handle_usr1(self) -> None:
        """Retires them; uvicorn calls this on RETIRE."""
        self._retiring = True
        self._send(RETIRE)

    def keep_subprocess_alive(self) -> None:
        """Starts none anew where they retire."""
        if self._behind:
            self._behind.keep_subprocess_alive()
        if not self._retiring:
            super().keep_subprocess_alive()
        elif not any(process.process.is_alive() for process in self.processes):
            self.should_exit.set()

    def terminate_all(self) -> None:
        """Ends them; to those that end already uvicorn's servers say at a SIGINT that they are not to wait."""
        if self._retiring:
            self._send(signal.SIGINT)
        super().terminate_all()

    def join_all(self) -> None:
        """Waits until they have ended, and ends those behind them."""
        super().join_all()
        if self._behind:
            self._behind.terminate_all()
            self._behind.join_all()

    def _send(self, number: int) -> None:
        for process in self.processes:
            if process.process.is_alive() and process.pid:
                os.kill(process.pid, number)
