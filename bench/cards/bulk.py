"""`python -m bench.cards.bulk [--megabytes 500]`: what reading a bulk file of invented cards, in the shape of Scryfall's, takes."""

import argparse
import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.cards.size import cards
from ingest.cards import read_card_file

_LANGS = ("en", "ja", "zhs", "de", "fr", "es")
_FILLER: Mapping[str, object] = {
    "object": "card",
    "cmc": 3.0,
    "image_uris": {
        size: f"https://cards.example.org/{size}/front/{'x' * 90}" for size in ("small", "normal", "large", "png", "crop")
    },
    "legalities": {f"format{nth}": "legal" for nth in range(20)},
    "related_uris": {"shop": f"https://example.org/{'y' * 250}"},
}
"""What a record has beside names and texts, which is most of it."""


def _records(seed: int = 3) -> Iterator[Mapping[str, object]]:
    chance, some = random.Random(seed), cards()
    number = 0
    while True:
        card = chance.choice(some)
        number += 1
        for lang in chance.sample(_LANGS, k=chance.choice((1, 2, 4))):
            record = {"oracle_id": f"o{number}", "name": card.names["en"][0], "lang": lang, "oracle_text": card.texts["en"]}
            printed = {"printed_name": card.names["ja"][0], "printed_text": card.texts["ja"]}
            yield {**record, **(printed if lang != "en" else {}), **_FILLER}


def write(file: Path, size: int) -> int:
    """A file of so many bytes, a list with a record on each line; gives how many records."""
    written = 0
    with file.open("w", encoding="utf-8") as out:
        for count, record in enumerate(_records()):
            line = ("[\n" if not count else ",\n") + json.dumps(record, ensure_ascii=False)
            written += len(line.encode())
            out.write(line)
            if written >= size:
                break
        out.write("\n]")
    return count + 1


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="python -m bench.cards.bulk")
    parser.add_argument("--megabytes", type=int, default=500)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bulk.json"
        records = write(file, given.megabytes * 10**6)
        before = _memory()
        begun = time.process_time()
        gathered = read_card_file(file, "mtg")
        took = time.process_time() - begun
    sys.stdout.write(
        f"{given.megabytes} MB, {records} records: {len(gathered)} cards in {took:.1f} s of processor time; "
        f"memory at most {_memory():.0f} MB, {before:.0f} MB before\n"
    )


def _memory() -> float:
    """The most memory that this process has held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


if __name__ == "__main__":
    main()
