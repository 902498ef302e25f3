"""`--html` of `align`, `diff` and `drift`: one self-contained page, for mailing and printing. Every word is escaped."""

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from api.languages import terminal_language
from api.templates import template_environment
from api.text.changes import change_title, section_titles
from api.text.translation import alignment_summary, finding_place, link_title
from api.web.markup import mark_differences, mark_spans

if TYPE_CHECKING:
    from corpus.contract import Alignment, AlignmentLink, Changes, Drift, DriftPlace

_TEMPLATES = Path(__file__).parent / "templates"
_UNCERTAIN_BELOW = 0.7
"""Confidence below which a link is highlighted."""


def _page(template: str, title: str, summary: str, lang: str, **values: object) -> bytes:
    """A page in UTF-8."""
    environment = template_environment(_TEMPLATES, keep_trailing_newline=True)
    page = environment.get_template(template).render(title=title, summary=summary, lang=lang, **values)
    return page.encode("utf-8", "replace")


def alignment_page(body: "Alignment") -> bytes:
    """Both texts side by side; links with low confidence and rules without a partner are highlighted."""
    title = f"{body['old']['ref']} ↔ {body['new']['ref']}"
    functions = {"class_of": _link_class, "title_of": link_title}
    return _page("alignment.html", title, alignment_summary(body), terminal_language(), body=body, **functions)


def _link_class(link: "AlignmentLink") -> str:
    if not (link["old"] and link["new"]):
        return "alone"
    if link["checked"] == "yes":
        return "sure"
    return "part" if link["part"] else "doubt" if link["confidence"] < _UNCERTAIN_BELOW else "sure"


def changes_page(body: "Changes") -> bytes:
    """All changes, section by section."""
    title = f"{body['book']} {body['from']} → {body['to']}"
    sections = [(titles, list(changes)) for titles, changes in groupby(body["changes"], section_titles)]
    functions = {"title_of": change_title, "marked": mark_differences}
    return _page("changes.html", title, body["summary"], body["lang"], sections=sections, **functions)


def drift_page(body: "Drift") -> bytes:
    """Every finding with both texts."""
    counts = ", ".join(f"{count} {kind}" for kind, count in body["counts"].items())
    title = f"{body['source']['ref']} → {body['target']['ref']}"
    functions = {"place_of": finding_place, "marked": _mark_place}
    return _page("drift.html", title, f"{body['total']}: {counts}", body["lang"], body=body, **functions)


def _mark_place(place: "DriftPlace") -> Markup:
    return mark_spans(place["text"], [{"start": start, "end": end} for start, end in place["spans"]])
