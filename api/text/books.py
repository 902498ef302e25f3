"""`editions`, `add`, `remove`, `cards FILE`, `check` and `doctor`: the loaded editions, and the result for each file."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from api import labels
from api.languages import gettext as _
from api.text.layout import DOT, count_of_rules, current_label, label_of
from api.text.rule import order_unknown
from corpus.words.text import printable

if TYPE_CHECKING:
    from corpus.contract import (
        Added,
        CardFile,
        CardsAdded,
        Diagnosis,
        Editions,
        EditionSummary,
        FileResult,
        JudgementsAdded,
        Recognised,
        Removed,
        RemovedReading,
        RulingFile,
        RulingSource,
    )

_COUNTS: "tuple[Literal['new', 'same', 'revised', 'withdrawn'], ...]" = ("new", "same", "revised", "withdrawn")
_OLD_COUNTS: "tuple[Literal['older', 'withdrawn'], ...]" = ("older", "withdrawn")


def editions_lines(body: "Editions") -> Iterator[str]:
    """The lines of an `editions` body, each book under its title."""
    title = ""
    for edition in body["editions"]:
        if edition["title"] != title:
            title = edition["title"]
            yield title
        yield f"  {DOT.join(_edition_facts(edition))}"
    if body["rulings"]:
        yield _("Rulings")
    yield from (f"  {DOT.join(_source_facts(source))}" for source in body["rulings"])


def _edition_facts(edition: "EditionSummary") -> Iterator[str]:
    yield f"{edition['game']}/{edition['book']}/{edition['edition']}"
    yield count_of_rules(edition["rules"])
    yield current_label(current=edition["current"])
    if not edition["languages"]:
        yield _("glosses only")
    for language in edition["languages"]:
        yield f"{language['lang']} {label_of(labels.RANK, language['authority'])} ({_files(language['files'])})"
    if others := edition["order_unknown"]:
        yield order_unknown(others)


def _source_facts(source: "RulingSource") -> Iterator[str]:
    yield f"{source['game']}/rulings/{source['source']}"
    yield _rulings(source["rulings"])
    yield from (_count(kind, source[kind]) for kind in _OLD_COUNTS if source[kind])
    authorities = ", ".join(label_of(labels.RANK, authority) for authority in source["authorities"])
    yield f"{', '.join(source['languages'])} {authorities} ({_files(source['files'])})"


def _files(names: Sequence[str]) -> str:
    return ", ".join(map(printable, names))


def _rulings(count: int) -> str:
    return _("1 ruling") if count == 1 else _("{count} rulings", count=count)


def _count(kind: str, count: int) -> str:
    """A number of rulings of one kind."""
    return {
        "new": _("{count} new", count=count),
        "same": _("{count} unchanged", count=count),
        "revised": _("{count} revised", count=count),
        "withdrawn": _("{count} withdrawn", count=count),
        "older": _("{count} older", count=count),
    }[kind]


def added_lines(body: "Added", editions: "Editions", *, verbose: bool) -> Iterator[str]:
    """A line for each accepted file and the assumptions about it, with `verbose` all reasons; no errors."""
    for file in body["added"]:
        if not file["error"]:
            yield from _file(file, verbose=verbose)
    yield from _to_learn(body, editions)


def outline_lines(body: "Added") -> Iterator[str]:
    """The edition that each file would become, and its outline; without errors."""
    for file in body["added"]:
        if not file["error"]:
            yield from _file(file, verbose=True)
            yield from (f"    {line['locator']}{DOT}{line['text']}" for line in file.get("outline", ()))
    yield _("Nothing was saved; leave out --dry-run to add it")


def _file(file: "FileResult", *, verbose: bool) -> Iterator[str]:
    recognised = [*map(_reading, file["readings"]), *map(_ruling_file, file["rulings"])] or [_("no changes")]
    yield f"{printable(file['file'])}: {'; '.join(recognised)}{_known(file['status'])}"
    yield from (f"  {reason}" for reason in (file["why"] if verbose else file["notes"]))


def _known(status: str) -> str:
    return " (" + _("known already") + ")" if status == "known" else ""


def _reading(reading: "Recognised") -> str:
    facts = (_edition(reading), reading["lang"], label_of(labels.RANK, reading["authority"]), reading["grammar"])
    return DOT.join((*facts, count_of_rules(reading["rules"])))


def _ruling_file(file: "RulingFile") -> str:
    """The rulings of a source: `12 new, 3 revised` if not all are new."""
    counts = [_count(kind, file[kind]) for kind in _COUNTS if file[kind]]
    facts = [f"{file['game']}/rulings/{file['source']}", ", ".join(file["langs"]), _rulings(file["rulings"])]
    return DOT.join([*facts, *([", ".join(counts)] if file["new"] != file["rulings"] or len(counts) > 1 else [])])


def _to_learn(body: "Added", editions: "Editions") -> Iterator[str]:
    """A line for each new edition in several languages: `build` trains search on them, which takes longer."""
    touched = {_edition(reading) for file in body["added"] for reading in file["readings"]}
    for edition in editions["editions"]:
        name = f"{edition['game']}/{edition['book']}/{edition['edition']}"
        if name in touched and len(edition["languages"]) > 1:
            langs = ", ".join(sorted(language["lang"] for language in edition["languages"]))
            yield _("{edition} is loaded in {langs}: rulestone build trains search on them", edition=name, langs=langs)


def _edition(reading: "Recognised | RemovedReading") -> str:
    return f"{reading['game']}/{reading['book']}/{reading['edition']}"


def removed_lines(body: "Removed") -> Iterator[str]:
    """A line for each language of each edition that was removed, or for the removed file of cards or judgements."""
    for reading in body["removed"]:
        yield _("removed {what}", what=DOT.join((_edition(reading), reading["lang"], printable(reading["file"]))))
    if cards := body.get("cards"):
        yield _("removed {what}", what=f"{_cards(cards)}{DOT}{printable(cards['file'])}")
    if judged := body.get("judgements"):
        yield _("removed {what}", what=f"{_judgements(judged['judgements'])}{DOT}{printable(judged['file'])}")


def _cards(file: "CardFile") -> str:
    return _("{count} cards of {games}", count=file["cards"], games=", ".join(file["games"]))


def cards_added_lines(body: "CardsAdded") -> Iterator[str]:
    """A line for a file of cards, with the number of all cards."""
    file = body["added"]
    what = _("{cards} in {langs}", cards=_cards(file), langs=", ".join(file["langs"]))
    total = _("{count} in all", count=body["total"])
    yield f"{printable(file['file'])}: {what}{_known(file['status'])}{DOT}{total}"


def judgements_added_lines(body: "JudgementsAdded") -> Iterator[str]:
    """A line for a curator's file."""
    file = body["added"]
    yield f"{printable(file['file'])}: {_judgements(file['judgements'])}{_known(file['status'])}"


def _judgements(count: int) -> str:
    return _("{count} judgements", count=count)


def diagnosis_lines(body: "Diagnosis") -> Iterator[str]:
    """A line for each fault of a home folder, with the remedy."""
    yield from (printable(complaint["message"]) for complaint in body["complaints"])
    if body["sound"]:
        yield _("no faults in {home}", home=body["home"])
    elif any(complaint["mendable"] for complaint in body["complaints"]):
        yield _("repair it with: rulestone doctor --mend")


def built_lines(editions: int, rules: int, home: object, hints: "Iterable[str | None]") -> Iterator[str]:
    """The contents of a new bundle, and hints about missing parts."""
    yield _("{editions} editions, {rules} rules in {home}", editions=editions, rules=rules, home=home)
    yield from filter(None, hints)
