"""The kind of document that a book is: the rules of a game, its tournament rules, or its penalty guide."""

import re
from collections.abc import Iterable
from functools import cache

from corpus.catalogue import catalogue
from corpus.messages import message
from corpus.words.text import narrow

RULES, TOURNAMENT, PENALTIES = DOCUMENTS = ("rules", "tournament", "penalties")
DOCUMENT = {RULES: message("the rules"), TOURNAMENT: message("the tournament rules"), PENALTIES: message("the penalty rules")}
SLUGS = {RULES: "cr", TOURNAMENT: "tr", PENALTIES: "pg"}
"""The default book for a document of an unknown game."""


def document_in(title: str) -> str:
    """The kind of document indicated by a title; `rules` unless the title indicates another."""
    return next((kind for kind in (PENALTIES, TOURNAMENT) if _words(kind).search(narrow(title))), RULES)


def document_of(game: str, book: str, titles: Iterable[str] = ()) -> str:
    """The kind of a book: from the catalogue, else from its name and the titles of its files, if all agree."""
    if known := catalogue().books.get(f"{game}/{book}"):
        return known.document
    named = next((kind for kind, slug in SLUGS.items() if slug == book), None)
    kinds = {document_in(title) for title in titles}
    return kinds.pop() if len(kinds) == 1 and named in (None, RULES) else named or RULES


@cache
def _words(kind: str) -> re.Pattern[str]:
    return re.compile("|".join(catalogue().documents[kind]), re.IGNORECASE)
