"""`align`, `drift`, `concordance` and `terms`: the commands for translators."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from api.cli.console import print_body, print_lines, print_to_stderr, terminal_width, write, write_report
from api.cli.options import (
    BookLang,
    Game,
    GamesOfGame,
    HtmlFile,
    Json,
    Lang,
    Offset,
    SarifFile,
    TableFile,
    answer_language,
    argument,
    join_words,
    library_of,
    option,
)
from api.languages import gettext as _
from api.text.translation import align_lines, applied_alignment_lines, concordance_lines, drift_lines, drift_table, renderings_lines
from corpus.errors import InputError
from rulestone import options
from rulestone.limits import LINE_LIMITS, OFFSETS, parse_int

CheckPage = Annotated[str | None, typer.Option("--html", metavar="FILE", help="Write a page for visual inspection.")]
Apply = Annotated[str | None, typer.Option("--apply", metavar="FILE", help="Add a checked table to the knowledge base.")]


def align(
    context: typer.Context,
    old: Annotated[str | None, argument(options.OLD_TEXT, "A")] = None,
    new: Annotated[str | None, argument(options.NEW_TEXT, "B")] = None,
    tsv: TableFile = None,
    html: CheckPage = None,
    apply: Apply = None,
    as_json: Json = False,
) -> int:
    """Align the rules of two texts, whatever their languages and numbers; exit 1 if none correspond."""
    library = library_of(context)
    if apply is not None:
        if old is not None or tsv is not None or html is not None:
            raise InputError("--apply FILE cannot be combined with other arguments")
        result = library.apply_alignment(apply)
        print_body(result, applied_alignment_lines(result), as_json=as_json)
        return 0
    if old is None or new is None:
        raise InputError("give two texts, e.g. rulestone align fow/cr/undated:ja fow/cr:en, or --apply FILE")
    body = library.align(old, new)
    if tsv is not None:
        write_report([library.alignment_table(body).encode("utf-8", "replace")], tsv)
    if html is not None:
        from api.text.pages import alignment_page

        write_report([alignment_page(body)], html)
    print_body(body, align_lines(body, terminal_width(), links=tsv is None and html is None), as_json=as_json)
    return 0 if body["counts"]["linked"] else 1


def drift(
    context: typer.Context,
    book: Annotated[str, argument(options.EDITION_OF_BOOK, "BOOK")],
    source: Annotated[str, option(options.SOURCE_LANG)],
    target: Annotated[str, option(options.TARGET_LANG)],
    translation: Annotated[str | None, option(options.TRANSLATION)] = None,
    kind: Annotated[str | None, option(options.FINDING_KINDS, note="Example: number,term.")] = None,
    lang: Lang = None,
    tsv: TableFile = None,
    html: HtmlFile = None,
    sarif: SarifFile = None,
    as_json: Json = False,
) -> int:
    """Report omissions and differences of a translation, the most serious first; exit 1 if there are findings."""
    kinds = [word.strip() for word in kind.split(",")] if kind else []
    library = library_of(context)
    body = library.drift(book, source, target, translation=translation, kinds=kinds, lang=answer_language(lang))
    if tsv is not None:
        write_report([drift_table(body).encode("utf-8", "replace")], tsv)
    if html is not None:
        from api.text.pages import drift_page

        write_report([drift_page(body)], html)
    if sarif is not None:
        from api.encoding import encode
        from api.sarif import drift_log

        write_report([encode(drift_log(body, library.source_text)), b"\n"], sarif)
    print_body(body, drift_lines(body, terminal_width(), findings=tsv is None and html is None and sarif is None), as_json=as_json)
    return 1 if body["total"] else 0


File = Annotated[str | None, typer.Option("-o", "--output", help="File to write; its extension, .csv or .tsv, selects the format.")]


def concordance(
    context: typer.Context,
    query: Annotated[list[str], argument(options.WORDS, "QUERY")],
    regex: Annotated[bool, option(options.REGEX, "--regex")] = False,
    game: GamesOfGame = None,
    book: Annotated[str | None, option(options.ONLY_BOOK)] = None,
    edition: Annotated[str | None, option(options.ONLY_EDITION)] = None,
    part: Annotated[str | None, option(options.PARTS)] = None,
    book_lang: BookLang = None,
    beside: Annotated[str | None, option(options.BESIDE)] = None,
    renderings: Annotated[bool, option(options.RENDERINGS, "--renderings")] = False,
    limit: Annotated[str | None, option(options.LINES)] = None,
    offset: Offset = None,
    output: File = None,
    as_json: Json = False,
) -> int:
    """Show words in their context, each line with the other language beside it; exit 1 if nothing is found."""
    ending = Path(output).suffix.lower().removeprefix(".") if output else ""
    if output and ending not in ("csv", "tsv"):
        raise InputError("{file}: expected a name that ends with .csv or .tsv", file=output)
    if output and as_json:
        raise InputError("give either -o, which writes a table, or --json, which prints JSON")
    library = library_of(context)
    body = library.concordance(
        join_words(query),
        regex=regex,
        games=game,
        book=book,
        edition=edition,
        parts=part,
        book_lang=book_lang,
        beside=beside,
        renderings=renderings,
        limit=parse_int("limit", limit or (LINE_LIMITS.most if output else None), LINE_LIMITS),
        offset=parse_int("offset", offset, OFFSETS),
    )
    if output:
        write([library.concordance_file(body, ending, renderings=renderings)], output)
    else:
        lines = (renderings_lines if renderings else concordance_lines)(body, terminal_width())
        print_body(body, lines, as_json=as_json)
    return 0 if body["total"] else 1


What = Annotated[str, typer.Argument(metavar="import|apply|list", help="What to do.")]
Glossary = Annotated[
    str | None, typer.Argument(metavar="[FILE]", help="A glossary (CSV, TSV, TBX, Qt .ts, JSON), or edited proposals.")
]
SourceColumn = Annotated[str | None, typer.Option("--source", help="For import: the language of a column named source.")]
TargetColumn = Annotated[str | None, typer.Option("--target", help="For import: the language of a column named target.")]
Keys = Annotated[str | None, typer.Option("--map", help="For import: the keys of a JSON list, e.g. en=name,zh=cn.")]
Output = Annotated[
    str | None,
    typer.Option("-o", "--output", help="For import and list: file to write, by default standard output; apply accepts it."),
]
By = Annotated[str, typer.Option(help="For apply: the person who decided, stored with the labels.")]


def terms(
    context: typer.Context,
    what: What,
    file: Glossary = None,
    game: Game = None,
    source: SourceColumn = None,
    target: TargetColumn = None,
    keys: Keys = None,
    output: Output = None,
    by: By = "curator",
    as_json: Json = False,
) -> None:
    """Compare a glossary with the known terms, add the labels that a person accepted, or list the added ones."""
    library = library_of(context)
    if as_json and what != "list":
        raise InputError("--json applies only to terms list")
    if what == "list" and as_json:
        print_body({"records": library.term_records()}, [], as_json=True)
    elif what == "list" and output:
        write([library.curated_table()], output)
    elif what == "list":
        print_lines("\t".join(label) for label in library.curated_terms())
    elif what not in ("import", "apply") or file is None:
        raise InputError("terms {given!r}: expected import FILE, apply FILE or list", given=what[:40])
    elif what == "import":
        proposals, other_languages = library.propose_terms(file, game=game, source=source, target=target, keys=keys)
        if other_languages:
            language_list = ", ".join(f"{lang} {count}" for lang, count in sorted(other_languages.items()))
            print_to_stderr(_("skipped: terms in other languages (language and number of entries): {listed}", listed=language_list))
        write([library.proposals_table(proposals)], output)
        if output:
            counts = Counter(proposal.finding.value for proposal in proposals)
            print_lines([", ".join(f"{count} {finding}" for finding, count in counts.most_common())])
            print_lines(
                [_("write take or drop in the first column of {file}, then run: rulestone terms apply {file}", file=output)]
            )
    else:
        result = library.apply_terms(file, by=by)
        print_lines([_("{taken} labels added, {dropped} dropped", taken=len(result.taken), dropped=len(result.dropped))])
