"""`show --deep` and `show --outline`: a section as text, and the headings of a book."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from api import labels
from api.languages import gettext as _
from api.text.layout import SEPARATOR, current_label, edition_label, value_label, wrap

if TYPE_CHECKING:
    from corpus.contract import Outline, ReadRule, Section, SectionHead, SectionText

_FIRST_WORDS = 48
"""Number of characters of a rule that was not found."""


def section_lines(body: "SectionText", width: int | None) -> Iterator[str]:
    """The lines of a section: its edition, its headings, its rules in order, and the sections beside it."""
    yield from _head_lines(body, width)
    for rule in body["rules"]:
        yield ""
        yield from _rule_lines(rule, width)
    yield ""
    if body["cursor"]:
        more = _("more: {command}", command=f"rulestone show {body['ref']} --deep --cursor {body['cursor']}")
        yield from wrap(more, width)
    if before := body["previous"]:
        yield from wrap(
            _("previous section: {section}", section=f"{before['ref']} {labels.title_path(before['heading'][-1:])}"), width
        )
    if after := body["next"]:
        yield from wrap(_("next section: {section}", section=f"{after['ref']} {labels.title_path(after['heading'][-1:])}"), width)
    yield body["iri"]


def _head_lines(section: "SectionHead", width: int | None) -> Iterator[str]:
    source = (
        f"{value_label(labels.AUTHORITY_ORDER, section['authority'])}{SEPARATOR}{section['lang']}"
        if section["authority"]
        else _("gloss only")
    )
    yield from wrap(SEPARATOR.join((edition_label(section), current_label(current=section["current"]), source)), width)
    yield from wrap(labels.title_path(section["heading"]), width)


def found_lines(section: "Section", width: int | None) -> Iterator[str]:
    """The lines of a section that a search found: the rules found in it whole, the others by their first words."""
    yield from _head_lines(section, width)
    for rule in section["rules"]:
        words = " ".join((rule["text"] or rule["gloss"] or "").split())
        excerpt = words if rule["marked"] or len(words) <= _FIRST_WORDS else f"{words[:_FIRST_WORDS].rstrip()}…"
        yield from wrap(f"{rule['number'] or rule['locator']} {excerpt}", width, "▸ " if rule["marked"] else "  ", "  ")


def _rule_lines(rule: "ReadRule", width: int | None) -> Iterator[str]:
    """A rule with its number; the gloss where its book is not loaded, the first words of examples indented."""
    number = rule["number"] or rule["locator"]
    words = rule["text"] or f"{_('unofficial gloss:')} {rule['gloss'] or ''}"
    yield from wrap(f"{number} {words}".rstrip(), width, rest="   ")
    for example in rule["examples"]:
        yield from wrap(example, width, "   ")


def outline_lines(body: "Outline") -> Iterator[str]:
    """The lines of an outline: number, title and count of the rules below each heading, indented by depth."""
    yield SEPARATOR.join((f"{body['game']}/{body['book']}", body["edition"]))
    for part in body["parts"]:
        name = " ".join(words for words in (part["number"], part["title"]) if words)
        yield f"{'  ' * part['depth']}{name or part['ref']}{SEPARATOR}{part['rules']}"
