"""Questions that name cards: `python -m bench.cards [HOME]`.

The share for which an answering rule is found, with and without a file of cards, and the cost of names. The cards are invented. The
cost of names that are ordinary words is measured with the judges' questions, which name no card, with and without a file of such
names. The cost of a card's text is measured with the judges' questions about each loaded book, to which a card is added that does
not matter: its text consists of keywords of the game that are drawn at random.
"""

import random
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from bench.search.homes import Library, opened
from bench.search.runs import ABSTAINED, Group, evaluate, print_table, product_search
from bench.search.topics import BOOKS, MAGIC_FILES, MEASURE, Topic, judge_questions, magic_questions
from corpus.model import Card
from corpus.store.documents import NewDocuments
from ingest.cards import read_card_file
from ontology.cards import CardStore, write_cards
from ontology.shipped import shipped_labels
from search.searcher import Request, Searcher
from search.settings import SEARCH, CardExpansion

FOLDER = Path(__file__).parent
BOOK = "mtg/20250207_En.txt"
SEED, EVERY = 1, 2
"""Of the draw of unrelated cards; one in this many of the judges' questions names one."""
KEYWORDS, LONGEST_KEYWORD = 4, 24
"""Number of labels in the text of an unrelated card, and their maximum length."""
NAMES = (
    *("Brindlewick", "Ossamar, Tide Warden", "Quillhaven Scout", "Torvane", "Lumenreach, the Patient", "Harrowdell Envoy"),
    *("Sablethorn", "Ferrywright Nessa", "Pelloric", "Vantrel, Ash Keeper", "Mirkwater Lantern", "Gorsefield Piper"),
)
NAMED = {"en": "I have {} in play. ", "ja": "場に「{}」がある。", "zh-Hans": "我场上有「{}」。"}
MEASURES = ("Success@10", "Success@3", "RR@10")
VARIANTS = {
    "shipped": SEARCH.cards,
    "names alone": CardExpansion(concept_weight=0.0, text_chars=0),
    "concepts alone": CardExpansion(text_chars=0),
    "texts alone": CardExpansion(concept_weight=0.0),
}


def card_index(cards: Iterable[Card]) -> CardStore:
    """Some cards, as in a bundle."""
    records = NewDocuments()
    write_cards(records, cards)
    return CardStore(records)


def topics_of_cards() -> list[Topic]:
    """The questions that name the invented cards."""
    rows = tomllib.loads((FOLDER / "questions.toml").read_text(encoding="utf-8"))["question"]
    return [
        Topic(f"card-{nth}", "cards", "", row["query"], game="mtg", needs=tuple(f"mtg:{number}" for number in row["needs"]))
        for nth, row in enumerate(rows)
    ]


def with_unrelated_cards() -> tuple[CardStore, list[Topic]]:
    """Cards with texts of random keywords, and the judges' questions after a sentence that names one of them."""
    draw, cards, topics = random.Random(SEED), [], []
    for game in BOOKS:
        labels = sorted({label.text for label in shipped_labels() if (label.scheme, label.lang) == (game, "en")})
        for name in NAMES:
            keywords_drawn = draw.sample([label for label in labels if len(label) < LONGEST_KEYWORD], KEYWORDS)
            text = ". ".join((*keywords_drawn, "When this card enters play, draw a card."))
            cards.append(Card(game, f"unrelated {name}", {"en": (name,)}, {"en": text}))
        for topic in judge_questions(MEASURE, [game])[::EVERY]:
            query = NAMED[topic.lang].format(draw.choice(NAMES)) + topic.query
            topics.append(replace(topic, query=query, games=(game,)))
    return card_index(cards), topics


def print_figures(library: Library) -> None:
    """Prints every figure over the books of a home."""
    searcher, topics = library.searcher(), topics_of_cards()
    search = product_search(searcher)
    searcher.cards = None
    of_magic = [replace(topic, games=("mtg",)) for topic in topics]
    groups: list[Group] = [
        ("without cards", evaluate(topics, search)),
        ("without cards, the game named", evaluate(of_magic, search)),
    ]
    for name, widening in VARIANTS.items():
        other = library.searcher(replace(SEARCH, cards=widening))
        other.cards = card_index(read_card_file(FOLDER / "cards.csv"))
        groups.append((f"with cards: {name}", evaluate(topics, product_search(other))))
    print_table("== invented cards are named", (*MEASURES, ABSTAINED), groups)
    cards, unrelated = with_unrelated_cards()
    of_books = [topic for topic in unrelated if topic.game in searcher.index.games]
    groups = [_with_cards(searcher, name, of_books, some) for name, some in (("without cards", None), ("with cards", cards))]
    print_table("== an unrelated card is named", MEASURES, groups)
    groups, ordinary = [], card_index(read_card_file(FOLDER / "ordinary.csv"))
    for file, lang in product(MAGIC_FILES, ("en", "zh-Hans")):
        if plain := magic_questions(file, lang):
            groups += [_with_cards(searcher, f"{file} {lang}", plain, some) for some in (None, ordinary)]
            is_read = [bool(searcher.understand(Request(topic.query, topic.games)).cards) for topic in plain]
            groups[-1] = f"{lang}, with cards, read in {sum(is_read)}", groups[-1][1]
    print_table("== no card is named", ["R@10"], groups)


def _with_cards(searcher: Searcher, name: str, topics: Sequence[Topic], cards: CardStore | None) -> Group:
    searcher.cards = cards
    return name, evaluate(topics, product_search(searcher))


def main() -> None:
    """Prints the figures for the named home, else for one with only the Magic book."""
    with opened(Path(sys.argv[1]) if len(sys.argv) > 1 else None, files=[BOOK]) as library:
        print_figures(library)


if __name__ == "__main__":
    main()
