"""Marked-up words: highlights, citations and names of concepts as links, and differences between two texts."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from markupsafe import Markup, escape

from api.text.verify import citation_status
from corpus.address import ID

if TYPE_CHECKING:
    from corpus.contract import ChangedSpan, Mention, RuleCitation, Span, VerifiedCitation

URL_SAFE_CHARACTERS = "/~.-_@:"
"""Characters that are not quoted in paths."""
Marks = Sequence["Span"]


def local_path(iri: str) -> str:
    """The path of a rule, an edition or a concept on this server: `/id/mtg/cr/2025-02-07/400.7`."""
    return f"/id/{quote(iri.removeprefix(ID), safe=URL_SAFE_CHARACTERS)}" if iri.startswith(ID) else "#"


def fragment_path(kind: str, iri: str) -> str:
    """The path of a page fragment: `/part/section/mtg/cr/…`."""
    return f"/part/{kind}/{quote(iri.removeprefix(ID), safe=URL_SAFE_CHARACTERS)}"


@dataclass(frozen=True, slots=True)
class Link:
    """A span with a link."""

    start: int
    end: int
    target: str
    kind: str  # rule | concept


def mark_spans(text: str, spans: "Iterable[Span]") -> Markup:
    """A text with `<mark>` around some of its spans, which do not overlap."""
    parts, at = [], 0
    for span in sorted(spans, key=lambda mark: mark["start"]):
        if span["start"] >= at:
            parts += [escape(text[at : span["start"]]), Markup("<mark>{}</mark>").format(text[span["start"] : span["end"]])]
            at = span["end"]
    return Markup("").join((*parts, escape(text[at:])))


def find_spans(text: str, pattern: re.Pattern[str]) -> "list[Span]":
    """The spans of words in a text."""
    return [{"start": match.start(), "end": match.end()} for match in pattern.finditer(text)]


def rule_words_html(
    text: str, cites: "Iterable[RuleCitation]" = (), mentions: "Iterable[Mention]" = (), lang: str | None = None
) -> Markup:
    """A rule's words in a language, with links to cited rules and mentioned concepts."""
    links = [
        Link(cite["start"], cite["end"], cite["target"], "rule") for cite in cites if cite["target"] and _is_in_language(cite, lang)
    ]
    links += [
        Link(mention["start"], mention["end"], mention["concept"], "concept")
        for mention in mentions
        if _is_in_language(mention, lang)
    ]
    return add_links(text, links)


def _is_in_language(mention: Mapping[str, object], lang: str | None) -> bool:
    return lang is None or (mention["lang"] == lang and "within" not in mention)


def add_links(text: str, links: Sequence[Link]) -> Markup:
    """A text with its links; of those that overlap, the first, citations before concepts."""
    parts, at = [], 0
    for link in sorted(links, key=lambda place: (place.start, place.kind != "rule", -place.end)):
        if link.start >= at and link.end <= len(text):
            parts += [escape(text[at : link.start]), _anchor(text[link.start : link.end], link)]
            at = link.end
    return Markup("").join((*parts, escape(text[at:])))


def _anchor(shown: str, link: Link) -> Markup:
    if link.kind == "concept":
        return Markup('<a class="term" href="{}">{}</a>').format(local_path(link.target), shown)
    return Markup('<a class="cite" href="{}" data-preview="{}">{}</a>').format(
        local_path(link.target), fragment_path("rule", link.target), shown
    )


def mark_citations(text: str, citations: "Iterable[VerifiedCitation]") -> Markup:
    """A text with its citations marked by status, each with a link to its verdict below."""
    parts, at = [], 0
    for count, citation in enumerate(citations, 1):
        if citation["start"] >= at:
            shown = Markup('<a class="status {}" href="#c{}">{}</a>').format(
                citation_status(citation), count, text[citation["start"] : citation["end"]]
            )
            parts += [escape(text[at : citation["start"]]), shown]
            at = citation["end"]
    return Markup("").join((*parts, escape(text[at:])))


def mark_differences(old: str, new: str, spans: "Iterable[ChangedSpan]") -> Markup:
    """The newer of two texts with deletions and insertions marked."""
    return Markup("").join(_changed_run(span, old, new) for span in spans)


def _changed_run(span: "ChangedSpan", old: str, new: str) -> Markup:
    gone, come = old[slice(*span["old"])], new[slice(*span["new"])]
    if span["op"] == "equal":
        return escape(come)
    before = Markup("<del>{}</del>").format(gone) if gone else Markup("")
    return before + (Markup("<ins>{}</ins>").format(come) if come else Markup(""))
