"""`rulestone align --html`: both texts side by side, to check by eye."""

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from api.text.pages.frame import framed
from api.text.translation.alignment import summary, title

if TYPE_CHECKING:
    from corpus.contract import AlignedRule, Alignment, AlignmentLink

_DOUBT = 0.7
"""Confidence below which a link is shown as one to look at first."""
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:1rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%;table-layout:fixed}"
    "td,th{border-top:1px solid #8888;padding:.3rem .5rem;vertical-align:top;text-align:left;white-space:pre-wrap}"
    "td,th{overflow-wrap:anywhere}"
    "th:first-child,td:first-child{width:9rem}.doubt td{background:#fe98}.alone td{background:#fdd8}.part td{background:#def8}"
    "@media(prefers-color-scheme:dark){.doubt td{background:#540}.alone td{background:#400}"
    ".part td{background:#024}}"
)


def page(body: "Alignment") -> bytes:
    """A page of HTML in UTF-8: rows to doubt and rules without a partner stand out; every word is escaped."""
    name = f"{body['old']['ref']} ↔ {body['new']['ref']}"
    return framed(name, summary(body), _lines(body), lang="en", style=_STYLE)


def _lines(body: "Alignment") -> Iterator[str]:
    old, new = body["old"], body["new"]
    yield f"<table><tr><th></th><th>{escape(old['ref'])}</th><th>{escape(new['ref'])}</th></tr>"
    for link in body["links"]:
        cells = "".join(_cell(rule, lang) for rule, lang in ((link["old"], old["lang"]), (link["new"], new["lang"])))
        yield f'<tr class="{_sort(link)}"><td>{escape(title(link))}</td>{cells}</tr>'
    yield "</table>"


def _sort(link: "AlignmentLink") -> str:
    if not (link["old"] and link["new"]):
        return "alone"
    if link["checked"] == "yes":
        return "sure"
    return "part" if link["part"] else "doubt" if link["confidence"] < _DOUBT else "sure"


def _cell(rule: "AlignedRule | None", lang: str) -> str:
    return f'<td lang="{escape(lang)}">{escape(rule["text"])}</td>' if rule else "<td></td>"
