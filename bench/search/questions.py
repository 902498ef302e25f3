"""Judges' questions about the complete Magic book: the share of a question's needed rules in its first ten hits."""

import statistics
import tempfile
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import rulestone
from bench.measure import rulebook_folder
from bench.search.baseline import Baseline
from bench.search.judged import Library, confidence_interval, library
from corpus.model import HEADING_KINDS
from corpus.store.home import Home
from search.searcher import Request, Searcher

Question = Mapping[str, Any]
BOOKS = {"en": "20250207_En.txt", "zh-Hans": "20250207_Zh.txt"}
FILES = ("judge_questions.toml", "forum_questions.toml")
LIMIT = 10


def questions(lang: str, file: str = "judge_questions.toml") -> list[Question]:
    """The questions of a file in one language: `query`, `needs` (numbers), `also` (numbers that help or repeat)."""
    data = tomllib.loads((Path(__file__).parent / file).read_text(encoding="utf-8"))
    return [question for question in data["question"] if question["lang"] == lang]


def first_hits(searcher: Searcher, games: tuple[str, ...]) -> Callable[[str], list[str]]:
    """Search in some games as a function from a question to the numbers of its first ten hits."""

    def numbers(query: str) -> list[str]:
        request = Request(query, games)
        hits = searcher.rank(searcher.understand(request), request).hits[:LIMIT]
        return [searcher.index.rules[hit.rule].locator for hit in hits]

    return numbers


def plain_bm25(library: Library) -> Callable[[str], list[str]]:
    """The same from plain BM25 over the texts."""
    records = [record for record in library.knowledge.all_records() if record["game"] == "mtg" and library.texts[record["iri"]]]
    records = [record for record in records if record["kind"] not in HEADING_KINDS]
    index = Baseline([library.texts[record["iri"]] for record in records])
    return lambda query: [records[place]["locator"] for place in index.best_places(query, LIMIT)]


def recall_by_question(questions: Sequence[Question], search: Callable[[str], list[str]]) -> list[float]:
    """The share of the needed rules in the first ten hits, for each question."""
    return [len(set(question["needs"]) & set(search(question["query"]))) / len(question["needs"]) for question in questions]


def reciprocal_ranks(questions: Sequence[Question], search: Callable[[str], list[str]]) -> list[float]:
    """The reciprocal rank of the first needed rule, for each question; 0 beyond ten."""
    ranks = [
        [place for place, number in enumerate(search(question["query"]), 1) if number in question["needs"]]
        for question in questions
    ]
    return [1 / places[0] if places else 0.0 for places in ranks]


def print_figures(name: str, questions: Sequence[Question], search: Callable[[str], list[str]]) -> None:
    """Prints the share of the needed rules in the first ten with its interval, and the mean reciprocal rank."""
    values = recall_by_question(questions, search)
    low, high = confidence_interval(values)
    rank = statistics.fmean(reciprocal_ranks(questions, search))
    print(f"{name:<30}{statistics.fmean(values):>9.3f}  [{low:.3f}, {high:.3f}]  MRR {rank:.3f}", flush=True)


def main() -> None:
    """Prints the figures for each language, with only the book in that language loaded."""
    for lang, name in BOOKS.items():
        with tempfile.TemporaryDirectory() as scratch:
            rulestone.Library.open(scratch).add([rulebook_folder() / "mtg" / name])
            seeds_library = library(Home(Path(scratch)))
            product = first_hits(seeds_library.searcher(), ("mtg",))
            for file in FILES:
                own_questions = questions(lang, file)
                if not own_questions:
                    continue
                print(f"== {len(own_questions)} of {file} ({lang}) against {name}: share of the needed rules in the first ten")
                for what, search in (("  plain BM25", plain_bm25(seeds_library)), ("search", product)):
                    print_figures(what, own_questions, search)


if __name__ == "__main__":
    main()
