"""`check references`: the wrong citations inside a book."""

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from api.languages import gettext as _
from api.languages import ngettext
from api.text.layout import SEPARATOR, wrap
from api.text.translation import excerpt
from corpus.address import path_of
from corpus.spreadsheet import quote_cell

if TYPE_CHECKING:
    from corpus.contract import MeantRule, ReferenceCheck, ReferenceFinding

_COLUMNS = ("kind", "rule", "lang", "part", "surface", "cited_locator", "title", "meant_locator", "said", "words")
_TITLE_LENGTH = 40
"""Number of characters of the meant rule that are shown."""


def references_lines(body: "ReferenceCheck", width: int | None, *, findings: bool = True) -> Iterator[str]:
    """The lines of a `check references` body: each finding with its words; without `findings`, only the summary."""
    citations_text = ngettext("{count} citation", "{count} citations", body["citations"])
    yield f"{body['ref']}{SEPARATOR}{citations_text}"
    counts = ", ".join(f"{count} {kind}" for kind, count in body["counts"].items())
    findings_text = ngettext("{count} finding: {kinds}", "{count} findings: {kinds}", body["total"], kinds=counts)
    yield from wrap(findings_text if counts else _("nothing found"), width)
    for finding in body["findings"] if findings else ():
        yield ""
        yield from wrap(_title(finding), width)
        yield from wrap(excerpt(finding["place"]), width, "    ", "    ")


def _title(finding: "ReferenceFinding") -> str:
    place, probable_rule = finding["place"], finding["meant"]
    part = "" if place["part"] == "text" else f" {place['part']} {place['nth']}"
    sentence = finding["said"]
    if probable_rule:
        sentence = _("{finding}; probably {rule} is meant", finding=sentence, rule=_meant_words(probable_rule))
    return f"{place['locator']}{part}{SEPARATOR}{finding['kind']}{SEPARATOR}{sentence}"


def _meant_words(rule: "MeantRule") -> str:
    words = " ".join(rule["text"].split())
    words = words if len(words) <= _TITLE_LENGTH else f"{words[:_TITLE_LENGTH]}…"
    return f"{rule['locator']} ({words})" if words else rule["locator"]


def references_table(body: "ReferenceCheck") -> str:
    """The findings as tab-separated values, in which no cell is a formula."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerow(_COLUMNS)
    for finding in body["findings"]:
        place, probable_rule = finding["place"], finding["meant"]
        part = place["part"] if place["part"] == "text" else f"{place['part']}-{place['nth']}"
        row = [finding["kind"], path_of(place["iri"]), finding["lang"], part, finding["surface"], finding["locator"]]
        row += [finding["title"] or "", probable_rule["locator"] if probable_rule else "", finding["said"], excerpt(place)]
        writer.writerow([quote_cell(" ".join(cell.split())) for cell in row])
    return out.getvalue()
