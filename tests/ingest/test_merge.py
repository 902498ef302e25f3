"""Two languages of an edition side by side; the outline of a flat book."""

import pytest

from corpus.address import EditionKey
from corpus.model import Reading
from ingest.merge import Edition, merge
from tests.support.ferrymen import parsed

KEY = EditionKey("mtg", "cr", "1990-01-01")
"""Only of a catalogued book the language of the headwords is known; the words are invented."""
BASICS = "1. Basics\n\n100. General\n\n100.1. Captains steer.\n100.2. A rope is tied.\n\nGlossary\n\n"
BASICS_ZH = "1. 基础\n\n100. 总则\n\n100.1. 船长掌舵。\n100.2. 绳索系好。\n\n词汇表\n\n"
ENGLISH = {"Captain": "One who steers. See rule 100.1.", "Rope": "What is tied. See rule 100.2.", "Goose": "A bird."}
CHINESE = {"船长": "掌舵的人。参见规则100.1。", "绳索": "系好的东西。参见规则100.2。", "鹅": "一种鸟。"}


def reading(text: str, lang: str) -> Reading:
    return parsed(text, "hundreds", lang)._replace(key=KEY)


@pytest.mark.parametrize("order", ["船长 绳索 鹅", "绳索 船长 鹅"])
def test_entries_of_a_glossary_in_another_order_are_matched_by_citations(order: str) -> None:
    english = BASICS + "\n\n".join("\n".join(entry) for entry in ENGLISH.items())
    chinese = BASICS_ZH + "\n\n".join(f"{word}\n{CHINESE[word]}" for word in order.split())
    rules = merge(KEY, [reading(english, "en"), reading(chinese, "zh-Hans")]).rules
    headwords = {name: rules[f"glossary/{name}"].texts["zh-Hans"].headword for name in ("captain", "rope", "goose")}
    assert headwords == {"captain": "船长", "rope": "绳索", "goose": "鹅"}


FLAT = """
100. Piers
101. Ropes
102. A rope is tied before the ferry leaves.
103. A torn rope is replaced.
103.1. The captain pays for it.
104. Bells
104.1. A bell is rung twice.
105. Lamps are lit at dusk.
{chapter}301. Crew
302. Every captain steers.
302.1. No goose steers.
303. The captain may sleep, and the crew rings the bell as often as the lamp goes out.
"""


def flat_edition(chapter: str, lang: str = "en") -> Edition:
    return merge(EditionKey("ferry", "rules", "1990-01-01"), [parsed(FLAT.format(chapter=chapter), "letters-as-levels", lang)])


def outline(edition: Edition) -> dict[str, tuple[str | None, str]]:
    return {locator: (rule.parent, rule.kind.value) for locator, rule in edition.rules.items() if "." not in locator}


def test_a_title_of_a_flat_book_heads_the_numbers_up_to_the_next_title() -> None:
    assert outline(flat_edition("300. Voyages\n")) == {
        "100": (None, "chapter"),
        "101": ("100", "section"),
        "102": ("101", "rule"),
        "103": ("101", "section"),  # its words are short, and it has parts
        "104": ("101", "section"),  # has parts of its own
        "105": ("101", "rule"),
        "300": (None, "chapter"),
        "301": ("300", "section"),
        "302": ("301", "section"),
        "303": ("301", "rule"),
    }


@pytest.mark.parametrize(
    ("first", "chapter"),
    [("300. Voyages\n300.1. A voyage has a bank.\n", "300"), ("300. Every voyage ends.\n300.1. A voyage has a bank.\n", None)],
)
def test_a_round_hundred_with_parts_is_not_in_the_chapter_before(first: str, chapter: str | None) -> None:
    above = outline(flat_edition(first))
    assert [above[number][0] for number in ("300", "301")] == [None, chapter]


def test_a_chapter_of_a_flat_book_may_lack_its_title() -> None:
    above = outline(flat_edition(""))
    assert [above[number][0] for number in ("301", "302")] == [None, "301"]
