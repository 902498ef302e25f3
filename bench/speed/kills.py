"""`add`, `build` and `remove` killed at many points of their work: python -m bench.speed.kills [--points 200].

After each kill the home must answer what it answered before the command or what it answers after it, and the same command, given
again, must do what it would have done.
"""

import argparse
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.measure import RULESTONE, seeds_alone, timed
from bench.verify.own import FOLDER, put_books
from rulestone import Library

NEW = "The Game of Ferrymen: Comprehensive Rules\n\n100. Piers\n" + "".join(
    f"100.{nth}. Pier {nth} has a rope.\n" for nth in range(1, 400)
)
"""A book that is not in the home yet."""
POINTS = 200


class Ended(NamedTuple):
    """One command on a home: its possible exit codes, and the home's contents afterwards."""

    arguments: Sequence[str]
    before: str
    after: str
    seconds: float


def held(home: Path) -> str:
    """The contents of a home in short."""
    digest = hashlib.sha256()
    with Library.open(home, create=False) as library:
        for piece in library.export("nquads"):
            digest.update(piece)
    return digest.hexdigest()


def command(home: Path, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    """A command on a home, started."""
    given = [RULESTONE, "--home", str(home), *arguments]
    return subprocess.Popen(given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def tried(base: Path, scratch: Path, arguments: Sequence[str]) -> Ended:
    """A command that nobody disturbs."""
    home = copied(base, scratch)
    seconds = timed(lambda: command(home, arguments).wait())
    return Ended(arguments, held(base), held(home), seconds)


def copied(base: Path, scratch: Path) -> Path:
    """A fresh copy of a home."""
    home = scratch / "home"
    shutil.rmtree(home, ignore_errors=True)
    return Path(shutil.copytree(base, home))


def killed(base: Path, scratch: Path, known: Ended, share: float) -> str | None:
    """Kills a command after a share of its time; what is wrong then, if anything."""
    home = copied(base, scratch)
    process = command(home, known.arguments)
    time.sleep(known.seconds * share)
    process.send_signal(signal.SIGKILL)
    process.wait()
    between = held(home)
    if between not in (known.before, known.after):
        return "the home holds something else"
    code = command(home, known.arguments).wait()
    if held(home) != known.after:
        return f"given again it ended with {code} and left something else"
    return None if code in (0, 1) else f"given again it ended with {code}"


def main() -> bool:
    """Whether nothing was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=POINTS, help=f"kills in all; {POINTS} unless it is given")
    points = parser.parse_args().points
    os.environ.setdefault("RULESTONE_MODEL", "static")
    seeds_alone()
    with tempfile.TemporaryDirectory(prefix="rulestone-kills-") as name:
        scratch, base, book = Path(name), Path(name) / "base", Path(name) / "pier.txt"
        book.write_text(NEW, encoding="utf-8")
        put_books(base).close()
        given = (
            ("add", str(book), "--game", "ferry", "--book", "piers", "--lang", "en", "--edition", "2025-01-01"),
            ("build", "--later"),
            ("remove", sorted((FOLDER / "books").glob("*.txt"))[0].name),
        )
        sound = [_series(base, scratch, arguments, points // len(given) or 1) for arguments in given]
        return all(sound)


def _series(base: Path, scratch: Path, arguments: Sequence[str], points: int) -> bool:
    known = tried(base, scratch, arguments)
    faults = [killed(base, scratch, known, (nth + 0.5) / points) for nth in range(points)]
    wrong = [f"{(nth + 0.5) / points:.0%}: {fault}" for nth, fault in enumerate(faults) if fault]
    print(
        f"{'LOST' if wrong else 'ok  '} {arguments[0]:<7} killed at {points} points of {known.seconds:.1f} s",
        *wrong,
        sep="\n  ",
        flush=True,
    )
    return not wrong


if __name__ == "__main__":
    sys.exit(not main())
