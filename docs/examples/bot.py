"""A chat bot's loop without its network: `!rule QUESTION` is answered in words of rules, everything else is left alone.

echo "!rule order of cards in the graveyard" | python docs/examples/bot.py
"""

import sys
from collections.abc import Iterable, Iterator

from rulestone import InputError, Library

PREFIX = "!rule "
_LONGEST = 1900
"""Characters of a message; Discord takes 2000."""


def answers(library: Library, messages: Iterable[str]) -> Iterator[str]:
    """A message for each that asks something: the words with their rules, or why nothing is claimed."""
    for message in messages:
        if message.startswith(PREFIX):
            yield answer(library, message.removeprefix(PREFIX).strip())


def answer(library: Library, question: str) -> str:
    """One message."""
    try:
        body = library.ask(question)
    except InputError as error:
        return str(error)
    if body["abstained"]:
        return body["reason"] or ""
    lines = [f"> {' '.join(claim['text'].split())}\n{claim['ref']}" for claim in body["claims"]]
    lines += [f"≠ {difference['text']}" for difference in body["differences"]]
    return "\n".join(lines)[:_LONGEST]


if __name__ == "__main__":
    with Library.open() as opened:
        for said in answers(opened, sys.stdin):
            print(said)  # noqa: T201
