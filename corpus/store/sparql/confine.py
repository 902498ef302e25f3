"""Sandbox of a query process: no connections, no programs, limited memory and time.

Connections are blocked by seccomp (Linux with libseccomp), else by a network namespace without a device (Linux, if users may
create one). Elsewhere only the guard protects the network; `confined` names the method.
"""

import ctypes
import errno
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

_STATM = Path("/proc/self/statm")
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_REFUSED = (
    *("socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "execve", "execveat", "fork", "vfork", "ptrace"),
    *("process_vm_readv", "process_vm_writev", "kill", "tkill", "mount", "unshare", "setns", "unlink", "unlinkat", "rename"),
    *("renameat", "renameat2", "mkdir", "mkdirat", "symlink", "symlinkat", "link", "linkat", "chmod", "fchmodat", "truncate"),
)
"""System calls that no query needs."""


def confine() -> str:
    """Confines this process irrevocably. Returns `seccomp`, `namespace`, or `guard` if the platform has neither."""
    if not sys.platform.startswith("linux"):
        return "guard"
    if _by_seccomp():
        return "seccomp"
    return "namespace" if _by_namespace() else "guard"


def _by_seccomp() -> bool:
    try:
        import pyseccomp
    except (ImportError, OSError, RuntimeError):  # libseccomp is missing
        return False
    try:
        rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
        for name in _REFUSED:
            with suppress(ValueError, OSError):  # a call that this architecture does not have
                rules.add_rule(pyseccomp.ERRNO(errno.EACCES), name)
        rules.load()
    except OSError:
        return False
    return True


def _by_namespace() -> bool:
    with suppress(OSError, AttributeError):
        return bool(ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWUSER | _CLONE_NEWNET) == 0)
    return False


def limit_memory(more: int) -> None:
    """Limits this process to this many bytes more than it has now (Linux)."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if _STATM.exists():
            taken = int(_STATM.read_text().split()[5]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_DATA, (taken + more, taken + more))


def limit_time(seconds: float) -> None:
    """Limits the processor time of this process, in seconds, in case its parent dies."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        most = int(time.process_time() + seconds) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def resident() -> int:
    """Bytes of memory of this process; 0 if unknown."""
    with suppress(OSError):
        return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0
