"""Questions that name cards: `python -m bench.cards [HOME]`.

The share for which an answering rule is found, with and without a file of cards, and the cost of names. The cards are invented. The
cost of names that are ordinary words is measured with the judges' questions, which name no card, with and without a file of such
names. The cost of a card's text is measured with the judges' questions about each loaded book, to which a card is added that does
not matter: its text consists of keywords of the game that are drawn at random.
"""

import random
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from bench.measure import rulebook_folder
from bench.search.runs import ABSTAINED, Outcome, evaluate, mean, product_search
from bench.search.topics import BOOKS, MAGIC_FILES, MEASURE, Topic, judge_questions, magic_questions
from corpus.model import Card
from corpus.store.documents import NewDocuments
from corpus.store.home import Home
from ingest.cards import read_card_file
from ontology.cards import CardStore, write_cards
from ontology.knowledge import Knowledge
from ontology.shipped import shipped_labels
from rulestone import Library
from search.searcher import Request, Searcher
from search.settings import SEARCH, CardExpansion

FOLDER = Path(__file__).parent
BOOK = ("mtg", "20250207_En.txt")
SEED, EVERY = 1, 2
"""Of the draw of unrelated cards; one in this many of the judges' questions names one."""
KEYWORDS, LONGEST_KEYWORD = 4, 24
"""Number of labels in the text of an unrelated card, and their maximum length."""
NAMES = (
    *("Brindlewick", "Ossamar, Tide Warden", "Quillhaven Scout", "Torvane", "Lumenreach, the Patient", "Harrowdell Envoy"),
    *("Sablethorn", "Ferrywright Nessa", "Pelloric", "Vantrel, Ash Keeper", "Mirkwater Lantern", "Gorsefield Piper"),
)
NAMED = {"en": "I have {} in play. ", "ja": "場に「{}」がある。", "zh-Hans": "我场上有「{}」。"}
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


def print_unrelated(searcher: Searcher) -> None:
    """Prints the figures of questions that name an unrelated card, without and with its file."""
    cards, topics = with_unrelated_cards()
    of_books = [topic for topic in topics if topic.game in searcher.index.games]
    for name, some in (("without cards", None), ("with cards", cards)):
        searcher.cards = some
        print_figures(f"{len(of_books)} questions, {name}", *shares(evaluate(of_books, product_search(searcher))))


def shares(outcomes: Sequence[Outcome]) -> list[float]:
    """The shares of questions with an answering rule among the first ten hits and three hits, and the mean reciprocal rank."""
    return [mean(outcomes, measure) for measure in ("Success@10", "Success@3", "RR@10")]


def print_figures(name: str, *values: float) -> None:
    """Prints some figures."""
    print(f"{name:<44}" + "".join(f"{value:>8.3f}" for value in values), flush=True)


def measure(bundle: Path) -> None:
    """Prints every figure over a bundle."""
    knowledge, topics = Knowledge.open(bundle), topics_of_cards()
    print(f"== {len(topics)} questions that name invented cards, no game named: met in ten, in three, reciprocal rank, abstained")
    searcher = Searcher(bundle, knowledge)
    searcher.wait_for_encoder()
    searcher.cards = None
    outcomes = evaluate(topics, product_search(searcher))
    print_figures("without cards", *shares(outcomes), mean(outcomes, ABSTAINED))
    of_magic = [replace(topic, games=("mtg",)) for topic in topics]
    print_figures("without cards, the game named", *shares(evaluate(of_magic, product_search(searcher))))
    for name, widening in VARIANTS.items():
        other = Searcher(bundle, knowledge, replace(SEARCH, cards=widening))
        other.wait_for_encoder()
        other.cards = card_index(read_card_file(FOLDER / "cards.csv"))
        outcomes = evaluate(topics, product_search(other))
        print_figures(f"with cards: {name}", *shares(outcomes), mean(outcomes, ABSTAINED))
    print("== judges' questions that name an unrelated card, the game named: met in ten, in three, reciprocal rank")
    print_unrelated(searcher)
    print("== questions that name no card, with names that are ordinary words: share of the needed rules in ten")
    for file in MAGIC_FILES:
        for lang in ("en", "zh-Hans"):
            if plain := magic_questions(file, lang):
                searcher.cards = None
                before = mean(evaluate(plain, product_search(searcher)), "R@10")
                searcher.cards = card_index(read_card_file(FOLDER / "ordinary.csv"))
                after = mean(evaluate(plain, product_search(searcher)), "R@10")
                card_count = sum(bool(searcher.understand(Request(topic.query, topic.games)).cards) for topic in plain)
                print_figures(f"{file} {lang}: without, with, read as cards", before, after, card_count)


def main() -> None:
    """Prints the figures for the named home, else for one with only the Magic book."""
    if len(sys.argv) > 1:
        home = Home(Path(sys.argv[1]))
    else:
        home = Home(Path(tempfile.mkdtemp()))
        Library.open(home.path).add([rulebook_folder().joinpath(*BOOK)])
    try:
        bundle = home.current_folder()
        if bundle is None:
            raise SystemExit(f"{home.path} holds no knowledge base")
        measure(bundle)
    finally:
        if len(sys.argv) == 1:
            shutil.rmtree(home.path, ignore_errors=True)


if __name__ == "__main__":
    main()
