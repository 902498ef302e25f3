"""Judges' questions about complete books, each in three languages: `python -m bench.search.books [--home HOME]`.

558 questions of nine games, each in Japanese, Chinese and English, with the rules that a judge must read (`judges/*.toml`, written
with only the books at hand), and 64 that no book answers. Every second one is held out for the figure; the other half is
used to choose settings.
"""

import argparse
import os
import statistics
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.measure import folder_or_temporary, rulebook_folder
from bench.search.baseline import Baseline
from bench.search.judged import Library, confidence_interval, library
from corpus.model import HEADING_KINDS
from corpus.store.home import Home
from rulestone import Library as Loaded
from rulestone.writing.add import add
from search.encode.pretrained import PretrainedEncoder
from search.searcher import Request

QUESTIONS_FOLDER = Path(__file__).parent / "judges"
BOOKS = {
    "dm": "ja",
    "mtg": "en",
    "ygo": "zh-Hans",
    "fow": "en",
    "onepiece": "en",
    "riftbound": "en",
    "digimon": "en",
    "gundam": "en",
    "lorcana": "en",
}
"""Game → the language of its book; Magic's is also loaded in Chinese, and each of its languages is searched as if the other were
not loaded."""
BOOK_FILES = (
    "dm",
    "ygo",
    "fow",
    "onepiece",
    "mtg/20250207_En.txt",
    "mtg/20250207_Zh.txt",
    "riftbound/core_rules.2026-07-16.en.txt",
    "digimon/comprehensive_rules.2026-08-18.en.md",
    "gundam",
    "lorcana",
)
"""The files and folders of the rulebook folder that hold the books."""
EDITIONS = {
    "digimon": "digimon/cr/2026-08-18",
    "dm": "dm/cr/2025-12-17",
    "fow": "fow/cr/2025-09-18",
    "gundam": "gundam/cr/2024-11-29",
    "lorcana": "lorcana/cr/2026-04-30",
    "mtg": "mtg/cr/2025-02-07",
    "onepiece": "onepiece/cr/2025-02-21",
    "riftbound": "riftbound/cr/2026-07-16",
    "ygo": "ygo/rulebook/undated-2",
}
"""Game → the edition whose locators the questions need."""
UNGLOSSED = ("fow", "onepiece", "gundam")
"""The games whose glosses a mixed home lacks, as those of a book that nobody glossed."""
MIXED_DIGESTS = ",".join(f"{game}.*" for game in BOOKS if game not in UNGLOSSED)
LANGUAGES = ("ja", "zh-Hans", "en")
LIMIT, FIRST = 10, 3


@dataclass(frozen=True, slots=True)
class BookQuestion:
    """One question in one language."""

    ident: str
    game: str  # "" where no book answers
    kind: str
    lang: str
    query: str
    needs: tuple[str, ...]
    also: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a question."""

    asked: BookQuestion
    recall: float  # share of the needed rules in the first ten
    first: bool  # one of them in the first three
    rank: float  # 1/rank of the first
    abstained: bool


def asked(name: str, *, tune: bool) -> list[BookQuestion]:
    """The questions of a file in all languages: every second one, or with `tune` the others."""
    data = tomllib.loads((QUESTIONS_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    rows = data.get("question") or data["unanswerable"]
    return [
        BookQuestion(
            row["id"],
            name if "needs" in row else "",
            row["kind"],
            lang,
            row[lang],
            tuple(row.get("needs", ())),
            tuple(row.get("also", ())),
        )
        for row in rows[int(not tune) :: 2]
        for lang in LANGUAGES
    ]


SEARCH_NAME = "search"
Search = Callable[[BookQuestion], tuple[Sequence[tuple[str, str]], bool]]
"""A function from a question to game and locator of the first ten hits, and whether search abstained."""


def product_search(library: Library) -> Search:
    """The product's search; the ranking is measured even if search abstains."""
    searcher = library.searcher()

    def hits(question: BookQuestion) -> tuple[Sequence[tuple[str, str]], bool]:
        request = Request(question.query)
        query = searcher.understand(request)
        ranking = searcher.rank(query, request)
        places = [searcher.index.rules[hit.rule] for hit in ranking.hits]
        return [(rule.game, rule.locator) for rule in places], searcher.search(request).abstained

    return hits


def plain_bm25(library: Library) -> Search:
    """Plain BM25 over the texts, which a home with only the digest lacks."""
    records = [
        record for record in library.knowledge.all_records() if library.texts[record["iri"]] and record["kind"] not in HEADING_KINDS
    ]
    if not records:
        return lambda _: ([], False)
    index = Baseline([library.texts[record["iri"]] for record in records])
    return lambda question: (
        [(records[place]["game"], records[place]["locator"]) for place in index.best_places(question.query, LIMIT)],
        False,
    )


def encoder_only(library: Library) -> Search:
    """Only the sentence embeddings of texts and glosses."""
    searcher, encoder = library.searcher(), PretrainedEncoder()

    def hits(question: BookQuestion) -> tuple[Sequence[tuple[str, str]], bool]:
        best = list(searcher.index.signals({}, dense=encoder.encode_query([question.query])[0]).dense_scores.values())
        scores = [max(float(field[place]) for field in best) for place in range(len(searcher.index.rules))]
        order = sorted(range(len(scores)), key=lambda place: -scores[place])[:LIMIT]
        return [(searcher.index.rules[place].game, searcher.index.rules[place].locator) for place in order], False

    return hits


def question_outcome(question: BookQuestion, search: Search) -> Outcome:
    """The outcome of a search for one question."""
    hits, abstained = search(question)
    right = [place for place, hit in enumerate(hits) if hit[0] == question.game and hit[1] in question.needs]
    share = len({hits[place] for place in right}) / len(question.needs) if question.needs else 0.0
    return Outcome(question, share, any(place < FIRST for place in right), 1 / (right[0] + 1) if right else 0.0, abstained)


def table(name: str, outcomes: Sequence[Outcome]) -> Iterable[str]:
    """The figures by game, by same and other language, and for questions that no book answers; those of baselines are indented."""
    indent = "" if name == SEARCH_NAME else "  "
    answerable = [outcome for outcome in outcomes if outcome.asked.game]
    yield f"== {name}: needed rules in ten [95 %] · one in three · MRR · wrongly abstained"
    for game in BOOKS:
        own = [outcome for outcome in answerable if outcome.asked.game == game]
        same = [outcome for outcome in own if BOOKS[game] == outcome.asked.lang]
        other = [outcome for outcome in own if BOOKS[game] != outcome.asked.lang]
        for part, some in ((game, own), ("  book's language", same), ("  other language", other)):
            yield _figures_line(indent + part, some)
    same = [outcome for outcome in answerable if BOOKS[outcome.asked.game] == outcome.asked.lang]
    other = [outcome for outcome in answerable if BOOKS[outcome.asked.game] != outcome.asked.lang]
    yield _figures_line("all", answerable)
    for part, some in (("all, book's language", same), ("all, other language", other)):
        yield _figures_line(indent + part, some)
    lost = [outcome for outcome in outcomes if not outcome.asked.game]
    yield f"{indent + 'unanswerable, abstained':<28}{statistics.fmean(outcome.abstained for outcome in lost):>8.3f}" if lost else ""


def _figures_line(name: str, outcomes: Sequence[Outcome]) -> str:
    recalls = [outcome.recall for outcome in outcomes]
    low, high = confidence_interval(recalls)
    rest = (
        statistics.fmean(values)
        for values in zip(*((outcome.first, outcome.rank, outcome.abstained) for outcome in outcomes), strict=True)
    )
    return f"{name:<28}{statistics.fmean(recalls):>8.3f} [{low:.3f}, {high:.3f}]" + "".join(f"{value:>8.3f}" for value in rest)


def main() -> None:
    """Loads the books of nine games and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--home", type=Path, help="a home with the books, kept and used again")
    with folder_or_temporary(parser.parse_args().home) as home:
        library_of_books = loaded(home)
        questions = [question for name in (*BOOKS, "unanswerable") for question in asked(name, tune=False)]
        for name, search in (
            ("plain BM25", plain_bm25(library_of_books)),
            ("encoder alone", encoder_only(library_of_books)),
            (SEARCH_NAME, product_search(library_of_books)),
        ):
            print("\n".join(table(name, [question_outcome(question, search) for question in questions])), flush=True)


def loaded(folder: Path, glosses: str = "", files: Sequence[str] = BOOK_FILES) -> Library:
    """A home with the books of nine games, or other files, and the glosses of these patterns (all if empty); built if missing."""
    home = Home(folder)
    if home.current_folder() is None:
        os.environ.pop("RULESTONE_DIGEST", None)
        os.environ |= {"RULESTONE_DIGEST": glosses} if glosses else {}
        add(home, [rulebook_folder() / name for name in files])
        with Loaded.open(folder) as building:
            building.index(lambda done, total, what: print(f"{what} {done}/{total}", file=sys.stderr))
    return library(home)


if __name__ == "__main__":
    main()
