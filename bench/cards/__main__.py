"""Questions that name cards.

The share for which an answering rule is found, with and without a file of cards, and the cost of names. The cards are invented. The
cost of names that are ordinary words is measured with the judges' questions, which name no card, with and without a file of such
names.
"""

import shutil
import sys
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from bench.measure import rulebook_folder
from bench.search.questions import FILES, questions, recall_by_question
from corpus.store.documents import NewDocuments
from corpus.store.home import Home
from ingest.cards import read_card_file
from ontology.cards import Cards, write_cards
from ontology.knowledge import Knowledge
from rulestone import Library
from search.searcher import Request, Searcher
from search.settings import SEARCH, CardExpansion

FOLDER = Path(__file__).parent
LIMIT = 10
BOOK = ("mtg", "20250207_En.txt")
VARIANTS = {
    "shipped": SEARCH.cards,
    "names alone": CardExpansion(concept_weight=0.0, text_chars=0),
    "concepts alone": CardExpansion(text_chars=0),
    "texts alone": CardExpansion(concept_weight=0.0),
}


def make_cards(name: str) -> Cards:
    """The cards of a file in this folder, as in a bundle."""
    records = NewDocuments()
    write_cards(records, read_card_file(FOLDER / name))
    return Cards(records)


def first_hits(searcher: Searcher, game: tuple[str, ...]) -> Callable[[str], list[str]]:
    """Search as a function from a question to the numbers of its first ten hits."""

    def numbers(query: str) -> list[str]:
        request = Request(query, game)
        hits = searcher.rank(searcher.understand(request), request).hits[:LIMIT]
        return [searcher.index.rules[hit.rule].locator for hit in hits]

    return numbers


def print_recall(questions: Sequence[dict[str, list[str]]], search: Callable[[str], list[str]]) -> tuple[float, float]:
    """The share of questions with an answering rule among the first ten hits, and the mean reciprocal rank."""
    ranks = [
        next((1 / rank for rank, name in enumerate(search(str(ask["query"])), 1) if name in ask["needs"]), 0.0) for ask in questions
    ]
    return sum(map(bool, ranks)) / len(ranks), sum(ranks) / len(ranks)


def abstention_share(questions: Sequence[dict[str, list[str]]], searcher: Searcher) -> float:
    """The share of questions that are not answered."""
    return sum(searcher.search(Request(str(ask["query"])))["abstained"] for ask in questions) / len(questions)


def print_figures(name: str, values: tuple[float, ...]) -> None:
    """Prints some figures."""
    print(f"{name:<44}" + "".join(f"{value:>8.3f}" for value in values), flush=True)


def measure(bundle: Path) -> None:
    """Prints every figure over a bundle."""
    knowledge = Knowledge.open(bundle)
    asked = tomllib.loads((FOLDER / "questions.toml").read_text(encoding="utf-8"))["question"]
    print(f"== {len(asked)} questions that name invented cards, no game named: met in ten, reciprocal rank, abstained")
    searcher = Searcher(bundle, knowledge)
    searcher.wait_for_encoder()
    searcher.cards = None
    print_figures("without cards", (*print_recall(asked, first_hits(searcher, ())), abstention_share(asked, searcher)))
    print_figures("without cards, the game named", print_recall(asked, first_hits(searcher, ("mtg",))))
    for name, widening in VARIANTS.items():
        other = Searcher(bundle, knowledge, replace(SEARCH, cards=widening))
        other.wait_for_encoder()
        other.cards = make_cards("cards.csv")
        print_figures(f"with cards: {name}", (*print_recall(asked, first_hits(other, ())), abstention_share(asked, other)))
    print("== questions that name no card, with names that are ordinary words: share of the needed rules in ten")
    for file in FILES:
        for lang in ("en", "zh-Hans", "ja"):
            if plain := questions(lang, file):
                searcher.cards = None
                before = recall_by_question(plain, first_hits(searcher, ("mtg",)))
                searcher.cards = make_cards("ordinary.csv")
                after = recall_by_question(plain, first_hits(searcher, ("mtg",)))
                meant = sum(bool(searcher.understand(Request(question["query"], ("mtg",))).cards) for question in plain)
                print_figures(
                    f"{file} {lang}: without, with, read as cards", (sum(before) / len(plain), sum(after) / len(plain), meant)
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
