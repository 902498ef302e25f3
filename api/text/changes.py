"""`rulestone diff` and `thread` for people: section by section, what is gone in `[-…-]`, what is new in `{+…+}`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from api.text.marks import marked
from api.text.rule import DOT
from api.text.wrap import wrap
from corpus.address import split_rule

if TYPE_CHECKING:
    from corpus.contract import Change, ChangedRule, Changes, Thread, ThreadStep


def pages(body: "Changes", width: int | None) -> Iterator[str]:
    """The lines of a `changes` body."""
    yield f"{body['book']}{DOT}{body['from']} → {body['to']}" + (f"{DOT}{body['section']}" if body["section"] else "")
    yield from wrap(body["summary"], width)
    section: list[str] | None = None
    for change in body["changes"]:
        if (here := heading(change)) != section:
            section = here
            yield from ["", *wrap(" › ".join(here) or "—", width)]
        yield from _change(change, width)


def heading(change: "Change") -> list[str]:
    """The titles of the section that a change stands in."""
    rule = change["new"] or change["old"]
    return rule["heading"][:2] if rule else []


def title(change: "Change") -> str:
    """What happened to which number."""
    old, new = change["old"], change["new"]
    names = [number(rule) for rule in (old, new) if rule]
    words = " → ".join(dict.fromkeys(names))
    told = [change["kind"].replace("-", " and ")]
    told += ["references only"] if change["only_references"] else []
    told += [f"proposed, {change['similarity'] or 0:.0%} sure"] if change["proposed"] else []
    told += [f"{names[0]} is another rule now"] if change["reused"] else []
    return f"{words}{DOT}{', '.join(told)}"


def number(rule: "ChangedRule") -> str:
    """A rule's number as printed, without its final dot, else its locator."""
    return (rule["number"] or rule["locator"]).rstrip(".")


def _change(change: "Change", width: int | None) -> Iterator[str]:
    yield from wrap(title(change), width, "  ", "    ")
    if change["kind"] != "moved" and not change["only_references"]:
        old, new = (rule["text"] if rule else "" for rule in (change["old"], change["new"]))
        yield from wrap(marked(old, new, change["spans"], width), width, "    ")


def versions(body: "Thread") -> Iterator[str]:
    """The lines of a `thread` body."""
    yield from map(_version, body["steps"])
    yield body["rule"]


def _version(step: "ThreadStep") -> str:
    number_ = (step["number"] or "").rstrip(".") or (split_rule(step["iri"]).locator if step["iri"] else "—")
    words = [step["edition"], number_, step["kind"]]
    words += ["references only"] if step["only_references"] else []
    words += [f"proposed, {step['similarity']:.0%} sure"] if step["proposed"] else []
    words += [f"{split_rule(step['reused']).locator} is another rule now"] if step["reused"] else []
    return DOT.join(words)
