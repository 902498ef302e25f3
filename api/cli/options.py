"""Options that several commands share, with their help."""

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.cli.console import print_to_stderr
from api.labels import name_games
from api.languages import locale_language, set_terminal_language
from rulestone.languages import language_option
from rulestone.limits import OFFSETS, Range

if TYPE_CHECKING:
    from rulestone import Library

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Reference = Annotated[list[str], typer.Argument(metavar="REF", help="400.3b, dm:400.3b, MTG CR 400.7d or an IRI.")]
Lang = Annotated[str | None, typer.Option(help="The answer's language: ja, zh, zh-Hant or en.")]
Within = Annotated[str | None, typer.Option("--in", help="The book's language: ja, zh, zh-Hant or en.")]
CitedGame = Annotated[str | None, typer.Option(help="The default game of citations.")]
Game = Annotated[str | None, typer.Option(help="Slug of the game.")]
AsOf = Annotated[str | None, typer.Option("--as-of", help="The library as of 2024-06-07, 2024-06, 2024 or an edition.")]
Games = Annotated[str | None, typer.Option(help="Games, separated by commas; by default all.")]


def whole_number(bounds: Range, *names: str, help: str) -> Any:  # noqa: A002, ANN401
    """An option for a whole number, shown with its range: `--limit <int 1..100>`. `parse_int` parses it."""
    return typer.Option(*names, metavar=f"<int {bounds.least}..{bounds.most}>", help=help)


Offset = Annotated[str | None, whole_number(OFFSETS, help="Results to skip.")]


def library_of(context: typer.Context) -> "Library":
    """The knowledge base that a command works on, opened by the first call."""
    from rulestone import Library

    root = context.find_root()
    if not isinstance(root.obj, Library):
        root.obj = root.with_resource(Library.open(root.obj, lang=locale_language(os.environ), report=print_to_stderr))
        name_games(root.obj.game_titles)
    return root.obj


def answer_language(lang: str | None, book_lang: str | None = None) -> str | None:
    """The language of --lang, else the books' language (--in); None for the terminal's. It becomes the terminal's.

    Raises InputError for an unsupported language.
    """
    book = language_option(book_lang, "--in")
    answer = language_option(lang, "--lang") or book
    if answer:
        set_terminal_language(answer)
    return answer


def join_words(words: list[str]) -> str:
    """Words as one reference; bytes that are not UTF-8 become `?`."""
    return " ".join(words).encode("utf-8", "replace").decode()
