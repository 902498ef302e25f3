"""`rulestone diff --html`: all changes, section by section."""

from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from api.text.changes import heading, title
from api.text.pages.frame import framed

if TYPE_CHECKING:
    from corpus.contract import Change, ChangedSpan, Changes

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}"
    "h2{font-size:1.1rem;margin-top:2rem;border-bottom:1px solid}h3{font-size:1rem;margin-bottom:.2rem}"
    "p{margin:.2rem 0 .8rem;white-space:pre-wrap}"
    "del{background:#fdd;color:#800}ins{background:#dfd;color:#060}"
    "del::before{content:'[-'}del::after{content:'-]'}ins::before{content:'{+'}ins::after{content:'+}'}"
    "@media(prefers-color-scheme:dark){del{background:#400;color:#fbb}ins{background:#030;color:#bfb}}"
)


def page(body: "Changes") -> bytes:
    """A page of HTML in UTF-8; every word is escaped."""
    name = f"{body['book']} {body['from']} → {body['to']}"
    return framed(name, body["summary"], _lines(body), lang=body["lang"], style=_STYLE)


def _lines(body: "Changes") -> Iterator[str]:
    for titles, changes in groupby(body["changes"], heading):
        yield f"<h2>{escape(' › '.join(titles) or '—')}</h2>"
        for change in changes:
            yield f"<h3>{escape(title(change))}</h3>"
            yield from _words(change)


def _words(change: "Change") -> Iterator[str]:
    old, new = (rule["text"] if rule else "" for rule in (change["old"], change["new"]))
    if change["spans"]:
        yield f"<p>{''.join(_run(span, old, new) for span in change['spans'])}</p>"
    else:
        yield from (f"<p>{escape(words)}</p>" for words in (old, new) if words)


def _run(span: "ChangedSpan", old: str, new: str) -> str:
    gone, come = escape(old[slice(*span["old"])]), escape(new[slice(*span["new"])])
    if span["op"] == "equal":
        return come
    return (f"<del>{gone}</del>" if gone else "") + (f"<ins>{come}</ins>" if come else "")
