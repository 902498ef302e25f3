"""Work that gives way to answering: what prepares a new bundle must not make anybody wait who asks of the old one."""

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

NICE = 10


_Result = TypeVar("_Result")


def gently(work: Callable[[], _Result]) -> _Result:
    """What some work gives, done by a thread that Linux lets wait for others; it has ended afterwards."""
    with ThreadPoolExecutor(1, "gently", give_way) as pool:
        return pool.submit(work).result()


def give_way() -> None:
    """Has the thread that calls this let others go first; there is no way back from it."""
    if sys.platform == "linux":  # elsewhere it would be the whole process
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
