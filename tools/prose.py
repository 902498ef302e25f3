#!/usr/bin/env python
"""Counts the words of prose in docs, without tables, code, generated pages and the list of questions; `--pages` lists each page."""

import re
import sys
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
GENERATED_MARK = "<!-- Written by "
EXCLUDED_PAGES = {"questions.md"}


def prose_of(text: str) -> str:
    """A page's text without fenced code, tables, comments and the addresses of links."""
    for pattern in (r"```.*?```", r"<!--.*?-->"):
        text = re.sub(pattern, "", text, flags=re.S)
    text = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("|"))
    return re.sub(r"\]\([^)]*\)", "]", text)


def count_words() -> dict[str, int]:
    """Page → its words."""
    texts = {path.name: path.read_text("utf-8") for path in sorted(DOCS.glob("*.md")) if path.name not in EXCLUDED_PAGES}
    return {name: len(prose_of(text).split()) for name, text in texts.items() if GENERATED_MARK not in text}


if __name__ == "__main__":
    words = count_words()
    if "--pages" in sys.argv[1:]:
        sys.stdout.write("".join(f"{number:6} {name}\n" for name, number in words.items()))
    sys.stdout.write(f"{sum(words.values())} words of prose in {len(words)} pages\n")
