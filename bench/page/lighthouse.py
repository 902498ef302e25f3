"""`python -m bench.page.lighthouse HOME`: Lighthouse's three scores of five pages, as a phone has them. 0: all are 95 or more.

npx fetches Lighthouse 12, which runs on Node.js 20, from npm's registry.
"""

import json
import os
import subprocess
import sys
from shutil import which
from typing import Any

from bench.measure import machine
from bench.page.browsing import RULE, chromium, home, pages

LIGHTHOUSE = "lighthouse@12"
PAGES = ("/", "/?q=graveyard", RULE, "/compare/topics", "/library")
LEAST = 95
_CATEGORIES = ("performance", "accessibility", "best-practices")
_TIMES = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "server-response-time")


def main() -> int:
    """Prints the scores, and of each page the times that they are made of."""
    npx, program = _npx(), chromium()
    print(machine(), flush=True)
    fits = True
    with pages(home(), *PAGES) as address:
        for path in PAGES:
            scores, times = _figures(_looked_at(npx, program, address + path))
            fits = fits and min(scores.values()) >= LEAST
            told = "  ".join(f"{name} {score}" for name, score in scores.items())
            print(f"{'ok  ' if min(scores.values()) >= LEAST else 'LOW '} {path:<32} {told}  ({', '.join(times)})", flush=True)
    return 0 if fits else 1


def _npx() -> str:
    """What starts Lighthouse; ends the program with one line where there is no Node.js."""
    return which("npx") or sys.exit("no npx here: Lighthouse needs Node.js 20 or newer (apt-get install nodejs npm)")


def _looked_at(npx: str, program: str, address: str) -> dict[str, Any]:
    command = [npx, "--yes", LIGHTHOUSE, address, "--quiet", "--output=json", f"--only-categories={','.join(_CATEGORIES)}"]
    done = subprocess.run(
        [*command, "--chrome-flags=--headless=new --no-sandbox"],
        env=os.environ | {"CHROME_PATH": program},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{LIGHTHOUSE} ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    body: dict[str, Any] = json.loads(done.stdout)
    return body


def _figures(body: dict[str, Any]) -> tuple[dict[str, int], list[str]]:
    """The score of each category, and times in words."""
    scores = {name: round(100 * (body["categories"][name]["score"] or 0)) for name in _CATEGORIES}
    return scores, [f"{name} {body['audits'][name].get('numericValue', 0):.0f} ms" for name in _TIMES]


if __name__ == "__main__":
    sys.exit(main())
