"""Citations of a text: what is asked is checked, then the text is held against one bundle."""

import re
from typing import TYPE_CHECKING

from corpus.errors import InputError
from ontology.knowledge import Knowledge
from rulestone import games, limits

if TYPE_CHECKING:
    from corpus.contract import Verify

_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")


def verify(
    knowledge: Knowledge,
    text: str,
    game: str | None,
    as_of: str | None,
    lang: str,
    *,
    limited: bool = False,
    strict: bool = False,
) -> "Verify":
    """What a text cites and whether it holds; with `strict` also the text with what is not proven marked.

    `limited` refuses more than 64 KiB or 200 citations. Raises InputError for a game or an edition that is none.
    """
    from corpus.editions.verify.verify import verify as verified

    if limited and len(text.encode("utf-8", "replace")) > limits.TEXT:
        raise limits.too_long_text()
    known = {key.game for key in knowledge.manifest.editions}
    slug = games.game_of(game, games.among(known, knowledge.manifest), games.RULES) if game else None
    body = verified(knowledge, text, slug, _edition(knowledge, as_of, slug) if as_of else None, lang)
    if limited and len(body["citations"]) > limits.CITATIONS:
        raise InputError(
            "the text has {count} citations, at most {most} are checked at once; send it in parts",
            count=len(body["citations"]),
            most=limits.CITATIONS,
        )
    if strict:
        from corpus.editions.verify.gate import gate

        body["gate"] = gate(text, body["citations"])
    return body


def _edition(knowledge: Knowledge, as_of: str, game: str | None) -> str:
    """An edition as it was asked for. Raises InputError for what is neither a date nor the name of a loaded one."""
    named = as_of.strip().lower()
    editions = sorted({key.edition for key in knowledge.manifest.editions if game in (None, key.game)})
    if _DATE.fullmatch(named) or named in editions:
        return named
    raise InputError(
        "as_of {given!r}: expected a date (2022-06-10, 2022-06, 2022) or one of {editions}",
        given=as_of[:40],
        editions=", ".join(editions),
    )
