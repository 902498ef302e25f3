"""`diff` and `thread`: changes section by section, with removed words in `[-…-]` and new ones in `{+…+}`; a rule's history."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from api import labels
from api.languages import gettext as _
from api.text.layout import SEPARATOR, iri_locator, is_coloured, value_label, wrap

if TYPE_CHECKING:
    from corpus.contract import Change, ChangedSpan, Changes, Thread, ThreadStep

_CONTEXT_LENGTH = 60
"""Number of characters on each side of a change."""
_RED, _GREEN, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[0m"


def diff_lines(body: "Changes", width: int | None) -> Iterator[str]:
    """The lines of a `changes` body."""
    yield f"{body['book']}{SEPARATOR}{body['from']} → {body['to']}" + (f"{SEPARATOR}{body['section']}" if body["section"] else "")
    yield from wrap(body["summary"], width)
    section: list[str] | None = None
    for change in body["changes"]:
        if (here := section_titles(change)) != section:
            section = here
            yield from ["", *wrap(" › ".join(here) or "—", width)]
        yield from wrap(change_title(change), width, "  ", "    ")
        if change["kind"] != "moved" and not change["only_references"]:
            old, new = (rule["text"] if rule else "" for rule in (change["old"], change["new"]))
            yield from wrap(_mark_changes(old, new, change["spans"], is_coloured=is_coloured(width)), width, "    ")


def section_titles(change: "Change") -> list[str]:
    """The titles of the section that contains a change."""
    rule = change["new"] or change["old"]
    return rule["heading"][:2] if rule else []


def change_title(change: "Change") -> str:
    """The numbers of a change, and its kind."""
    numbers = [labels.rule_number(rule) for rule in (change["old"], change["new"]) if rule]
    facts = [value_label(labels.STEP_LABELS, change["kind"])]
    facts += [_("references only")] if change["only_references"] else []
    facts += [_("proposed, {share} sure", share=f"{change['similarity'] or 0:.0%}")] if change["proposed"] else []
    facts += [_("{number} is another rule now", number=numbers[0])] if change["reused"] else []
    return f"{' → '.join(dict.fromkeys(numbers))}{SEPARATOR}{', '.join(facts)}"


def _mark_changes(old: str, new: str, spans: "Sequence[ChangedSpan]", *, is_coloured: bool) -> str:
    """The changed words with some context; without spans the text itself."""
    if not spans:
        return new or old
    last = len(spans) - 1
    red, green, plain = (_RED, _GREEN, _PLAIN) if is_coloured else ("", "", "")
    parts: list[str] = []
    for place, span in enumerate(spans):
        deletion, insertion = old[slice(*span["old"])], new[slice(*span["new"])]
        if span["op"] == "equal":
            parts.append(_shorten_context(insertion, first=place == 0, last=place == last))
            continue
        parts += [f"{red}[-{deletion}-]{plain}"] if deletion else []
        parts += [f"{green}{{+{insertion}+}}{plain}"] if insertion else []
    return "".join(parts)


def _shorten_context(words: str, *, first: bool, last: bool) -> str:
    """Words that both texts have; of a long run, only the ends beside a change."""
    if len(words) <= 2 * _CONTEXT_LENGTH:
        return words
    return f"{'' if first else words[:_CONTEXT_LENGTH]} … {'' if last else words[-_CONTEXT_LENGTH:]}"


def thread_lines(body: "Thread") -> Iterator[str]:
    """The lines of a `thread` body."""
    yield from map(_step_line, body["steps"])
    yield body["rule"]


def _step_line(step: "ThreadStep") -> str:
    number = (step["number"] or "").rstrip(".") or (iri_locator(step["iri"]) if step["iri"] else "—")
    facts = [step["edition"], number, value_label(labels.STEP_LABELS, step["kind"])]
    facts += [_("references only")] if step["only_references"] else []
    facts += [_("proposed, {share} sure", share=f"{step['similarity']:.0%}")] if step["proposed"] else []
    facts += [_("{number} is another rule now", number=iri_locator(step["reused"]))] if step["reused"] else []
    return SEPARATOR.join(facts)
