"""`rulestone drift --html`: every finding with both texts."""

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from api.text.pages.frame import framed
from api.text.translation.drift import address

if TYPE_CHECKING:
    from corpus.contract import Drift, DriftFinding, DriftPlace

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem}"
    "section{border-top:1px solid #8888;padding:.6rem 0}h2{font-size:1rem;margin:0}"
    "p{margin:.3rem 0;white-space:pre-wrap;overflow-wrap:anywhere}mark{background:#fd6;color:#000}.none{opacity:.6}"
)


def page(body: "Drift") -> bytes:
    """A page of HTML in UTF-8; every word is escaped."""
    told = ", ".join(f"{count} {kind}" for kind, count in body["counts"].items())
    name = f"{body['source']['ref']} → {body['target']['ref']}"
    return framed(name, f"{body['total']}: {told}", _lines(body), lang=body["lang"], style=_STYLE)


def _lines(body: "Drift") -> Iterator[str]:
    for finding in body["findings"]:
        yield from _finding(finding, body)


def _finding(finding: "DriftFinding", body: "Drift") -> Iterator[str]:
    yield f"<section><h2>{escape(address(finding))} · {escape(finding['kind'])} · {escape(finding['said'])}</h2>"
    yield _place(finding["source"], body["source"]["lang"])
    yield f"{_place(finding['target'], body['target']['lang'])}</section>"


def _place(place: "DriftPlace | None", lang: str) -> str:
    if place is None:
        return '<p class="none">—</p>'
    parts, at, text = [], 0, place["text"]
    for start, end in sorted(place["spans"]):
        if start >= at:
            parts += [escape(text[at:start]), f"<mark>{escape(text[start:end])}</mark>"]
            at = end
    return f'<p lang="{escape(lang)}">{"".join((*parts, escape(text[at:])))}</p>'
