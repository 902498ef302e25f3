"""`rulings`, `grounds` and `cards`: rulings and whether they are still valid, the table that a curator fills in, and cards."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from api import labels
from api.languages import gettext as _
from api.text.layout import SEPARATOR, value_label, wrap
from corpus.address import path_of, split_rule
from corpus.languages import choose
from corpus.spreadsheet import quote_cell
from corpus.words.text import printable_line

if TYPE_CHECKING:
    from corpus.contract import Card, Cards, ChangedSince, RestsOn, Ruling, RulingBrief, Rulings, WeakGrounds


def ruling_lines(body: "Rulings", lang: str, width: int | None) -> Iterator[str]:
    """The lines of a `rulings` body."""
    for count, ruling in enumerate(body["rulings"]):
        yield from ["", *_ruling_lines(ruling, lang, width)] if count else _ruling_lines(ruling, lang, width)
    if not body["total"]:
        yield _("no rulings")
    elif (more := body["total"] - len(body["rulings"])) > 0:
        yield _("… {count} more", count=more)


def _ruling_lines(ruling: "Ruling", lang: str, width: int | None) -> Iterator[str]:
    text_lang = choose(lang, ruling["answer"]) or lang
    yield from wrap(ruling_heading(ruling, text_lang), width)
    yield from ruling_notices(ruling, width)
    if question := ruling["question"].get(text_lang):
        yield from wrap(question, width, "   Q: ", "      ")
    yield from wrap(ruling["answer"][text_lang], width, "   A: " if question else "   ", "      " if question else "   ")
    if ruling["rests_on"]:
        yield from wrap(_("rests on {rules}", rules=", ".join(map(_link_text, ruling["rests_on"]))), width, "   ", "     ")
    for version in ruling["older"]:
        yield "   " + _("before: {ruling}", ruling=version["iri"])
    yield f"   {ruling['iri']}"


def ruling_heading(ruling: "Ruling", lang: str) -> str:
    """Game, source, date, authority and cards: the line above every ruling."""
    date, source = ruling["date"] or _("no date"), f"{value_label(labels.AUTHORITY_ORDER, ruling['authority'])}{SEPARATOR}{lang}"
    facts = [_("{game} ruling {id}", game=ruling["game"], id=ruling["id"]), ruling["source"], date, source]
    return SEPARATOR.join([*facts, *([", ".join(ruling["cards"])] if ruling["cards"] else [])])


def ruling_notices(ruling: "Ruling", width: int | None) -> Iterator[str]:
    """Reasons why a ruling may no longer be valid."""
    if ruling["version"]:
        yield "   " + _("AN OLDER ANSWER: it has been replaced by another one")
    if ruling["withdrawn"]:
        yield "   " + _("WITHDRAWN: removed by its source")
    for change in ruling["changed_since"]:
        yield from wrap(_change_message(change), width, "   ", "     ")


def _change_message(change: "ChangedSince") -> str:
    rule, kind = _rule_reference(change["rule"]), value_label(labels.STEP_LABELS, change["kind"])
    line = _("CHANGED SINCE: {rule} {kind} in {edition}", rule=rule, kind=kind, edition=change["edition"])
    return _("{line}, now {rule}", line=line, rule=_rule_reference(change["now"])) if change["now"] else line


def ruling_briefs(rulings: "Iterable[RulingBrief]", width: int | None) -> Iterator[str]:
    """The newest rulings that rest on a rule, one per line."""
    for ruling in rulings:
        sure = "" if ruling["how"] == "cited" else f" ({_proposed_message(ruling['confidence'])})"
        prefix = _("CHANGED SINCE:") + " " if ruling["changed"] else ""
        head = f"{ruling['date'] or _('no date')} {ruling['source']} {ruling['id']}{sure}"
        yield from wrap(f"{head}: {prefix}{ruling['text']}", width, "  ", "    ")


def _link_text(link: "RestsOn") -> str:
    return _rule_reference(link["rule"]) + ("" if link["how"] == "cited" else f" ({_proposed_message(link['confidence'])})")


def _proposed_message(confidence: float | None) -> str:
    return _("proposed, {share} sure", share=f"{confidence or 0:.0%}")


def _rule_reference(iri: str) -> str:
    key, locator = split_rule(iri)
    return f"{key.game} {key.book} {key.edition} {locator}"


def grounds_table(body: "WeakGrounds") -> Iterator[str]:
    """The table that a curator fills in: column names and a line for each proposal, separated by tabs."""
    yield "\t".join(("ruling", "rule", "verdict", "who", "confidence", "question", "words"))
    for row in body["grounds"]:
        rule = path_of(row["rule"]) if row["rule"] else ""
        confidence = "" if row["confidence"] is None else f"{row['confidence']:.2f}"
        words = [quote_cell(printable_line(" ".join(text.split()))) for text in (row["question"], row["words"])]
        yield "\t".join((path_of(row["ruling"]), rule, "", "", confidence, *words))


def card_lines(body: "Cards", width: int | None) -> Iterator[str]:
    """The lines of a `cards` body: each card with its names, its words, its concepts and the rules behind them."""
    for count, card in enumerate(body["cards"]):
        yield from ["", *_card_lines(card, width)] if count else _card_lines(card, width)


def _card_lines(card: "Card", width: int | None) -> Iterator[str]:
    yield from wrap(SEPARATOR.join((card["game"], *(f"{names[0]} ({lang})" for lang, names in card["names"].items()))), width)
    for lang, names in card["names"].items():
        if names[1:]:
            yield from wrap(f"{lang}: {SEPARATOR.join(names[1:])}", width, "   " + _("also") + " ")
    for lang, text in card["texts"].items():
        for line in text.split("\n"):
            yield from wrap(line, width, f"   {lang}: ", "      ")
    for concept in card["concepts"]:
        rules = ", ".join(rule.rpartition("/id/")[2] for rule in concept["defined_by"])
        yield from wrap(f"{concept['label']}{f': {rules}' if rules else ''}", width, "   → ", "     ")
