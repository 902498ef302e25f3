"""Debian's chromium and a server of the pages over a home, for as long as they are looked at."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from bench.speed.serving import PORT, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RULE = "/id/dm/cr/2025-12-17/101.1"
"""A rule that every home has: its gloss ships."""
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def chromium() -> str:
    """The browser; ends the program with one line where there is none."""
    return which("chromium") or which("chromium-browser") or sys.exit("no chromium here: apt-get install chromium")


@contextmanager
def browser() -> "Iterator[Browser]":
    """A browser without a window; ends the program with one line where it or Playwright is lacking."""
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
def pages(home: Path, *warm: str) -> Iterator[str]:
    """A server of a home, and its address; some pages were asked for once, so that what they need is loaded."""
    command = (sys.executable, "-m", "bench.speed.server", os.fspath(home), PORT)
    with serving(*command) as port:
        address = f"http://127.0.0.1:{port}"
        for path in warm:
            _ask(address + path)
        yield address


def _ask(address: str) -> None:
    """Asks for a page; ends the program with one line where it is not there."""
    try:
        urlopen(Request(address, headers={"Accept": "text/html"})).read()
    except HTTPError as fault:
        sys.exit(f"{address} answers {fault.code}: of a home that an older version built, run: rulestone build --later")


def home() -> Path:
    """The home that is named first on the command line; ends the program with one line without it."""
    if len(sys.argv) < 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("name a home, e.g. the folder that RULESTONE_HOME names")
    return Path(sys.argv[1])
