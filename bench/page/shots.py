"""`python -m bench.page.shots HOME FOLDER [PART…]`: a screenshot of each page in two sizes and three languages.

PARTs choose pages by their names (`rule search`).
"""

import sys
from itertools import product
from pathlib import Path
from typing import Any

from bench.page.browsing import PHONE_DEVICE, RULE, browser, home_argument, served_pages

PAGES = {
    "home": "/",
    "search": "/?q=graveyard",
    "abstained": "/?q=qwxyzzy&game=dm",
    "rule": RULE,
    "book": RULE.rpartition("/")[0],
    "reading": RULE.replace("/id/", "/read/").rpartition(".")[0],
    "concept": "/id/concept/mtg/graveyard",
    "concepts": "/concepts",
    "terms": "/terms?label=graveyard&game=mtg",
    "compare": "/compare?property=ordering",
    "topics": "/compare/topics",
    "zones": "/zones?game=mtg&beside=dm",
    "changes": "/changes",
    "check": "/check",
    "library": "/library",
    "languages": "/languages",
    "offline": "/offline",
    "sparql": "/sparql",
    "missing": RULE.replace("101.1", "999.9"),
}
SIZES: dict[str, dict[str, Any]] = {
    "phone": PHONE_DEVICE,
    "desk": {"viewport": {"width": 1280, "height": 800}},
}
LANGS = ("ja", "zh-CN", "en")
TIMEOUT_MS = 300_000
"""Timeout of a page in milliseconds; the first request of `/library` creates the offline packs."""


def main() -> None:
    """Writes the screenshots."""
    if len(sys.argv) < 3:
        sys.exit("name a home and a folder for the pictures")
    folder, parts = Path(sys.argv[2]), sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    with browser() as chromium, served_pages(home_argument()) as address:
        for size, lang in product(SIZES, LANGS):
            page = chromium.new_context(base_url=address, locale=lang, reduced_motion="reduce", **SIZES[size]).new_page()
            page.set_default_timeout(TIMEOUT_MS)
            for name in parts or PAGES:
                page.goto(PAGES[name], wait_until="networkidle")
                page.screenshot(path=folder / f"{name}-{size}-{lang}.png")
            page.context.close()


if __name__ == "__main__":
    main()
