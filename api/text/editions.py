"""`rulestone editions` for people: a line for each edition, book by book."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from api.text.rule import DOT
from corpus.words.text import printable

if TYPE_CHECKING:
    from corpus.contract import Editions, EditionSummary, RulingSource

_LESS: "tuple[Literal['older', 'withdrawn'], ...]" = ("older", "withdrawn")


def table(body: "Editions") -> Iterator[str]:
    """The lines of an `editions` body, each book under its title."""
    title = ""
    for edition in body["editions"]:
        if edition["title"] != title:
            title = edition["title"]
            yield title
        yield f"  {DOT.join(_facts(edition))}"
    if body["rulings"]:
        yield "Rulings"
    yield from (f"  {DOT.join(_rulings(source))}" for source in body["rulings"])


def _rulings(source: "RulingSource") -> Iterator[str]:
    yield f"{source['game']}/rulings/{source['source']}"
    yield f"{source['rulings']} rulings"
    yield from (f"{source[kind]} {kind}" for kind in _LESS if source[kind])
    yield f"{', '.join(source['languages'])} {', '.join(source['authorities'])} ({_files(source['files'])})"


def _files(names: Sequence[str]) -> str:
    return ", ".join(map(printable, names))


def _facts(edition: "EditionSummary") -> Iterator[str]:
    yield f"{edition['game']}/{edition['book']}/{edition['edition']}"
    yield f"{edition['rules']} rules"
    yield "current" if edition["current"] else "NOT CURRENT"
    if not edition["languages"]:
        yield "glosses only"
    for language in edition["languages"]:
        yield f"{language['lang']} {language['authority']} ({_files(language['files'])})"
    if beside := edition["order_unknown"]:
        yield f"whether earlier or later than {', '.join(beside)} is not known"
