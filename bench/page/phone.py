"""`python -m bench.page.phone HOME`: how long the hits of a question take on a slow phone, until the largest piece is painted.

The phone has a quarter of this machine's speed, 1.6 Mbit/s and 150 ms of latency (as Lighthouse's mobile), and the files of an
earlier visit.
"""

from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from bench.page.browsing import PHONE, browser, home, pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

QUESTIONS = (
    "graveyard",
    "who may look at the cards in a graveyard",
    "手札の上限は何枚ですか",
    "what happens when two effects trigger at the same time",
    "墓地里的牌可以改变顺序吗",
)
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
SLOWER = 4
ROUNDS = 3
_PAINTED = """() => new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
  .observe({ type: "largest-contentful-paint", buffered: true }))"""


def main() -> None:
    """Prints the median over some rounds for each question, in milliseconds."""
    with browser() as chromium, pages(home(), "/?q=zone") as address:
        for question in QUESTIONS:
            print(f"{median(_painted(chromium, address, question)):>6.0f} ms  {question}")


def _painted(chromium: "Browser", address: str, question: str) -> Iterator[float]:
    for count in range(ROUNDS):
        context = chromium.new_context(base_url=address, locale="ja", **PHONE)
        page = context.new_page()
        page.goto("/")
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", NETWORK)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(f"/?{urlencode({'q': question + ' ' * count})}", wait_until="load")
        yield page.evaluate(_PAINTED)
        context.close()


if __name__ == "__main__":
    main()
