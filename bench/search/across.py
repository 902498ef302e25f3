"""English rules searched in a Chinese book that has them: `python -m bench.search.across [--home DIR]`.

A sample of the rules of the English Magic book are the queries, and the library has only the Chinese book, without glosses: how
many are the first hit, how many are among the first ten, and how many are not answered.
"""

from bench.measure import rulebook_folder
from bench.search.homes import home_option, opened
from bench.search.runs import ABSTAINED, evaluate, print_table, product_search
from bench.search.topics import Topic
from corpus.model import Kind
from ingest.pipeline import parse_file
from rulestone.limits import MAX_QUERY_LENGTH

ENGLISH, CHINESE = "mtg/20250207_En.txt", "mtg/20250207_Zh.txt"
DIGEST = "dm.zones-summary.*"
"""Some glosses must be loaded: none of Magic."""
COUNT = 150
MIN_LENGTH = 40
"""Minimum number of characters of a rule; shorter ones are not distinctive."""


def rules() -> list[Topic]:
    """The words of the rules that are searched, evenly spread over the book."""
    [reading] = parse_file(rulebook_folder() / ENGLISH)
    long = [node for node in reading.nodes if node.kind is Kind.RULE and len(node.text) >= MIN_LENGTH]
    return [
        Topic(node.locator, "rules", "en", node.text[:MAX_QUERY_LENGTH], needs=(f"mtg:{node.locator}",))
        for node in long[:: max(len(long) // COUNT, 1)][:COUNT]
    ]


def main() -> None:
    """Prints the shares."""
    with opened(home_option(__doc__), DIGEST, [CHINESE]) as library:
        outcomes = evaluate(rules(), product_search(library.searcher()))
    print_table("English rules", ("Success@1", "Success@10", ABSTAINED), [("in the Chinese book", outcomes)])


if __name__ == "__main__":
    main()
