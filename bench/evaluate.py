"""`make eval`: every figure of quality, written to docs/quality.md."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measure import RULESTONE, books, texts
from bench.report import Part, write

SEARCH = ("judged", "books", "questions", "abstention", "parallel", "across", "unseen")
OTHERS = ("answers", "verify", "verify.wild", "threads", "found", "align", "drift", "cards", "extraction", "digest", "agreement")
OPENING = "The accuracy of search, answers, citations, translations and the digest, misses included. `make eval` writes this page."


def main() -> int:
    """0 if every part ran and met its targets."""
    files = books(texts())
    with TemporaryDirectory() as folder:
        digest, full = Path(folder) / "digest", Path(folder) / "full"
        subprocess.run([RULESTONE, "--home", digest, "build"], check=True)
        subprocess.run([RULESTONE, "--home", full, "add", *files, "--keep-going"], check=False)
        of_homes = (Part("search.definitions", (digest, "--each", "5")), Part("rulings", (full,)))
        return write(
            "quality.md", "Quality", OPENING, [*(Part(f"search.{name}") for name in SEARCH), *map(Part, OTHERS), *of_homes]
        )


if __name__ == "__main__":
    sys.exit(main())
