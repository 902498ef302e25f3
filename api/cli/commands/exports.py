"""`export` and `sparql`: the whole knowledge base, terms or a book for translators, or what a query asks of it."""

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from api.cli import console
from api.cli.files import write
from api.cli.options import library_of
from corpus.errors import InputError
from corpus.media import NTRIPLES, RESULTS_JSON, TSV
from rulestone import Library
from rulestone.faults import os_faults
from rulestone.limits import SPARQL

_LARGEST = int(SPARQL.query)
_WHOLE, _BITEXT, _TERMS = ("jsonl", "nquads", "turtle", "sssom"), ("tmx", "xliff"), ("tbx", "csv", "xlsx", "skos")

Kind = Annotated[
    str,
    typer.Argument(
        metavar="KIND", help="jsonl, nquads, turtle, sssom: everything; tmx, xliff: a book; tbx, csv, xlsx, skos: the terms."
    ),
]
Book = Annotated[str | None, typer.Argument(metavar="[BOOK]", help="tmx, xliff: game/book; else the only one in two languages.")]
Source = Annotated[str | None, typer.Option(help="tmx, xliff: the language translated from.")]
Target = Annotated[str | None, typer.Option(help="tmx, xliff: the language translated into.")]
Edition = Annotated[str | None, typer.Option(help="tmx, xliff: an edition; else the newest in both languages.")]
Section = Annotated[str | None, typer.Option(help="tmx, xliff: only that section: 7, 701, glossary.")]
Game = Annotated[str | None, typer.Option(help="Terms: games, separated by commas; without it all.")]
Langs = Annotated[str | None, typer.Option("--lang", help="Terms: languages, separated by commas, in the order of the columns.")]
Groups = Annotated[str | None, typer.Option("--concepts", help="Terms: zones, keywords, actions, states … or kinds of concepts.")]
Dialect = Annotated[str | None, typer.Option(help="tbx: 2019 (ISO 30042:2019, TBX-Basic), or 2008 (martif).")]
Texts = Annotated[bool, typer.Option("--with-texts", help="Terms: quote the examples of use from loaded books.")]
Output = Annotated[str | None, typer.Option("-o", "--output", help="File to write; else standard output. skos: or a folder.")]
Given = dict[str, str | bool | None]


def export(
    context: typer.Context,
    kind: Kind,
    book: Book = None,
    source: Source = None,
    target: Target = None,
    edition: Edition = None,
    section: Section = None,
    game: Game = None,
    lang: Langs = None,
    concepts: Groups = None,
    dialect: Dialect = None,
    with_texts: Texts = False,
    output: Output = None,
) -> None:
    """Write the whole knowledge base, a book in two languages, or the terms of games to standard output or to a file."""
    bitext: Given = {"BOOK": book, "--source": source, "--target": target, "--edition": edition, "--section": section}
    terms: Given = {"--game": game, "--lang": lang, "--concepts": concepts, "--dialect": dialect}
    terms["--with-texts"] = with_texts or None
    library, path = library_of(context), Path(output) if output else None
    if kind in _BITEXT:
        _refuse(kind, terms)
        write(library.bitext(kind, book, source=source, target=target, edition=edition, section=section), path)
    elif kind in _TERMS:
        _refuse(kind, bitext)
        options = {"langs": lang, "concepts": concepts, "dialect": dialect, "with_texts": with_texts}
        _terms(library, kind, game, path, options)
    elif kind in _WHOLE:
        _refuse(kind, bitext | terms)
        write(library.export(kind), path)
    else:
        known = ", ".join((*_WHOLE, *_BITEXT, *_TERMS))
        raise InputError("{given!r} cannot be exported; expected {kinds}", given=kind[:40], kinds=known)


def _refuse(kind: str, given: Given) -> None:
    """Raises InputError for what was given and means nothing for this kind."""
    if idle := [name for name, value in given.items() if value is not None]:
        raise InputError("export {kind} takes no {given}; leave them out", kind=kind, given=", ".join(idle))


def _terms(library: Library, kind: str, game: str | None, path: Path | None, options: dict[str, Any]) -> None:
    """One file; SKOS into a folder: a file a game."""
    if kind == "skos" and path is not None and path.is_dir():
        for slug in game.split(",") if game else library.termbase_games():
            write([library.termbase(kind, games=slug, **options)], path / f"{slug.strip()}.ttl")
    else:
        write([library.termbase(kind, games=game, **options)], path)


def sparql(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FILE|-", help="File with a query; - reads standard input.")],
    seconds: Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds that the query may take.")] = 60,
    as_json: Annotated[bool, typer.Option("--json", help="SPARQL 1.1 JSON results instead of TSV.")] = False,
) -> int:
    """Answer a SPARQL 1.1 query over everything: TSV, or N-Triples for CONSTRUCT; exit 1 if nothing is found."""
    media = (RESULTS_JSON,) if as_json else (TSV, NTRIPLES)
    answer = library_of(context).sparql(_query(source), media=media, seconds=seconds, write=lambda piece: console.write([piece]))
    return 0 if answer.found else 1


def _query(source: str) -> str:
    """The text of a file, or of standard input for `-`. Raises InputError where it is not UTF-8 text."""
    if source != "-" and not Path(source).is_file():
        raise InputError("there is no file {file}; expected a file with a SPARQL query, or - for standard input", file=source)
    with os_faults(f"read {source}"), nullcontext(sys.stdin.buffer) if source == "-" else Path(source).open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise InputError("the query has more than {most} KiB; expected a SPARQL query", most=_LARGEST >> 10)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InputError(
            "the query in {file} is not UTF-8 text (byte {place}); save it as UTF-8", file=source, place=fault.start
        ) from fault
