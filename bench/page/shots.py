"""`python -m bench.page.shots HOME FOLDER [PART…]`: a screenshot of each page in two sizes and three languages.

PARTs choose pages by their names (`rule search`). Elements wider than the screen and errors of the browser are printed.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.page.browsing import PHONE_DEVICE, RULE, browser, home_argument, served_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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
_OVERFLOW_SCRIPT = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def main() -> int:
    """Writes the screenshots; returns 1 if there were complaints."""
    if len(sys.argv) < 3:
        sys.exit("name a home and a folder for the pictures")
    folder, parts = Path(sys.argv[2]), sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    chosen_pages = {name: path for name, path in PAGES.items() if not parts or name in parts}
    with browser() as chromium, served_pages(home_argument()) as address:
        complaints = [
            line for size in SIZES for lang in LANGS for line in _take_pictures(chromium, address, chosen_pages, folder, size, lang)
        ]
    print("\n".join(complaints) or f"{len(chosen_pages) * len(SIZES) * len(LANGS)} pictures in {folder}, nothing to complain of")
    return 1 if complaints else 0


def _take_pictures(chromium: "Browser", address: str, pages: dict[str, str], folder: Path, size: str, lang: str) -> Iterator[str]:
    """Takes a screenshot of each page; returns the complaints."""
    page = chromium.new_context(base_url=address, locale=lang, reduced_motion="reduce", **SIZES[size]).new_page()
    page.set_default_timeout(TIMEOUT_MS)
    errors = _browser_errors(page)
    for name, path in pages.items():
        page.goto(path, wait_until="networkidle")
        page.screenshot(path=folder / f"{name}-{size}-{lang}.png")
        wider = page.evaluate(_OVERFLOW_SCRIPT)
        yield from (
            f"{name} {size} {lang}: {line}" for line in (*errors, *([f"{wider} pixels wider than the screen"] if wider > 0 else []))
        )
        errors.clear()
    page.context.close()


def _browser_errors(page: "Page") -> list[str]:
    """The browser's errors from now on, without the expected 404."""
    errors: list[str] = []
    page.on(
        "console", lambda entry: errors.append(entry.text) if entry.type == "error" and "status of 404" not in entry.text else None
    )
    page.on("pageerror", lambda fault: errors.append(str(fault)))
    return errors


if __name__ == "__main__":
    sys.exit(main())
