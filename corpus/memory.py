"""Memory: which objects the cyclic garbage collector scans and when, and what goes back to the system."""

import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache


@contextmanager
def without_gc() -> Iterator[None]:
    """Turns the collector off while code creates very many lasting objects, which it would otherwise scan repeatedly."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def survivors_frozen() -> Iterator[None]:
    """Makes a full collection scan only the objects created since the last one, until `scan_everything`.

    A full collection blocks all threads: 0.4 to 1.5 s over the objects of nine games. Survivors are seldom garbage later.
    """
    gc.callbacks.append(_freeze_survivors)
    try:
        yield
    finally:
        gc.callbacks.remove(_freeze_survivors)
        gc.unfreeze()


def _freeze_survivors(phase: str, info: Mapping[str, int]) -> None:
    if phase == "stop" and info["generation"] == 2:
        gc.freeze()


def scan_everything() -> int:
    """Collects garbage among all objects, frozen ones too; returns the number of objects that are frozen then.

    What becomes free is given back to the system: glibc alone keeps the holes that a replaced bundle leaves, 90 MB of it.
    """
    gc.unfreeze()
    gc.collect()
    if trim := _malloc_trim():
        trim(0)
    return gc.get_freeze_count()


@cache
def _malloc_trim() -> Callable[[int], int] | None:
    """The function of glibc that gives free memory back; None with another C library."""
    if sys.platform != "linux":
        return None
    import ctypes

    trim: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim


def frozen_grown(since: int) -> bool:
    """Whether the frozen objects have grown by a quarter since the last scan, CPython's own limit for a full collection.

    Cyclic garbage, such as the cells of a spreadsheet, is frozen if a full collection runs while it is in use.
    """
    return gc.get_freeze_count() > since * 5 // 4
