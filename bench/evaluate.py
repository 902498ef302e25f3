"""`make eval`: every figure of quality, each part in a process of its own."""

import subprocess
import sys

from bench.measure import texts

SEARCH = ("judged", "books", "questions", "abstention", "parallel", "unseen")
PARTS = ("digest", *(f"search.{name}" for name in SEARCH), "extraction")


def main() -> int:
    """0 if every part ran."""
    texts()
    return max(subprocess.run([sys.executable, "-m", f"bench.{name}"], check=False).returncode for name in PARTS)


if __name__ == "__main__":
    sys.exit(main())
