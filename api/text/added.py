"""`rulestone add` and `remove` for people: what became of each file, and what search may learn from now."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from api.text.rule import DOT
from corpus.words.text import printable

if TYPE_CHECKING:
    from corpus.contract import Added, Editions, FileResult, Recognised, Removed, RemovedReading, RulingFile

_KINDS: "tuple[Literal['new', 'same', 'revised', 'withdrawn'], ...]" = ("new", "same", "revised", "withdrawn")


def lines(body: "Added", editions: "Editions", *, verbose: bool) -> Iterator[str]:
    """A line for each file that was taken, with `verbose` also how it was recognised; what was refused is told elsewhere."""
    for file in body["added"]:
        if not file["error"]:
            yield from _file(file, verbose=verbose)
    yield from to_learn(body, editions)


def removed(body: "Removed") -> Iterator[str]:
    """A line for each language of each edition that is gone."""
    for reading in body["removed"]:
        yield f"removed {DOT.join((_edition(reading), reading['lang'], printable(reading['file'])))}"
    if cards := body.get("cards"):
        yield f"removed {cards['cards']} cards of {', '.join(cards['games'])}{DOT}{printable(cards['file'])}"
    if judged := body.get("judgements"):
        yield f"removed {judged['judgements']} judgements{DOT}{printable(judged['file'])}"


def _file(file: "FileResult", *, verbose: bool) -> Iterator[str]:
    recognised = [*map(_recognised, file["readings"]), *map(_ruled, file["rulings"])] or ["nothing new in it"]
    known = " (known already)" if file["status"] == "known" else ""
    yield f"{printable(file['file'])}: {'; '.join(recognised)}{known}"
    yield from (f"  {reason}" for reason in file["why"] if verbose)


def _recognised(reading: "Recognised") -> str:
    rules = f"{reading['rules']} rules"
    return DOT.join((_edition(reading), reading["lang"], reading["authority"], reading["grammar"], rules))


def _ruled(file: "RulingFile") -> str:
    """What became of the rulings of a source: `12 new, 3 revised` where not all are new."""
    counts = [f"{file[kind]} {kind}" for kind in _KINDS if file[kind]]
    told = [f"{file['rulings']} rulings", *([", ".join(counts)] if counts != [f"{file['rulings']} new"] else [])]
    return DOT.join((f"{file['game']}/rulings/{file['source']}", ", ".join(file["langs"]), *told))


def to_learn(body: "Added", editions: "Editions") -> Iterator[str]:
    """A line for each edition that now stands in several languages: search learns from them in `build`, which takes longer."""
    touched = {_edition(reading) for file in body["added"] for reading in file["readings"]}
    for edition in editions["editions"]:
        name = f"{edition['game']}/{edition['book']}/{edition['edition']}"
        if name in touched and len(edition["languages"]) > 1:
            langs = " and ".join(sorted(language["lang"] for language in edition["languages"]))
            yield f"{name} is loaded in {langs}: rulestone build lets search learn from them"


def _edition(reading: "Recognised | RemovedReading") -> str:
    return f"{reading['game']}/{reading['book']}/{reading['edition']}"
