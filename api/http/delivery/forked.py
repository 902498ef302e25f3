"""The processes of a server on Linux: forked from one that has loaded what they share, instead of each loading it for itself.

The server itself is not forked: it may have threads and files open. Another process is, which does nothing else (Python's fork
server); it imports `loaded` first.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context

LOADED = "api.http.delivery.loaded"


@contextmanager
def forking() -> Iterator[None]:
    """Has uvicorn start its processes thus meanwhile; elsewhere than on Linux they start from nothing, as it has them."""
    from uvicorn import _subprocess

    if sys.platform != "linux":
        yield
        return
    before, context = _subprocess.spawn, get_context("forkserver")
    context.set_forkserver_preload([LOADED])
    _subprocess.spawn = context  # type: ignore[assignment]  # uvicorn has no setting for it
    try:
        yield
    finally:
        _subprocess.spawn = before
