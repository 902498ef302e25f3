"""Two languages of an edition side by side."""

import pytest

from corpus.address import EditionKey
from corpus.model import Reading
from ingest.merge import merge
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
