"""`compare`, `concept` and `term`: what the rules say across games, and what it is called."""

from typing import Annotated

import typer

from api.cli.console import say, say_json, width
from api.cli.options import AsOf, Games, Json, Lang, Within, answer_language, joined, library_of
from corpus.errors import InputError
from rulestone.limits import OFFSET, USES, whole

Named = Annotated[list[str], typer.Argument(metavar="REF", help="mtg/graveyard, graveyard, a name in any language or an IRI.")]
Label = Annotated[list[str], typer.Argument(metavar="LABEL", help="A name in any language: 山札, graveyard, yard.")]


def compare(
    context: typer.Context,
    what: Annotated[str, typer.Argument(metavar="WHAT", help="zones or topics.")],
    games: Games = None,
    topic: Annotated[str | None, typer.Option(help="The one topic to compare, by any name: mulligan, マリガン.")] = None,
    lang: Lang = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Compare the games, zone by zone or topic by topic, each statement with the rule that proves it."""
    if what == "topics":
        _topics(context, games, topic, lang, as_of, as_json=as_json)
    elif what != "zones":
        raise InputError("{given!r} cannot be compared; expected zones or topics", given=what[:40])
    elif topic is not None:
        raise InputError("--topic chooses among topics; write: compare topics --topic {topic}", topic=topic[:40])
    else:
        _zones(context, games, lang, as_of, as_json=as_json)


def _zones(context: typer.Context, games: str | None, lang: str | None, as_of: str | None, *, as_json: bool) -> None:
    body = library_of(context).zones(games=games, lang=answer_language(lang), as_of=as_of)
    if as_json:
        say_json(body)
    else:
        from api.text.concepts.zones import table

        say(table(body, width()))


def _topics(
    context: typer.Context, games: str | None, topic: str | None, lang: str | None, as_of: str | None, *, as_json: bool
) -> None:
    body = library_of(context).topics(games=games, topic=topic, lang=answer_language(lang), as_of=as_of)
    if as_json:
        say_json(body)
    else:
        from api.text.concepts.topics import table

        say(table(body, width()))


def concept(context: typer.Context, ref: Named, lang: Lang = None, as_of: AsOf = None, as_json: Json = False) -> None:
    """Show a concept: its names, what the rules say of it, and its counterparts in other games."""
    body = library_of(context).concept(joined(ref), lang=answer_language(lang), as_of=as_of)
    if as_json:
        say_json(body)
    else:
        from api.text.concepts.concept import pages

        say(pages(body, width()))


def term(
    context: typer.Context,
    label: Label,
    game: Annotated[str | None, typer.Option(help="Games, separated by commas; without it all.")] = None,
    lang: Lang = None,
    within: Within = None,
    as_of: AsOf = None,
    limit: Annotated[str | None, typer.Option(help="Uses shown of each game and language (10).")] = None,
    offset: Annotated[str | None, typer.Option(help="Uses passed over of each game and language.")] = None,
    as_json: Json = False,
) -> None:
    """Show what a term is called in every game and language, and every place where it is used."""
    first, most = whole("offset", offset, OFFSET), whole("limit", limit, USES)
    answer = answer_language(lang, within)
    body = library_of(context).term(joined(label), game=game, lang=answer, within=within, as_of=as_of, limit=most, offset=first)
    if as_json:
        say_json(body)
    else:
        from api.text.concepts.term import sheet

        say(sheet(body, width()))
