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
from pathlib import Path

from bench.found.made import write
from corpus.words.text import fold_text
from rulestone import Library

ASKED_FILE = Path(__file__).with_name("asked.tsv")
_MADE_COUNT = 7000
"""Number of generated rulings."""
_OWN_COUNT = 400
"""Number of rulings' own questions that are searched."""


def written_rulings() -> list[dict[str, str]]:
    """The written rulings, each with a paraphrase of its question in another language."""
    with ASKED_FILE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def main() -> None:
    """Measures, and prints a line for each figure."""
    os.environ["RULESTONE_MODEL"] = "static"
    os.environ.setdefault("RULESTONE_DIGEST", "mtg.cr.2025-02-07.4*")  # one chapter
    with tempfile.TemporaryDirectory() as folder, Library.open(f"{folder}/home") as library:
        library.ensure_built()
        _add(library, Path(folder))
        _measure_own_questions(library)
        _measure_paraphrases(library)
        _measure_irrelevant_rulings(library)
        _measure_speed(library)


def _print_figure(name: str, value: str) -> None:
    sys.stdout.write(f"{name:<74} {value}\n")
    sys.stdout.flush()


def _add(library: Library, folder: Path) -> None:
    rows = written_rulings()
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


def _measure_paraphrases(library: Library) -> None:
    rows = written_rulings()
    for is_game_named in (True, False):
        places = [_hit_position(library, row, row["game"] if is_game_named else None) for row in rows]
        ten, first = (sum(place < most for place in places) / len(rows) for most in (10, 1))
        _print_figure(
            f"paraphrase in another language, {'game named' if is_game_named else 'all games'}: first ten · first",
            f"{ten:.3f} · {first:.3f} of {len(rows)}",
        )


def _hit_position(library: Library, row: dict[str, str], game: str | None) -> int:
    hits = library.search(row["paraphrase"], games=game, limit=10, kind="ruling")["hits"]
    return next((place for place, hit in enumerate(hits) if hit["locator"] == row["id"]), 99)


def _measure_irrelevant_rulings(library: Library) -> None:
    """How often rulings are listed with rules, for our questions and for unrelated ones."""
    ruling_count = sum(_is_in_hits(library, row["paraphrase"], row["id"]) for row in written_rulings())
    _print_figure(
        "the ruling stands beside rules for a paraphrase in another language",
        f"{ruling_count / len(written_rulings()):.3f} of {len(written_rulings())}",
    )
    other = sum(any("ruling" in hit for hit in library.search(question)["hits"]) for question in OTHER_QUESTIONS)
    _print_figure(
        "a ruling is shown for a question about something else", f"{other / len(OTHER_QUESTIONS):.3f} of {len(OTHER_QUESTIONS)}"
    )


def _is_in_hits(library: Library, query: str, name: str) -> bool:
    return any(hit["locator"] == name for hit in library.search(query)["hits"])


OTHER_QUESTIONS = (
    "what is the weather in Osaka tomorrow",
    "how do I bake sourdough bread",
    "今日の夕飯は何がいい",
    "如何学习弹吉他",
    "best laptop for students",
    "株価はいつ上がりますか",
    "who won the football match",
    "电影几点开始",
    "how much does this booster box cost",
    "カードショップの営業時間",
    "translate hello to french",
    "wifi password reset",
    "猫がごはんを食べない",
    "汽车保养多少钱",
    "where can I sell my collection",
    "税金の計算方法",
)
"""Questions that no ruling answers."""


def _measure_speed(library: Library) -> None:
    queries = [row["paraphrase"] for row in written_rulings()] + [row["question"] for row in written_rulings()]
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
