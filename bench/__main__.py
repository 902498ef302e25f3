"""Runs every bench, each in a process of its own: the memory of one must not count for the next."""

import subprocess
import sys

from bench.measure import machine, texts

SPEED = ("parsing", "adding", "changes", "lookup", "searching", "linear", "checking", "load", "memory")
BENCHES = (("threads",), ("answers",), *((f"speed.{name}",) for name in SPEED), ("speed.soak", "--minutes", "10"))
"""Each with its options; `make soak` is the hour."""


def main() -> int:
    """0 if every figure is within its target, otherwise 1."""
    texts()
    print(machine(), flush=True)
    return max(
        subprocess.run([sys.executable, "-m", f"bench.{name}", *options], check=False).returncode for name, *options in BENCHES
    )


if __name__ == "__main__":
    sys.exit(main())
