"""The longest label at each place of a text: how concepts are found, in rules and in queries alike."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from corpus.tokens import Token, stem, words

Phrase = tuple[str, ...]
_NOTHING = frozenset({""})


class Found(NamedTuple):
    """A label in a text: its place among the tokens and among the characters, and what it stands for."""

    first: int  # token
    last: int  # token after it
    start: int  # code point
    end: int
    values: frozenset[str]


class Lexicon:
    """Labels and what each stands for. Labels that differ in case, width, inflection or script variant only are one label."""

    def __init__(self, labels: Iterable[tuple[str, str]], form: Callable[[str], str] = stem) -> None:
        """`labels` are pairs of a label and what it stands for; one label may stand for several, or for "", for nothing.

        Whoever asks for the labels in a text cuts it into words of the same form.
        """
        gathered: dict[Phrase, set[str]] = {}
        for label, value in labels:
            if phrase := tuple(token.norm for token in words(label, form)):
                gathered.setdefault(phrase, set()).add(value)
        self._fill({phrase: frozenset(values) for phrase, values in gathered.items()})

    @classmethod
    def of(cls, phrases: Mapping[Phrase, frozenset[str]]) -> "Lexicon":
        """A lexicon from the phrases of another one."""
        made = cls(())
        made._fill(phrases)
        return made

    def phrases(self) -> Mapping[Phrase, frozenset[str]]:
        """Every label as the norms of its words, with what it stands for."""
        return self._values

    def _fill(self, phrases: Mapping[Phrase, frozenset[str]]) -> None:
        self._values = phrases
        self._lengths: dict[str, list[int]] = {}
        for phrase in phrases:
            lengths = self._lengths.setdefault(phrase[0], [])
            if len(phrase) not in lengths:
                lengths.append(len(phrase))
        for lengths in self._lengths.values():
            lengths.sort(reverse=True)

    def find(self, tokens: Sequence[Token]) -> Iterator[Found]:
        """The labels in a text from left to right, the longest at each place; they do not overlap."""
        place, count = 0, len(tokens)
        while place < count:
            found = self._at(tokens, place, count)
            if found is None:
                place += 1
            else:
                if found.values != _NOTHING:
                    yield found
                place = found.last

    def _at(self, tokens: Sequence[Token], place: int, count: int) -> Found | None:
        for length in self._lengths.get(tokens[place].norm, ()):
            last = place + length
            if last > count:
                continue
            values = self._values.get(tuple([token.norm for token in tokens[place:last]]))
            if values and _unbroken(tokens, place, last):
                return Found(place, last, tokens[place].start, tokens[last - 1].end, values)
        return None


def _unbroken(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether no phrase ends inside: none runs over a full stop."""
    return not any(token.opens for token in tokens[first + 1 : last])
