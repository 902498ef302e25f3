"""Judge's questions against whole books, in three languages each: `python -m bench.search.books [--tune] [--weights]`.

310 questions of five games, each in Japanese, Chinese and English, with the rules that a judge must read (`judges/*.toml`,
written from the books alone), and 64 that no book answers. Half of them, every second one, are kept for the figure; `--tune` prints
the other half, which settings may be chosen by.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.measure import texts
from bench.search.baseline import Baseline
from bench.search.judged import Library, interval, library
from corpus.model import HEADINGS
from corpus.store.home import Home
from rulestone import Library as Loaded
from rulestone.writing.add import add
from search.encode.pretrained import PretrainedEncoder
from search.searcher import Request, Searcher
from search.settings import SEARCH, SearchSettings

FILES = Path(__file__).parent / "judges"
BOOKS = {"dm": "ja", "mtg": "en", "ygo": "zh-Hans", "fow": "en", "onepiece": "en"}
"""Game → the language of its book; Magic's is loaded in Chinese too, and asked of in each as if the other were not there."""
LANGUAGES = ("ja", "zh-Hans", "en")
LIMIT, FIRST = 10, 3


@dataclass(frozen=True, slots=True)
class Asked:
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

    asked: Asked
    recall: float  # share of the needed rules in the first ten
    first: bool  # one of them in the first three
    rank: float  # 1/rank of the first
    abstained: bool


def asked(name: str, *, tune: bool) -> list[Asked]:
    """The questions of a file in all languages: every second one, or with `tune` the others."""
    data = tomllib.loads((FILES / f"{name}.toml").read_text(encoding="utf-8"))
    rows = data.get("question") or data["unanswerable"]
    return [
        Asked(row["id"], name if "needs" in row else "", row["kind"], lang, row[lang], _of(row, "needs"), _of(row, "also"))
        for row in rows[int(not tune) :: 2]
        for lang in LANGUAGES
    ]


def _of(row: dict[str, list[str]], name: str) -> tuple[str, ...]:
    return tuple(row.get(name, ()))


Search = Callable[[Asked], tuple[Sequence[tuple[str, str]], bool]]
"""From a question to game and locator of the first ten hits, and whether it abstained."""


def product(loaded: Library, settings: SearchSettings = SEARCH) -> Search:
    """Search as it is: what abstains shows nothing, but its ranking is measured all the same."""
    searcher = loaded.searcher(settings)

    def hits(question: Asked) -> tuple[Sequence[tuple[str, str]], bool]:
        request = Request(question.query)
        query = searcher.understand(request)
        ranking = searcher.rank(query, request)
        places = [searcher.index.rules[hit.rule] for hit in ranking.hits]
        return [(rule.game, rule.locator) for rule in places], _abstains(searcher, question)

    return hits


def _abstains(searcher: Searcher, question: Asked) -> bool:
    return searcher.search(Request(question.query))["abstained"]


def plain(loaded: Library) -> Search:
    """Plain BM25 over the texts, of which a home of the digest alone has none."""
    records = [
        record for record in loaded.knowledge.every_record() if loaded.texts[record["iri"]] and record["kind"] not in HEADINGS
    ]
    if not records:
        return lambda _: ([], False)
    index = Baseline([loaded.texts[record["iri"]] for record in records])
    return lambda question: (
        [(records[place]["game"], records[place]["locator"]) for place in index.first(question.query, LIMIT)],
        False,
    )


def encoder_alone(loaded: Library) -> Search:
    """The sentence embeddings alone, texts and glosses alike."""
    searcher, encoder = loaded.searcher(SEARCH), PretrainedEncoder()

    def hits(question: Asked) -> tuple[Sequence[tuple[str, str]], bool]:
        best = list(searcher.index.signals({}, dense=encoder.encode_query([question.query])[0]).dense_scores.values())
        scores = [max(float(field[place]) for field in best) for place in range(len(searcher.index.rules))]
        order = sorted(range(len(scores)), key=lambda place: -scores[place])[:LIMIT]
        return [(searcher.index.rules[place].game, searcher.index.rules[place].locator) for place in order], False

    return hits


def outcome(question: Asked, search: Search) -> Outcome:
    """How a search does on one question."""
    hits, abstained = search(question)
    right = [place for place, hit in enumerate(hits) if hit[0] == question.game and hit[1] in question.needs]
    share = len({hits[place] for place in right}) / len(question.needs) if question.needs else 0.0
    return Outcome(question, share, any(place < FIRST for place in right), 1 / (right[0] + 1) if right else 0.0, abstained)


def table(name: str, outcomes: Sequence[Outcome]) -> Iterable[str]:
    """The figures by game, by same and other language, and of what no book answers."""
    answered = [scored for scored in outcomes if scored.asked.game]
    yield f"== {name}: needed rules in ten [95 %] · one in three · MRR · wrongly abstained"
    for game in BOOKS:
        own = [scored for scored in answered if scored.asked.game == game]
        same = [scored for scored in own if BOOKS[game] == scored.asked.lang]
        other = [scored for scored in own if BOOKS[game] != scored.asked.lang]
        for part, some in ((game, own), ("  book's language", same), ("  other language", other)):
            yield _line(part, some)
    same = [scored for scored in answered if BOOKS[scored.asked.game] == scored.asked.lang]
    other = [scored for scored in answered if BOOKS[scored.asked.game] != scored.asked.lang]
    for part, some in (("all", answered), ("  book's language", same), ("  other language", other)):
        yield _line(part, some)
    lost = [scored for scored in outcomes if not scored.asked.game]
    yield f"{'unanswerable, abstained':<28}{statistics.fmean(scored.abstained for scored in lost):>8.3f}" if lost else ""


def _line(name: str, some: Sequence[Outcome]) -> str:
    recalls = [scored.recall for scored in some]
    low, high = interval(recalls)
    rest = (
        statistics.fmean(values) for values in zip(*((scored.first, scored.rank, scored.abstained) for scored in some), strict=True)
    )
    return f"{name:<28}{statistics.fmean(recalls):>8.3f} [{low:.3f}, {high:.3f}]" + "".join(f"{value:>8.3f}" for value in rest)


def main() -> None:
    """Loads the books of five games and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tune", action="store_true", help="the half that settings may be chosen by")
    parser.add_argument("--home", type=Path, help="a home with the books, kept and used again")
    options = parser.parse_args()
    scratch = options.home or Path(tempfile.mkdtemp())
    try:
        library_of_books = loaded(scratch)
        questions = [question for name in (*BOOKS, "unanswerable") for question in asked(name, tune=options.tune)]
        for name, search in (
            ("plain BM25", plain(library_of_books)),
            ("encoder alone", encoder_alone(library_of_books)),
            ("search", product(library_of_books)),
        ):
            print("\n".join(table(name, [outcome(question, search) for question in questions])), flush=True)
    finally:
        if not options.home:
            shutil.rmtree(scratch, ignore_errors=True)


def loaded(folder: Path) -> Library:
    """A home with the books of five games, made where it has none."""
    home = Home(folder)
    if home.current() is None:
        files = [texts() / name for name in ("dm", "ygo", "fow", "onepiece", "mtg/20250207_En.txt", "mtg/20250207_Zh.txt")]
        add(home, files)
        with Loaded.open(folder) as building:
            building.index(lambda done, total, what: print(f"{what} {done}/{total}", file=sys.stderr))
    return library(home)


if __name__ == "__main__":
    main()
