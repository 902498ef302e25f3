"""Judges' questions about the complete Magic book: the share of a question's needed rules in its first ten hits."""

import tempfile
from pathlib import Path

from bench.search.homes import loaded
from bench.search.runs import evaluate, mean, plain_bm25, product_search, recall
from bench.search.topics import MAGIC_FILES, magic_questions

BOOKS = {"en": "20250207_En.txt", "zh-Hans": "20250207_Zh.txt"}


def main() -> None:
    """Prints the figures for each language, with only the book in that language loaded."""
    for lang, name in BOOKS.items():
        with tempfile.TemporaryDirectory() as scratch:
            library = loaded(Path(scratch), files=[f"mtg/{name}"])
            searches = {"  plain BM25": plain_bm25(library), "search": product_search(library.searcher())}
            for file in MAGIC_FILES:
                if topics := magic_questions(file, lang):
                    print(f"== {len(topics)} of {file} ({lang}) against {name}: share of the needed rules in the first ten")
                    for what, search in searches.items():
                        outcomes = evaluate(topics, search)
                        print(f"{what:<30}    {recall(outcomes)}  MRR {mean(outcomes, 'RR@10'):.3f}", flush=True)


if __name__ == "__main__":
    main()
