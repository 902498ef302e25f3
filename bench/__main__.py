"""`make bench`: speed, memory and size, written to docs/performance.md."""

import sys

from bench.measure import rulebook_folder
from bench.report import Part, write

SPEED = ("parsing", "adding", "changes", "lookup", "searching", "linear", "checking", "load", "memory", "attacks")
OPENING = (
    "How fast Rulestone is and what it takes, beside ratios to something measured in the same run. `make bench` writes this page."
)


def main() -> int:
    """Returns 0 if every figure is within its target, otherwise 1."""
    rulebook_folder()
    of_server = (Part("speed.shutdown", ("--times", "1")), Part("speed.soak", ("--minutes", "10")))
    parts = [*(Part(f"speed.{name}") for name in SPEED), *of_server]
    return write("performance.md", "Performance", OPENING, parts)


if __name__ == "__main__":
    sys.exit(main())
