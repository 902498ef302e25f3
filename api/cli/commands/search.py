"""`search`: rules by meaning, one question or a file of them."""

import json
from pathlib import Path
from typing import Annotated

import typer

from api.cli.console import put, say, say_json, width
from api.cli.options import AsOf, Games, Json, Lang, Within, answer_language, library_of
from corpus.errors import InputError
from rulestone.limits import HITS, whole


def search(
    context: typer.Context,
    query: Annotated[list[str] | None, typer.Argument(metavar="QUERY", help="A question in Japanese, Chinese or English.")] = None,
    game: Games = None,
    lang: Lang = None,
    within: Within = None,
    as_of: AsOf = None,
    limit: Annotated[str | None, typer.Option(help="Hits to show, 10 without it.")] = None,
    batch: Annotated[str | None, typer.Option("--batch", metavar="FILE", help="A JSON Lines file of queries instead.")] = None,
    kind: Annotated[str | None, typer.Option(help="rule or ruling: those alone.")] = None,
    as_json: Json = False,
) -> int:
    """Search the rules and rulings of every game by meaning, in any language; exit 1 where no rule is sure enough."""
    library = library_of(context)
    if batch is not None:
        if query:
            raise InputError("give either a QUERY or --batch FILE, which brings its own")
        if kind is not None:
            raise InputError("--kind goes with a QUERY; --batch finds rules with rulings beside them")
        if as_of is not None:
            raise InputError("--as-of goes with a QUERY; --batch asks the library of today")
        put(json.dumps(line, ensure_ascii=False) for line in library.batch(_lines(Path(batch)), name=batch))
        return 0
    answer_language(lang, within)
    body = library.search(
        " ".join(query or ()), games=game, lang=lang, within=within, as_of=as_of, limit=whole("limit", limit, HITS), kind=kind
    )
    if as_json:
        say_json(body)
    else:
        from api.text.hits import pages

        say(pages(body, width()))
    return 1 if body["abstained"] else 0


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8-sig").split("\n")
    except FileNotFoundError:
        raise InputError("{file}: there is no such file; expected one JSON object a line", file=file) from None
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError("{file}: cannot be read as UTF-8 text ({fault})", file=file, fault=type(fault).__name__) from fault
