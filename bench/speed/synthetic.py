"""Generated rules: random invented words and characters with the frequencies of real texts."""

import random
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

GAMES = ("alpha", "beta", "gamma", "delta")
LANGS = ("en", "ja", "zh-Hans")
WORDS, CHARACTERS = 20_000, 3_000
"""Different words of Latin script, and different Han characters."""
_KANA = [chr(code) for code in range(0x3042, 0x3090)]
_CUMULATIVE_ODDS = list(accumulate(1 / (rank + 2.7) for rank in range(WORDS)))
"""Zipf and Mandelbrot: the word of rank r has a frequency proportional to 1 / (r + 2.7)."""


class TextGenerator:
    """Texts in three scripts; the same texts for the same seed."""

    def __init__(self, seed: int) -> None:
        """All seeds use the same words in different texts."""
        always = random.Random(0)
        syllables = [start + vowel for start in "bdfgklmnprstvz" for vowel in ("a", "e", "i", "o", "u", "an", "or")]
        self._words = ["".join(always.choices(syllables, k=always.randint(1, 4))) for _ in range(WORDS)]
        self._characters = always.sample([chr(code) for code in range(0x4E00, 0x9000)], CHARACTERS)
        self._draw = random.Random(seed)

    def text(self, lang: str, length: int) -> str:
        """Some words (outside English: characters), with a full stop after about every tenth."""
        ranks = self._draw.choices(range(WORDS), cum_weights=_CUMULATIVE_ODDS, k=length)
        if lang == "en":
            return " ".join(self._words[rank] + ("." if self._draw.random() < 0.1 else "") for rank in ranks)
        return "".join(self._character(rank, lang) + ("。" if self._draw.random() < 0.06 else "") for rank in ranks)

    def _character(self, rank: int, lang: str) -> str:
        if lang == "ja" and self._draw.random() < 0.5:
            return _KANA[rank % len(_KANA)]
        return self._characters[rank % CHARACTERS]

    def random_length(self, middle: int) -> int:
        """A random length: half of all are longer than the middle, and few are much longer."""
        return max(2, min(12 * middle, round(self._draw.lognormvariate(0, 0.7) * middle)))

    def records(self, passages: int) -> list[dict[str, Any]]:
        """Rules that have this many passages: each has a text, and a title above it."""
        return [self._record(place) for place in range(passages // 2)]

    def _record(self, place: int) -> dict[str, Any]:
        lang, game = LANGS[place % 3], GAMES[place // 3 % 4]
        chapter, number = divmod(place, 40)
        locator = f"{100 + chapter}.{number + 1}"
        iri = f"https://example.org/{game}/{lang}/{locator}"
        texts = {lang: {"text": self.text(lang, self.random_length(45)), "authority": "official"}}
        names = {
            "iri": iri,
            "game": game,
            "book": "cr",
            "edition": "2024-01-01",
            "locator": locator,
            "number": locator,
            "kind": "rule",
        }
        titles = {"headings": {lang: [self.text(lang, 3)]}, "headwords": {}, "parent": None, "current": True}
        glosses: dict[str, Any] = {"digest": {}, "digest_example": {}, "digest_other": None, "examples": [], "notes": []}
        return {**names, "texts": texts, **titles, **glosses, "cites": [], "children": []}

    def queries(self, count: int) -> Sequence[str]:
        """A few words in each language in turn; some are scenarios, some have a rule's number, some have a typing error."""
        return [self._query(place) for place in range(count)]

    def _query(self, place: int) -> str:
        words = self.text(LANGS[place % 3], self.random_length(40 if place % 5 == 4 else 6))
        if place % 12 == 0:
            words = words.replace("a", "ea", 1)
        return f"{words} {100 + place}.{place % 40 + 1}" if place % 10 == 9 else words
