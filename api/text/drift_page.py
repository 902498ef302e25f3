"""`rulestone drift --html`: every finding with both texts on one page that needs nothing beside it; every word is escaped."""

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from api.text.drift import address

if TYPE_CHECKING:
    from corpus.contract import Drift, DriftFinding, DriftPlace

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem}"
    "section{border-top:1px solid #8888;padding:.6rem 0}h2{font-size:1rem;margin:0}"
    "p{margin:.3rem 0;white-space:pre-wrap;overflow-wrap:anywhere}mark{background:#fd6;color:#000}.none{opacity:.6}"
    "@media(prefers-color-scheme:dark){body{background:#111;color:#eee}}"
)


def page(body: "Drift") -> bytes:
    """A page of HTML in UTF-8."""
    return "\n".join(_lines(body)).encode("utf-8", "replace")


def _lines(body: "Drift") -> Iterator[str]:
    name = escape(f"{body['source']['ref']} → {body['target']['ref']}")
    yield f'<!doctype html><html lang="{escape(body["lang"])}"><head><meta charset="utf-8">'
    yield f'<meta name="viewport" content="width=device-width"><title>{name}</title><style>{_STYLE}</style></head><body>'
    told = ", ".join(f"{count} {kind}" for kind, count in body["counts"].items())
    yield f"<h1>{name}</h1><p>{body['total']}: {escape(told)}</p>"
    for one in body["findings"]:
        yield from _finding(one, body)
    yield "</body></html>\n"


def _finding(one: "DriftFinding", body: "Drift") -> Iterator[str]:
    yield f"<section><h2>{escape(address(one))} · {escape(one['kind'])} · {escape(one['said'])}</h2>"
    yield _place(one["source"], body["source"]["lang"])
    yield f"{_place(one['target'], body['target']['lang'])}</section>"


def _place(place: "DriftPlace | None", lang: str) -> str:
    if place is None:
        return '<p class="none">—</p>'
    parts, at, text = [], 0, place["text"]
    for start, end in sorted(place["spans"]):
        if start >= at:
            parts += [escape(text[at:start]), f"<mark>{escape(text[start:end])}</mark>"]
            at = end
    return f'<p lang="{escape(lang)}">{"".join((*parts, escape(text[at:])))}</p>'
