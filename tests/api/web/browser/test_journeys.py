"""Journeys through the pages in a real browser: on a phone, at a desk, with the keyboard alone and without scripts."""

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.api.web.browser.conftest import DESK, LACKING, PHONE, Opened

if TYPE_CHECKING:
    from playwright.sync_api import Page
if LACKING is None:
    from playwright.sync_api import expect

FERRY, EVIL = "/id/ferry/cr/2021-05-03", "/id/evil"
SIZES = [pytest.param(PHONE, id="phone"), pytest.param(DESK, id="desk", marks=pytest.mark.slow)]


def ask(page: "Page", words: str) -> None:
    page.get_by_role("combobox").fill(words)
    page.get_by_role("combobox").press("Enter")


@pytest.mark.parametrize("size", SIZES)
def test_from_a_question_to_the_rule_of_another_game_and_back(opened: Opened, size: dict[str, Any]) -> None:
    page = opened("/", size=size)
    ask(page, "graveyard order")
    hit = page.locator(".hit").filter(has=page.locator("summary", has_text="In other games")).first
    hit.locator("summary", has_text="In other games").click()
    hit.locator(".counterparts a").first.click()
    expect(page.locator("dialog .preview")).to_be_visible()
    page.locator("dialog").get_by_role("link", name="Open the rule").click()
    expect(page).to_have_url(re.compile("/id/"))
    expect(page.locator("article.rule h1")).to_be_visible()
    page.go_back()
    expect(page.locator(".hits")).to_be_visible()


def test_a_number_is_suggested_while_it_is_typed(opened: Opened) -> None:
    page = opened("/")
    with page.expect_event("requestfinished", lambda request: "q=ferry+101.1&" in request.url):  # no list of the first keys
        page.get_by_role("combobox").press_sequentially("ferry 101.1")
    page.get_by_role("option").filter(has_text="101.1").first.click()
    expect(page).to_have_url(re.compile(f"{FERRY}/101.1$"))


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "words"), [("ja", "墓地"), ("zh-CN", "坟墓"), ("en", "graveya")])
def test_a_term_is_suggested_in_every_language(opened: Opened, lang: str, words: str) -> None:
    page = opened("/", lang=lang)
    page.get_by_role("combobox").fill(words)
    page.get_by_role("option").first.click()
    expect(page).to_have_url(re.compile("/id/concept/"))


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "words", "name"), [("en", "the ferr", "The Ferryman's Oath"), ("ja", "渡し", "渡し守の誓い")])
def test_a_card_is_suggested_and_asked_for(opened: Opened, lang: str, words: str, name: str) -> None:
    page = opened("/?q=token&game=ferry", lang=lang)
    page.get_by_role("combobox").fill(words)
    page.get_by_role("option", name=name).click()
    expect(page).to_have_url(re.compile(r"\?q=.+&game=ferry$"))
    expect(page.get_by_role("combobox")).to_have_value(name)


def test_suggestions_with_keys_alone(opened: Opened) -> None:
    page = opened("/", size=DESK)
    page.keyboard.press("/")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.insert_text("ferry 101")  # at once: a late list of the first keys would be replaced under the chosen line
    expect(page.get_by_role("combobox")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    option = page.get_by_role("option", selected=True)
    expect(option).to_have_count(1)
    expect(page.get_by_role("combobox")).to_have_attribute("aria-activedescendant", "suggestion-0")
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    page.keyboard.insert_text(".1")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"{FERRY}/101.1$"))


@pytest.mark.slow
def test_the_keys_for_numbers_are_one_touch_away(opened: Opened) -> None:
    page = opened("/")
    page.get_by_role("button", name="Numeric keypad").tap()
    expect(page.get_by_role("combobox")).to_have_attribute("inputmode", "decimal")
    expect(page.get_by_role("combobox")).to_be_focused()


@pytest.mark.slow
def test_the_section_of_a_hit_unfolds_in_place(opened: Opened) -> None:
    page = opened("/?q=how+many+tokens+may+a+ferry+carry&game=ferry")
    hit = page.locator(".hit").first
    hit.get_by_text("The section that contains it").click()
    expect(hit.locator(".rules [aria-current]")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?q="))


def test_the_language_of_the_pages_is_chosen_and_stays(opened: Opened) -> None:
    page = opened(f"{FERRY}/101.1", lang="fr")
    page.get_by_label("Languages").click()
    page.get_by_role("button", name="日本語", exact=True).first.click()
    expect(page).to_have_url(re.compile(f"{FERRY}/101.1$"))
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    page.goto("/library")
    expect(page.locator("h1")).to_have_text("ルールブック")


@pytest.mark.slow
def test_the_language_of_the_books_is_another_choice(opened: Opened) -> None:
    page = opened(f"{FERRY}/101.1")
    expect(page.locator(".words .text")).to_contain_text("A ferry holds")
    page.get_by_label("Languages").click()
    page.get_by_role("group", name="Language of the books").get_by_role("button", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator(".words")).to_have_attribute("lang", "ja")
    page.get_by_role("link", name="side by side").click()
    expect(page.locator(".words")).to_have_count(2)


def test_a_game_is_chosen_and_kept_for_the_next_question(opened: Opened) -> None:
    page = opened("/?q=graveyard")
    page.get_by_role("navigation", name="Scope").get_by_role("link", name="Duel Masters").click()
    expect(page.locator(".hit .game").first).to_have_text("DM")
    ask(page, "hand")
    expect(page).to_have_url(re.compile("game=dm"))


@pytest.mark.slow
def test_the_rules_of_another_day(opened: Opened) -> None:
    page = opened("/?q=how+many+tokens+may+a+ferry+carry&game=ferry")
    expect(page.locator(".hit .text").first).to_contain_text("six tokens")
    page.get_by_text("Language and date").click()
    page.get_by_label("The rules as of").fill("2020-06-01")
    page.get_by_role("button", name="View").click()
    expect(page.locator(".hit .text").first).to_contain_text("five tokens")


@pytest.mark.slow
def test_the_last_questions_are_kept_on_the_device_and_forgotten(opened: Opened) -> None:
    page = opened("/?q=graveyard")
    page.goto("/?q=<b>hand</b>")
    page.goto("/")
    lines = page.locator("#recent li")
    expect(lines).to_have_text(["<b>hand</b>", "graveyard"])
    assert [cookie["name"] for cookie in page.context.cookies()] == []
    page.get_by_role("button", name="Clear history").click()
    expect(page.locator("#recent")).to_be_hidden()


def test_from_rule_to_rule(opened: Opened) -> None:
    page = opened(f"{FERRY}/101.1")
    navigation = page.get_by_role("navigation", name="Adjacent rules")
    navigation.get_by_role("link", name="101.2").click()
    expect(page).to_have_url(re.compile("101.2$"))
    navigation.get_by_role("link", name="101", exact=True).click()
    expect(page.get_by_role("heading", name="Rules under it")).to_be_visible()


@pytest.mark.slow
def test_a_citation_is_shown_where_it_is_touched(opened: Opened) -> None:
    page = opened(f"{FERRY}/101.2")
    cited = page.locator(".words a.cite").first
    cited.click()
    expect(page.locator("dialog .preview")).to_contain_text("watches from the bank")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()
    expect(cited).to_be_focused()
    expect(page).to_have_url(re.compile("101.2$"))


def test_a_citation_is_copied(opened: Opened) -> None:
    page = opened(f"{FERRY}/101.1", size=DESK, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy citation").click()
    expect(page.get_by_role("status")).to_have_text("Copied")
    citation: str = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(rf"ferry CR 101.1 \(2021-05-03\): “A ferry holds [^”]+” http://\S+{FERRY}/101.1", citation)


@pytest.mark.slow
def test_words_are_found_in_a_chapter_while_they_are_typed(opened: Opened) -> None:
    page = opened("/read/ferry/cr/2021-05-03/1")
    whole = page.locator(".reading > li:visible").count()
    page.get_by_label("Find here").fill("TOKENS")
    expect(page.locator(".reading > li:visible")).not_to_have_count(whole)
    assert page.evaluate("CSS.highlights.get('found').size") > 0
    page.get_by_label("Find here").fill("")
    expect(page.locator(".reading > li:visible")).to_have_count(whole)


def test_a_cell_of_the_comparison_opens_its_proof(opened: Opened) -> None:
    page = opened("/compare?property=ordering")
    page.locator('a.proof[href="/id/concept/mtg/graveyard#ordering"]').click()
    expect(page.locator("dialog .proofs").first).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Only what differs").click()
    page.get_by_role("link", name="Swap rows and columns").click()
    expect(page.locator("tbody th .game").first).to_be_visible()


@pytest.mark.slow
def test_topics_are_turned_narrowed_and_proved(opened: Opened) -> None:
    page = opened("/compare")
    page.get_by_role("navigation", name="Tables").get_by_role("link", name="Topics").click()
    page.get_by_role("link", name="combat", exact=True).click()
    page.get_by_role("link", name="Force of Will").click()
    heads = page.locator("thead th .game")
    for game, count in (("DM", 1), ("MTG", 1), ("YGO", 1), ("FOW", 0)):
        expect(heads.get_by_text(game, exact=True)).to_have_count(count)
    page.locator('a.proof[href="/id/concept/mtg/combat-steps#says"]').click()
    expect(page.locator("dialog .proofs")).to_contain_text("506.1")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Only topics for which a game has no rule").click()
    expect(page.locator("tbody tr").filter(has_not_text="nearest")).to_have_count(0)
    page.get_by_role("link", name="Swap rows and columns").click()
    expect(page.locator("tbody th .game").first).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("scripts", [True, False])
def test_the_terms_of_a_game_are_downloaded(opened: Opened, scripts: bool) -> None:
    page = opened("/terms?label=graveyard&game=mtg&in=ja", java_script_enabled=scripts)
    with page.expect_download() as saved:
        page.get_by_role("link", name="CSV").click()
    assert saved.value.suggested_filename == "rulestone.csv"
    assert "墓地" in saved.value.path().read_text("utf-8")


@pytest.mark.slow
def test_from_a_rule_to_its_newest_ruling_and_back(opened: Opened) -> None:
    page = opened(f"{EVIL}/cr/2021-01-01/101.1")
    rulings = page.get_by_role("region", name="Rulings")
    expect(rulings.get_by_role("listitem").first).to_contain_text("2022-02-08")
    rulings.get_by_role("link").first.click()
    expect(page).to_have_url(re.compile(f"{EVIL}/rulings/desk/8$"))
    expect(page.locator("article.ruling")).to_contain_text("May a barrel be rolled?")
    page.get_by_role("region", name="It rests on").get_by_role("link", name="101.1").click()
    expect(page.locator("dialog .preview")).to_contain_text("ferry holds")
    page.locator("dialog").get_by_role("link", name="Open the rule").click()
    expect(page).to_have_url(re.compile(f"{EVIL}/cr/2021-01-01/101.1$"))


@pytest.mark.parametrize("size", SIZES)
def test_a_question_finds_the_ruling_that_answers_it(opened: Opened, size: dict[str, Any]) -> None:
    page = opened("/?q=token&game=evil", size=size)
    ask(page, "may a barrel be rolled")
    page.locator(".hit.ruling h2 a").first.click()
    expect(page).to_have_url(re.compile(f"{EVIL}/rulings/desk/8$"))
    page.go_back()
    expect(page.locator(".hits")).to_be_visible()


def test_a_text_is_checked_and_the_rule_looked_at(opened: Opened) -> None:
    page = opened("/check")
    page.get_by_label("Text", exact=True).fill("Ferry CR 101.1 and 999.9. Ferry CR 101.1: “A ferry holds at most nine tokens.”")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".verdicts > li")).to_have_count(3)
    expect(page.locator(".verdicts ins")).to_contain_text("six")
    page.locator(".checked a.exists").click()
    expect(page).to_have_url(re.compile("#c1$"))
    page.locator("#c1 a.cite").click()
    expect(page.locator("dialog .preview")).to_contain_text("A ferry holds")


def test_what_is_not_there_leads_on(opened: Opened) -> None:
    page = opened(f"{FERRY}/999.9", lang="ja")
    expect(page.locator(".notice")).to_contain_text("999.9")
    page.get_by_role("main").get_by_role("link", name="検索").click()
    expect(page).to_have_url(re.compile("/$"))


def test_keys_alone_reach_the_content_first(opened: Opened) -> None:
    page = opened(f"{FERRY}/101.1", size=DESK)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#main$"))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")
    page.get_by_label("Languages").press("Enter")
    expect(page.get_by_role("button", name="简体中文").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Languages")).to_be_focused()


@pytest.mark.parametrize("size", SIZES)
def test_without_scripts_everything_is_there(opened: Opened, size: dict[str, Any]) -> None:
    page = opened("/", size=size, java_script_enabled=False)
    page.get_by_label("Number, term or question").fill("how many tokens may a ferry carry")
    page.get_by_role("button", name="Search").click()
    page.locator(".hit summary", has_text="The section that contains it").first.click()
    page.get_by_role("link", name="Open the section").first.click()
    expect(page.locator("article.rule")).to_be_visible()
    page.goto("/read/ferry/cr/2021-05-03/1")
    page.get_by_label("Find here").fill("tokens")
    page.get_by_role("button", name="Find", exact=True).click()
    expect(page.locator(".reading mark").first).to_be_visible()
    page.get_by_label("Languages").click()
    page.get_by_role("button", name="繁體中文").first.click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")


ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'><svg/onload=alert(3)>${7*7}{{7*7}}"


@pytest.mark.parametrize(
    "path",
    ["/?q={}", "/?q=a&game={}", "/?q=a&as_of={}", "/terms?label={}", "/read/evil/cr/2021-01-01/1?find={}", "/changes?book={}"],
)
def test_code_in_what_is_given_is_shown_and_not_run(opened: Opened, path: str) -> None:
    from urllib.parse import quote

    page = opened(path.format(quote(ATTACK)))
    expect(page.locator("main")).to_be_visible()
    assert page.locator("main script, main img, main [onload]").count() == 0


@pytest.mark.parametrize(
    "path",
    [
        *("/id/evil/cr/2021-01-01/101.1", "/read/evil/cr/2021-01-01/1", "/library", "/?q=101.1&game=evil"),
        *("/id/evil/rulings/desk/7", "/?q=may+a+ferry+be+sunk&game=evil"),
    ],
)
def test_code_in_rules_and_file_names_is_shown_and_not_run(opened: Opened, path: str) -> None:
    page = opened(path)
    expect(page.locator("main")).to_contain_text(re.compile(r"alert\(|\{\{7\*7\}\}"))  # of rulings, marks are taken off
    for summary in page.locator("main details > summary").all():
        summary.click()
    page.get_by_role("combobox").fill("evil 101")
    expect(page.get_by_role("option").first).to_be_visible()
    assert page.locator("main script, main img, main [onload], .suggestions img").count() == 0
