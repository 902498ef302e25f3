"""`align`, `concordance` and `drift`: links between texts, words in context, and losses of a translation."""

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from api.languages import gettext as _
from api.languages import ngettext
from api.text.layout import SEPARATOR, display_width, rule_count, wrap
from corpus.address import path_of, split_rule
from corpus.spreadsheet import quote_cell

if TYPE_CHECKING:
    from corpus.contract import (
        AlignedRule,
        Alignment,
        AlignmentLink,
        AppliedAlignment,
        Beside,
        Concordance,
        ConcordanceLine,
        Drift,
        DriftFinding,
        DriftPlace,
    )

_MAX_LISTED = 8
"""Number of rules without a partner that are listed one by one."""
_EXCERPT_LENGTH = 60
"""Number of characters that identify a rule."""
_WIDTH, _FORMS = 110, 12
"""Columns of a line of a concordance without a terminal; maximum number of listed forms."""
_DRIFT_COLUMNS = (
    *("rank", "kind", "said", "expected"),
    *("source", "source_spans", "source_words", "target", "target_spans", "target_words"),
)
_CONTEXT_LENGTH = 40
"""Number of characters on both sides of the words of a finding."""


def align_lines(body: "Alignment", width: int | None, *, links: bool = True) -> Iterator[str]:
    """The lines of an `align` body: a line for each link with its confidence; without `links`, only the summary."""
    yield f"{body['old']['ref']} ↔ {body['new']['ref']}"
    yield from wrap(alignment_summary(body), width)
    if not links:
        return
    yield ""
    for lacks_partner, run in groupby(body["links"], lambda link: (link["old"] is None, link["new"] is None)):
        some = list(run)
        if any(lacks_partner) and len(some) > _MAX_LISTED:
            yield _omitted_links(some)
        else:
            yield from (line for link in some for line in _link_lines(link, width))


def _omitted_links(links: "list[AlignmentLink]") -> str:
    """The ends of a long run of rules without a partner, such as a chapter that the other book lacks."""
    first, last = ((link["old"] or link["new"]) for link in (links[0], links[-1]))
    names = f"{first['locator']} … {last['locator']}" if first and last else ""
    return (
        f"{names} → —{SEPARATOR}{rule_count(len(links))}" if links[0]["old"] else f"— → {names}{SEPARATOR}{rule_count(len(links))}"
    )


def alignment_summary(body: "Alignment") -> str:
    """The numbers of links and of rules without a partner."""
    counts = body["counts"]
    return _(
        "links: {links} (to a part of a rule: {parts}, rows checked: {checked}); "
        "without a partner: {old} of the first, {new} of the second",
        links=counts["linked"],
        parts=counts["parts"],
        checked=counts["checked"],
        old=counts["old_alone"],
        new=counts["new_alone"],
    )


def applied_alignment_lines(body: "AppliedAlignment") -> Iterator[str]:
    """The result of a checked table."""
    yield _(
        "{old} ↔ {new}: {taken} rows taken, {refused} refused, {unchecked} not checked",
        old=body["old"],
        new=body["new"],
        taken=body["taken"],
        refused=body["refused"],
        unchecked=body["unchecked"],
    )


def link_title(link: "AlignmentLink") -> str:
    """The two rules of a link, and its confidence."""
    names = " → ".join(rule["locator"] if rule else "—" for rule in (link["old"], link["new"]))
    facts = [f"{link['confidence']:.0%}"] if link["old"] and link["new"] else [_("no partner")]
    facts += [_("part")] if link["part"] else []
    facts += [_("checked: {verdict}", verdict=link["checked"])] if link["checked"] != "?" else []
    return f"{names}{SEPARATOR}{', '.join(facts)}"


def _link_lines(link: "AlignmentLink", width: int | None) -> Iterator[str]:
    yield link_title(link)
    for rule in (link["old"], link["new"]):
        if rule:
            yield from wrap(_shortened_text(rule), width, "    ", "    ")


def _shortened_text(rule: "AlignedRule") -> str:
    words = " ".join(rule["text"].split())
    return words if len(words) <= _EXCERPT_LENGTH else f"{words[:_EXCERPT_LENGTH]}…"


def concordance_lines(body: "Concordance", width: int | None) -> Iterator[str]:
    """The lines of a `concordance` body: the forms with their counts, then each line with the other language below."""
    yield from _total_lines(body, width)
    if body["superseded"]:
        editions = ", ".join(body["superseded"])
        yield from wrap(_("superseded, the newest edition with that language: {editions}", editions=editions), width)
    if not body["total"]:
        return
    forms = ", ".join(f"{form['form']} {form['count']}" for form in body["forms"][:_FORMS])
    yield from wrap(_("forms: {forms}", forms=forms) + (" …" if len(body["forms"]) > _FORMS else ""), width, rest="  ")
    edition = ""
    for line in body["lines"]:
        heading = f"{line['game']}/{line['book']} {line['edition']}{SEPARATOR}{line['lang']}{SEPARATOR}{line['authority']}"
        if heading != edition:
            edition = heading
            yield from ["", heading]
        yield from _concordance_line(line, body["lines"], width)


def _total_lines(body: "Concordance", width: int | None) -> Iterator[str]:
    """The query with the number of its occurrences and of the rules that have them."""
    summary = _("{count} in {rules}", count=body["total"], rules=rule_count(body["rules"]))
    yield from wrap(f"{body['query']}{SEPARATOR}{summary}", width)


def renderings_lines(body: "Concordance", width: int | None) -> Iterator[str]:
    """The renderings of a `concordance` body, edition by edition: number, share, words, and the first rules that have them."""
    yield from _total_lines(body, width)
    edition = ""
    for row in body["renderings"]:
        heading = f"{row['game']}/{row['book']} {row['edition']}{SEPARATOR}{row['lang']} → {row['beside']}"
        if heading != edition:
            edition = heading
            yield from ["", heading]
        rules = [split_rule(rule).locator for rule in row["rules"][:_MAX_LISTED]]
        rule_list = ", ".join(rules) + (" …" if len(row["rules"]) > _MAX_LISTED else "")
        words = row["text"] or _("none of these")
        yield from wrap(f"{row['count']:>5} {row['share']:>5.0%}  {words}{SEPARATOR}{rule_list}", width, "  ", " " * 15)


def _concordance_line(line: "ConcordanceLine", lines: "Sequence[ConcordanceLine]", width: int | None) -> Iterator[str]:
    lead = max(display_width(other["locator"]) for other in lines)
    room = max(((width or _WIDTH) - lead - 4 - display_width(line["match"])) // 2, 8)
    before = line["before"]
    while display_width(before) > room:
        before = before[1:]
    blank = " " * (room - display_width(before))
    yield f"  {line['locator']:{lead}} {blank}{before}{line['match']}{line['after']}".rstrip()
    if line["beside"]:
        yield from wrap(_other_language_text(line["beside"]), width, " " * (lead + 3), " " * (lead + 5))


def _other_language_text(translation: "Beside") -> str:
    """The other language, with the translations of the match in brackets."""
    words, at = "", 0
    for start, end in sorted({(counterpart["start"], counterpart["end"]) for counterpart in translation["counterparts"]}):
        if start >= at:
            words, at = f"{words}{translation['text'][at:start]}[{translation['text'][start:end]}]", end
    return f"{translation['lang']}: {words}{translation['text'][at:]}"


def drift_lines(body: "Drift", width: int | None, *, findings: bool = True) -> Iterator[str]:
    """The lines of a `drift` body: each finding with both places; without `findings`, only the summary."""
    yield f"{body['source']['ref']} → {body['target']['ref']}{SEPARATOR}{rule_count(body['rules'])}"
    counts = ", ".join(f"{count} {kind}" for kind, count in body["counts"].items())
    summary = (
        ngettext("{count} finding: {kinds}", "{count} findings: {kinds}", body["total"], kinds=counts)
        if counts
        else _("nothing found")
    )
    yield from wrap(summary, width)
    for finding in body["findings"] if findings else ():
        yield ""
        yield from wrap(f"{finding_place(finding)}{SEPARATOR}{finding['kind']}{SEPARATOR}{finding['said']}", width)
        for place in (finding["source"], finding["target"]):
            if place:
                yield from wrap(excerpt(place), width, "    ", "    ")


def finding_place(finding: "DriftFinding") -> str:
    """The rule of a finding, and the part of it."""
    place = finding["target"] or finding["source"]
    if place is None:
        return ""
    part = "" if place["part"] in ("text", "headword") else f" {place['part']} {place['nth']}"
    return f"{place['locator']}{part}"


def excerpt(place: "DriftPlace") -> str:
    """The words of a finding in brackets, with some context around the first of them."""
    if not place["spans"]:
        text = " ".join(place["text"].split())
        return text if len(text) <= 2 * _CONTEXT_LENGTH else f"{text[: 2 * _CONTEXT_LENGTH]}…"
    text, (start, end) = place["text"], place["spans"][0]
    before, after = text[max(start - _CONTEXT_LENGTH, 0) : start], text[end : end + _CONTEXT_LENGTH]
    opening, closing = "…" if start > _CONTEXT_LENGTH else "", "…" if end + _CONTEXT_LENGTH < len(text) else ""
    words = f"{opening}{before}[{text[start:end]}]{after}{closing}"
    return " ".join(words.split())


def drift_table(body: "Drift") -> str:
    """The findings as tab-separated values, in which no cell is a formula; spans count code points of the part's text."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerow(_DRIFT_COLUMNS)
    for finding in body["findings"]:
        row = [f"{finding['rank']:g}", finding["kind"], finding["said"], ", ".join(finding["expected"])]
        sides = (*_table_cells(finding["source"]), *_table_cells(finding["target"]))
        writer.writerow([quote_cell(" ".join(cell.split())) for cell in (*row, *sides)])
    return out.getvalue()


def _table_cells(place: "DriftPlace | None") -> list[str]:
    if place is None:
        return ["", "", ""]
    part = "" if place["part"] == "text" else f"#{place['part']}-{place['nth']}"
    spans = " ".join(f"{start}-{end}" for start, end in place["spans"])
    words = " … ".join(place["text"][start:end] for start, end in place["spans"])
    return [path_of(place["iri"]) + part, spans, words or place["text"]]
