"""What is wrong in a text as SARIF 2.1.0 (OASIS), which editors and code review show at its place."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.text.verdicts import line_starts, place

if TYPE_CHECKING:
    from corpus.contract import VerifiedCitation, Verify

Json = dict[str, Any]
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {
    "not_found": ("error", "No such rule in the edition that is cited"),
    "ambiguous": ("note", "Several games have a rule of this number"),
    "unchecked": ("note", "The edition or the words are not loaded"),
    "misquoted": ("error", "The rule does not have these words"),
    "reused": ("warning", "The number is another rule today"),
    "moved": ("warning", "The rule stands elsewhere today"),
    "edited": ("warning", "The rule has other words today"),
}
"""Status → level, and what it means."""


def log(body: "Verify", text: str, name: str | None) -> Json:
    """The citations of a `verify` body that are not verified, as a SARIF log; `name` is the file's, None for standard input."""
    starts = line_starts(text)
    tool = {"name": "Rulestone", "informationUri": "https://w3id.org/rulestone/", "rules": _rules()}
    wrong = [one for one in body["citations"] if one["status"] != "verified"]
    run = {
        "tool": {"driver": tool},
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": {"uri": _uri(name)}}],
        "results": [_result(one, starts, name) for one in wrong],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rules() -> list[Json]:
    return [
        {"id": status, "shortDescription": {"text": text}, "defaultConfiguration": {"level": level}}
        for status, (level, text) in _LEVELS.items()
    ]


def _result(one: "VerifiedCitation", starts: list[int], name: str | None) -> Json:
    quote = one["quote"]
    wrong = quote if quote and one["status"] == "misquoted" else one
    region = _region(starts, wrong["start"], wrong["end"])
    note = one["note"] or _LEVELS[one["status"]][1]
    nearest = f" ({quote['nearest']})" if quote and quote["nearest"] else ""
    return {
        "ruleId": one["status"],
        "ruleIndex": list(_LEVELS).index(one["status"]),
        "level": _LEVELS[one["status"]][0],
        "message": {"text": f"{one['surface']}: {note}{nearest}"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(name), "index": 0}, "region": region}}],
        "properties": {"rule": one["rule"], "edition": one["edition"], "now": one["now"], "candidates": one["candidates"]},
    }


def _region(starts: list[int], start: int, end: int) -> Json:
    line, column = place(starts, start)
    last, stop = place(starts, end)
    return {"startLine": line, "startColumn": column, "endLine": last, "endColumn": stop}


def _uri(name: str | None) -> str:
    """A file's name as a URI: relative as it was given, or absolute."""
    if name is None:
        return "stdin"
    from urllib.parse import quote

    path = Path(name)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
