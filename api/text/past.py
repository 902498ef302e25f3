"""What a reader must know of a rule's other editions, in a line or two."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from api.text.wrap import wrap

if TYPE_CHECKING:
    from corpus.contract import Hit, Rule


def past(rule: "Rule | Hit", width: int | None, lead: str = "") -> Iterator[str]:
    """Where a rule stood before and stands now, which other rule bears or bore its number, and when it was reworded."""
    for words in _told(rule):
        yield from wrap(words, width, lead)


def _told(rule: "Rule | Hit") -> Iterator[str]:
    history = rule.get("history")
    if history is None:
        return
    number = (rule["number"] or rule["locator"]).rstrip(".")
    if came := [f"{place['locator']} in {place['edition']}" for place in history["moved_from"]]:
        yield f"was {', '.join(came)}"
    if was := history["number_was"]:
        yield f"{number} was another rule in {was['edition']}"
    if went := [f"{place['locator']} in {place['edition']}" for place in history["moved_to"] if not rule.get("successor")]:
        yield f"is {', '.join(went)}"
    if now := history["number_is"]:
        yield f"{number} is another rule since {now['edition']}"
    if history["edited_since"]:
        yield f"reworded in {', '.join(history['edited_since'])}"
    if history["removed_in"]:
        yield f"gone since {history['removed_in']}"
