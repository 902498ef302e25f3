"""Where the real rulebooks and the evaluation queries are; neither is part of the project."""

import os
import subprocess
from functools import cache
from pathlib import Path

from corpus.model import Reading
from ingest.pipeline import parse_file

ROOT = Path(__file__).parents[2]
TEXTS = Path(os.environ.get("RULESTONE_TEXTS") or ROOT.parent / "shared" / "rulebooks")
"""Folder of the real rulebooks (setting RULESTONE_TEXTS)."""
QUERIES = TEXTS.parent / "eval" / "queries.jsonl"


@cache
def readings(name: str) -> tuple[Reading, ...]:
    """The reading of a real rulebook."""
    return tuple(parse_file(TEXTS / name))


def plain_text(file: Path) -> str:
    """The text of a file; of a PDF, by Poppler's `pdftotext`, column by column."""
    if file.suffix != ".pdf":
        return file.read_text("utf-8-sig")
    command = ["pdftotext", "-raw", str(file), "-"]
    return subprocess.run(command, check=True, capture_output=True, timeout=60, encoding="utf-8").stdout
