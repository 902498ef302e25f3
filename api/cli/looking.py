"""A look-up as the command line asks it: words joined, languages understood, the bundle opened."""

import os
from collections.abc import Sequence
from typing import Any

from api import answers
from api.cli.console import tell
from api.cli.opening import opened
from api.languages import asked_for, of_locale
from corpus.errors import InputError
from corpus.paging import Page
from corpus.reference import parse_reference
from ontology.store.home import Home

Body = dict[str, Any]


def rules(home: Home, words: Sequence[str], lang: str | None, within: str | None) -> tuple[Body, str]:
    """The `show` body, and the language asked for: --lang, else --in, else the terminal's."""
    ref, book = _joined(words), asked_for(within, "--in")
    answer = asked_for(lang, "--lang") or book or of_locale(os.environ)
    reference = parse_reference(ref)
    with opened(home, tell) as knowledge:
        return answers.rules(knowledge, ref, reference, answer, book), answer


def cites(home: Home, words: Sequence[str], within: str | None) -> Body:
    """The `cites` body."""
    ref, book = _joined(words), asked_for(within, "--in")
    reference = parse_reference(ref)
    with opened(home, tell) as knowledge:
        return answers.cites(knowledge, ref, reference, book)


def compared(home: Home, what: str, games: str | None, lang: str | None) -> Body:
    """The `compare` body. Raises InputError for what cannot be compared."""
    if what != "zones":
        raise InputError(f"{what[:40]!r} cannot be compared; expected zones")
    answer = asked_for(lang, "--lang") or of_locale(os.environ)
    with opened(home, tell) as knowledge:
        return answers.zones(knowledge, answer, games)


def concept(home: Home, words: Sequence[str], lang: str | None) -> Body:
    """The `concept` body."""
    ref, answer = _joined(words), asked_for(lang, "--lang") or of_locale(os.environ)
    with opened(home, tell) as knowledge:
        return answers.concept(knowledge, ref, answer)


def term(home: Home, words: Sequence[str], lang: str | None, within: str | None, game: str | None, page: Page) -> Body:
    """The `term` body, answered in --lang, else in --in, else in the terminal's language."""
    label, book = _joined(words), asked_for(within, "--in")
    answer = asked_for(lang, "--lang") or book or of_locale(os.environ)
    with opened(home, tell) as knowledge:
        return answers.term(knowledge, label, answer, page, game, book)


def _joined(words: Sequence[str]) -> str:
    """The words as one reference; bytes that are no UTF-8 become `?`."""
    return " ".join(words).encode("utf-8", "replace").decode()
