"""`editions`, `add`, `remove`, `cards FILE`, `check` and `doctor`: the loaded editions, and the result for each file."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from api import labels
from api.languages import gettext as _
from api.languages import ngettext
from api.text.concepts import verdicts_added_lines
from api.text.layout import SEPARATOR, current_label, rule_count, value_label
from api.text.rule import unknown_order_warnings
from corpus.words.text import printable_line

if TYPE_CHECKING:
    from corpus.contract import (
        Added,
        CardFile,
        CardsAdded,
        Diagnosis,
        Editions,
        EditionSummary,
        FileResult,
        Findings,
        JudgementsAdded,
        Recognised,
        Removed,
        RemovedReading,
        RulingFile,
        RulingSource,
    )

_COUNT_MESSAGES: "tuple[Literal['new', 'same', 'revised', 'withdrawn'], ...]" = ("new", "same", "revised", "withdrawn")
_PREVIOUS_COUNT_MESSAGES: "tuple[Literal['older', 'withdrawn'], ...]" = ("older", "withdrawn")


def editions_lines(body: "Editions") -> Iterator[str]:
    """The lines of an `editions` body, each book under its title."""
    title = ""
    for edition in body["editions"]:
        if edition["title"] != title:
            title = edition["title"]
            yield title
        yield f"  {SEPARATOR.join(_edition_facts(edition))}"
    if body["rulings"]:
        yield _("Rulings")
    yield from (f"  {SEPARATOR.join(_source_facts(source))}" for source in body["rulings"])


def _edition_facts(edition: "EditionSummary") -> Iterator[str]:
    yield f"{edition['game']}/{edition['book']}/{edition['edition']}"
    yield rule_count(edition["rules"])
    yield current_label(current=edition["current"])
    if not edition["languages"]:
        yield _("glosses only")
    for language in edition["languages"]:
        authority = value_label(labels.AUTHORITY_ORDER, language["authority"])
        yield f"{language['lang']} {authority} ({_joined_names(language['files'])})"
    if others := edition["order_unknown"]:
        yield unknown_order_warnings(others)


def _source_facts(source: "RulingSource") -> Iterator[str]:
    yield f"{source['game']}/rulings/{source['source']}"
    yield _ruling_count(source["rulings"])
    yield from (_count_message(kind, source[kind]) for kind in _PREVIOUS_COUNT_MESSAGES if source[kind])
    authorities = ", ".join(value_label(labels.AUTHORITY_ORDER, authority) for authority in source["authorities"])
    yield f"{', '.join(source['languages'])} {authorities} ({_joined_names(source['files'])})"


def _joined_names(names: Sequence[str]) -> str:
    return ", ".join(map(printable_line, names))


def _ruling_count(count: int) -> str:
    return ngettext("{count} ruling", "{count} rulings", count)


def _count_message(kind: str, count: int) -> str:
    """A number of rulings of one kind."""
    return {
        "new": _("{count} new", count=count),
        "same": _("{count} unchanged", count=count),
        "revised": _("{count} revised", count=count),
        "withdrawn": _("{count} withdrawn", count=count),
        "older": _("{count} older", count=count),
    }[kind]


def added_lines(body: "Added", *, verbose: bool) -> Iterator[str]:
    """A line for each accepted file and the assumptions about it, with `verbose` all reasons; no errors."""
    for file in body["added"]:
        if not file["error"]:
            yield from _added_file_lines(file, verbose=verbose)


def outline_lines(body: "Added") -> Iterator[str]:
    """The edition that each file would become, and its outline; without errors."""
    for file in body["added"]:
        if not file["error"]:
            yield from _added_file_lines(file, verbose=True)
            yield from (f"    {line['locator']}{SEPARATOR}{line['text']}" for line in file.get("outline", ()))
    yield _("Nothing was saved; leave out --dry-run to add it")


def _added_file_lines(file: "FileResult", *, verbose: bool) -> Iterator[str]:
    contents = [*map(_reading_line, file["readings"]), *map(_ruling_file_line, file["rulings"])] or [_("no changes")]
    yield f"{printable_line(file['file'])}: {'; '.join(contents)}{_known_note(file['status'])}"
    yield from (f"  {reason}" for reason in (file["why"] if verbose else file["notes"]))


def _known_note(status: str) -> str:
    return " (" + _("known already") + ")" if status == "known" else ""


def _reading_line(reading: "Recognised") -> str:
    facts = (
        _reading_edition(reading),
        reading["lang"],
        value_label(labels.AUTHORITY_ORDER, reading["authority"]),
        reading["grammar"],
    )
    return SEPARATOR.join((*facts, rule_count(reading["rules"])))


def _ruling_file_line(file: "RulingFile") -> str:
    """The rulings of a source: `12 new, 3 revised` if not all are new."""
    counts = [_count_message(kind, file[kind]) for kind in _COUNT_MESSAGES if file[kind]]
    facts = [f"{file['game']}/rulings/{file['source']}", ", ".join(file["langs"]), _ruling_count(file["rulings"])]
    return SEPARATOR.join([*facts, *([", ".join(counts)] if file["new"] != file["rulings"] or len(counts) > 1 else [])])


def findings_lines(body: "Findings") -> Iterator[str]:
    """A line for each finding and each item of information; the disputes in the shipped claims are only counted."""
    disputes = [notice for notice in body["information"] if notice["kind"] == "disputed"]
    findings = [*body["findings"], *(notice for notice in body["information"] if notice["kind"] != "disputed")]
    yield from (f"{finding['kind']}: {finding['subject']}: {finding['message']}" for finding in findings)
    if not findings:
        yield _("no errors found")
    if disputes:
        count = len(disputes)
        yield ngettext(
            "for information: in {count} place the sources of the shipped claims disagree; --json lists it",
            "for information: in {count} places the sources of the shipped claims disagree; --json lists them",
            count,
        )


def _reading_edition(reading: "Recognised | RemovedReading") -> str:
    return f"{reading['game']}/{reading['book']}/{reading['edition']}"


def removed_lines(body: "Removed") -> Iterator[str]:
    """A line for each language of each edition that was removed, or for the removed file of cards or judgements."""
    for reading in body["removed"]:
        yield _(
            "removed {what}", what=SEPARATOR.join((_reading_edition(reading), reading["lang"], printable_line(reading["file"])))
        )
    if cards := body.get("cards"):
        yield _("removed {what}", what=f"{_card_file_line(cards)}{SEPARATOR}{printable_line(cards['file'])}")
    if verdicts := body.get("verdicts"):
        yield from (_("removed {what}", what=line) for line in verdicts_added_lines(verdicts))
    if judgement_file := body.get("judgements"):
        yield _(
            "removed {what}",
            what=f"{_judgement_count(judgement_file['judgements'])}{SEPARATOR}{printable_line(judgement_file['file'])}",
        )


def _card_file_line(file: "CardFile") -> str:
    return ngettext("{count} card of {games}", "{count} cards of {games}", file["cards"], games=", ".join(file["games"]))


def cards_added_lines(body: "CardsAdded") -> Iterator[str]:
    """A line for a file of cards, with the number of all cards."""
    file = body["added"]
    what = _("{cards} in {langs}", cards=_card_file_line(file), langs=", ".join(file["langs"]))
    total = _("{count} in all", count=body["total"])
    yield f"{printable_line(file['file'])}: {what}{_known_note(file['status'])}{SEPARATOR}{total}"


def judgements_added_lines(body: "JudgementsAdded") -> Iterator[str]:
    """A line for a curator's file."""
    file = body["added"]
    yield f"{printable_line(file['file'])}: {_judgement_count(file['judgements'])}{_known_note(file['status'])}"


def _judgement_count(count: int) -> str:
    return ngettext("{count} judgement", "{count} judgements", count)


def diagnosis_lines(body: "Diagnosis") -> Iterator[str]:
    """A line for each fault of a home folder, with the remedy."""
    yield from (printable_line(complaint["message"]) for complaint in body["complaints"])
    if body["sound"]:
        yield _("no faults in {home}", home=body["home"])
    elif any(complaint["mendable"] for complaint in body["complaints"]):
        yield _("repair it with: rulestone doctor --mend")


def built_lines(editions: int, rules: int, home: object, hints: "Iterable[str | None]") -> Iterator[str]:
    """The contents of a new bundle, and hints about missing parts."""
    edition_count = ngettext("{count} edition", "{count} editions", editions)
    yield _("{editions}, {rules} in {home}", editions=edition_count, rules=rule_count(rules), home=home)
    yield from filter(None, hints)
