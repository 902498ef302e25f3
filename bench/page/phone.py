"""`python -m bench.page.phone HOME`: a phone with bad reception: CPU ÷ 4, 400 ms round trip, 1.6 Mbit/s. 0: all within its target.

How long after the press on "search" the hits stand, and a rule's page: from the start of the navigation to the paint of what is
largest, each time with an empty cache. Then searches without a network in what ships of four games in three languages.
"""

import statistics
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.measure import machine, report
from bench.page.browsing import PHONE, RULE, browser, home, pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

ROUNDS, SLOWER = 7, 4
SLOW = {"offline": False, "latency": 400, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
QUESTION = "/?q=who+may+look+at+the+cards+in+a+graveyard"
GAMES, LANGS = ("dm", "mtg", "ygo", "fow"), ("ja", "zh-Hans", "en")
_STEPS = 240_000
"""Milliseconds that fetching and preparing a pack may take."""
_PAINTED = """() => new Promise((done) => new PerformanceObserver((list) => {
  const [page] = performance.getEntriesByType("navigation");
  done([list.getEntries().at(-1).startTime, page.responseStart, page.responseEnd, page.domContentLoadedEventEnd]);
}).observe({ type: "largest-contentful-paint", buffered: true }))"""
_SEARCHED = """async (questions) => {
  const { search } = await import(document.querySelector('script[src*="offline/app.js"]').src), took = [];
  await search(questions[0], []);
  for (const question of questions) {
    const start = performance.now();
    await search(question, []);
    took.push(performance.now() - start);
  }
  return took;
}"""


def main() -> int:
    """Prints the figures."""
    print(machine(), flush=True)
    with browser() as chromium, pages(home(), "/", QUESTION, RULE, "/library") as address:
        fits = [
            _shown(chromium, address + QUESTION, ".hit", "hits of a question", 2000),
            _shown(chromium, address + RULE, "article.rule", "a rule's page", 1500),
            _searched(chromium, address),
        ]
    return 0 if all(fits) else 1


def _shown(chromium: "Browser", address: str, selector: str, name: str, most: int) -> bool:
    rounds = [_painted(chromium, address, selector) for _ in range(ROUNDS)]
    painted, first, last, ready = (statistics.median(column) for column in zip(*rounds, strict=True))
    slowest = max(measured[0] for measured in rounds)
    behind = f"first byte {first:.0f}, last {last:.0f}, scripts run {ready:.0f}; of {ROUNDS} the slowest {slowest:.0f}"
    return report(name, painted, most, "ms", behind)


def _painted(chromium: "Browser", address: str, selector: str) -> list[float]:
    """Milliseconds from the start of a navigation to its largest paint, first byte, last byte and end of its scripts."""
    page = chromium.new_context(**PHONE).new_page()
    _slowed(page, SLOW)
    page.goto(address)
    page.wait_for_selector(selector)
    figures: list[float] = page.evaluate(_PAINTED)
    page.context.close()
    return figures


def _slowed(page: "Page", network: dict[str, Any] | None) -> "CDPSession":
    session = page.context.new_cdp_session(page)
    if network:
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", network)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return session


def _searched(chromium: "Browser", address: str) -> bool:
    page = chromium.new_context(**PHONE).new_page()
    page.goto(f"{address}/library")
    _keep(page)
    page.context.set_offline(True)
    page.reload()
    page.wait_for_selector("#kept[data-shown]")
    session = _slowed(page, None)
    took = sorted(page.evaluate(_SEARCHED, _questions()))
    computed = SLOWER * _computed(page, session) / len(took)
    page.context.close()
    late = took[len(took) * 95 // 100]
    behind = f"95 % of {len(took)}; half within {statistics.median(took):.0f}; processor time × {SLOWER}: {computed:.0f} on average"
    return report("a search without a network", late, 100, "ms", behind)


def _computed(page: "Page", session: "CDPSession") -> float:
    """Milliseconds of processor time that the same searches take unslowed: what others do on the machine does not count."""
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = _thread(session)
    page.evaluate(_SEARCHED, _questions())
    return _thread(session) - before


def _thread(session: "CDPSession") -> float:
    """Milliseconds that the page's own thread has spent on tasks."""
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"]) * 1000


def _keep(page: "Page") -> None:
    """Keeps the four games in three languages."""
    button = page.locator("#offline button[type=submit]")
    page.wait_for_selector("#offline form:not([hidden])", timeout=_STEPS)
    for box in page.locator("#offline input[type=checkbox]").all():
        box.set_checked(box.get_attribute("value") in (*GAMES, *LANGS))
    button.click(timeout=_STEPS)
    page.wait_for_selector("#offline [data-show=kept]:not([hidden])", timeout=_STEPS)


def _questions() -> list[str]:
    rows = tomllib.loads((Path(__file__).parents[1] / "search" / "judge_questions.toml").read_text("utf-8"))["question"]
    return [row["query"] for row in rows]


if __name__ == "__main__":
    sys.exit(main())
