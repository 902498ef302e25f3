"""The command line: `rulestone …`. What a command needs is imported when it runs: a look-up pays for nothing else."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from api.cli.console import prepare, speak, tell
from api.cli.exits import guarded
from api.cli.verbatim import verbatim
from api.languages import of_locale

COMMANDS = {
    **dict.fromkeys(("build", "add", "remove", "index", "push", "doctor"), "books"),
    **dict.fromkeys(("editions", "show"), "rules"),
    "search": "search",
    "ask": "ask",
    "rulings": "rulings",
    "cites": "rules",
    **dict.fromkeys(("diff", "thread"), "changes"),
    "verify": "verify",
    "align": "align",
    "drift": "drift",
    "export": "exports",
    **dict.fromkeys(("compare", "concept", "term"), "concepts"),
    "concordance": "concordance",
    "terms": "terms",
    "cards": "cards",
    "grounds": "grounds",
    "sparql": "exports",
    **dict.fromkeys(("propose", "check"), "books"),
    "serve": "server",
    "mcp": "mcp",
}
"""Command → the module of `api.cli.commands` that has it, in the order of the help."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code: 0 ok, 1 nothing found, 2 bad input, 3 environment."""
    prepare()
    speak(of_locale(os.environ))
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    return guarded(lambda: verbatim(_application(given))(args=given, prog_name="rulestone", standalone_mode=False))


def _application(given: Sequence[str]) -> typer.Typer:
    """The application with the command that is given alone, or with all where none is: what is not asked for is not imported."""
    application = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    application.callback()(rulestone)
    command = _command(given)
    for name in [command] if command in COMMANDS else COMMANDS:
        application.command()(getattr(import_module(f"api.cli.commands.{COMMANDS[name]}"), name))
    return application


def _command(given: Sequence[str]) -> str:
    """The first word that is neither an option nor what follows --home."""
    words = [word for before, word in zip(("", *given), given, strict=False) if before != "--home" and not word.startswith("-")]
    return words[0] if words else ""


def rulestone(
    context: typer.Context,
    home: Annotated[str | None, typer.Option(help="Folder of the knowledge base (or RULESTONE_HOME).")] = None,
) -> None:
    """Rules of trading card games with permanent addresses, in Japanese, Chinese and English."""
    from rulestone import Library

    context.obj = context.with_resource(Library.open(home, lang=of_locale(os.environ), tell=tell))


if __name__ == "__main__":
    sys.exit(main())
