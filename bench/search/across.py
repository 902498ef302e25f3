"""English rules searched in a Chinese book that has them: `python -m bench.search.across [--home DIR]`.

A sample of the rules of the English Magic book are the queries, and the library has only the Chinese book, without glosses: how
many are the first hit, how many are among the first ten, and how many are not answered.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from bench.measure import rulebook_folder
from bench.search.judged import library
from corpus.model import Kind
from corpus.store.home import Home
from ingest.pipeline import parse_file
from rulestone import Library
from rulestone.limits import MAX_QUERY_LENGTH
from search.searcher import Request, Searcher

ENGLISH, CHINESE = "mtg/20250207_En.txt", "mtg/20250207_Zh.txt"
DIGEST = "dm.zones-summary.*"
"""Some glosses must be loaded: none of Magic."""
COUNT, FIRST, TEN = 150, 1, 10
MIN_LENGTH = 40
"""Minimum number of characters of a rule; shorter ones are not distinctive."""


def rules() -> list[tuple[str, str]]:
    """Locator and words of the rules that are searched, evenly spread over the book."""
    [reading] = parse_file(rulebook_folder() / ENGLISH)
    long = [(node.locator, node.text) for node in reading.nodes if node.kind is Kind.RULE and len(node.text) >= MIN_LENGTH]
    return long[:: max(len(long) // COUNT, 1)][:COUNT]


def rank(searcher: Searcher, locator: str, words: str) -> tuple[int | None, bool]:
    """The rank of a rule for its words in the other language, from 1 (None beyond ten), and whether the search abstained."""
    request = Request(words[:MAX_QUERY_LENGTH])
    ranking = searcher.rank(searcher.understand(request), request)
    locators = [searcher.index.rules[hit.rule].locator for hit in ranking.hits]
    return locators.index(locator) + 1 if locator in locators else None, searcher.search(request).abstained


def open_searcher(folder: Path) -> Searcher:
    """A searcher of the Chinese book; its home is built if it is missing."""
    if Home(folder).current_folder() is None:
        os.environ["RULESTONE_DIGEST"] = DIGEST
        with Library.open(folder) as loaded:
            loaded.add([rulebook_folder() / CHINESE])
            loaded.index(lambda done, total, what: print(f"{what} {done}/{total}", file=sys.stderr))
    return library(Home(folder)).searcher()


def main() -> None:
    """Prints the shares."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--home", type=Path, help="a home with the book, kept and used again")
    with tempfile.TemporaryDirectory() as scratch:
        searcher = open_searcher(parser.parse_args().home or Path(scratch) / "home")
        ranks = [rank(searcher, *rule) for rule in rules()]
    shares = [sum(place is not None and place <= most for place, _ in ranks) / len(ranks) for most in (FIRST, TEN)]
    abstention = sum(lost for _, lost in ranks) / len(ranks)
    print(f"{len(ranks)} English rules against the Chinese book")
    print(f"first {shares[0]:.3f}, in ten {shares[1]:.3f}, abstained {abstention:.3f}")


if __name__ == "__main__":
    main()
