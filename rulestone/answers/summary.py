"""What changed, in one line."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from corpus.address import split_rule
from corpus.messages import Message, message

if TYPE_CHECKING:
    from corpus.contract import Change, ChangedRule

_NAMED = 3
"""New headings that are named."""
_TITLE = 40
"""Characters of a heading at most."""


def summary(changes: "Iterable[Change]") -> Message:
    """New headings, new rules, moves (a section with its rules is one), rewordings, what is gone."""
    parts = [part for part in _parts(list(changes)) if part is not None]
    if not parts:
        return message("nothing changed")
    line = parts[0]
    for part in parts[1:]:
        line = message("{before}, {then}", before=line, then=part)
    return line


def _parts(changes: "list[Change]") -> "list[Message | None]":
    kinds = {kind: [change for change in changes if change["kind"] == kind] for kind in ("added", "removed", "split", "merged")}
    headings = [change["new"] for change in kinds["added"] if change["new"] and _is_heading(change["new"])]
    reworded = sum(change["kind"] in ("edited", "moved-edited") and not change["only_references"] for change in changes)
    follow = sum(change["only_references"] for change in changes)
    split = len({change["old"]["iri"] for change in kinds["split"] if change["old"]})
    merged = len({change["new"]["iri"] for change in kinds["merged"] if change["new"]})
    new = len(kinds["added"]) - len(headings)
    gone = len(kinds["removed"])
    return [
        _headings(headings),
        message("{count} rules new", count=new) if new else None,
        _moves(changes),
        message("{count} reworded", count=reworded) if reworded else None,
        message("{count} with renumbered references only", count=follow) if follow else None,
        message("{count} split", count=split) if split else None,
        message("{count} merged", count=merged) if merged else None,
        message("{count} gone", count=gone) if gone else None,
    ]


def _is_heading(rule: "ChangedRule") -> bool:
    """Whether the words are a title's: short, and without a stop or a quotation at their end."""
    words = rule["text"]
    return len(words) <= _TITLE and words[-1:].isalnum() and not rule["locator"].startswith("glossary/")


def _headings(rules: "list[ChangedRule]") -> Message | None:
    if not rules:
        return None
    names = ", ".join(rule["text"] for rule in rules[:_NAMED]) + (", …" if len(rules) > _NAMED else "")
    return message("{count} headings new ({names})", count=len(rules), names=names)


def _moves(changes: "Iterable[Change]") -> Message | None:
    """The move that reaches furthest up, and how many more; what moved along with the rule above it is none of its own."""
    pairs = [(change["old"], change["new"]) for change in changes if change["kind"] in ("moved", "moved-edited")]
    moved = {(old["locator"], new["locator"]) for old, new in pairs if old and new}
    own = [(old, new) for old, new in pairs if old and new and not _along(old["locator"], new["locator"], moved)]
    if not own:
        return None
    old, new = min(own, key=lambda pair: len(pair[0]["locator"]))
    values = {"old": _number(old), "new": _number(new), "more": len(own) - 1}
    if len(own) == 1:
        return message("{old} → {new}", **values)
    if len(own) == 2:
        return message("{old} → {new} and 1 more move", **values)
    return message("{old} → {new} and {more} more moves", **values)


def _along(old: str, new: str, moved: set[tuple[str, str]]) -> bool:
    """Whether a rule above moved the same way: 701.5a → 701.6a along with 701.5 → 701.6."""
    shared = 0
    while shared < min(len(old), len(new)) - 1 and old[-1 - shared] == new[-1 - shared]:
        shared += 1
        if (old[:-shared], new[:-shared]) in moved:
            return True
    return False


def _number(rule: "ChangedRule") -> str:
    return (rule["number"] or split_rule(rule["iri"]).locator).rstrip(".")
