"""`add`, `build` and `remove`, killed at many points: python -m bench.speed.kills.

After each kill the home must be in the state before or after the command, and repeating the command must have its normal result.
"""

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

from bench.measure import RULESTONE, elapsed_seconds, use_only_seed_digests
from bench.verify.own import FOLDER, put_books
from rulestone import Library

NEW_BOOK = "The Game of Ferrymen: Comprehensive Rules\n\n100. Piers\n" + "".join(
    f"100.{nth}. Pier {nth} has a rope.\n" for nth in range(1, 400)
)
"""A book that is not in the home yet."""
KILL_POINTS = 200


class KilledRun(NamedTuple):
    """One command on a home: its possible exit codes, and the home's contents afterwards."""

    arguments: Sequence[str]
    before: str
    after: str
    seconds: float


def home_contents(home: Path) -> str:
    """A summary of a home's contents."""
    digest = hashlib.sha256()
    with Library.open(home, create=False) as library:
        for piece in library.export("nquads"):
            digest.update(piece)
    return digest.hexdigest()


def start_command(home: Path, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    """Starts a command on a home."""
    command = [RULESTONE, "--home", str(home), *arguments]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run_undisturbed(base: Path, scratch: Path, arguments: Sequence[str]) -> KilledRun:
    """Runs a command undisturbed."""
    home = copy_home(base, scratch)
    seconds = elapsed_seconds(lambda: start_command(home, arguments).wait())
    return KilledRun(arguments, home_contents(base), home_contents(home), seconds)


def copy_home(base: Path, scratch: Path) -> Path:
    """A new copy of a home."""
    home = scratch / "home"
    shutil.rmtree(home, ignore_errors=True)
    return Path(shutil.copytree(base, home))


def kill_command(base: Path, scratch: Path, run: KilledRun, share: float) -> str | None:
    """Kills a command after a share of its time; returns the problems found afterwards."""
    home = copy_home(base, scratch)
    process = start_command(home, run.arguments)
    time.sleep(run.seconds * share)
    process.send_signal(signal.SIGKILL)
    process.wait()
    between = home_contents(home)
    if between not in (run.before, run.after):
        return "the home holds something else"
    code = start_command(home, run.arguments).wait()
    if home_contents(home) != run.after:
        return f"given again it ended with {code} and left something else"
    return None if code in (0, 1) else f"given again it ended with {code}"


def main() -> bool:
    """Whether nothing was lost."""
    os.environ.setdefault("RULESTONE_MODEL", "static")
    use_only_seed_digests()
    with tempfile.TemporaryDirectory(prefix="rulestone-kills-") as name:
        scratch, base, book = Path(name), Path(name) / "base", Path(name) / "pier.txt"
        book.write_text(NEW_BOOK, encoding="utf-8")
        put_books(base).close()
        commands = (
            ("add", str(book), "--game", "ferry", "--book", "piers", "--lang", "en", "--edition", "2025-01-01"),
            ("build", "--later"),
            ("remove", sorted((FOLDER / "books").glob("*.txt"))[0].name),
        )
        sound = [_kill_series(base, scratch, arguments, KILL_POINTS // len(commands)) for arguments in commands]
        return all(sound)


def _kill_series(base: Path, scratch: Path, arguments: Sequence[str], points: int) -> bool:
    run = run_undisturbed(base, scratch, arguments)
    faults = [kill_command(base, scratch, run, (nth + 0.5) / points) for nth in range(points)]
    wrong = [f"{(nth + 0.5) / points:.0%}: {fault}" for nth, fault in enumerate(faults) if fault]
    print(
        f"{'LOST' if wrong else 'ok  '} {arguments[0]:<7} killed at {points} points of {run.seconds:.1f} s",
        *wrong,
        sep="\n  ",
        flush=True,
    )
    return not wrong


if __name__ == "__main__":
    sys.exit(not main())
