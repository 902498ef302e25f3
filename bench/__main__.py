"""`make bench`: speed, memory and size, written to docs/performance.md; `make bench PARTS=speed.lookup` measures one part."""

import argparse
import sys

from bench.measure import machine_name, rulebook_folder
from bench.report import Part, check_chosen, write

SPEED = ("parsing", "adding", "changes", "lookup", "searching", "linear", "checking", "load", "memory", "attacks")
OPENING = (
    "How fast Rulestone is and what it takes, beside ratios to something measured in the same run. `make bench` writes this page; "
    "`make bench PARTS=…` measures some parts again."
)


def main() -> int:
    """Returns 0 if every figure is within its target, otherwise 1."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help="measure only these modules of bench, such as speed.lookup")
    part_names = parser.parse_args().parts
    rulebook_folder()
    of_server = (Part("speed.shutdown", ("--times", "1")), Part("speed.soak", ("--minutes", "10")))
    parts = [*(Part(f"speed.{name}") for name in SPEED), *of_server]
    check_chosen(parser, part_names, parts)
    return write("performance.md", "Performance", f"{OPENING}\n\nThe last run: {machine_name()}.", parts, part_names)


if __name__ == "__main__":
    sys.exit(main())
