"""`search` and `ask`: hits with their editions, words and counterparts.

Answers in quoted words, and the differences between games.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from api import labels
from api.languages import gettext as _
from api.languages import ngettext
from api.text.layout import SEPARATOR, current_label, edition_label, is_coloured, mark_spans, value_label, wrap
from api.text.rule import age_warnings, history_lines, superseded_notices
from api.text.rulings import ruling_heading, ruling_notices
from api.text.sections import found_lines
from corpus.address import split_rule
from corpus.words.text import printable_line

if TYPE_CHECKING:
    from corpus.contract import AnswerClaim, Ask, Hit, Phrased, Search

_EXCERPT_LENGTH = 420
"""Number of characters of a rule in one hit."""
_QUOTATION_MARKS = {"ja": "「」", "zh-Hans": "“”", "zh-Hant": "「」", "en": "“”"}


def search_lines(body: "Search", width: int | None) -> Iterator[str]:
    """The lines of a `search` body: the first section if it has several rules and several hits are asked for, then the hits."""
    yield from _undated_line(body.get("undated", ()), width)
    if body["abstained"]:
        yield from wrap(body["reason"] or "", width)
        return
    if corrections := body["understood"]["corrected"]:
        words = ", ".join(_("{right} (typed {wrong})", right=right, wrong=wrong) for wrong, right in corrections.items())
        yield from wrap(_("searched for {words}", words=words), width)
    if body["sections"] and len(body["hits"]) > 1 and not body["offset"] and len(body["sections"][0]["rules"]) > 1:
        yield from [*found_lines(body["sections"][0], width), ""]
    for count, hit in enumerate(body["hits"], body["offset"] + 1):
        yield from ["", *_hit_lines(hit, count, width)] if count > 1 else _hit_lines(hit, count, width)


def _undated_line(editions: Sequence[str], width: int | None) -> Iterator[str]:
    """A line that names the editions to which `as_of` does not apply."""
    if editions:
        yield from wrap(_("without a known date, so shown for any date: {editions}", editions=", ".join(editions)), width)


def _hit_lines(hit: "Hit", count: int, width: int | None) -> Iterator[str]:
    if "ruling" in hit:
        yield from wrap(f"{count}. {ruling_heading(hit['ruling'], hit['lang'])}", width)
        yield from ruling_notices(hit["ruling"], width)
        yield from wrap(_mark_matches(hit, width), width, "   ")
        return
    yield from wrap(_hit_address(hit, count), width)
    for warning in filter(None, (superseded_notices(hit), *age_warnings(hit))):
        yield from wrap(warning, width, "   ")
    yield from history_lines(hit, width, "   ")
    if hit["heading"]:
        yield from wrap(labels.title_path(hit["heading"]), width, "   ")
    if hit["text"]:
        yield from wrap(_mark_matches(hit, width), width, "   ")
    if hit["gloss"]:
        yield from wrap(hit["gloss"], width, "   " + _("unofficial gloss:") + " " if hit["text"] else "   ", "   ")
    if same := hit["same_rule"]:
        yield from wrap(_excerpt(same["text"], hit), width, f"   {same['lang']}, {same['edition']}: ", "   ")
    if hit["why"]["children"]:
        yield from wrap(_completing_rule_lines(hit), width, "   ↳ ", "     ")
    nearest = {other["game"]: other for other in reversed(hit["counterparts"])}  # the best of each game
    for other in reversed(nearest.values()):
        mark = "~" if other["status"] == "proposed" else "≈"
        yield from wrap(f"{other['game']} {other['locator']}: {other['comment']}", width, f"   {mark} ", "     ")


def _hit_address(hit: "Hit", count: int) -> str:
    source = (
        f"{value_label(labels.AUTHORITY_ORDER, hit['authority'])}{SEPARATOR}{hit['lang']}" if hit["authority"] else _("gloss only")
    )
    edition = f"{count}. {edition_label(hit)}"
    return SEPARATOR.join((edition, labels.rule_number(hit), current_label(current=hit["current"]), source))


def _mark_matches(hit: "Hit", width: int | None) -> str:
    """The rule's words, those that answer the query in bold on a terminal."""
    text = _excerpt(hit["text"], hit)
    if not is_coloured(width):
        return text
    return mark_spans(text, [span for span in hit["highlights"] if span["end"] <= _EXCERPT_LENGTH], "\x1b[1m", "\x1b[0m")


def _excerpt(text: str, hit: "Hit") -> str:
    """A text; if it is long, its beginning, and the command that shows the rest."""
    return text if len(text) <= _EXCERPT_LENGTH else f"{text[:_EXCERPT_LENGTH]}… ({_show_command(hit)})"


def _completing_rule_lines(hit: "Hit") -> str:
    """The rules that complete a hit, and the command that shows them."""
    names = ", ".join((ref["number"] or ref["locator"]).rstrip(".") for ref in hit["why"]["children"])
    more = ", …" if hit["why"]["parts"] > len(hit["why"]["children"]) else ""
    return f"{names}{more} ({_show_command(hit)})"


def _show_command(hit: "Hit") -> str:
    return f"rulestone show {hit['iri']}" if "ruling" in hit else f"rulestone show {hit['game']}:{hit['locator']}"


def ask_lines(body: "Ask", width: int | None) -> Iterator[str]:
    """The lines of an `ask` body."""
    yield from _undated_line(body.get("undated", ()), width)
    if body["abstained"]:
        yield from wrap(body["reason"] or "", width)
    if "phrased" in body:
        yield from _phrased_lines(body["phrased"], width)
    for count, claim in enumerate(body["claims"], 1):
        lines = _claim_lines(claim, body["lang"], count, width)
        yield from ["", *lines] if count > 1 else lines
    if body["differences"]:
        yield ""
    for difference in body["differences"]:
        yield from wrap(difference["text"], width, "≠ ")


def _phrased_lines(phrasing: "Phrased", width: int | None) -> Iterator[str]:
    """The proven sentences of a model, the number of the others, and its error."""
    if phrasing["text"]:
        yield from wrap(printable_line(phrasing["text"]), width)
    if dropped_count := len(phrasing["dropped"]):
        omission_note = ngettext(
            "({count} unproven sentence of {model} omitted)",
            "({count} unproven sentences of {model} omitted)",
            dropped_count,
            model=printable_line(phrasing["model"]),
        )
        yield from wrap(omission_note, width)
    if phrasing["fault"]:
        yield from wrap(f"({phrasing['fault']})", width)
    yield ""


def _claim_lines(claim: "AnswerClaim", lang: str, count: int, width: int | None) -> Iterator[str]:
    opens, closes = tuple(_QUOTATION_MARKS[claim["lang"]])
    source = (
        f"{value_label(labels.AUTHORITY_ORDER, claim['authority'])}{SEPARATOR}{claim['lang']}"
        if claim["authority"]
        else _("gloss only")
    )
    yield from wrap(f"{count}. {opens}{' '.join(claim['text'].split())}{closes}", width, rest="   ")
    if claim["gloss"] and claim["source"] == "rule" and claim["lang"] != lang:
        yield from wrap(claim["gloss"], width, "   " + _("unofficial gloss:") + " ", "   ")
    key = split_rule(claim["rule"]).key
    edition = edition_label({"game": key.game, "book": key.book, "edition": key.edition})
    facts = (value_label(labels.ROLE_LABELS, claim["role"]), edition, claim["ref"], current_label(current=claim["current"]), source)
    yield from wrap(SEPARATOR.join(facts), width, "   ")
    if claim["note"]:
        yield from wrap(claim["note"], width, "   ")
