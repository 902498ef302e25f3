"""`cards`: a file of cards is added, or a card is looked up."""

from pathlib import Path
from typing import Annotated

import typer

from api.cli.console import say, say_json, width
from api.cli.options import Game, Json, Lang, answer_language, joined, library_of

FILES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".yaml", ".yml")
"""What the name of a file of cards ends with; the name of no card does."""


def cards(
    context: typer.Context,
    what: Annotated[list[str], typer.Argument(metavar="FILE|NAME", help="A file of cards to add, or a card's name.")],
    game: Game = None,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Add a file of cards, so that questions may name them; or look a card up by its name in any language."""
    from api.text import cards as text

    library, given = library_of(context), joined(what)
    answer = answer_language(lang)
    if given.lower().endswith(FILES) or Path(given).is_file():
        added = library.add_cards(given, game=game)
        return say_json(added) if as_json else say(text.added(added))
    body = library.cards(given, game=game, lang=answer)
    return say_json(body) if as_json else say(text.pages(body, width()))
