"""`ask`: a question answered in words of rules."""

from typing import Annotated

import typer

from api.cli.console import say, say_json, width
from api.cli.options import AsOf, Games, Json, Lang, answer_language, library_of


def ask(
    context: typer.Context,
    query: Annotated[list[str], typer.Argument(metavar="QUESTION", help="A question in Japanese, Chinese or English.")],
    game: Games = None,
    lang: Lang = None,
    as_of: AsOf = None,
    phrase: Annotated[
        bool, typer.Option("--phrase", help="Have the model of RULESTONE_LLM put it into prose; shows only what proves itself.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Answer a question in words of rules, each with the rule and its place; exit 1 where no rule is sure enough."""
    answer_language(lang)
    body = library_of(context).ask(" ".join(query), games=game, lang=lang, as_of=as_of, phrase=phrase)
    if as_json:
        say_json(body)
    else:
        from api.text.claims import pages

        say(pages(body, width()))
    return 1 if body["abstained"] else 0
