"""What it costs to encode a whole Magic edition, and to open the encoder, in seconds of processor time."""

import sys
from pathlib import Path

from bench.measure import computed, machine, report, texts
from bench.speed.sizes import peak
from ingest.pipeline import parse
from ingest.read.document import document, file_bytes
from ingest.recognise.edition import Hints
from search.encode.pretrained import PretrainedEncoder

EDITION, OPENED, CORES = 120, 1, 2
"""Seconds for an edition in one language on so many cores, and for the first question of a process."""
_SAMPLE = 6
"""One text in so many is encoded."""


def edition(file: Path, encoder: PretrainedEncoder) -> bool:
    """Whether an edition is encoded in time, told by a sample of its texts."""
    words = [node.text for node in parse(document(file_bytes(file), file), Hints())[0].nodes if node.text]
    sample = words[::_SAMPLE]
    seconds = computed(lambda: encoder.encode(sample)) * len(words) / len(sample)
    behind = f"{len(words)} texts, {seconds:.0f} s of processor time on {CORES} cores, {peak() / 1e6:.0f} MB"
    return report(f"encode {file.name}", seconds / CORES, EDITION, "s", behind)


def main() -> bool:
    """Whether everything is within its target."""
    print(machine())
    encoder = PretrainedEncoder()
    opened = computed(lambda: encoder.encode_query(["?"]))
    figures = [report("first question of a process", opened, OPENED, "s", "processor time: tokenizer, network, one question")]
    figures += [edition(texts() / "mtg" / f"20250207_{lang}.txt", encoder) for lang in ("En", "Zh")]
    return all(figures)


if __name__ == "__main__":
    sys.exit(not main())
