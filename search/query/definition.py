"""Of what a question asks what it is: `what does trample do?`, トランプルとは, 践踏是什么意思, or the name alone."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Defined(NamedTuple):
    """A concept, or the key of a name, of which a question asks what it is; and the games that call it so, none: whichever."""

    concept: str
    games: tuple[str, ...] = ()


FILE = Path(__file__).parents[1] / "data" / "definitions.toml"
_ENDS = " \t?？!！.。、，,:：~〜～…\"“”「」『』《》‘’'"


def subjects(text: str) -> Iterator[str]:
    """What a text may ask the meaning of: first the whole of it, then what is left without the words that ask, each once."""
    seen: set[str] = set()
    bare = text.strip(_ENDS)
    for subject in (bare, *(match["term"].strip(_ENDS) for pattern in _patterns() for match in pattern.finditer(bare))):
        if subject and subject not in seen:
            seen.add(subject)
            yield subject


def expressions() -> Sequence[str]:
    """The ways to ask what a thing is, as regular expressions in which `term` is the thing; case does not count."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return [
        rf"^(?:{'|'.join(row['openings'])}|){pattern.replace('{term}', '(?P<term>.+?)')}(?:{'|'.join(row['endings'])}|)$"
        for row in data.values()
        for pattern in row["asks"]
    ]


@cache
def _patterns() -> Sequence[re.Pattern[str]]:
    return [re.compile(expression, re.IGNORECASE) for expression in expressions()]
