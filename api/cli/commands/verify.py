"""`verify`: the citations and quotations of any text."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from api.cli.console import say, say_json, width
from api.cli.files import write
from api.cli.options import Game, Json, Lang, answer_language, library_of
from corpus.errors import InputError
from rulestone.faults import os_faults

_LARGEST = 64 << 20
"""Bytes of a text."""


def verify(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FILE|-", help="A text; - reads standard input.")],
    game: Game = None,
    as_of: Annotated[str | None, typer.Option(help="The edition that the text cites from: 2022-06-10, 2022, a slug.")] = None,
    lang: Lang = None,
    sarif: Annotated[str | None, typer.Option(metavar="FILE", help="Write what is wrong as SARIF 2.1.0 too, for editors.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Print the text with what is not proven marked; exit 1 too where nothing is cited.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Check every citation and quotation of a text against the loaded rules; exit 1 where one is not verified."""
    answer_language(lang)
    text = _text(source)
    body = library_of(context).verify(text, game=game, as_of=as_of, lang=lang, strict=strict)
    if sarif:
        from api.encoding import encode
        from api.sarif import log

        write([encode(log(body, text, None if source == "-" else source)), b"\n"], Path(sarif))
    if as_json:
        say_json(body)
    else:
        from api.text.verdicts import gated, lines

        say(gated(body) if strict else lines(body, text, source, width()))
    if strict:
        return 0 if body["gate"]["verdict"] == "proven" else 1
    return 0 if all(citation["status"] == "verified" for citation in body["citations"]) else 1


def _text(source: str) -> str:
    """The text of a file, or of standard input for `-`. Raises InputError where it is not UTF-8 text."""
    if source != "-" and not Path(source).is_file():
        raise InputError("there is no file {file}; expected a text, or - for standard input", file=source)
    with os_faults(f"read {source}"):
        data = sys.stdin.buffer.read(_LARGEST + 1) if source == "-" else Path(source).read_bytes()
    if len(data) > _LARGEST:
        raise InputError("{file} has more than {megabytes} MB; give it in parts", file=source, megabytes=_LARGEST >> 20)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InputError("{file} is not UTF-8 text (byte {place}); save it as UTF-8", file=source, place=fault.start) from fault
