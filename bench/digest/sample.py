"""A seeded sample of the glosses of whole books, beside their rules: `python -m bench.digest.sample --sample 200 --seed 1202`.

A judge's verdicts are in `sample.tsv`, which contains no rule text; `--judged` counts them instead.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.digest.glossed import Nodes, all_nodes
from bench.measure import table_rows
from corpus.digest import GLOSS_LANGUAGES, Digest, Gloss, digests

WHOLE_BOOKS = {
    "dm": ("dm/cr/2025-12-17",),
    "fow": ("fow/cr/2025-09-18",),
    "mtg": ("mtg/cr/2025-02-07",),
    "ygo": ("ygo/rulebook/undated", "ygo/rulebook/undated-2"),
}
"""The editions of each completely glossed book."""
JUDGED_FILE = Path(__file__).with_name("sample.tsv")

Row = tuple[Digest, Gloss]


def main() -> int:
    """Prints the rows of the sample, or the verdicts on it; returns 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=200, help="rows in all, shared among the books by their size")
    parser.add_argument("--seed", type=int, default=1202)
    parser.add_argument("--judged", action="store_true", help="count the verdicts instead")
    options = parser.parse_args()
    if options.judged:
        print("\n".join(_print_counts()))
        return 0
    beside = all_nodes()
    for row in draw_sample(by_book(digests(all_games=True)), options.sample, options.seed):
        print("\n".join(_shown_lines(*row, beside)), end="\n\n")
    return 0


def draw_sample(rows_of: Mapping[str, Sequence[Row]], size: int, seed: int) -> Iterator[Row]:
    """`size` rows, from each book its share by the number of its rows, in the order of the book."""
    for book, share in shares({book: len(rows) for book, rows in rows_of.items()}, size).items():
        places = random.Random(f"{seed} {book}").sample(range(len(rows_of[book])), share)
        yield from (rows_of[book][place] for place in sorted(places))


def shares(sizes: Mapping[str, int], size: int) -> dict[str, int]:
    """Each book's part of a sample, by the largest remainder method."""
    total = sum(sizes.values())
    sizes_of_books = {book: size * own // total for book, own in sizes.items()}
    behind = sorted(sizes, key=lambda book: -(size * sizes[book] % total))
    return {book: share + (book in behind[: size - sum(sizes_of_books.values())]) for book, share in sizes_of_books.items()}


def by_book(every_digest: Sequence[Digest]) -> dict[str, list[Row]]:
    """Book → its rules that are glossed, without headings."""
    return {
        book: [
            (digest, gloss) for digest in every_digest if str(digest.key) in keys for gloss in digest.glosses if not gloss.heading
        ]
        for book, keys in WHOLE_BOOKS.items()
    }


def _shown_lines(digest: Digest, gloss: Gloss, loaded_nodes: Nodes) -> Iterator[str]:
    yield f"@ {digest.key} {gloss.locator}"
    for lang in GLOSS_LANGUAGES:
        if node := loaded_nodes.get((digest.key, lang), {}).get(gloss.locator):
            yield f"  rule {lang:<8}{node.text}"
            yield from (f"    {aside.text}" for aside in (*node.examples, *node.notes))
    for lang in GLOSS_LANGUAGES:
        yield f"  {lang:<8}{gloss.words[lang]}"
        yield from (f"    example {example}" for example in filter(None, [gloss.example.get(lang)]))
        yield f"    asked {' | '.join(gloss.questions.get(lang, ()))}"


def _print_counts() -> Iterator[str]:
    """For each seed the number of judged rows, and the faults found in them by kind and language."""
    rows = table_rows(JUDGED_FILE)
    for seed, row_count in Counter(row["seed"] for row in rows).items():
        faulty = [row for row in rows if row["seed"] == seed and row["verdict"] != "right"]
        yield f"seed {seed}: {row_count} rows judged, {len(faulty)} with a fault"
        for column in ("book", "verdict"):
            yield from (f"  {column} {name}: {count}" for name, count in Counter(row[column] for row in faulty).most_common())
        for lang in GLOSS_LANGUAGES:
            yield f"  in {lang}: {sum(lang in row['languages'].split() for row in faulty)}"


if __name__ == "__main__":
    sys.exit(main())
