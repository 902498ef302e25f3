"""`make eval`: every figure of quality, written to docs/quality.md."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measure import RULESTONE, loaded_home, rulebook_folder
from bench.report import Part, write

SEARCH_PARTS = ("judged", "books", "questions", "abstention", "across", "unseen")
OTHER_PARTS = (
    "answers",
    "agents",
    "verify",
    "verify.wild",
    "threads",
    "found",
    "align",
    "drift",
    "cards",
    "extraction",
    "digest",
    "agreement",
)
OPENING = "The accuracy of search, answers, citations, translations and the digest, misses included. `make eval` writes this page."


def main() -> int:
    """Returns 0 if every part ran and met its targets."""
    files = loaded_home(rulebook_folder())
    with TemporaryDirectory() as folder:
        digest, full = Path(folder) / "digest", Path(folder) / "full"
        subprocess.run([RULESTONE, "--home", digest, "build"], check=True)
        subprocess.run([RULESTONE, "--home", full, "add", *files, "--keep-going"], check=False)
        of_homes = (Part("search.definitions", (digest, "--each", "5")), Part("rulings", (full,)))
        return write(
            "quality.md",
            "Quality",
            OPENING,
            [*(Part(f"search.{name}") for name in SEARCH_PARTS), *map(Part, OTHER_PARTS), *of_homes],
        )


if __name__ == "__main__":
    sys.exit(main())
