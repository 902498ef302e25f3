"""The command line: `rulestone …`. A command's module is imported when the command runs: a look-up imports nothing else."""

import os
import re
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from contextvars import copy_context
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.cli.console import configure_streams, run_guarded
from api.languages import gettext, locale_language, set_terminal_language
from api.text.layout import display_width, wrap

COMMANDS = {
    **dict.fromkeys(("build", "add", "remove", "index", "push", "doctor"), "books"),
    **dict.fromkeys(("get", "update"), "publishers"),
    **dict.fromkeys(("editions", "show"), "rules"),
    **dict.fromkeys(("search", "ask", "rulings"), "search"),
    **dict.fromkeys(("cites", "diff", "thread"), "rules"),
    "verify": "search",
    **dict.fromkeys(("align", "drift"), "translation"),
    "export": "exports",
    **dict.fromkeys(("compare", "concept", "term"), "concepts"),
    **dict.fromkeys(("concordance", "terms"), "translation"),
    **dict.fromkeys(("cards", "grounds"), "search"),
    "sparql": "exports",
    **dict.fromkeys(("propose", "mappings"), "concepts"),
    "check": "exports",
    **dict.fromkeys(("serve", "mcp"), "server"),
}
"""Command → its module in `api.cli.commands`, in the order of the help."""
_PASSED_THROUGH_TYPES = (str, list[str], bool)
"""Types of parameters that need no coercion."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code: 0 ok, 1 nothing found, 2 bad input, 3 environment."""
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    return copy_context().run(_run, words)  # the terminal's language is set only for this command


def _run(arguments: list[str]) -> int:
    configure_streams()
    set_terminal_language(locale_language(os.environ))
    return run_guarded(lambda: application(arguments).main(args=arguments, prog_name="rulestone", standalone_mode=False))


def application(arguments: Sequence[str]) -> Any:  # noqa: ANN401
    """The click application with only the given command, or with all commands, in the terminal's language."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.callback()(rulestone)
    command = _command_name(arguments)
    for name in [command] if command in COMMANDS else COMMANDS:
        app.command()(getattr(import_module(f"api.cli.commands.{COMMANDS[name]}"), name))
    group: Any = typer.main.get_command(app)
    for command in (group, *group.commands.values()):
        _localise(command)
    return group


def _command_name(arguments: Sequence[str]) -> str:
    """The first word that is neither an option nor the value of --home."""
    words = [
        word for before, word in zip(("", *arguments), arguments, strict=False) if before != "--home" and not word.startswith("-")
    ]
    return words[0] if words else ""


def _print_version(wanted: bool) -> None:
    """Prints the version and ends, if this is wanted."""
    if wanted:
        from rulestone.version import version

        typer.echo(f"rulestone {version()}")
        raise typer.Exit


def rulestone(
    context: typer.Context,
    home: Annotated[str | None, typer.Option(help="Folder of the knowledge base (or RULESTONE_HOME).")] = None,
    *,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Rules of trading card games with permanent addresses, in Japanese, Chinese and English."""
    context.obj = home


def _localise(command: Any) -> None:  # noqa: ANN401
    """Translates the help of a command into the language of the terminal, and does not coerce its plain parameters.

    Recent versions of typer coerce every parameter, even plain strings, through pydantic: that import doubles the time of a
    look-up.
    """
    command.help = gettext(command.help)
    command.context_class = _Context
    for parameter in command.get_params(typer.Context(command)):  # these include --help
        if parameter.help:
            parameter.help = "\n".join(map(gettext, parameter.help.split("\n")))
        descriptor = getattr(parameter, "type_descriptor", None)
        if descriptor is not None and descriptor.annotation in _PASSED_THROUGH_TYPES:
            parameter.get_runtime_param = _Verbatim


class _Verbatim:
    """Coerces nothing."""

    def coerce(self, value: object, param: Any, ctx: object) -> object:  # noqa: ANN401
        """The value as it was typed; an empty tuple for a missing list."""
        return () if value is None and (param.multiple or param.nargs == -1) else value


if TYPE_CHECKING:
    _Formatter: Any = object
else:
    _Formatter = typer.Context.formatter_class


class _Help(_Formatter):  # type: ignore[misc]
    """Help in the language of the terminal; full-width characters take two columns."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Writes the usage line."""
        super().write_usage(prog, args, prefix or gettext("Usage:") + " ")

    def section(self, name: str) -> AbstractContextManager[None]:
        """Begins a section: Arguments, Options, Commands."""
        section: AbstractContextManager[None] = super().section(gettext(name))
        return section

    def write_text(self, text: str) -> None:
        """Writes a paragraph."""
        self._wrapped_lines(text, " " * self.current_indent, " " * self.current_indent)

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Writes options or commands with their help in a second column."""
        column = min(max(display_width(name) for name, _ in rows), col_max) + col_spacing
        indent = " " * self.current_indent
        for name, text in rows:
            first = f"{indent}{name}{' ' * (column - display_width(name))}"
            if display_width(name) > column - col_spacing:
                self.write(f"{indent}{name}\n")
                first = indent + " " * column
            self._wrapped_lines(_translated_note(text.replace("\n", " ")), first, indent + " " * column)

    def _wrapped_lines(self, text: str, first: str, rest: str) -> None:
        for line in wrap(text, self.width, first, rest):
            self.write(f"{line}\n")


def _translated_note(text: str) -> str:
    """A help text whose note in brackets, which typer adds, is translated."""
    text = re.sub(r"\[default: \(?(.*?)\)?\]$", lambda match: gettext("[default: {value}]", value=match[1]), text)
    return text.replace("[required]", gettext("[required]"))


class _Context(typer.Context):
    formatter_class = _Help


if __name__ == "__main__":
    sys.exit(main())
