"""Debian's chromium, and a server of a home's pages for the duration of a measurement."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any

from bench.speed.serving import connect, get, running_server, with_constant_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RULE = "/id/dm/cr/2025-12-17/101.1"
"""A rule that every home has: its gloss ships."""
PHONE_DEVICE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def chromium() -> str:
    """The browser; ends the program with a message if it is missing."""
    return which("chromium") or which("chromium-browser") or sys.exit("no chromium here: apt-get install chromium")


@contextmanager
def browser() -> "Iterator[Browser]":
    """A headless browser; ends the program with a message if it or Playwright is missing."""
    program = chromium()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sys.exit("no playwright here: pip install --group browser")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@contextmanager
def served_pages(home: Path, *warm: str) -> Iterator[str]:
    """A server of a home, and its address; some pages have been requested once, so that their data is loaded."""
    with running_server(*with_constant_server(home)) as server:
        address = f"http://127.0.0.1:{server.port}"
        for path in warm:
            with closing(connect(server.port)) as connection:
                status, _ = get(connection, path, "text/html")
            if status != 200:
                sys.exit(f"{address}{path} answers {status}: of a home that an older version built, run: rulestone build --later")
        yield address


def home_argument() -> Path:
    """The first argument, a home; ends the program with a message without it."""
    if len(sys.argv) < 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("name a home, e.g. the folder that RULESTONE_HOME names")
    return Path(sys.argv[1])
