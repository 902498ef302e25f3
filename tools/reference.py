#!/usr/bin/env python
"""Writes docs/commands.md, docs/http.md and docs/settings.md from the program itself; `--check` compares instead."""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import typer.main

from api.cli.app import COMMANDS
from api.http.app import create_app
from api.http.settings import Settings
from rulestone import Library

DOCS = Path(__file__).parents[1] / "docs"
GENERATED_NOTE = "<!-- Written by tools/reference.py from the program: change the program, then run `make reference`. -->"
METHODS = ("get", "post")


@dataclass(frozen=True, slots=True)
class Setting:
    """An environment variable, its default, and its meaning (Markdown)."""

    name: str
    default: str
    meaning: str


SETTINGS = (
    Setting(
        "RULESTONE_HOME",
        "`rulestone` in the platform's folder for user data (Linux: `~/.local/share`)",
        "The folder of the knowledge base, with copies of the added files; `--home` overrides it.",
    ),
    Setting(
        "RULESTONE_MODEL",
        "the shipped model and the pretrained encoder",
        "`static`: only the shipped model. Otherwise a SentenceTransformer: its folder, or the name of a downloaded one.",
    ),
    Setting("RULESTONE_DIGEST", "all", "The glosses that `build` loads: glob patterns of digest file names, separated by commas."),
    Setting(
        "RULESTONE_INDEX",
        "the arrays of the bundle",
        "The index with the terms and vectors: `milvus://HOST:PORT/COLLECTION` (`milvus+https://…` with TLS), or "
        "`milvus:///FOLDER/FILE.db` with Milvus Lite.",
    ),
    Setting("RULESTONE_INDEX_TOKEN", "none", "The token for Milvus: `user:password` or an API key."),
    Setting("RULESTONE_LLM", "none", "The base URL of an OpenAI-compatible endpoint for `ask --phrase`. No other command uses it."),
    Setting("RULESTONE_LLM_MODEL", "none", "The model that the endpoint runs."),
    Setting("RULESTONE_LLM_KEY", "none", "The key for the endpoint."),
    Setting("RULESTONE_LLM_SECONDS", "20", "Time limit of the endpoint in seconds, including one retry."),
    Setting(
        "RULESTONE_SOURCES",
        "the shipped `corpus/data/sources.toml`",
        "Your own file with the locations of the publishers' books, for `get` and `update`.",
    ),
    Setting(
        "SSL_CERT_FILE, HTTPS_PROXY, NO_PROXY",
        "the system's certificates, no proxy",
        "Certificates of authorities and a proxy, for `get` and `update`.",
    ),
    Setting("RULESTONE_DEBUG", "none", "`1`: an unexpected error prints its traceback."),
    Setting(
        "LC_ALL, LC_MESSAGES, LANG", "none", "The language of help, answers and errors on the command line; `--lang` overrides it."
    ),
)
"""Every environment variable that Rulestone reads, except those of a public server, in the order of docs/settings.md."""
TEST_SETTINGS = (
    Setting(
        "RULESTONE_TEXTS",
        "`../shared/rulebooks`",
        "Real rulebooks for tests and benchmarks. Without them, these tests are skipped, and `make slow` counts them.",
    ),
    Setting("PYTHON, VENV, PORT", "`python3`, `.venv`, `8000`", "Variables of `make`."),
)
"""Settings of tests, benches and `make`."""


class Parameter(Protocol):
    """An argument or option of a command, as typer describes it."""

    name: str
    opts: list[str]
    metavar: str | None
    nargs: int
    required: bool
    param_type_name: str
    is_flag: bool


def command_reference() -> str:
    """Every command with its arguments and options."""
    return page(
        "Commands",
        "`rulestone [--home DIR] COMMAND`; `rulestone --version` prints the version. "
        "`rulestone COMMAND --help` prints the same in the language of the terminal.",
        (line for name in COMMANDS for line in command(name)),
        "## Exit codes",
        "",
        *table(
            ("code", "meaning"),
            [
                ("0", "Success."),
                ("1", "Nothing was found, a search abstained, a check has findings, or a citation is not verified."),
                ("2", "The input or an option is wrong."),
                ("3", "The environment: locked, disk full, no permission, port in use, a damaged knowledge base."),
            ],
        ),
        "Every error is one line on standard error and leaves the knowledge base unchanged. Languages are `ja`, `zh` (the same as",
        "`zh-Hans`), `zh-Hant` and `en`. Without a knowledge base, a command first builds one from the digest.",
    )


def command(name: str) -> Iterator[str]:
    """The section of one command."""
    application = typer.Typer(add_completion=False)
    application.command()(getattr(import_module(f"api.cli.commands.{COMMANDS[name]}"), name))
    described: Any = typer.main.get_command(application)
    shown = [each for each in described.params if not getattr(each, "hidden", False) and each.help]
    arguments = [each for each in shown if each.param_type_name == "argument"]
    yield from (f"## {name}", "", f"`{' '.join(['rulestone', name, *map(usage, arguments)])}`", "", as_sentence(described.help), "")
    rows = [(f"`{parameter_declaration(each)}`", as_sentence(each.help) + default_note(each.show_default)) for each in shown]
    if rows:
        yield from table(("argument or option", "meaning"), rows)


def default_note(shown: object) -> str:
    """The default of an option that shows one."""
    return f" Default: `{shown}`." if isinstance(shown, str) else ""


def usage(argument: Parameter) -> str:
    """An argument in a usage line: FILE, [FILE] or FILE…."""
    word = plain_argument_name(argument)
    many = word + ("…" if argument.nargs == -1 else "")
    return many if argument.required else f"[{many}]"


def plain_argument_name(argument: Parameter) -> str:
    """The name of an argument without the brackets that Typer adds to an optional one."""
    word = str(argument.metavar or argument.name.upper())
    return word[1:-1] if word.startswith("[") and word.endswith("]") else word


def parameter_declaration(parameter: Parameter) -> str:
    """A parameter as typed: `--limit N`, or the argument's name."""
    if parameter.param_type_name == "argument":
        return plain_argument_name(parameter)
    value = "" if parameter.is_flag else " " + (parameter.metavar or parameter.name.upper())
    return max(parameter.opts, key=len) + value


def http_reference() -> str:
    """Every route with its parameters, from the OpenAPI description."""
    with TemporaryDirectory() as folder:
        description = create_app(Library.open(folder, create=False)).openapi()
    return page(
        "HTTP API",
        "`/docs` on a running server also has the types of bodies; `/openapi.json` is the description (OpenAPI 3.1). Errors are\n"
        "`application/problem+json` (RFC 9457) in the language of `lang`, else of Accept-Language. If nothing is found, the\n"
        "status is 404; if a search abstains, 200; if a parameter is unknown or given twice, 400. Responses have an `ETag`; with\n"
        "`If-None-Match`, an unchanged response is 304. `/mcp` implements the Model Context Protocol: [mcp.md](mcp.md).",
        (line for path, operations in description["paths"].items() for line in route(path, operations)),
    )


def route(path: str, operations: Mapping[str, Any]) -> Iterator[str]:
    """The section of one path."""
    for method in METHODS:
        if method not in operations:
            continue
        operation = operations[method]
        yield from (f"## {method.upper()} {path}", "", as_sentence(operation.get("description") or operation["summary"]), "")
        rows = [
            (f"`{each['name']}`" + (" (required)" if each.get("required") and each["in"] == "query" else ""), about(each))
            for each in operation.get("parameters", [])
            if each["in"] != "header"
        ]
        if rows:
            yield from table(("parameter", "meaning"), rows)


def about(parameter: Mapping[str, Any]) -> str:
    """The meaning of a parameter, its values and its default."""
    schema = parameter.get("schema", {})
    values: list[str] = schema.get("enum") or next((each["enum"] for each in schema.get("anyOf", ()) if "enum" in each), [])
    return " ".join(
        [
            as_sentence(parameter.get("description", "")),
            *([f"One of {', '.join(f'`{value}`' for value in values)}."] if values else []),
            *([f"Default: `{schema['default']}`."] if schema.get("default") not in (None, "") else []),
        ]
    ).strip()


def settings_reference() -> str:
    """Every environment variable."""
    server = [(f"`{each.metadata['name']}`", "none", as_sentence(each.metadata["help"])) for each in fields(Settings)]
    return page(
        "Settings",
        "Environment variables. A command with an invalid value exits with a one-line error.",
        "## Everywhere",
        "",
        *table(("variable", "default", "meaning"), [(code_list(each.name), each.default, each.meaning) for each in SETTINGS]),
        "## A public server",
        "",
        "By default, anyone may send any number of requests: [operations.md](operations.md#keys-rates-and-metrics).",
        "",
        *table(("variable", "default", "meaning"), server),
        "## Tests and make",
        "",
        *table(("variable", "default", "meaning"), [(code_list(each.name), each.default, each.meaning) for each in TEST_SETTINGS]),
    )


def code_list(names: str) -> str:
    """Names in code type."""
    return ", ".join(f"`{name}`" for name in names.split(", "))


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """A Markdown table and the empty line after it."""
    yield from (f"| {' | '.join(head)} |", "|" + "---|" * len(head))
    yield from (f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)
    yield ""


def as_sentence(words: str) -> str:
    """A description on one line, with a full stop."""
    line = re.sub(r"\s+", " ", words or "").strip()
    return line + ("." if line and line[-1] not in ".:!?" else "")


def page(title: str, opening: str, *lines: str | Iterable[str]) -> str:
    """A page of Markdown."""
    body = [line for each in lines for line in ([each] if isinstance(each, str) else each)]
    return "\n".join([f"# {title}", "", GENERATED_NOTE, "", opening, "", *body]).rstrip() + "\n"


PAGES = {"commands.md": command_reference, "http.md": http_reference, "settings.md": settings_reference}


def main(check: bool) -> int:
    """Writes the pages; with `check` names those that differ and returns 1."""
    stale = [name for name, make in PAGES.items() if write_page(DOCS / name, make(), check)]
    did = "differs from the program" if check else "written"
    sys.stdout.write("".join(f"docs/{name}: {did}\n" for name in stale) or "nothing to do\n")
    return int(check and bool(stale))


def write_page(path: Path, text: str, check: bool) -> bool:
    """Writes a page, unless it is only checked; returns whether it differed."""
    differs = not path.is_file() or path.read_text("utf-8") != text
    if differs and not check:
        path.write_text(text, encoding="utf-8")
    return differs


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
