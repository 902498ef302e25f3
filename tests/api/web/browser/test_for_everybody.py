"""For everybody: what axe-core finds, sizes of what is touched, width, weight, and what moves."""

import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest

from tests.api.web.browser.conftest import DESK, Opened
from tests.api.web.test_pages import PAGES

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Page

FIRST_VIEW = 60 << 10
"""Bytes of the first view at most, as they come over the wire."""
LANGS = ("en", "ja", "zh-CN")
LEAST = 44
"""CSS pixels that a finger needs."""


def axe(page: "Page") -> list[str]:
    """The violations that axe-core finds on a page, by WCAG 2.2 AA and good practice."""
    source = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    page.evaluate(f"() => {{ {source} }}")
    run = "async () => (await axe.run(document, { resultTypes: ['violations'] })).violations"
    violations: list[dict[str, Any]] = page.evaluate(run)
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}" for violation in violations for node in violation["nodes"]
    ]


def test_axe_finds_nothing_in_opened_parts(opened: Opened) -> None:
    page = opened("/id/ferry/cr/2021-05-03/101.2", bypass_csp=True)
    page.get_by_label("Languages").click()
    assert axe(page) == []
    page.keyboard.press("Escape")
    page.locator(".words a.cite").first.click()
    page.locator("dialog .preview").wait_for()
    assert axe(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("combobox").fill("ferry 1")
    page.get_by_role("option").first.wait_for()
    assert axe(page) == []


WIDE = """() => document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] : ["wider than the screen",
  ...[...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    .map((one) => one.outerHTML.slice(0, 90)).slice(0, 5)]"""
SMALL = """(least) => [...document.querySelectorAll(
  ".dock a, .dock button, .dock input, .chip, .button, .list a, .pager a, summary, select, main input:not([type=checkbox])")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("[hidden]"))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.height > 1 && (box.height < least - 0.5 || box.width < least - 0.5))
  .map(([one, box]) => `${one.outerHTML.slice(0, 80)} ${box.width}×${box.height}`)"""


@pytest.mark.parametrize(
    ("path", "lang"), [(path, LANGS[count % len(LANGS)]) for count, path in enumerate((*PAGES, "/offline", "/sparql"))]
)
def test_it_is_for_everybody(opened: Opened, path: str, lang: str) -> None:
    page = opened(path, lang=lang, bypass_csp=True)
    assert axe(page) == []
    assert page.evaluate(SMALL, LEAST) == []
    assert page.evaluate(WIDE) == []
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(WIDE) == []
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size(DESK["viewport"])
    page.emulate_media(color_scheme="dark")
    assert axe(page) == []


BROKEN = """() => [...document.querySelectorAll("summary .number, summary .game, h2 .game")].filter((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return one.textContent.length < 9 && new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
}).map((one) => one.outerHTML)"""


def test_numbers_and_names_of_games_are_not_broken(opened: Opened) -> None:
    page = opened("/?q=may+I+rearrange+the+order+of+cards+in+my+graveyard", lang="en")
    assert page.locator("summary .game").count() > 2
    assert page.evaluate(BROKEN) == []


@pytest.mark.parametrize("path", ["/", "/?q=graveyard", "/id/ferry/cr/2021-05-03/101.1"])
def test_the_first_view_is_small_and_comes_in_one_round(opened: Opened, path: str) -> None:
    page = opened("about:blank")
    responses: list[Any] = []
    page.on("response", lambda response: responses.append(response))
    page.goto(path, wait_until="networkidle")
    weights = {
        response.url: response.request.sizes()["responseBodySize"] + response.request.sizes()["responseHeadersSize"]
        for response in responses
    }
    assert sum(weights.values()) <= FIRST_VIEW, weights
    html = page.request.get(path, headers={"Accept": "text/html"}).text()
    assets = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', html))
    assert {"/" + url.split("/", 3)[3] for url in weights} - {path} <= assets


def test_nothing_moves_while_a_page_loads(opened: Opened) -> None:
    page = opened("/?q=graveyard")
    shift = """() => new Promise((done) => new PerformanceObserver((list) =>
      done(list.getEntries().reduce((sum, one) => sum + one.value, 0))).observe({ type: "layout-shift", buffered: true })
      || setTimeout(() => done(0), 300))"""
    assert page.evaluate(shift) < 0.01
