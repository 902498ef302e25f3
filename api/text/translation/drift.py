"""`rulestone drift` for people and for spreadsheets: each finding with both places and the words."""

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from api.text.rule import DOT
from api.text.wrap import wrap
from corpus.address import path_of
from corpus.spreadsheet import quoted

if TYPE_CHECKING:
    from corpus.contract import Drift, DriftFinding, DriftPlace

COLUMNS = ("rank", "kind", "said", "expected", "source", "source_spans", "source_words", "target", "target_spans", "target_words")
_AROUND = 40
"""Characters shown on both sides of the words that are meant."""


def lines(body: "Drift", width: int | None, *, findings: bool = True) -> Iterator[str]:
    """The lines of a `drift` body; without its `findings` the summary alone."""
    yield f"{body['source']['ref']} → {body['target']['ref']}{DOT}{body['rules']} rules"
    told = ", ".join(f"{count} {kind}" for kind, count in body["counts"].items())
    yield from wrap(f"{body['total']} findings: {told}" if told else "nothing found", width)
    for finding in body["findings"] if findings else ():
        yield ""
        yield from wrap(f"{address(finding)}{DOT}{finding['kind']}{DOT}{finding['said']}", width)
        for place in (finding["source"], finding["target"]):
            if place:
                yield from wrap(glance(place), width, "    ", "    ")


def address(finding: "DriftFinding") -> str:
    """The rule that a finding is of, and which part of it."""
    place = finding["target"] or finding["source"]
    if place is None:
        return ""
    part = "" if place["part"] in ("text", "headword") else f" {place['part']} {place['nth']}"
    return f"{place['locator']}{part}"


def glance(place: "DriftPlace") -> str:
    """The words that are meant in brackets, with some on both sides of the first of them."""
    text = " ".join(place["text"].split()) if not place["spans"] else place["text"]
    if not place["spans"]:
        return text if len(text) <= 2 * _AROUND else f"{text[: 2 * _AROUND]}…"
    start, end = place["spans"][0]
    before, after = text[max(start - _AROUND, 0) : start], text[end : end + _AROUND]
    words = f"{'…' if start > _AROUND else ''}{before}[{text[start:end]}]{after}{'…' if end + _AROUND < len(text) else ''}"
    return " ".join(words.split())


def table(body: "Drift") -> str:
    """The findings as tab-separated values, no cell a formula; spans count code points of the part's text."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerow(COLUMNS)
    for finding in body["findings"]:
        row = [f"{finding['rank']:g}", finding["kind"], finding["said"], ", ".join(finding["expected"])]
        cells = (*row, *_side(finding["source"]), *_side(finding["target"]))
        writer.writerow([quoted(" ".join(cell.split())) for cell in cells])
    return out.getvalue()


def _side(place: "DriftPlace | None") -> list[str]:
    if place is None:
        return ["", "", ""]
    part = "" if place["part"] == "text" else f"#{place['part']}-{place['nth']}"
    spans = " ".join(f"{start}-{end}" for start, end in place["spans"])
    words = " … ".join(place["text"][start:end] for start, end in place["spans"])
    return [path_of(place["iri"]) + part, spans, words or place["text"]]
