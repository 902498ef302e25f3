"""Options that several commands share, with their help."""

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.cli.console import print_to_stderr
from api.labels import name_games
from api.languages import locale_language, set_terminal_language
from rulestone import options
from rulestone.languages import language_option
from rulestone.options import Option

if TYPE_CHECKING:
    from rulestone import Library


def option(about: Option, *names: str, note: str = "", metavar: str | None = None) -> Any:  # noqa: ANN401
    """An option of a command, shown with its values and its default: `--kind rule|ruling`, `--limit <int 1..100>`.

    `parse_int` parses a number. The note is about this command alone; the description and the note are translated separately.
    """
    bounds = about.bounds
    values = f"<int {bounds.least}..{bounds.most}>" if bounds else "|".join(about.values)
    default = str(bounds.usual) if bounds else True
    return typer.Option(*names, metavar=values or metavar, show_default=default, help=_help(about, note))


def argument(about: Option, metavar: str, note: str = "") -> Any:  # noqa: ANN401
    """An argument of a command, with a note as `option` has one."""
    return typer.Argument(metavar=metavar, help=_help(about, note))


def _help(about: Option, note: str) -> str:
    return f"{about.about}\n{note}".rstrip()


Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
HtmlFile = Annotated[
    str | None, typer.Option("--html", metavar="FILE", help="Write one self-contained HTML page, for example to send by mail.")
]
SARIF = Option("Write the findings as SARIF 2.1.0, for editors and code review.")
TABLE = Option("Write a table of tab-separated values.")
SarifFile = Annotated[str | None, option(SARIF, metavar="FILE")]
TableFile = Annotated[str | None, option(TABLE, metavar="FILE")]
Reference = Annotated[list[str], argument(options.REFERENCE, "REF")]
Lang = Annotated[
    str | None,
    option(options.LANG, note="Default: the question's for search and ask, otherwise that of --in, else the terminal's."),
]
BookLang = Annotated[str | None, option(options.BOOK_LANG, "--in")]
Game = Annotated[str | None, option(options.GAME)]
Games = Annotated[str | None, option(options.GAMES)]
GamesOfGame = Annotated[str | None, option(options.GAMES, "--game")]
QuestionGames = Annotated[str | None, option(options.QUESTION_GAMES)]
AsOf = Annotated[str | None, option(options.AS_OF)]
Offset = Annotated[str | None, option(options.OFFSET)]


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
