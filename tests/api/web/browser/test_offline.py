"""Without a network: what a telephone keeps answers, stays until something whole takes its place, and says how old it is."""

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.api.web.browser.conftest import LACKING, Opened

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route
if LACKING is None:
    from playwright.sync_api import expect

FERRY = "/id/ferry/cr/2021-05-03"


def keep(page: "Page", *games: str) -> None:
    """Keeps some games in English."""
    boxes = page.get_by_role("group", name="Games").get_by_role("checkbox")
    expect(page.get_by_role("button", name="Save on this device")).to_be_enabled()
    for box in boxes.all():
        box.set_checked(box.get_attribute("value") in games)
    page.get_by_role("button", name="Save on this device").click()
    expect(page.get_by_text(re.compile("^Saved on"))).to_be_visible()


def ask(page: "Page", words: str) -> None:
    page.get_by_role("combobox").fill(words)
    page.get_by_role("combobox").press("Enter")


@pytest.fixture
def saved_page(opened: Opened) -> "Page":
    """A page of a device that keeps two games."""
    page = opened("/library")
    keep(page, "ferry", "dm")
    return page


@pytest.mark.slow
def test_a_game_is_kept_in_two_taps_from_the_entrance(opened: Opened) -> None:
    page = opened("/", lang="zh-TW")  # of which no pack is made: the other script of Chinese is proposed
    page.locator('a[href="/library?keep=dm#offline"]').click()
    expect(page.locator(".keep form button")).to_be_enabled()
    expect(page.locator("[data-weight]")).to_contain_text(" MB")
    expect(page.locator(".keep input:checked + span")).to_have_text(["決鬥王", "简体中文"])
    expect(page.locator(".keep label").filter(has=page.locator("input[value=dm]"))).to_contain_text("2025年12月17日")
    page.locator(".keep form button").click()
    expect(page.locator("[data-editions]")).to_contain_text("DM CR 2025-12-17")


def test_in_flight_mode_search_rules_books_concepts_and_the_comparison_work(saved_page: "Page") -> None:
    page = saved_page
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("#banner")).to_contain_text("FERRY CR 2021-05-03")
    ask(page, "how many tokens may a ferry carry")
    expect(page.locator(".hit").first).to_contain_text("six tokens")
    page.locator(".hit h2 a").first.click()
    expect(page).to_have_url(re.compile(FERRY))
    expect(page.locator("article.rule .text")).to_contain_text("six tokens")
    page.reload()
    expect(page.locator("article.rule .text")).to_contain_text("six tokens")
    page.get_by_role("navigation", name="Adjacent rules").get_by_role("link").last.click()
    expect(page.locator("article.rule h1")).not_to_contain_text("101.1")
    page.go_back()
    expect(page.locator("article.rule h1")).to_contain_text("101.1")
    page.goto("/id/concept/dm/graveyard")
    expect(page.locator(".properties .value").first).to_be_visible()
    page.get_by_role("link", name="Compare").click()
    expect(page.locator("table.grid th[scope=row]").first).to_be_visible()
    page.goto(FERRY)
    expect(page.locator(".rules li").first).to_be_visible()
    page.goto("/terms")
    expect(page.locator("#kept")).to_contain_text("needs a network")


def test_the_first_section_is_shown_and_others_open(saved_page: "Page") -> None:
    page = saved_page
    page.context.set_offline(True)
    page.reload()
    ask(page, "how many tokens may a ferry carry")
    expect(page.locator("section.answer.section .found", has_text="six tokens")).to_be_visible()
    further = page.locator("details.section").first
    expect(further.locator(".rules")).to_be_hidden()
    further.locator("summary").first.click()
    expect(further.locator(".rules > li").first).to_be_visible()
    further.get_by_role("link", name="Open the section").click()
    expect(page.locator("article.rule h1")).to_be_visible()


def test_a_question_that_no_rule_answers_gets_no_hits(saved_page: "Page") -> None:
    page = saved_page
    page.context.set_offline(True)
    page.reload()
    ask(page, "how tall is the president of France")
    expect(page.locator("#kept .notice")).to_contain_text("No confident match on this device")
    expect(page.locator(".hit")).to_have_count(0)
    ask(page, "graveyard")
    expect(page.locator(".hit").first).to_be_visible()
    expect(page.locator("#kept .notice")).to_have_count(0)


def test_another_language_of_the_pages_is_kept_too(saved_page: "Page") -> None:
    page = saved_page
    page.get_by_label("Languages").click()
    page.get_by_role("button", name="日本語", exact=True).first.click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    page.context.set_offline(True)
    page.goto("/?q=tokens+on+a+ferry")
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.locator(".hit").first).to_be_visible()


def test_something_newer_is_offered_and_never_taken_by_itself(saved_page: "Page") -> None:
    page = saved_page
    in_store(
        page,
        """const state = await store.read("state"), parts = {};
        for (const name of Object.keys(state.digests)) parts[name] = await store.read(`part ${name}`);
        state.digests.ferry = "older";
        await store.replace(state, parts, await store.read("index"));""",
    )
    page.goto("/")
    offer = page.locator("#offer")
    expect(offer).to_be_visible()
    assert digest(page) == "older"
    page.get_by_role("button", name="Download").click()
    expect(offer.get_by_text("Saved.")).to_be_visible()
    assert digest(page) != "older"
    page.goto("/library")
    expect(page.locator(".keep [data-when]")).not_to_be_empty()
    expect(offer).to_be_hidden()


def in_store(page: "Page", code: str) -> Any:  # noqa: ANN401
    """The result of some code, to which `store` is the module of the offline store."""
    module = "document.querySelector('link[href$=\"/page.js\"]').href.replace('page.js', 'offline/store.js')"
    return page.evaluate(f"async () => {{ const store = await import({module}); {code} }}")


def digest(page: "Page") -> Any:  # noqa: ANN401
    """The device's note on the stored rules of a game."""
    return in_store(page, "return (await store.state()).digests.ferry;")


def test_a_partial_download_never_replaces_a_complete_one(saved_page: "Page") -> None:
    page = saved_page

    def cut(route: "Route") -> None:
        whole = route.fetch()
        route.fulfill(status=200, headers={"content-type": "application/json"}, body=whole.body()[: len(whole.body()) // 2])

    page.context.route("**/pack/*/dm.en", cut)
    page.get_by_role("button", name="Save on this device").click()
    expect(page.get_by_role("alert")).to_contain_text("what was saved before is still here")
    page.context.set_offline(True)
    page.goto("/?q=how+many+tokens+may+a+ferry+carry")
    expect(page.locator(".hit").first).to_contain_text("six tokens")


def test_cached_pages_can_be_removed(saved_page: "Page") -> None:
    page = saved_page
    page.get_by_role("button", name="Remove it").click()
    expect(page.get_by_text(re.compile("^Saved on"))).to_be_hidden()
    page.context.set_offline(True)
    page.goto("/")
    expect(page.locator("#banner")).to_contain_text("nothing is saved")


def test_an_address_that_is_not_secure_says_why_nothing_is_kept(opened: Opened) -> None:
    page = opened("about:blank")
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    page.goto("/library")
    expect(page.locator("[data-show=insecure]")).to_be_visible()
    expect(page.get_by_role("button", name="Save on this device")).to_be_hidden()
