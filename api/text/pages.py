"""`--html` of `align`, `diff` and `drift`: one self-contained page, for mailing and printing. Every word is escaped."""

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from api.languages import terminal_language
from api.text.changes import change_title, section_titles
from api.text.translation import alignment_summary, finding_place, link_title
from api.web.markup import mark_differences, mark_spans

if TYPE_CHECKING:
    from corpus.contract import AlignedRule, Alignment, AlignmentLink, Change, Changes, Drift, DriftPlace, Span

_DARK_STYLE = "@media(prefers-color-scheme:dark){body{background:#111;color:#eee}}"
_UNCERTAIN_BELOW = 0.7
"""Confidence below which a link is highlighted."""
_ALIGNMENT_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:1rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%;table-layout:fixed}"
    "td,th{border-top:1px solid #8888;padding:.3rem .5rem;vertical-align:top;text-align:left;white-space:pre-wrap}"
    "td,th{overflow-wrap:anywhere}"
    "th:first-child,td:first-child{width:9rem}.doubt td{background:#fe98}.alone td{background:#fdd8}.part td{background:#def8}"
    "@media(prefers-color-scheme:dark){.doubt td{background:#540}.alone td{background:#400}"
    ".part td{background:#024}}"
)
_CHANGES_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}"
    "h2{font-size:1.1rem;margin-top:2rem;border-bottom:1px solid}h3{font-size:1rem;margin-bottom:.2rem}"
    "p{margin:.2rem 0 .8rem;white-space:pre-wrap}"
    "del{background:#fdd;color:#800}ins{background:#dfd;color:#060}"
    "del::before{content:'[-'}del::after{content:'-]'}ins::before{content:'{+'}ins::after{content:'+}'}"
    "@media(prefers-color-scheme:dark){del{background:#400;color:#fbb}ins{background:#030;color:#bfb}}"
)
_DRIFT_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem}"
    "section{border-top:1px solid #8888;padding:.6rem 0}h2{font-size:1rem;margin:0}"
    "p{margin:.3rem 0;white-space:pre-wrap;overflow-wrap:anywhere}mark{background:#fd6;color:#000}.none{opacity:.6}"
)


def _page(name: str, summary: str, lines: Iterable[str], *, lang: str, style: str) -> bytes:
    """A page in UTF-8: its name and a summary, which are escaped here, and below them lines of HTML."""
    title = escape(name)
    head = (
        f'<!doctype html><html lang="{escape(lang)}"><head><meta charset="utf-8">',
        f'<meta name="viewport" content="width=device-width"><title>{title}</title>',
        f"<style>{style}{_DARK_STYLE}</style></head><body>",
        f"<h1>{title}</h1><p>{escape(summary)}</p>",
    )
    return "\n".join((*head, *lines, "</body></html>\n")).encode("utf-8", "replace")


def alignment_page(body: "Alignment") -> bytes:
    """Both texts side by side; links with low confidence and rules without a partner are highlighted."""
    name = f"{body['old']['ref']} ↔ {body['new']['ref']}"
    return _page(name, alignment_summary(body), _alignment_rows(body), lang=terminal_language(), style=_ALIGNMENT_STYLE)


def _alignment_rows(body: "Alignment") -> Iterator[str]:
    old, new = body["old"], body["new"]
    yield f"<table><tr><th></th><th>{escape(old['ref'])}</th><th>{escape(new['ref'])}</th></tr>"
    for link in body["links"]:
        cells = "".join(_cell(rule, lang) for rule, lang in ((link["old"], old["lang"]), (link["new"], new["lang"])))
        yield f'<tr class="{_link_class(link)}"><td>{escape(link_title(link))}</td>{cells}</tr>'
    yield "</table>"


def _link_class(link: "AlignmentLink") -> str:
    if not (link["old"] and link["new"]):
        return "alone"
    if link["checked"] == "yes":
        return "sure"
    return "part" if link["part"] else "doubt" if link["confidence"] < _UNCERTAIN_BELOW else "sure"


def _cell(rule: "AlignedRule | None", lang: str) -> str:
    return f'<td lang="{escape(lang)}">{escape(rule["text"])}</td>' if rule else "<td></td>"


def changes_page(body: "Changes") -> bytes:
    """All changes, section by section."""
    name = f"{body['book']} {body['from']} → {body['to']}"
    return _page(name, body["summary"], _change_lines(body), lang=body["lang"], style=_CHANGES_STYLE)


def _change_lines(body: "Changes") -> Iterator[str]:
    for titles, changes in groupby(body["changes"], section_titles):
        yield f"<h2>{escape(' › '.join(titles) or '—')}</h2>"
        for change in changes:
            yield f"<h3>{escape(change_title(change))}</h3>"
            yield from _changed_words_html(change)


def _changed_words_html(change: "Change") -> Iterator[str]:
    old, new = (rule["text"] if rule else "" for rule in (change["old"], change["new"]))
    if change["spans"]:
        yield f"<p>{mark_differences(old, new, change['spans'])}</p>"
    else:
        yield from (f"<p>{escape(words)}</p>" for words in (old, new) if words)


def drift_page(body: "Drift") -> bytes:
    """Every finding with both texts."""
    counts = ", ".join(f"{count} {kind}" for kind, count in body["counts"].items())
    name = f"{body['source']['ref']} → {body['target']['ref']}"
    return _page(name, f"{body['total']}: {counts}", _finding_lines(body), lang=body["lang"], style=_DRIFT_STYLE)


def _finding_lines(body: "Drift") -> Iterator[str]:
    for finding in body["findings"]:
        title = f"{finding_place(finding)} · {finding['kind']} · {finding['said']}"
        yield f"<section><h2>{escape(title)}</h2>"
        yield _finding_words_html(finding["source"], body["source"]["lang"])
        yield f"{_finding_words_html(finding['target'], body['target']['lang'])}</section>"


def _finding_words_html(place: "DriftPlace | None", lang: str) -> str:
    if place is None:
        return '<p class="none">—</p>'
    spans: list[Span] = [{"start": start, "end": end} for start, end in place["spans"]]
    return f'<p lang="{escape(lang)}">{mark_spans(place["text"], spans)}</p>'
