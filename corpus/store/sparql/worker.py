"""The process that answers untrusted queries: `python -m corpus.store.sparql.worker STORE MEMORY`.

It opens the store, confines itself, and answers queries from standard input. A query can affect only this process: it has no
connections, cannot start programs, and has limited memory and time. Connections are blocked by seccomp (Linux with libseccomp),
else by a network namespace without a device (Linux, if users may create one). Elsewhere only the guard protects the network;
`confined` names the method.
"""

import ctypes
import errno
import json
import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

from corpus.errors import InputError, RulestoneError
from corpus.store.engine import Store
from corpus.store.sparql.evaluate import evaluate
from corpus.store.sparql.question import DATA, END, FAULT, READY, SparqlQuestion, receive_frame, send_frame

NICENESS = 15
"""Niceness: queries have a lower priority than look-ups."""


def main(store: str, memory: str) -> None:
    """Answers until standard input ends."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # the output of libraries must not mix with answers
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    by = confine_process()
    opened_store = Store(Path(store), read_only=True)
    limit_memory(int(memory))
    send_frame(sink, READY, json.dumps({"confined": by}).encode())
    began = resident_bytes()
    while (frame := receive_frame(source)) is not None:
        seconds, _, question = frame[1].partition(b"\n")
        limit_time(float(seconds))
        _send_answer(opened_store, SparqlQuestion.from_bytes(question), sink, began)


def _send_answer(store: Store, question: SparqlQuestion, sink: BinaryIO, began: int) -> None:
    try:
        answer = asdict(evaluate(store, question, lambda piece: send_frame(sink, DATA, piece)))
        del answer["body"]
        send_frame(sink, END, json.dumps(answer | {"grown": resident_bytes() - began}).encode())
    except RulestoneError as error:
        values = {name: value if isinstance(value, int | float) else str(value) for name, value in error.message.values.items()}
        _send_fault(sink, type(error).__name__, error.message.text, values)
    except MemoryError:
        _send_fault(sink, "MemoryError", "", {})
    except BaseException as error:  # a panic of the engine is a BaseException
        _send_fault(sink, InputError.__name__, "the query failed: {fault}", {"fault": f"{error}"[:300]})


def _send_fault(sink: BinaryIO, kind: str, text: str, values: Mapping[str, object]) -> None:
    send_frame(sink, FAULT, json.dumps({"kind": kind, "text": text, "values": values}).encode())


_STATM = Path("/proc/self/statm")
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_REFUSED_CALLS = (
    *("socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "execve", "execveat", "fork", "vfork", "ptrace"),
    *("process_vm_readv", "process_vm_writev", "kill", "tkill", "mount", "unshare", "setns", "unlink", "unlinkat", "rename"),
    *("renameat", "renameat2", "mkdir", "mkdirat", "symlink", "symlinkat", "link", "linkat", "chmod", "fchmodat", "truncate"),
)
"""System calls that no query needs."""


def confine_process() -> str:
    """Confines this process irrevocably. Returns `seccomp`, `namespace`, or `guard` if the platform has neither."""
    if not sys.platform.startswith("linux"):
        return "guard"
    if _confine_by_seccomp():
        return "seccomp"
    return "namespace" if _confine_by_namespace() else "guard"


def _confine_by_seccomp() -> bool:
    try:
        import pyseccomp
    except (ImportError, OSError, RuntimeError):  # libseccomp is missing
        return False
    try:
        rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
        for name in _REFUSED_CALLS:
            with suppress(ValueError, OSError):  # a call that this architecture does not have
                rules.add_rule(pyseccomp.ERRNO(errno.EACCES), name)
        rules.load()
    except OSError:
        return False
    return True


def _confine_by_namespace() -> bool:
    with suppress(OSError, AttributeError):
        return bool(ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWUSER | _CLONE_NEWNET) == 0)
    return False


def limit_memory(additional_bytes: int) -> None:
    """Limits this process to this many bytes more than it has now (Linux)."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if _STATM.exists():
            data_size = int(_STATM.read_text().split()[5]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_DATA, (data_size + additional_bytes, data_size + additional_bytes))


def limit_time(seconds: float) -> None:
    """Limits the processor time of this process, in seconds, in case its parent dies."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        most = int(time.process_time() + seconds) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def resident_bytes() -> int:
    """Bytes of memory of this process; 0 if unknown."""
    with suppress(OSError):
        return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


if __name__ == "__main__":
    main(*sys.argv[1:])
