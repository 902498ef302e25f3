"""Options that several commands take, and what they mean."""

from typing import Annotated

import typer

from api.cli.console import speak
from rulestone import Library
from rulestone.languages import language_option

Json = Annotated[bool, typer.Option("--json", help="Print one JSON body.")]
Reference = Annotated[list[str], typer.Argument(metavar="REF", help="400.3b, dm:400.3b, MTG CR 400.7d or an IRI.")]
Lang = Annotated[str | None, typer.Option(help="The answer's language: ja, zh, zh-Hant or en.")]
Within = Annotated[str | None, typer.Option("--in", help="The book's language: ja, zh, zh-Hant or en.")]
Game = Annotated[str | None, typer.Option(help="The game that is meant where the text names none.")]
AsOf = Annotated[str | None, typer.Option("--as-of", help="The library as it stood then: 2024-06-07, 2024-06, 2024 or an edition.")]
Games = Annotated[str | None, typer.Option(help="Games, separated by commas; without it all.")]


def library_of(context: typer.Context) -> Library:
    """The knowledge base that a command works on."""
    library: Library = context.obj
    return library


def answer_language(lang: str | None, within: str | None = None) -> str | None:
    """What --lang asks for, else the book's language (--in); None for the terminal's. Errors are told in it from now on.

    Raises InputError for a language that is not ours.
    """
    book = language_option(within, "--in")
    answer = language_option(lang, "--lang") or book
    if answer:
        speak(answer)
    return answer


def joined(words: list[str]) -> str:
    """Words as one reference; bytes that are no UTF-8 become `?`."""
    return " ".join(words).encode("utf-8", "replace").decode()
