"""Runs a function on an untrusted file in a process with limits on time and memory.

The process is a fork, so that nothing is imported again and the file is not copied; its result is returned as a pickle. It closes
inherited descriptors, so that it never keeps a lock, and uses nothing that another thread may hold. Without fork, the function
runs in this process, within the other limits.
"""

import faulthandler
import gc
import os
import pickle
import select
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, TypeVar, cast

from corpus.errors import InputError
from corpus.memory import without_gc
from ingest.read import limits
from ingest.read.limits import ReadLimits

_STATM = Path("/proc/self/statm")
_CHUNK = 2**20
_OUT_OF_MEMORY = b"M"
"""Sent instead of a pickle if memory was exhausted."""
T = TypeVar("T")


def run_sandboxed(function: Callable[[], T], name: str, most: ReadLimits | None = None) -> T:
    """The result of the function, or its exception.

    Raises InputError if it exceeds the limits, by default `limits.READ_LIMITS`; `name` is the name of the file.
    """
    most = most or limits.READ_LIMITS
    if not hasattr(os, "fork"):
        return function()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _run_in_child(function, writer, most)
    os.close(writer)
    status, answer = 0, None
    try:
        answer = _receive_all(reader, time.monotonic() + most.wait)
    finally:
        os.close(reader)
        status = _exit_status(child)
    if not answer or answer == _OUT_OF_MEMORY:
        raise _sandbox_error(answer, status, name, most)
    with without_gc():
        succeeded, result = cast(tuple[bool, object], pickle.loads(answer))  # written by our own process
    if not succeeded:
        raise cast(BaseException, result)
    return cast(T, result)


def _receive_all(reader: int, deadline: float) -> bytes | None:
    """All bytes from the pipe; None after the timeout."""
    parts: list[bytes] = []
    while select.select([reader], [], [], max(0, deadline - time.monotonic()))[0]:
        part = os.read(reader, _CHUNK)
        if not part:
            return b"".join(parts)
        parts.append(part)
    return None


def _exit_status(child: int) -> int:
    """The exit status of the process, which is killed if it is still running."""
    with suppress(OSError):
        os.kill(child, signal.SIGKILL)  # keeps the status of a finished process available
    with suppress(ChildProcessError):  # if the program ignores SIGCHLD
        return os.waitpid(child, 0)[1]
    return 0


def _sandbox_error(answer: bytes | None, status: int, name: str, most: ReadLimits) -> InputError:
    if answer == _OUT_OF_MEMORY:
        return InputError(
            "{file}: needs more than {most:,.0f} bytes of memory to read; split it, or give it as plain text",
            file=name,
            most=most.memory,
        )
    if answer is None or (os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)):
        return InputError(
            "{file}: takes more than {most:,.0f} seconds to read; split it, or give it as plain text",
            file=name,
            most=most.wait if answer is None else most.seconds,
        )
    return InputError(
        "{file}: the reader crashed or needed more than {most:,.0f} bytes of memory; split it, or give it as plain text",
        file=name,
        most=most.memory,
    )


def _run_in_child(function: Callable[[], object], writer: int, most: ReadLimits) -> NoReturn:
    """The body of the process; it exits without the parent's clean-up."""
    try:
        _limit_resources(writer, most)
        view = memoryview(_pickled_result(function))
        while view:
            view = view[os.write(writer, view) :]
    finally:
        os._exit(0)


def _limit_resources(writer: int, most: ReadLimits) -> None:
    import resource

    gc.freeze()  # no garbage collection, which would copy the parent's pages
    gc.disable()
    faulthandler.disable()  # a broken reader gives one line, not a traceback
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.closerange(3, writer)
    os.closerange(writer + 1, os.sysconf("SC_OPEN_MAX"))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)  # suppresses output of libraries at exit
    os.close(nowhere)
    _lower_limit(resource.RLIMIT_CORE, 0)
    _lower_limit(resource.RLIMIT_CPU, int(time.process_time() + most.seconds) + 1)
    if _STATM.exists():
        data = int(_STATM.read_text().split()[5]) * resource.getpagesize()
        _lower_limit(resource.RLIMIT_DATA, data + int(most.memory))


def _lower_limit(kind: int, maximum: int) -> None:
    import resource

    hard = resource.getrlimit(kind)[1]
    soft = maximum if hard == resource.RLIM_INFINITY else min(maximum, hard)
    with suppress(ValueError, OSError):  # a platform without this limit
        resource.setrlimit(kind, (soft, hard))


def _pickled_result(function: Callable[[], object]) -> bytes:
    try:
        return pickle.dumps((True, function()), pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        return _OUT_OF_MEMORY
    except BaseException as error:
        return pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL)
