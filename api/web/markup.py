"""Marked-up words: highlights, citations and names of concepts as links, and differences between two texts."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote

from markupsafe import Markup, escape

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
class SpanLink:
    """A span with a link."""

    start: int
    end: int
    target: str
    kind: str  # rule | concept


def mark_spans(text: str, spans: "Iterable[Span]") -> Markup:
    """A text with `<mark>` around some of its spans, which do not overlap."""
    in_order = sorted(spans, key=lambda span: span["start"])
    return _mark_up(text, ((span["start"], span["end"], Markup("<mark>{}</mark>").format) for span in in_order))


def _mark_up(text: str, marked_spans: Iterable[tuple[int, int, Callable[[str], Markup]]]) -> Markup:
    """A text with spans marked up by a function each; a span that begins in an earlier one is left as it is."""
    parts, at = [], 0
    for start, end, mark in marked_spans:
        if start >= at and end <= len(text):
            parts += [escape(text[at:start]), mark(text[start:end])]
            at = end
    return Markup("").join((*parts, escape(text[at:])))


def find_spans(text: str, pattern: re.Pattern[str]) -> "list[Span]":
    """The spans of words in a text."""
    return [{"start": match.start(), "end": match.end()} for match in pattern.finditer(text)]


def rule_words_html(
    text: str, cites: "Iterable[RuleCitation]" = (), mentions: "Iterable[Mention]" = (), lang: str | None = None
) -> Markup:
    """A rule's words in a language, with links to cited rules and mentioned concepts."""
    links = [
        SpanLink(cite["start"], cite["end"], cite["target"], "rule")
        for cite in cites
        if cite["target"] and _is_in_language(cite, lang)
    ]
    links += [
        SpanLink(mention["start"], mention["end"], mention["concept"], "concept")
        for mention in mentions
        if _is_in_language(mention, lang)
    ]
    return add_links(text, links)


def _is_in_language(mention: Mapping[str, object], lang: str | None) -> bool:
    return lang is None or (mention["lang"] == lang and "within" not in mention)


def add_links(text: str, links: Sequence[SpanLink]) -> Markup:
    """A text with its links; of those that overlap, the first, citations before concepts."""
    in_order = sorted(links, key=lambda place: (place.start, place.kind != "rule", -place.end))
    return _mark_up(text, ((link.start, link.end, partial(_anchor, link)) for link in in_order))


def _anchor(link: SpanLink, text: str) -> Markup:
    if link.kind == "concept":
        return Markup('<a class="term" href="{}">{}</a>').format(local_path(link.target), text)
    return Markup('<a class="cite" href="{}" data-preview="{}">{}</a>').format(
        local_path(link.target), fragment_path("rule", link.target), text
    )


def mark_citations(text: str, citations: "Iterable[VerifiedCitation]") -> Markup:
    """A text with its citations marked by status, each with a link to its verdict below."""
    anchor = Markup('<a class="status {}" href="#c{}">{}</a>').format
    numbered_citations = enumerate(citations, 1)
    return _mark_up(text, ((one["start"], one["end"], partial(anchor, one["status"], count)) for count, one in numbered_citations))


def mark_differences(old: str, new: str, spans: "Iterable[ChangedSpan]") -> Markup:
    """The newer of two texts with deletions and insertions marked."""
    return Markup("").join(_changed_run(span, old, new) for span in spans)


def _changed_run(span: "ChangedSpan", old: str, new: str) -> Markup:
    deletion, insertion = old[slice(*span["old"])], new[slice(*span["new"])]
    if span["op"] == "equal":
        return escape(insertion)
    before = Markup("<del>{}</del>").format(deletion) if deletion else Markup("")
    return before + (Markup("<ins>{}</ins>").format(insertion) if insertion else Markup(""))
