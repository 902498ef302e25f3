"""Judges' questions about the complete Magic book: the share of a question's needed rules in its first ten hits."""

from bench.search.homes import opened
from bench.search.runs import evaluate, plain_bm25, print_table, product_search
from bench.search.topics import MAGIC_FILES, magic_questions

BOOKS = {"en": "20250207_En.txt", "zh-Hans": "20250207_Zh.txt"}


def main() -> None:
    """Prints the figures for each language, with only the book in that language loaded."""
    for lang, name in BOOKS.items():
        with opened(None, files=[f"mtg/{name}"]) as library:
            searches = {"  plain BM25": plain_bm25(library), "search": product_search(library.searcher())}
            for file in MAGIC_FILES:
                if topics := magic_questions(file, lang):
                    groups = ((what, evaluate(topics, search)) for what, search in searches.items())
                    print_table(f"== {file} ({lang})", ("R@10", "RR@10"), groups)


if __name__ == "__main__":
    main()
