"""Findings as SARIF 2.1.0 (OASIS), for editors and code review."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from api.text.verify import line_and_column, line_start_offsets

if TYPE_CHECKING:
    from corpus.contract import (
        Drift,
        DriftFinding,
        DriftPlace,
        NumberFix,
        ReferenceCheck,
        ReferenceFinding,
        Source,
        VerifiedCitation,
        Verify,
    )

Json = dict[str, Any]
Reads = Callable[["Source"], str | None]
"""Returns the text of a source's file; None if it is not stored."""
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_STATUS_LEVELS = {
    "not_found": ("error", "No such rule in the edition that is cited"),
    "ambiguous": ("note", "Several games have a rule of this number"),
    "unchecked": ("note", "The edition or the words are not loaded"),
    "misquoted": ("error", "The rule does not have these words"),
    "reused": ("warning", "The number is another rule today"),
    "moved": ("warning", "The rule stands elsewhere today"),
    "edited": ("warning", "The rule has other words today"),
    "doubtful": ("note", "The words beside the number are about another rule"),
}
"""Status, or `doubtful` → level and meaning."""
_SOUND_STATUSES = ("exists", "verified")
"""Statuses that are no findings."""
_DRIFT_LEVELS = {
    "missing-rule": ("error", "A rule has no translation"),
    "extra-rule": ("warning", "The translation has a rule that the original lacks"),
    "operator": ("error", "A negation, permission or condition is lost"),
    "missing-sentence": ("error", "A sentence has no translation"),
    "number": ("error", "A figure differs"),
    "symbol": ("error", "A symbol differs"),
    "outdated": ("warning", "The original has been reworded since"),
    "untranslated": ("error", "Words are left in the language of the original"),
    "citation": ("error", "A citation differs"),
    "forbidden": ("error", "A word that the termbase forbids is used"),
    "term": ("warning", "A term is not rendered as the termbase says"),
    "rendering": ("warning", "A term is rendered in several ways"),
    "name": ("warning", "A name is rendered in another way than elsewhere"),
    "missing-example": ("warning", "An example or a note has no translation"),
    "extra-example": ("note", "The translation has an example or a note that the original lacks"),
    "punctuation": ("note", "Punctuation or width is wrong"),
}
"""The same for kinds of findings."""
_REFERENCE_LEVELS = {
    "dangling": ("error", "There is no such rule"),
    "title": ("error", "The number is another rule's than the words beside it"),
    "moved": ("warning", "The cited rule has another number now"),
    "merged": ("warning", "The cited rule is part of another one now"),
    "removed": ("warning", "The cited rule has been removed"),
    "example": ("warning", "The example has the number of another rule"),
}
"""The same for wrong citations inside a book."""


class Regions:
    """The files of a body, each read once."""

    def __init__(self, read_source: Reads) -> None:
        self._reads = read_source
        self._files: dict[str, tuple[str, list[int]] | None] = {}

    def region_of(self, place: "DriftPlace") -> Json | None:
        """The region of the words, else of the whole rule; None without a file."""
        source = place["file"]
        if source is None:
            return None
        whole = source["start"], source["end"]
        if (file := self._file_text(source)) is None:
            return _offset_region(*whole)
        text, starts = file
        first, last = _find_in_file(text, whole, place) or whole
        line, column = line_and_column(starts, first)
        end_line, end_column = line_and_column(starts, last)
        lines = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
        return {**lines, **_offset_region(first, last), "snippet": {"text": text[first:last]}}

    def _file_text(self, source: "Source") -> tuple[str, list[int]] | None:
        if source["sha256"] not in self._files:
            text = self._reads(source)
            self._files[source["sha256"]] = None if text is None else (text, line_start_offsets(text))
        return self._files[source["sha256"]]


def _offset_region(start: int, end: int) -> Json:
    return {"charOffset": start, "charLength": end - start}


def _find_in_file(text: str, part_span: tuple[int, int], place: "DriftPlace") -> tuple[int, int] | None:
    """The position of the first words, else of the part, in the file, ignoring line breaks and indentation."""
    letters = [at for at in range(*part_span) if not text[at].isspace()]
    plain = "".join(text[at] for at in letters)
    part = "".join(place["text"].split())
    at = plain.find(part)
    if not part or at < 0 or plain.find(part, at + 1) >= 0:
        return None
    first, last = place["spans"][0] if place["spans"] else (0, len(place["text"]))
    start = at + len("".join(place["text"][:first].split()))
    length = len("".join(place["text"][first:last].split()))
    return (letters[start], letters[start + length - 1] + 1) if length else None


def verification_log(body: "Verify", text: str, name: str | None) -> Json:
    """The citations of a `verify` body with a finding, as a SARIF log; `name` is the file's, None for standard input."""
    starts = line_start_offsets(text)
    fixes = {place: fix for fix in body["fixes"] for place in fix["citations"]}
    wrong = [(at, citation) for at, citation in enumerate(body["citations"]) if _finding_of(citation) not in _SOUND_STATUSES]
    results = [_citation_result(citation, starts, name, fixes.get(at)) for at, citation in wrong]
    log = _sarif_log(_STATUS_LEVELS, [_uri(name)], results)
    log["runs"][0]["properties"] = {"assumed": body["assumed"], "counts": body["counts"], "changes": body["changes"]}
    return log


def drift_log(body: "Drift", read_source: Reads = lambda _: None) -> Json:
    """The findings of a `drift` body as a SARIF log, located in the translation's or else the original's file, and by rule address.

    `read_source` returns the words of a file, so that a finding can point to its own.
    """
    regions = Regions(read_source)
    places = [finding["target"] or finding["source"] for finding in body["findings"]]
    files = list(dict.fromkeys(_uri(place["file"]["file"]) for place in places if place and place["file"]))
    return _sarif_log(_DRIFT_LEVELS, files, [_drift_result(finding, files, regions) for finding in body["findings"]])


def references_log(body: "ReferenceCheck", read_source: Reads = lambda _: None) -> Json:
    """The findings of a `check references` body as a SARIF log, located in the book's file and by rule address."""
    regions = Regions(read_source)
    sources = (finding["place"]["file"] for finding in body["findings"])
    files = list(dict.fromkeys(_uri(source["file"]) for source in sources if source))
    return _sarif_log(_REFERENCE_LEVELS, files, [_reference_result(finding, files, regions) for finding in body["findings"]])


def _reference_result(finding: "ReferenceFinding", files: Sequence[str], regions: Regions) -> Json:
    probable_rule = finding["meant"]
    return {
        "ruleId": finding["kind"],
        "ruleIndex": list(_REFERENCE_LEVELS).index(finding["kind"]),
        "level": _REFERENCE_LEVELS[finding["kind"]][0],
        "message": {
            "text": f"{finding['surface']}: {finding['said']}" + (f" (→ {probable_rule['locator']})" if probable_rule else "")
        },
        "locations": [_location(finding["place"], files, regions)],
        "properties": {"cited": finding["cited"], "title": finding["title"], "meant": probable_rule and probable_rule["iri"]},
    }


def _sarif_log(levels: Mapping[str, tuple[str, str]], files: Sequence[str], results: Sequence[Json]) -> Json:
    rules = [
        {"id": name, "shortDescription": {"text": text}, "defaultConfiguration": {"level": level}}
        for name, (level, text) in levels.items()
    ]
    tool = {"name": "Rulestone", "informationUri": "https://w3id.org/rulestone/", "rules": rules}
    run = {
        "tool": {"driver": tool},
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": {"uri": file}} for file in files],
        "results": list(results),
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _drift_result(finding: "DriftFinding", files: Sequence[str], regions: Regions) -> Json:
    place = finding["target"] or finding["source"]
    others = [other for other in (finding["source"], finding["target"]) if other is not None and other is not place]
    return {
        "ruleId": finding["kind"],
        "ruleIndex": list(_DRIFT_LEVELS).index(finding["kind"]),
        "level": _DRIFT_LEVELS[finding["kind"]][0],
        "message": {"text": finding["said"]},
        "rank": round(100 * finding["rank"], 1),
        "locations": [_location(place, files, regions)] if place else [],
        "relatedLocations": [_location(other, (), regions) for other in others],
        "properties": {"confidence": finding["confidence"], "expected": finding["expected"]},
    }


def _location(place: "DriftPlace", files: Sequence[str], regions: Regions) -> Json:
    """The locations of a rule: its address, and the region in its file if there is one."""
    part = "" if place["part"] == "text" else f"#{place['part']}-{place['nth']}"
    location: Json = {"logicalLocations": [{"name": place["locator"], "fullyQualifiedName": place["iri"] + part, "kind": "member"}]}
    file = place["file"]
    if file and (uri := _uri(file["file"])) in files:
        where = {"uri": uri, "index": list(files).index(uri)}
        location["physicalLocation"] = {"artifactLocation": where, "region": regions.region_of(place)}
    return location


def _finding_of(citation: "VerifiedCitation") -> str:
    """The status of a citation; `doubtful` for one that is a finding only because of the words beside it."""
    is_doubtful = citation["status"] in _SOUND_STATUSES and citation["fit"] == "doubtful"
    return "doubtful" if is_doubtful else citation["status"]


def _citation_result(citation: "VerifiedCitation", line_offsets: list[int], name: str | None, fix: "NumberFix | None") -> Json:
    quote = citation["quote"]
    wrong = quote if quote and citation["status"] == "misquoted" else citation
    region = _line_region(line_offsets, wrong["start"], wrong["end"])
    finding = _finding_of(citation)
    note = citation["note"] or _STATUS_LEVELS[finding][1]
    nearest = f" ({quote['nearest']})" if quote and quote["nearest"] else ""
    return {
        "ruleId": finding,
        "ruleIndex": list(_STATUS_LEVELS).index(finding),
        "level": _STATUS_LEVELS[finding][0],
        "message": {"text": f"{citation['surface']}: {note}{nearest}"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(name), "index": 0}, "region": region}}],
        "properties": {
            "rule": citation["rule"],
            "edition": citation["edition"],
            "now": citation["now"],
            "candidates": citation["candidates"],
            "checked": citation["checked"],
            "fit": citation["fit"],
            "fits_better": citation["fits_better"],
        },
        **({"fixes": [_number_fix(fix, line_offsets, name)]} if fix else {}),
    }


def _number_fix(fix: "NumberFix", line_offsets: list[int], name: str | None) -> Json:
    """A fix that replaces the printed number with today's (SARIF section 3.55)."""
    change = {
        "deletedRegion": _line_region(line_offsets, fix["start"], fix["end"]),
        "insertedContent": {"text": fix["replacement"]},
    }
    artifact = {"artifactLocation": {"uri": _uri(name), "index": 0}, "replacements": [change]}
    return {"description": {"text": f"{fix['surface']} → {fix['replacement']}"}, "artifactChanges": [artifact]}


def _line_region(line_offsets: list[int], start: int, end: int) -> Json:
    line, column = line_and_column(line_offsets, start)
    last, stop = line_and_column(line_offsets, end)
    return {"startLine": line, "startColumn": column, "endLine": last, "endColumn": stop}


def _uri(name: str | None) -> str:
    """A file's name as a URI: relative as it was given, or absolute."""
    if name is None:
        return "stdin"
    path = Path(name)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
