"""Figures and symbols of a text, whatever language writes them: 7, seven and 七 are one; {2}{R}, +1/+1 and d20 are themselves."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from corpus.words.text import narrow
from ontology.translation.drift.finding import Span
from ontology.translation.drift.patterns import blanked, language, without

_SYMBOL = re.compile(
    r"\{[^{}\n]{1,14}\}"
    r"|(?<![0-9A-Za-z/.*])[+\-−–]?[0-9XY*]{1,2}/[+\-−–]?[0-9XY*]{1,2}(?![0-9A-Za-z/*])"
    r"|(?<![0-9A-Za-z])d[0-9]{1,3}(?![0-9A-Za-z])"
)
_DIGITS = re.compile(r"(?<![0-9A-Za-z.,])(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,6})(?![.,]?[0-9]|[A-Za-z])")
_TWICE = re.compile(r"\{([A-Z])\1+\}")
_MINUS = str.maketrans("−–", "--")


class Figure(NamedTuple):
    """A figure, where it stands, and whether a translation must have it."""

    value: int
    span: Span
    strict: bool


def symbols(text: str) -> list[tuple[str, Span]]:
    """Symbols with their places; {BB} is {B}{B}."""
    matches = ((match[0].translate(_MINUS).upper(), match.span()) for match in _SYMBOL.finditer(narrow(text)))
    return [(single, span) for symbol, span in matches for single in _singles(symbol)]


def _singles(symbol: str) -> Sequence[str]:
    inside = symbol[1:-1]
    return [f"{{{inside[0]}}}"] * len(inside) if _TWICE.fullmatch(symbol) else [symbol]


def figures(text: str, lang: str, hidden: Sequence[Span] = ()) -> list[Figure]:
    """The figures of a text; `hidden` spans (citations) and symbols are passed over."""
    plain = blanked(narrow(text), [*hidden, *(span for _, span in symbols(text))])
    data = language(lang).numbers
    plain = without(plain, data["ignores"])
    return [*_digits(plain), *(_words(plain, data) if "strict" in data else _characters(plain, data))]


def _digits(text: str) -> Iterator[Figure]:
    return (Figure(int(match[0].replace(",", "")), match.span(), strict=True) for match in _DIGITS.finditer(text))


def _words(text: str, data: Mapping[str, Mapping[str, int]]) -> Iterator[Figure]:
    for match in re.finditer(r"[A-Za-z]+", text):
        word = match[0].lower()
        if word in data["strict"]:
            yield Figure(data["strict"][word], match.span(), strict=True)
        elif word in data["loose"]:
            yield Figure(data["loose"][word], match.span(), strict=False)


def _characters(text: str, data: Mapping[str, Any]) -> Iterator[Figure]:
    digits, powers = data["digits"], data["powers"]
    for match in re.finditer(f"[{''.join((*digits, *powers))}]+", text):
        value = _value(match[0], digits, powers)
        yield Figure(value, match.span(), strict=value > 1)
    for word, value in data["loose"].items():
        yield from (Figure(value, match.span(), strict=False) for match in re.finditer(re.escape(word), text))


def _value(run: str, digits: Mapping[str, int], powers: Mapping[str, int]) -> int:
    """二十三 is 23, 十二 is 12, 二〇 is 20."""
    if not any(character in powers for character in run):
        return int("".join(str(digits[character]) for character in run))
    total = last = 0
    for digit in run:
        if digit in powers:
            total, last = total + (last or 1) * powers[digit], 0
        else:
            last = digits[digit]
    return total + last


def lacking(mine: Sequence[Figure], theirs: Sequence[Figure], cited: Iterable[str] = ()) -> list[Figure]:
    """The figures that must stand in the other text and do not, by value; `cited` are numbers of rules that it cites."""
    known = {figure.value for figure in theirs} | {int(number) for number in cited if number.isdigit()}
    return [figure for figure in mine if figure.strict and figure.value not in known]


def surplus(mine: Sequence[tuple[str, Span]], theirs: Sequence[tuple[str, Span]]) -> list[tuple[str, Span]]:
    """The symbols that one text has more often than the other."""
    left = Counter(name for name, _ in theirs)
    more = []
    for name, span in mine:
        if left[name]:
            left[name] -= 1
        else:
            more.append((name, span))
    return more
