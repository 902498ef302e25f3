"""Questions that name cards: `python -m bench.cards [HOME]`.

The share for which an answering rule is found, with and without a file of cards, and the cost of names. The cards are invented. The
cost of names that are ordinary words is measured with the judges' questions, which name no card, with and without a file of such
names. The cost of a card's text is measured with the judges' questions about each loaded book, to which a card is added that does
not matter: its text consists of keywords of the game that are drawn at random.
"""

import operator
import random
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.measure import rulebook_folder
from bench.search.books import BOOKS, asked
from bench.search.questions import FILES, questions, recall_by_question
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
LIMIT = 10
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


def first_hits(searcher: Searcher, game: tuple[str, ...]) -> Callable[[str], list[str]]:
    """Search as a function from a question to the numbers of its first ten hits."""

    def numbers(query: str) -> list[str]:
        request = Request(query, game)
        hits = searcher.rank(searcher.understand(request), request).hits[:LIMIT]
        return [searcher.index.rules[hit.rule].locator for hit in hits]

    return numbers


def recall(questions: Sequence[Mapping[str, Any]], search: Callable[[str], list[str]]) -> tuple[float, ...]:
    """The shares of questions with an answering rule among the first ten hits and three hits, and the mean reciprocal rank."""
    ranks = [
        next((1 / rank for rank, name in enumerate(search(str(ask["query"])), 1) if name in ask["needs"]), 0.0) for ask in questions
    ]
    return tuple(sum(values) / len(ranks) for values in (map(bool, ranks), (rank >= 1 / 3 for rank in ranks), ranks))


def with_unrelated_cards() -> tuple[CardStore, dict[str, list[dict[str, Any]]]]:
    """Cards with texts of random keywords, and by game the judges' questions after a sentence that names one of them."""
    draw, cards, by_game = random.Random(SEED), [], {}
    for game in BOOKS:
        labels = sorted({label.text for label in shipped_labels() if (label.scheme, label.lang) == (game, "en")})
        for name in NAMES:
            keywords_drawn = draw.sample([label for label in labels if len(label) < LONGEST_KEYWORD], KEYWORDS)
            text = ". ".join((*keywords_drawn, "When this card enters play, draw a card."))
            cards.append(Card(game, f"unrelated {name}", {"en": (name,)}, {"en": text}))
        by_game[game] = [
            {"query": NAMED[one.lang].format(draw.choice(NAMES)) + one.query, "needs": one.needs}
            for one in asked(game, tune=False)[::EVERY]
        ]
    return card_index(cards), by_game


def print_unrelated(searcher: Searcher) -> None:
    """Prints the recall of questions that name an unrelated card, without and with its file."""
    cards, by_game = with_unrelated_cards()
    questions_by_game = {game: questions for game, questions in by_game.items() if game in searcher.index.games}
    for name, some in (("without cards", None), ("with cards", cards)):
        searcher.cards = some
        shares = [recall(questions, first_hits(searcher, (game,))) for game, questions in questions_by_game.items()]
        counts = [len(questions) for questions in questions_by_game.values()]
        means = (sum(map(operator.mul, column, counts)) / sum(counts) for column in zip(*shares, strict=True))
        print_figures(f"{sum(counts)} questions, {name}", tuple(means))


def abstention_share(questions: Sequence[dict[str, list[str]]], searcher: Searcher) -> float:
    """The share of questions that are not answered."""
    return sum(searcher.search(Request(str(ask["query"]))).abstained for ask in questions) / len(questions)


def print_figures(name: str, values: tuple[float, ...]) -> None:
    """Prints some figures."""
    print(f"{name:<44}" + "".join(f"{value:>8.3f}" for value in values), flush=True)


def measure(bundle: Path) -> None:
    """Prints every figure over a bundle."""
    knowledge = Knowledge.open(bundle)
    asked = tomllib.loads((FOLDER / "questions.toml").read_text(encoding="utf-8"))["question"]
    print(f"== {len(asked)} questions that name invented cards, no game named: met in ten, in three, reciprocal rank, abstained")
    searcher = Searcher(bundle, knowledge)
    searcher.wait_for_encoder()
    searcher.cards = None
    print_figures("without cards", (*recall(asked, first_hits(searcher, ())), abstention_share(asked, searcher)))
    print_figures("without cards, the game named", recall(asked, first_hits(searcher, ("mtg",))))
    for name, widening in VARIANTS.items():
        other = Searcher(bundle, knowledge, replace(SEARCH, cards=widening))
        other.wait_for_encoder()
        other.cards = card_index(read_card_file(FOLDER / "cards.csv"))
        print_figures(f"with cards: {name}", (*recall(asked, first_hits(other, ())), abstention_share(asked, other)))
    print("== judges' questions that name an unrelated card, the game named: met in ten, in three, reciprocal rank")
    print_unrelated(searcher)
    print("== questions that name no card, with names that are ordinary words: share of the needed rules in ten")
    for file in FILES:
        for lang in ("en", "zh-Hans", "ja"):
            if plain := questions(lang, file):
                searcher.cards = None
                before = recall_by_question(plain, first_hits(searcher, ("mtg",)))
                searcher.cards = card_index(read_card_file(FOLDER / "ordinary.csv"))
                after = recall_by_question(plain, first_hits(searcher, ("mtg",)))
                card_count = sum(bool(searcher.understand(Request(question["query"], ("mtg",))).cards) for question in plain)
                print_figures(
                    f"{file} {lang}: without, with, read as cards", (sum(before) / len(plain), sum(after) / len(plain), card_count)
                )


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
