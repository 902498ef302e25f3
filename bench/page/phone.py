"""`python -m bench.page.phone HOME`: the time on a slow phone until the largest element of a hit list is painted.

The phone has a quarter of this machine's speed, 1.6 Mbit/s, 150 ms latency (as Lighthouse's mobile profile) and a warm cache.
"""

from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from bench.page.browsing import PHONE_DEVICE, browser, home_argument, served_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

QUESTIONS = (
    "graveyard",
    "who may look at the cards in a graveyard",
    "手札の上限は何枚ですか",
    "what happens when two effects trigger at the same time",
    "墓地里的牌可以改变顺序吗",
)
NETWORK_CONDITIONS = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
CPU_SLOWDOWN = 4
ROUNDS = 3
_PAINT_SCRIPT = """() => new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
  .observe({ type: "largest-contentful-paint", buffered: true }))"""


def main() -> None:
    """Prints the median over some rounds for each question, in milliseconds."""
    with browser() as chromium, served_pages(home_argument(), "/?q=zone") as address:
        for question in QUESTIONS:
            print(f"{median(_paint_times(chromium, address, question)):>6.0f} ms  {question}")


def _paint_times(chromium: "Browser", address: str, question: str) -> Iterator[float]:
    for count in range(ROUNDS):
        context = chromium.new_context(base_url=address, locale="ja", **PHONE_DEVICE)
        page = context.new_page()
        page.goto("/")
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", NETWORK_CONDITIONS)
        session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
        page.goto(f"/?{urlencode({'q': question + ' ' * count})}", wait_until="load")
        yield page.evaluate(_PAINT_SCRIPT)
        context.close()


if __name__ == "__main__":
    main()
