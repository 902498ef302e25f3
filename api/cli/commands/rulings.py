"""`rulings`: questions that were answered, by rule, by card or by what is asked."""

from typing import Annotated

import typer

from api.cli.console import say, say_json, width
from api.cli.options import AsOf, Game, Json, Lang, answer_language, joined, library_of
from rulestone.limits import OFFSET, RULINGS, whole

What = Annotated[
    list[str] | None,
    typer.Argument(metavar="REF|CARD|QUERY", help="A rule, a card's name or a question; without it all, the newest first."),
]


def rulings(
    context: typer.Context,
    what: What = None,
    changed: Annotated[bool, typer.Option("--changed", help="Those of which a rule they rest on has changed since.")] = False,
    game: Game = None,
    source: Annotated[str | None, typer.Option(help="Who answers: the slug of a source.")] = None,
    as_of: AsOf = None,
    lang: Lang = None,
    limit: Annotated[str | None, typer.Option(help="Rulings to show, 20 without it.")] = None,
    offset: Annotated[str | None, typer.Option(help="Rulings to pass over.")] = None,
    as_json: Json = False,
) -> int:
    """Show the rulings that rest on a rule, are about a card, or answer a question; exit 1 where there are none."""
    library, answer = library_of(context), answer_language(lang)
    body = library.rulings(
        joined(what) if what else None,
        game=game,
        source=source,
        changed=True if changed else None,
        as_of=as_of,
        lang=answer,
        limit=whole("limit", limit, RULINGS),
        offset=whole("offset", offset, OFFSET),
    )
    if as_json:
        say_json(body)
    else:
        from api.text.rulings import pages

        say(pages(body, answer or library.lang, width()))
    return 0 if body["total"] else 1
