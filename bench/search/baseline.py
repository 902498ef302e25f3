"""The baseline of search: plain BM25 over character pairs and words of the books' texts."""

import re
from collections.abc import Sequence
from pathlib import Path

from bm25s import BM25

_CJK = "\u3040-\u30ff\u3400-\u9fff"
_PIECE = re.compile(f"[{_CJK}]+|[a-z0-9.]+")


def pieces(text: str) -> list[str]:
    """Words of Latin script, and pairs of neighbouring kana and Han characters."""
    parts: list[str] = []
    for piece in _PIECE.findall(text.lower()):
        cjk = re.match(f"[{_CJK}]", piece)
        parts += [piece[at : at + 2] for at in range(max(len(piece) - 1, 1))] if cjk else [piece.strip(".")]
    return parts


class Baseline:
    """The index of some texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._index = BM25(method="lucene")
        self._index.index([pieces(text) or [""] for text in texts], show_progress=False)
        self.count = len(texts)

    def save(self, folder: Path) -> None:
        """Writes the index."""
        self._index.save(folder, show_progress=False)

    @classmethod
    def open(cls, folder: Path) -> "Baseline":
        """Opens a saved index."""
        baseline = cls.__new__(cls)
        baseline._index = BM25.load(folder, mmap=True)
        baseline.count = int(baseline._index.scores["num_docs"])
        return baseline

    def best_places(self, query: str, limit: int) -> list[int]:
        """Places of the best texts."""
        known_pieces = [piece for piece in pieces(query) if piece in self._index.vocab_dict]
        if not known_pieces:
            return []
        places, _ = self._index.retrieve([known_pieces], k=min(limit, self.count), show_progress=False)
        return [int(place) for place in places[0]]
