"""`verify`: a line for each citation in the format of compilers, and the correct words of a quotation."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from api import labels
from api.languages import gettext as _
from api.languages import ngettext, terminal_language
from api.text.layout import value_label, wrap
from corpus.address import path_of
from corpus.messages import message
from corpus.words.text import printable_line

if TYPE_CHECKING:
    from corpus.contract import AssumedEdition, CitedChange, NumberFix, VerifiedCitation, VerifiedQuotation, Verify

HINT_LABELS = {"looks right": message("looks right"), "looks different": message("looks different")}
"""Guesses about words in a language that is not loaded."""
_CHANGE_MESSAGES = {
    "moved": message("{number} of {edition} is {now} now"),
    "moved edited": message("{number} of {edition} is {now} now, with other words"),
    "edited": message("{number} has been reworded since {edition}"),
    "references": message("only numbers cited in {number} have changed since {edition}"),
    "reused": message("{number} is another rule today; that of {edition} is {now} now"),
    "gone": message("{number} is another rule today; that of {edition} is gone"),
    "removed": message("{number} of {edition} has been removed since"),
}
_SCOPE_MESSAGES = {
    "as_of": message("{game} is checked against {edition}, as asked"),
    "text": message("{game} is checked against {edition}, by the date in the text"),
    "today": message("{game} is checked against {edition}, the current edition"),
}


def verify_lines(body: "Verify", text: str, name: str, width: int | None) -> Iterator[str]:
    """The lines of a `verify` body: the edition that each game is checked against, then `file:line:column: status surface rule`."""
    starts = line_start_offsets(text)
    for scope in body["assumed"]:
        yield from wrap(scope_message(scope, terminal_language()), width)
    for citation in body["citations"]:
        line, column = line_and_column(starts, citation["start"])
        yield from wrap(f"{printable_line(name)}:{line}:{column}: {_citation_line(citation)}", width, rest="    ")
        quote = citation["quote"]
        if quote and quote["status"] != "verified":
            yield from wrap(" ".join(quote["text"].split()), width, "    - ")
            if words := nearest_words(quote):
                yield from wrap(" ".join(words.split()), width, "    + ")
            if quote["hint"]:
                yield "    ? " + value_label(HINT_LABELS, quote["hint"])
    if body["changes"]:
        yield _("changed since the text was written:")
    for row in body["changes"]:
        yield from wrap(change_message(row, terminal_language()), width, "    ")
    counts_by_status = Counter(citation["status"] for citation in body["citations"])
    counts = (f" · {count} {value_label(labels.STATUS_LABELS, name)}" for name, count in sorted(counts_by_status.items()))
    doubtful = sum(citation["fit"] == "doubtful" for citation in body["citations"])
    doubtful_note = f" · {doubtful} " + _("doubtful") if doubtful else ""
    yield ngettext("{count} citation", "{count} citations", sum(counts_by_status.values())) + "".join(counts) + doubtful_note


def _citation_line(citation: "VerifiedCitation") -> str:
    rule = f" ({path_of(citation['rule'])})" if citation["rule"] else ""
    note = f": {citation['note']}" if citation["note"] else ""
    return f"{value_label(labels.STATUS_LABELS, citation['status'])} {citation['surface']}{rule}{note}"


_SENTENCE_ENDS = ".!?。！？…\"'”’」』)）"


def nearest_words(quote: "VerifiedQuotation") -> str | None:
    """The rule's words that are nearest to a quotation, with an ellipsis where the rule continues; None without any."""
    words, place = quote["nearest"], quote["place"]
    if not words or not place:
        return words
    return f"{'…' if place['start'] else ''}{words}{'' if words.rstrip()[-1:] in _SENTENCE_ENDS else '…'}"


def change_message(row: "CitedChange", lang: str) -> str:
    """The present state of a rule that a text cites from an earlier edition, in a language."""
    kind = f"{row['kind']} edited" if row["edited"] and row["kind"] == "moved" else row["kind"]
    if row["kind"] == "reused" and not row["now"]:
        kind = "gone"
    elif row["only_references"] and row["kind"] == "edited":
        kind = "references"
    values = {"number": row["number"], "edition": labels.edition_date(row["edition"], lang), "now": row["number_now"]}
    return replace(_CHANGE_MESSAGES[kind], values=values).in_language(lang)


def fix_line(fix: "NumberFix", line_offsets: list[int], name: str) -> str:
    """A number that was changed in a copy, and its place in the text."""
    line, column = line_and_column(line_offsets, fix["start"])
    return f"{name}:{line}:{column}: {fix['surface']} → {fix['replacement']}"


def gate_lines(body: "Verify") -> Iterator[str]:
    """The text of a strict `verify` body with the unproven parts marked, and the verdict."""
    gate = body["gate"]
    unproven = sum(not sentence["proven"] for sentence in gate["sentences"])
    yield gate["marked"].rstrip("\n")
    verdict, count = value_label(labels.VERDICT_LABELS, gate["verdict"]), len(gate["sentences"])
    yield _(
        "{verdict} · sentences with citations: {count} · not proven: {unproven}", verdict=verdict, count=count, unproven=unproven
    )


def line_start_offsets(text: str) -> list[int]:
    """The offset of each line of a text."""
    return [0, *(at + 1 for at, character in enumerate(text) if character == "\n")]


def line_and_column(line_offsets: list[int], offset: int) -> tuple[int, int]:
    """Line and column of an offset, both from 1; a column is a code point."""
    line = bisect_right(line_offsets, offset)
    return line, offset - line_offsets[line - 1] + 1


def scope_message(scope: "AssumedEdition", lang: str) -> str:
    """The edition against which citations of a game without an edition were checked, and the reason, in a language."""
    values = {"game": labels.game_name(scope["game"], lang), "edition": labels.edition_date(scope["edition"], lang)}
    return replace(_SCOPE_MESSAGES[scope["why"]], values=values).in_language(lang)
