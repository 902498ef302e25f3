"""`python -m bench.found`: rulings added, found by their own question and by one in another language.

Prints the time until a file of this many rulings is searchable; the share of rulings that their own question finds first; the share
of 48 rulings that a paraphrase in another language finds among the first ten; how often rulings are listed with rules for these
questions and for unrelated ones; and the time of a search.
"""

import csv
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bench.found.made import write
from bench.measure import table_rows
from bench.search.runs import TEN, RankedList, evaluate, print_table
from bench.search.topics import Topic
from corpus.words.text import fold_text
from rulestone import Library

ASKED_FILE = Path(__file__).with_name("asked.tsv")
UNRELATED_FILE = Path(__file__).with_name("unrelated.txt")
"""Questions that no ruling answers."""
Rows = Sequence[Mapping[str, str]]
"""The written rulings, each with a paraphrase of its question in another language."""
_MADE_COUNT = 7000
"""Number of generated rulings."""
_OWN_COUNT = 400
"""Number of rulings' own questions that are searched."""


def main() -> None:
    """Measures, and prints a line for each figure."""
    os.environ["RULESTONE_MODEL"] = "static"
    os.environ.setdefault("RULESTONE_DIGEST", "mtg.cr.2025-02-07.4*")  # one chapter
    with tempfile.TemporaryDirectory() as folder, Library.open(f"{folder}/home") as library:
        library.ensure_built()
        rows = table_rows(ASKED_FILE)
        _add(library, rows, Path(folder))
        _measure_own_questions(library)
        _measure_paraphrases(library, rows)
        _measure_speed(library, rows)


def _print_figure(name: str, value: str) -> None:
    sys.stdout.write(f"{name:<74} {value}\n")
    sys.stdout.flush()


def _add(library: Library, rows: Rows, folder: Path) -> None:
    for game in ("onepiece", "dm"):
        mine = [row for row in rows if row["game"] == game]
        file = folder / f"{game}.tsv"
        with file.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, delimiter="\t")
            writer.writerow(("id", "lang", "question", "answer"))
            writer.writerows((row["id"], row["lang"], row["question"], row["answer"]) for row in mine)
        library.add(file, game=game, source="written", later=True)
    write(folder / "made.json", _MADE_COUNT)
    began, cpu_start = time.perf_counter(), time.process_time()
    library.add(folder / "made.json", game="mtg", source="made", later=True)
    library.search("Can the second ability be used?", kind="ruling")
    took = f"{time.perf_counter() - began:.1f} s, {time.process_time() - cpu_start:.1f} s of processor time here"
    _print_figure(f"{_MADE_COUNT} rulings searchable by words and static vectors", took)


def _measure_own_questions(library: Library) -> None:
    every = (
        library.rulings(games="mtg", limit=1000)["rulings"][:: max(1, 1000 // _OWN_COUNT)]
        + library.rulings(source="written")["rulings"]
    )
    for what, kind in (("rulings", "ruling"), ("search", None)):
        first = 0
        for ruling in every:
            question = next(iter(ruling["question"].values()))
            hits = library.search(question, limit=1, kind=kind)["hits"]
            first += (
                bool(hits)
                and any(fold_text(question) == fold_text(other) for other in hits[0].get("ruling", ruling)["question"].values())
                and "ruling" in hits[0]
            )
        _print_figure(f"{what}: own question finds it, or the same question, first", f"{first / len(every):.3f} of {len(every)}")


def _measure_paraphrases(library: Library, rows: Rows) -> None:
    """How often a paraphrase finds its ruling among rulings, and beside rules; and how often an unrelated question finds any."""
    topics = [Topic(row["id"], "rulings", row["other"], row["paraphrase"], game=row["game"], needs=(row["id"],)) for row in rows]

    def among_rulings(topic: Topic) -> RankedList:
        hits = library.search(topic.query, games=topic.games or None, limit=TEN, kind="ruling")["hits"]
        return RankedList([hit["locator"] for hit in hits])

    def beside_rules(topic: Topic) -> RankedList:
        return RankedList([hit["locator"] for hit in library.search(topic.query)["hits"]])

    with_game = [replace(topic, games=(topic.game,)) for topic in topics]
    groups = (
        ("among rulings, game named", evaluate(with_game, among_rulings)),
        ("among rulings, all games", evaluate(topics, among_rulings)),
        ("beside rules", evaluate(topics, beside_rules)),
    )
    print_table("paraphrases in another language", ("Success@1", "Success@10"), groups)
    questions = UNRELATED_FILE.read_text(encoding="utf-8").splitlines()
    other = sum(any("ruling" in hit for hit in library.search(question)["hits"]) for question in questions)
    _print_figure("a ruling is shown for a question about something else", f"{other / len(questions):.3f} of {len(questions)}")


def _measure_speed(library: Library, rows: Rows) -> None:
    queries = [row[column] for column in ("paraphrase", "question") for row in rows]
    for query in queries:
        library.search(query)
    times = [_best_times(library, query) for query in queries]
    rules = sum(edition["rules"] for edition in library.editions()["editions"])
    rulings = sum(source["rulings"] for source in library.editions()["rulings"])
    for what, some in zip(("seconds", "processor time"), zip(*times, strict=True), strict=True):
        in_order = sorted(some)
        _print_figure(
            f"search over {rules} rules and {rulings} rulings, {what}: median · p95",
            f"{1000 * in_order[len(some) // 2]:.1f} · {1000 * in_order[int(len(some) * 0.95)]:.1f} ms",
        )


def _best_times(library: Library, query: str) -> tuple[float, float]:
    """The seconds of a search and its processor time, the best of five: the machine may be busy.

    Texts are tokenized again each time.
    """
    times = []
    for _ in range(5):
        library._bundle().searcher.highlighter.clear_cache()
        began, cpu_start = time.perf_counter(), time.process_time()
        library.search(query)
        times.append((time.perf_counter() - began, time.process_time() - cpu_start))
    return min(first for first, _ in times), min(other for _, other in times)


if __name__ == "__main__":
    main()
