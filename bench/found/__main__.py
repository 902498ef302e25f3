"""`python -m bench.found [--rulings 7000] [--encoder]`: rulings added, found by their own question and by one in another language.

Prints how long a file of so many rulings takes until it is searchable; the share of rulings that their own question finds
first; the share of 48 rulings among them that a paraphrase in another language finds among the first ten; how often those stand
beside rules, and how often a ruling does for a question about something else; how long a search takes.
"""

import argparse
import csv
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.found.made import write
from corpus.words.text import fold
from ontology.knowledge import Knowledge
from rulestone import Library
from rulestone.progress import silent
from rulestone.writing.embeddings.embed import embed
from rulestone.writing.embeddings.vectors import cache
from search.index.embeddings import texts_to_encode
from search.rulings.index import sentence_passages

ASKED = Path(__file__).with_name("asked.tsv")
_OWN = 400
"""Own questions that are asked."""


def asked() -> list[dict[str, str]]:
    """The written rulings, each with a paraphrase of its question in another language."""
    with ASKED.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, and prints a line for each figure."""
    parser = argparse.ArgumentParser(prog="python -m bench.found")
    parser.add_argument("--rulings", type=int, default=7000)
    parser.add_argument("--encoder", action="store_true", help="encode them too, which takes minutes, and measure with the encoder")
    parser.add_argument(
        "--time", action="store_true", help="time alone, with the encoder: random vectors stand for those of rulings"
    )
    parser.add_argument("--home", help="a copy of a knowledge base to add to; without it a new one of the digest of one chapter")
    given = parser.parse_args(arguments)
    if not given.encoder and not given.time:
        os.environ["RULESTONE_MODEL"] = "static"
    if not given.home:
        os.environ.setdefault("RULESTONE_DIGEST", "mtg.cr.2025-02-07.4*")
    with tempfile.TemporaryDirectory() as folder, Library.open(given.home or f"{folder}/home") as library:
        library.ensure()
        _add(library, Path(folder), given.rulings, encoder=given.encoder)
        if given.time:
            _fill(library)
            _fast(library)
            return
        _own(library)
        _paraphrased(library)
        _nothing(library)
        _fast(library)


def _say(what: str, value: str) -> None:
    sys.stdout.write(f"{what:<74} {value}\n")
    sys.stdout.flush()


def _add(library: Library, folder: Path, count: int, *, encoder: bool) -> None:
    rows = asked()
    for game in ("onepiece", "dm"):
        mine = [row for row in rows if row["game"] == game]
        file = folder / f"{game}.tsv"
        with file.open("w", encoding="utf-8", newline="") as opened:
            writer = csv.writer(opened, delimiter="\t")
            writer.writerow(("id", "lang", "question", "answer"))
            writer.writerows((row["id"], row["lang"], row["question"], row["answer"]) for row in mine)
        library.add(file, game=game, source="written", later=True)
    write(folder / "made.json", count)
    began, computed = time.perf_counter(), time.process_time()
    library.add(folder / "made.json", game="mtg", source="made", later=True)
    library.search("Can the second ability be used?", kind="ruling")
    took = f"{time.perf_counter() - began:.1f} s, {time.process_time() - computed:.1f} s of processor time here"
    _say(f"{count} rulings searchable by words and static vectors", took)
    if encoder:
        began = time.perf_counter()
        made, _ = library.index()
        _say(f"{made} texts encoded", f"{time.perf_counter() - began:.0f} s")


def _fill(library: Library) -> None:
    """Random sentence vectors for every ruling: encoding 20,000 takes most of an hour, and a cosine of anything takes as long."""
    with library._home.reading() as bundle:
        wanted = texts_to_encode(sentence_passages(Knowledge.open(bundle)))
    known = cache(library._home)
    assert known is not None, "the encoder is not in use here"
    chance = np.random.default_rng(7)
    with known.exclusive():
        lacking = known.missing(wanted)
        made = chance.standard_normal((len(lacking), known.dimensions)).astype(np.float32)
        known.add(lacking, made / np.linalg.norm(made, axis=1, keepdims=True))
    embed(library._home, silent)


def _own(library: Library) -> None:
    every = (
        library.rulings(games="mtg", limit=1000)["rulings"][:: max(1, 1000 // _OWN)] + library.rulings(source="written")["rulings"]
    )
    for what, kind in (("rulings", "ruling"), ("search", None)):
        first = 0
        for ruling in every:
            question = next(iter(ruling["question"].values()))
            hits = library.search(question, limit=1, kind=kind)["hits"]
            first += (
                bool(hits)
                and any(fold(question) == fold(other) for other in hits[0].get("ruling", ruling)["question"].values())
                and "ruling" in hits[0]
            )
        _say(f"{what}: own question finds it, or the same question, first", f"{first / len(every):.3f} of {len(every)}")


def _paraphrased(library: Library) -> None:
    rows = asked()
    for named in (True, False):
        places = [_place(library, row, row["game"] if named else None) for row in rows]
        ten, first = (sum(place < most for place in places) / len(rows) for most in (10, 1))
        _say(
            f"paraphrase in another language, {'game named' if named else 'all games'}: first ten · first",
            f"{ten:.3f} · {first:.3f} of {len(rows)}",
        )


def _place(library: Library, row: dict[str, str], game: str | None) -> int:
    hits = library.search(row["paraphrase"], games=game, limit=10, kind="ruling")["hits"]
    return next((place for place, hit in enumerate(hits) if hit["locator"] == row["id"]), 99)


def _nothing(library: Library) -> None:
    """Rulings that stand beside rules, where the question is one of ours and where it is about something else."""
    shown = sum(_beside(library, row["paraphrase"], row["id"]) for row in asked())
    _say("the ruling stands beside rules for a paraphrase in another language", f"{shown / len(asked()):.3f} of {len(asked())}")
    other = sum(any("ruling" in hit for hit in library.search(question)["hits"]) for question in ELSE)
    _say("a ruling is shown for a question about something else", f"{other / len(ELSE):.3f} of {len(ELSE)}")


def _beside(library: Library, query: str, name: str) -> bool:
    return any(hit["locator"] == name for hit in library.search(query)["hits"])


ELSE = (
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


def _fast(library: Library) -> None:
    queries = [row["paraphrase"] for row in asked()] + [row["question"] for row in asked()]
    library._bundle().searcher.wait_for_encoder()
    for query in queries:
        library.search(query)
    times = [_best(library, query) for query in queries]
    rules = sum(edition["rules"] for edition in library.editions()["editions"])
    rulings = sum(source["rulings"] for source in library.editions()["rulings"])
    for what, some in zip(("seconds", "processor time"), zip(*times, strict=True), strict=True):
        ordered = sorted(some)
        _say(
            f"search over {rules} rules and {rulings} rulings, {what}: median · p95",
            f"{1000 * ordered[len(some) // 2]:.1f} · {1000 * ordered[int(len(some) * 0.95)]:.1f} ms",
        )


def _best(library: Library, query: str) -> tuple[float, float]:
    """The seconds of a search and its processor time, the best of five: the machine may be busy. Texts are cut anew each time."""
    times = []
    for _ in range(5):
        library._bundle().searcher.highlighter.clear_cache()
        began, computed = time.perf_counter(), time.process_time()
        library.search(query)
        times.append((time.perf_counter() - began, time.process_time() - computed))
    return min(first for first, _ in times), min(other for _, other in times)


if __name__ == "__main__":
    main()
