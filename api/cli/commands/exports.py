"""`export`, `sparql` and `check`: the whole knowledge base, a book for translators, terms, queries, and errors."""

from pathlib import Path
from typing import Annotated, Any

import typer

from api.cli.console import (
    print_body,
    print_to_stderr,
    read_text,
    refuse_filled,
    terminal_width,
    write,
    write_folder,
    write_report,
)
from api.cli.options import SARIF, TABLE, Json, Lang, answer_language, argument, library_of, option
from api.text.books import findings_lines
from api.text.references import references_lines, references_table
from corpus.errors import InputError
from corpus.media import NTRIPLES, RESULTS_JSON, TSV
from corpus.messages import message
from rulestone import options
from rulestone.limits import FINDINGS, SPARQL_LIMITS

_WHOLE, _BITEXT, _TERMS = ("jsonl", "nquads", "turtle", "sssom"), ("tmx", "xliff"), ("tbx", "csv", "xlsx", "skos")
_SKILL = "skill"

Kind = Annotated[
    str,
    typer.Argument(
        metavar="KIND",
        help="Format: jsonl, nquads, turtle, sssom (everything); tmx, xliff (a book); tbx, csv, xlsx, skos (the terms); "
        "skill (a folder of Markdown for language models without tools).",
    ),
]
_BITEXT_NOTE, _TERMS_NOTE = "For tmx and xliff.", "For terms."
Dialect = Annotated[
    str | None, typer.Option(help="For tbx: 2019 (ISO 30042:2019, TBX-Basic) or 2008 (martif); for xliff --todo: 2.1 or 1.2.")
]
Output = Annotated[
    str | None,
    typer.Option(
        "-o",
        "--output",
        help="File to write (for skos, a file or a folder; for skill, a new or empty folder, by default GAME-rules); "
        "by default standard output.",
    ),
]
Options = dict[str, str | bool | None]


def export(
    context: typer.Context,
    kind: Kind,
    book: Annotated[
        str | None, argument(options.BITEXT_BOOK, "[BOOK]", "For tmx, xliff and skill, which also takes a game.")
    ] = None,
    source: Annotated[str | None, option(options.SOURCE_LANG, note=_BITEXT_NOTE)] = None,
    target: Annotated[str | None, option(options.TARGET_LANG, note=_BITEXT_NOTE)] = None,
    edition: Annotated[str | None, option(options.BITEXT_EDITION, note=_BITEXT_NOTE)] = None,
    section: Annotated[str | None, option(options.SECTION, note=_BITEXT_NOTE)] = None,
    todo: Annotated[bool, option(options.TODO, "--todo")] = False,
    game: Annotated[str | None, option(options.GAMES, note=_TERMS_NOTE)] = None,
    lang: Annotated[str | None, option(options.TERMBASE_LANGS, note=f"{_TERMS_NOTE} For skill: the language of the texts.")] = None,
    concepts: Annotated[str | None, option(options.CONCEPT_GROUPS, note=_TERMS_NOTE)] = None,
    dialect: Dialect = None,
    with_texts: Annotated[bool, option(options.WITH_TEXTS, "--with-texts", note=_TERMS_NOTE)] = False,
    output: Output = None,
) -> None:
    """Write the whole knowledge base, a book in two languages, the terms of games, or a folder for language models."""
    bitext: Options = {
        "--todo": todo or None,
        "BOOK": book,
        "--source": source,
        "--target": target,
        "--edition": edition,
        "--section": section,
    }
    terms: Options = {"--game": game, "--lang": lang, "--concepts": concepts, "--dialect": dialect}
    terms["--with-texts"] = with_texts or None
    library = library_of(context)
    if kind in _BITEXT:
        _refuse_options(kind, {name: value for name, value in terms.items() if name != "--dialect"})
        options: dict[str, Any] = {"source": source, "target": target, "edition": edition, "section": section}
        write(library.bitext(kind, book, **options, todo=todo, dialect=dialect), output)
    elif kind in _TERMS:
        _refuse_options(kind, bitext)
        options = {"langs": lang, "concepts": concepts, "dialect": dialect, "with_texts": with_texts}
        if kind == "skos" and output and Path(output).is_dir():
            for slug in game.split(",") if game else library.termbase_games():
                write([library.termbase(kind, games=slug, **options)], Path(output) / f"{slug.strip()}.ttl")
        else:
            write([library.termbase(kind, games=game, **options)], output)
    elif kind == _SKILL:
        others = {name: value for name, value in (bitext | terms).items() if name not in ("BOOK", "--lang")}
        _refuse_options(kind, others)
        if not book:
            raise InputError("expected: export skill GAME; rulestone editions lists the loaded books")
        folder = Path(output or library.skill_name(book))
        refuse_filled(folder)
        write_folder(library.skill(book, lang=lang), folder)
        print_to_stderr(message("written: {path}", path=folder).in_language(library.lang))
    elif kind in _WHOLE:
        _refuse_options(kind, bitext | terms)
        write(library.export(kind), output)
    else:
        kinds = ", ".join((*_WHOLE, *_BITEXT, *_TERMS, _SKILL))
        raise InputError("{given!r} cannot be exported; expected {kinds}", given=kind[:40], kinds=kinds)


def _refuse_options(kind: str, options: Options) -> None:
    """Raises InputError for options that do not apply to this kind."""
    if unused_options := [name for name, value in options.items() if value is not None]:
        raise InputError("export {kind} does not accept {given}; try again without", kind=kind, given=", ".join(unused_options))


def sparql(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FILE|-", help="File with a query; - reads standard input.")],
    seconds: Annotated[float, typer.Option("--timeout", min=0.1, help="Time limit of the query in seconds.")] = 60,
    editions: Annotated[str, option(options.EDITION_SET)] = "current",
    as_json: Annotated[bool, typer.Option("--json", help="SPARQL 1.1 JSON results instead of TSV.")] = False,
) -> int:
    """Answer a SPARQL 1.1 query over the graph: TSV, or N-Triples for CONSTRUCT; exit 1 if nothing is found."""
    media = (RESULTS_JSON,) if as_json else (TSV, NTRIPLES)
    query = read_text(source, int(SPARQL_LIMITS.query))
    answer = library_of(context).sparql(
        query, media=media, seconds=seconds, editions=editions, write=lambda piece: write([piece], None)
    )
    return 0 if answer.found else 1


What = Annotated[
    str | None,
    typer.Argument(
        metavar="[numbers|references]",
        help="numbers: only the numbers of a translation; references: the citations inside a book; by default everything.",
    ),
]
_NUMBERS_NOTE, _REFERENCES_NOTE, _BOTH_NOTE = "For numbers.", "For references.", "For numbers and references."
NUMERIC_KINDS = "number,symbol,citation"
"""Kinds of drift that `check numbers` reports."""


def check(
    context: typer.Context,
    what: What = None,
    book: Annotated[str | None, argument(options.EDITION_OF_BOOK, "[BOOK]", _BOTH_NOTE)] = None,
    source: Annotated[str | None, option(options.SOURCE_LANG, note=_NUMBERS_NOTE)] = None,
    target: Annotated[str | None, option(options.TARGET_LANG, note=_NUMBERS_NOTE)] = None,
    book_lang: Annotated[str | None, option(options.BOOK_LANG, "--in", note=_REFERENCES_NOTE)] = None,
    lang: Lang = None,
    tsv: Annotated[str | None, option(TABLE, metavar="FILE", note=_REFERENCES_NOTE)] = None,
    sarif: Annotated[str | None, option(SARIF, metavar="FILE", note=_BOTH_NOTE)] = None,
    as_json: Json = False,
) -> int:
    """Report errors in the knowledge base, a translation's numbers, or a book's citations; exit 1 if there are errors."""
    if what == "references" and book and not (source or target):
        return _check_references(context, book, book_lang, lang, tsv, sarif, as_json=as_json)
    if what == "numbers" and book and source and target and not (book_lang or tsv):
        from api.cli.commands.translation import drift

        return drift(context, book, source, target, kind=NUMERIC_KINDS, lang=lang, sarif=sarif, as_json=as_json)
    if any((what, book, source, target, book_lang, lang, tsv, sarif)):
        raise InputError("expected: check, or check numbers BOOK --source LANG --target LANG, or check references BOOK [--in LANG]")
    body = library_of(context).check()
    print_body(body, findings_lines(body), as_json=as_json)
    return 1 if body["findings"] else 0


def _check_references(
    context: typer.Context,
    book: str,
    book_lang: str | None,
    lang: str | None,
    tsv: str | None,
    sarif: str | None,
    *,
    as_json: bool,
) -> int:
    """Reports the wrong citations inside a book; exit 1 if there are any."""
    library = library_of(context)
    body = library.check_references(book, book_lang=book_lang, lang=answer_language(lang), limit=FINDINGS.most)
    if tsv is not None:
        write_report([references_table(body).encode("utf-8", "replace")], tsv)
    if sarif is not None:
        from api.encoding import encode
        from api.sarif import references_log

        write_report([encode(references_log(body, library.source_text)), b"\n"], sarif)
    print_body(body, references_lines(body, terminal_width(), findings=tsv is None and sarif is None), as_json=as_json)
    return 1 if body["total"] else 0
