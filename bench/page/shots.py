"""`python -m bench.page.shots HOME FOLDER [PART…]`: a picture of each page in both sizes and three languages, to be looked at.

PARTs choose pages by their names (`rule search`). What is wider than the screen, and what the browser complains of, is printed.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.page.browsing import PHONE, RULE, browser, home, pages

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
    "phone": PHONE,
    "desk": {"viewport": {"width": 1280, "height": 800}},
}
LANGS = ("ja", "zh-CN", "en")
PATIENCE = 300_000
"""Milliseconds that a page may take: what can be kept offline is made when `/library` first asks for it."""
_WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def main() -> int:
    """Writes the pictures; 1 where something was complained of."""
    if len(sys.argv) < 3:
        sys.exit("name a home and a folder for the pictures")
    folder, parts = Path(sys.argv[2]), sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {name: path for name, path in PAGES.items() if not parts or name in parts}
    with browser() as chromium, pages(home()) as address:
        complaints = [line for size in SIZES for lang in LANGS for line in _taken(chromium, address, wanted, folder, size, lang)]
    print("\n".join(complaints) or f"{len(wanted) * len(SIZES) * len(LANGS)} pictures in {folder}, nothing to complain of")
    return 1 if complaints else 0


def _taken(chromium: "Browser", address: str, wanted: dict[str, str], folder: Path, size: str, lang: str) -> Iterator[str]:
    """Takes one picture of each page, and tells what is wrong with it."""
    page = chromium.new_context(base_url=address, locale=lang, reduced_motion="reduce", **SIZES[size]).new_page()
    page.set_default_timeout(PATIENCE)
    told = _complaints(page)
    for name, path in wanted.items():
        page.goto(path, wait_until="networkidle")
        page.screenshot(path=folder / f"{name}-{size}-{lang}.png")
        wider = page.evaluate(_WIDER)
        yield from (
            f"{name} {size} {lang}: {line}" for line in (*told, *([f"{wider} pixels wider than the screen"] if wider > 0 else []))
        )
        told.clear()
    page.context.close()


def _complaints(page: "Page") -> list[str]:
    """The browser's errors from now on, without the expected 404."""
    told: list[str] = []
    page.on("console", lambda said: told.append(said.text) if said.type == "error" and "status of 404" not in said.text else None)
    page.on("pageerror", lambda fault: told.append(str(fault)))
    return told


if __name__ == "__main__":
    sys.exit(main())
