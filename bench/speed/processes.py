"""What this process and those that it started cost, as Linux tells it; all figures are 0 elsewhere."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")
_KIB, _NANO = 1024, 1e-9


class Held(NamedTuple):
    """Bytes of memory: resident now, those of them that no file stands behind, and the most that were resident."""

    resident: int
    own: int
    most: int


def held() -> Held:
    """The memory of this process and of those that it started."""
    status = [dict(_lines(family / "status")) for family in _family()]
    return Held(*(sum(_KIB * int(told.get(name, "0").split()[0]) for told in status) for name in ("VmRSS", "RssAnon", "VmHWM")))


def processor() -> float:
    """Seconds of processor time that this process has had, and the threads of those that it started."""
    others = (task for family in _family() if family.name != "self" for task in (family / "task").iterdir())
    return time.process_time() + _NANO * sum(int((task / "schedstat").read_text(encoding="ascii").split()[0]) for task in others)


def _family(of: Path = _PROC / "self") -> Iterator[Path]:
    """Where a process and those below it are told of."""
    if not of.exists():
        return
    yield of
    for task in (of / "task").iterdir():
        for child in (task / "children").read_text(encoding="ascii").split():
            yield from _family(_PROC / child)


def _lines(file: Path) -> Iterator[tuple[str, str]]:
    for line in file.read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(":")
        yield name, value.strip()
