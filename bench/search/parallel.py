"""Search across languages in complete Magic books.

A rule's wording that no loaded text has must find its translation first. An edition is loaded in both languages, and the next one
in one language. The queries are the rules of the next edition, in the other language, with a wording (numbers of cited rules
masked) that the first edition does not have; a query succeeds if it finds the same number among all rules.
"""

import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.measure import machine_name, rulebook_folder
from corpus.contract import RuleRecord
from ingest.merge import merge
from ingest.pipeline import parse_file
from ingest.record import Recorder
from search.encode.choice import configured_encoder
from search.encode.encoder import SHIPPED_MODEL, Encoder, StaticEncoder
from search.index.passages import full_text
from search.train.extend import parallel_texts, train_on_pairs

FIRST, TEN = 0.85, 0.97
NAMES = {"en": "English", "zh-Hans": "Chinese"}
Book = Mapping[str, RuleRecord]
"""Locator → rule, for each given language."""


class Task(NamedTuple):
    """The rules loaded in both languages, the questions, and the languages searched."""

    pairs: list[tuple[str, str]]
    asked: list[str]  # locators
    book: Book


def read_corpus(*names: str) -> Book:
    """An edition from its files."""
    readings = [parse_file(rulebook_folder() / "mtg" / f"{name}.txt")[0] for name in names]
    return {rule.locator: record for rule, record in Recorder(merge(readings[0].key, readings)).records()}


def mask_numbers(record: RuleRecord, lang: str = "en") -> str:
    """A rule's own sentences without the numbers of the rules it cites."""
    words = str(record["texts"][lang]["text"])
    for cite in sorted(
        (citation for citation in record["cites"] if citation["lang"] == lang), key=lambda citation: -int(citation["start"])
    ):
        words = words[: cite["start"]] + "#" + words[cite["end"] :]
    return re.sub(r"\d{3}(\.\d+[a-z]*)?", "#", words)


def rules(book: Book) -> Iterator[tuple[str, RuleRecord]]:
    """The numbered rules of a book that have a text."""
    return ((locator, record) for locator, record in book.items() if record["kind"] == "rule" and record["texts"])


def unseen_rules(new: Book, old: Book) -> list[str]:
    """The rules of one edition whose English wording another edition does not have."""
    before = {mask_numbers(record) for record in old.values() if "en" in record["texts"]}
    return [locator for locator, record in rules(new) if mask_numbers(record) not in before]


def task_of_editions() -> Task:
    """The two latest editions: the first as the parallel text, the second to be searched."""
    old, new = read_corpus("20240607_En", "20240607_Zh"), read_corpus("20250207_En", "20250207_Zh")
    return Task(parallel_texts(old.values()), unseen_rules(new, old), new)


def ranks(model: Encoder, task: Task, lang: str, other: str) -> list[int]:
    """The rank of the correct rule for each query in one language, from 0, among all rules in the other."""
    book = dict(rules(task.book))
    places = {locator: place for place, locator in enumerate(book)}
    there = model.encode([full_text(record, other) for record in book.values()])
    scores = model.encode([mask_numbers(book[locator], lang).replace("#", "") for locator in task.asked]) @ there.T
    order = np.argsort(-scores, axis=1, kind="stable")  # of equals, the first in the book comes first, as in search
    return [list(row).index(places[locator]) for row, locator in zip(order, task.asked, strict=True)]


def print_direction(name: str, places: Sequence[int]) -> bool:
    """Prints the figures of one direction; returns whether they are within the target."""
    first, ten = (float(np.mean([rank < cut for rank in places])) for cut in (1, 10))
    fits = first >= FIRST and ten >= TEN
    print(
        f"{'ok  ' if fits else 'UNDER'} {name:<34} first {first:.3f} (≥ {FIRST}) in ten {ten:.3f} (≥ {TEN}) of {len(places)}",
        flush=True,
    )
    return fits


def main() -> bool:
    """Whether both directions are within the target."""
    print(machine_name(), flush=True)
    task = task_of_editions()
    with tempfile.TemporaryDirectory() as name:
        begun, computed = time.perf_counter(), time.process_time()
        train_on_pairs(SHIPPED_MODEL, task.pairs, Path(name))
        wall, busy = time.perf_counter() - begun, time.process_time() - computed
        print(f"trained on {len(task.pairs)} pairs in {wall:.0f} s ({busy:.0f} s of one core)", flush=True)
        models = {"shipped": configured_encoder(), "trained on": StaticEncoder(Path(name))}
        return [
            print_direction(f"{label}, {NAMES[lang]} → {NAMES[other]}", ranks(model, task, lang, other))
            for label, model in models.items()
            for lang, other in (("en", "zh-Hans"), ("zh-Hans", "en"))
        ][-2:] == [True, True]


if __name__ == "__main__":
    sys.exit(not main())
