"""English rules put to a Chinese book that has them: `python -m bench.search.across [--home DIR]`.

Every so many rules of the English Magic book are asked for in its words against a library that holds the Chinese book alone,
without a gloss of it: how many come first, how many among the first ten, and how many are abstained from.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from bench.measure import texts
from bench.search.judged import library
from corpus.model import Kind
from corpus.store.home import Home
from ingest.pipeline import parse_file
from rulestone import Library
from rulestone.limits import QUERY
from search.searcher import Request, Searcher

ENGLISH, CHINESE = "mtg/20250207_En.txt", "mtg/20250207_Zh.txt"
DIGEST = "dm.zones-summary.*"
"""Some glosses must be loaded: none of Magic."""
COUNT, FIRST, TEN = 150, 1, 10
SHORTEST = 40
"""Characters below which a rule says too little to be told from others."""


def rules() -> list[tuple[str, str]]:
    """Locator and words of the rules that are asked for, evenly over the book."""
    [reading] = parse_file(texts() / ENGLISH)
    long = [(node.locator, node.text) for node in reading.nodes if node.kind is Kind.RULE and len(node.text) >= SHORTEST]
    return long[:: max(len(long) // COUNT, 1)][:COUNT]


def rank(searcher: Searcher, locator: str, words: str) -> tuple[int | None, bool]:
    """The rank of a rule for its words in the other language, from 1, None beyond ten; and whether the search abstained."""
    request = Request(words[:QUERY])
    ranking = searcher.rank(searcher.understand(request), request)
    locators = [searcher.index.rules[hit.rule].locator for hit in ranking.hits]
    return locators.index(locator) + 1 if locator in locators else None, searcher.search(request)["abstained"]


def opened(folder: Path) -> Searcher:
    """Search in the Chinese book; the home is built where it is not there yet."""
    if Home(folder).current() is None:
        os.environ["RULESTONE_DIGEST"] = DIGEST
        with Library.open(folder) as loaded:
            loaded.add([texts() / CHINESE])
            loaded.index(lambda done, total, what: print(f"{what} {done}/{total}", file=sys.stderr))
    return library(Home(folder)).searcher()


def main() -> None:
    """Prints the shares."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--home", type=Path, help="a home with the book, kept and used again")
    with tempfile.TemporaryDirectory() as scratch:
        searcher = opened(parser.parse_args().home or Path(scratch) / "home")
        ranks = [rank(searcher, *rule) for rule in rules()]
    shares = [sum(place is not None and place <= most for place, _ in ranks) / len(ranks) for most in (FIRST, TEN)]
    abstained = sum(lost for _, lost in ranks) / len(ranks)
    print(f"{len(ranks)} English rules against the Chinese book")
    print(f"first {shares[0]:.3f}, in ten {shares[1]:.3f}, abstained {abstained:.3f}")


if __name__ == "__main__":
    main()
