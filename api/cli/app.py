"""The command line: `rulestone …`. What a command needs is imported when it runs: a look-up pays for nothing else."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from api.cli import books, concepts, exports, rules, search, server
from api.cli.console import prepare, speak, tell
from api.cli.exits import guarded
from api.cli.verbatim import verbatim
from api.languages import of_locale

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
for command in (
    *(books.build, books.add, books.index),
    *(rules.show, search.search, rules.cites),
    exports.export,
    *(concepts.compare, concepts.concept, concepts.term),
    *(exports.sparql, books.propose, books.check),
    server.serve,
):
    app.command()(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code: 0 ok, 1 nothing found, 2 bad input, 3 environment."""
    prepare()
    speak(of_locale(os.environ))
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    return guarded(lambda: verbatim(app)(args=given, prog_name="rulestone", standalone_mode=False))


@app.callback()
def rulestone(
    context: typer.Context,
    home: Annotated[str | None, typer.Option(help="Folder of the knowledge base (or RULESTONE_HOME).")] = None,
) -> None:
    """Rules of trading card games with permanent addresses, in Japanese, Chinese and English."""
    from rulestone import Library

    context.obj = context.with_resource(Library.open(home, lang=of_locale(os.environ), tell=tell))


if __name__ == "__main__":
    sys.exit(main())
