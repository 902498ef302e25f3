"""Ten tasks of a judge who sees the pages for the first time, on a phone: each is done in at most four taps.

Typing is free, a tap on what cannot be seen is not possible. Keeping a game offline is in test_offline.py.
"""

import re
from typing import TYPE_CHECKING

import pytest

from tests.api.web.browser.conftest import LACKING, Opened

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page
if LACKING is None:
    from playwright.sync_api import expect

pytestmark = pytest.mark.slow
MOST = 4


class Judge:
    """Somebody at the home page, whose taps are counted."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.taps = 0

    def tap(self, what: "Locator") -> None:
        self.taps += 1
        assert self.taps <= MOST
        what.click()

    def link(self, name: str | re.Pattern[str]) -> None:
        self.tap(self.page.get_by_role("link", name=name).first)

    def ask(self, words: str) -> None:
        self.page.get_by_role("combobox").fill(words)
        self.tap(self.page.get_by_role("button", name="Search", exact=True))


@pytest.fixture
def judge(opened: Opened) -> Judge:
    return Judge(opened("/"))


def test_find_a_rule_by_its_number(judge: Judge) -> None:
    judge.ask("ferry 101.1")
    judge.link(re.compile("101.1$"))
    expect(judge.page.locator("dialog .preview")).to_contain_text("six tokens")


def test_ask_a_question(judge: Judge) -> None:
    judge.ask("how many tokens may a ferry carry")
    expect(judge.page.locator(".hits .hit").first).to_contain_text("six tokens")
    expect(judge.page.locator(".hits .hit").first).to_contain_text("3 May 2021")


def test_compare_the_graveyards_of_two_games(judge: Judge) -> None:
    judge.link("Compare")
    judge.link("order")
    row = judge.page.locator("tbody tr").filter(has=judge.page.get_by_text("graveyard", exact=True))
    judge.tap(row.locator('td[data-head="MTG"] a'))
    expect(row.locator('td[data-head="DM"] a')).to_be_attached()
    expect(judge.page.locator("dialog .proofs").first).to_be_visible()


def test_see_what_the_last_edition_changed(judge: Judge) -> None:
    judge.link("What changed")
    expect(judge.page.locator("del").first).to_have_text("five")
    expect(judge.page.locator("ins").first).to_have_text("six")


def test_check_a_post(judge: Judge) -> None:
    judge.link("Check")
    judge.page.get_by_label("Text", exact=True).fill("Ferry CR 101.1: “A ferry holds at most nine tokens.”")
    judge.tap(judge.page.get_by_role("button", name="Check", exact=True))
    expect(judge.page.locator(".verdicts > li")).to_contain_text("misquoted")


def test_find_the_official_text_of_a_game_without_one(judge: Judge) -> None:
    game = judge.page.locator(".shelf > li").filter(has_text="Magic")
    expect(game).to_contain_text("gloss only")
    expect(game.get_by_role("link", name="Official text")).to_have_attribute("href", "https://magic.wizards.com/en/rules")


def test_find_what_another_game_says(judge: Judge) -> None:
    judge.ask("dm 404.3")
    judge.tap(judge.page.locator(".hits .hit h2 a").first)
    judge.tap(judge.page.get_by_role("region", name="In other games").locator("a.cite").first)
    expect(judge.page.locator("dialog .preview .gloss")).to_be_visible()


def test_learn_what_a_term_is_called_elsewhere(judge: Judge) -> None:
    judge.link("Terms")
    judge.page.get_by_label("Term", exact=True).fill("graveyard")
    judge.tap(judge.page.get_by_role("button", name="Look up"))
    expect(judge.page.locator(".names").first).to_contain_text("墓地")


def test_read_a_topic_in_every_game(judge: Judge) -> None:
    judge.link("Compare")
    judge.link("Topics")
    judge.tap(judge.page.locator("tbody th a").first)
    for game in ("DM", "FOW", "MTG", "YGO"):
        expect(judge.page.locator(".cells > li .game").get_by_text(game, exact=True)).to_have_count(1)


def test_read_in_the_own_language(judge: Judge) -> None:
    judge.tap(judge.page.locator(".top summary"))
    judge.tap(judge.page.get_by_role("button", name="日本語").first)
    expect(judge.page.locator("html")).to_have_attribute("lang", "ja")
    expect(judge.page.get_by_role("heading", level=1)).to_contain_text("ルール")
