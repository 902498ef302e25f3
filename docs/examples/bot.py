"""A chat bot: `!rule QUESTION` is answered in words of rules, each verified before it is sent; all else is left alone.

A gateway is what a chat network's library gives you: messages to iterate over, each with `text` and `reply`. Here it is a terminal:

echo "!rule order of cards in the graveyard" | python docs/examples/bot.py
"""

import sys
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from rulestone import InputError, Library

PREFIX = "!rule "
_LONGEST = 1900
"""Characters of a message; Discord takes 2000."""


class Message(NamedTuple):
    """A message of a chat, and how to answer it."""

    text: str
    reply: Callable[[str], object]


def run(library: Library, gateway: Iterable[Message]) -> None:
    """Answers each message that asks something."""
    for message in gateway:
        if message.text.startswith(PREFIX):
            message.reply(answer(library, message.text.removeprefix(PREFIX).strip())[:_LONGEST])


def answer(library: Library, question: str) -> str:
    """The verified words with their rules, or why nothing is claimed."""
    try:
        body = library.ask(question)
    except InputError as error:
        return str(error)
    if body["abstained"]:
        return body["reason"] or ""
    lines = [line for claim in body["claims"] if (line := verified(library, claim))]
    return "\n".join(
        [*lines, *(f"≠ {one['text']}" for one in body["differences"])] if lines else ["I found no words that I can prove."]
    )


def verified(library: Library, claim: Any) -> str | None:  # noqa: ANN401
    """A claim as it is sent; None unless its rule exists and the words are the rule's. A gloss, which is ours, says so."""
    words, is_quoted = " ".join(claim["text"].split()), claim["source"] == "rule"
    line = f"> {words}\n{claim['ref']}"
    checked = library.verify(f"{claim['ref']}: “{words}”" if is_quoted else claim["ref"])["citations"]
    proven = checked and all(one["status"] == ("verified" if is_quoted else "exists") for one in checked)
    return (line if is_quoted else f"{line} ({claim['note']})") if proven else None


if __name__ == "__main__":
    with Library.open() as opened:
        run(opened, (Message(line, print) for line in sys.stdin))
