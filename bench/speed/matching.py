"""Prints the processor time that matching adds to `add --later` and `index`: for an unannotated game, and for an annotated one.

Matching is what proposes cross-game concepts (`add`) and counterparts of rules (`index`). HOME holds books with every text encoded;
copies of it are used. Each command runs in a process of its own, in which the calls that match are timed.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

from bench.measure import report_figure, rulebook_folder

MAX_SHARE = 20
"""Percent of the processor time without matching: the target."""
_MATCHING = (
    "rulestone.writing.draft.ontology.write_proposed",
    "rulestone.writing.draft.ontology.write_mappings",
    "rulestone.writing.draft.bundle.write_rule_counterparts",
    "rulestone.writing.embeddings.embed.write_rule_counterparts",
)
"""The functions that match."""


def processor_seconds() -> float:
    """Processor seconds of this process and of its finished children."""
    return sum(os.times()[:4])


def timed_command(arguments: Sequence[str]) -> None:
    """Runs a command of rulestone and prints its processor seconds, and those of matching, as the last line."""
    import rulestone.writing.draft.bundle
    import rulestone.writing.embeddings.embed  # noqa: F401
    from api.cli.app import main as run

    seconds: list[float] = []

    def timed(function: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **options: object) -> object:
            start = processor_seconds()
            result = function(*arguments, **options)
            seconds.append(processor_seconds() - start)
            return result

        return call

    with ExitStack() as stack:
        for name in _MATCHING:
            module, _, function = name.rpartition(".")
            stack.enter_context(mock.patch(name, timed(getattr(sys.modules[module], function))))
        code = run(arguments)
    print(json.dumps({"seconds": processor_seconds(), "matching": sum(seconds)}))
    sys.exit(code)


def is_within_target(name: str, home: Path, *arguments: str) -> bool:
    """Whether matching is within the target in one command."""
    command = [sys.executable, "-m", "bench.speed.matching", "--timed", "--home", str(home), *arguments]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout.splitlines()
    cost = json.loads(lines[-1])
    without = cost["seconds"] - cost["matching"]
    figures = f"{without:.1f} s without, {cost['seconds']:.1f} s with"
    return report_figure(f"{name}: matching adds", 100 * cost["matching"] / without, MAX_SHARE, "%", figures)


def main() -> bool:
    """Whether every figure is within its target."""
    if "--timed" in sys.argv:
        timed_command(sys.argv[sys.argv.index("--timed") + 1 :])
    folder, within = rulebook_folder(), list[bool]()
    books = {"unannotated": ["--game", "lovelive", str(next((folder / "lovelive").iterdir()))]}
    books["annotated, beside it"] = [str(folder / "seeds" / "003-dm-card-view.ja.txt")]
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(shutil.copytree(sys.argv[1], Path(scratch) / "home"))
        for name, arguments in books.items():
            within.append(is_within_target(f"add --later ({name})", home, "add", "--later", *arguments))
            within.append(is_within_target(f"index ({name})", home, "index"))
    return all(within)


if __name__ == "__main__":
    sys.exit(not main())
