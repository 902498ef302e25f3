"""Finds typing errors: words that may be meant by a Latin word that no passage contains.

An index contains stems, and people mistype words: *sicknes* is one letter from *sickness*, whose stem is *sick*. The usual endings
are therefore added to each stem again, and the typed word is compared with whole words.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from corpus.words.tokens import stem

_LONG_WORD = 8
"""Number of letters above which a word may contain two typos."""
_MIN_WORD_LENGTH = 3
"""Number of letters of the shortest word that can be a correction."""
_INFLECTIONS = (
    *("", "s", "es", "d", "ed", "ing", "e", "er", "ers", "y", "ly", "ness", "ment", "ion", "ions", "able", "al"),
    *("ate", "ates", "ated", "ating", "ation"),
)
_DOUBLING_ENDINGS = ("ed", "ing", "er")
"""Endings before which a final consonant is doubled: tapped."""
_MAX_CORRECTIONS = 8
"""Number of words that are compared by frequency."""
_SHORT_WORD = 6
"""Number of letters below which another letter in a word's place makes another word rather than a typo: ropes, roles."""
_MIN_FREQUENCY_RATIO = 4
"""Ratio of frequencies to the next word with as many typos above which a word is certainly meant."""


class Correction(NamedTuple):
    """A word that may be meant."""

    term: str  # its stem in the index
    word: str  # as people write it
    typos: int  # number of letters to change, leave out, add or swap
    passages: int  # that contain it


class Spelling:
    """The Latin words of an index. Thread-safe."""

    def __init__(self, terms: Iterable[str], passage_count: Callable[[str], int]) -> None:
        self._terms = [term for term in terms if len(term) >= _MIN_WORD_LENGTH and term.isascii() and term.isalpha()]
        self._passage_count = passage_count
        self._words: dict[str, dict[str, str]] = {}  # first letter → word → stem, computed for the first typo

    def corrections(self, query_word: str) -> list[Correction]:
        """The words with the same first letter within one typo, or two in a long word.

        Those with the fewest typos come first, of these the most frequent.
        """
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        typos = 1 if len(query_word) < _LONG_WORD else 2
        candidates = self._beginning_with(query_word[:1])
        near = extract(query_word, candidates.keys(), scorer=OSA.distance, score_cutoff=typos, limit=None)
        every = [Correction(candidates[word], word, int(far), self._passage_count(candidates[word])) for word, far, _ in near]
        every.sort(key=lambda one: (one.typos, -one.passages, abs(len(one.word) - len(query_word)), -len(one.word), one.word))
        best: dict[str, Correction] = {}
        for one in every:
            best.setdefault(one.term, one)
        return list(best.values())[:_MAX_CORRECTIONS]

    def _beginning_with(self, letter: str) -> dict[str, str]:
        if letter not in self._words:
            own = (term for term in self._terms if term[:1] == letter)
            self._words[letter] = {word: term for term in own for word in _whole_words(term)}
        return self._words[letter]


def _whole_words(term: str) -> Iterator[str]:
    """The words with a stem, as far as endings show; the stem itself if there is none, as for a name."""
    final = term[:-1] + "y" if term.endswith("i") else term
    candidates = [term + ending for ending in _INFLECTIONS] + [final, *(term + term[-1] + ending for ending in _DOUBLING_ENDINGS)]
    words = [word for word in dict.fromkeys(candidates) if stem(word) == term]
    yield from words or [term]


def is_likely(word: str, correction: Correction) -> bool:
    """Whether a word is likely a typo of another; short words that differ in one letter are more likely separate words."""
    return len(word) >= _SHORT_WORD or len(word) != len(correction.word) or sorted(word) == sorted(correction.word)


def is_unambiguous(corrections: list[Correction]) -> bool:
    """Whether the first of some corrections is certainly meant: the others have more typos, or are much rarer."""
    return (
        len(corrections) < 2
        or corrections[1].typos > corrections[0].typos
        or corrections[0].passages >= _MIN_FREQUENCY_RATIO * corrections[1].passages
    )
