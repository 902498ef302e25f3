"""`drift`: what a translation lost."""

from pathlib import Path
from typing import Annotated

import typer

from api.cli.console import say, say_json, width
from api.cli.files import write
from api.cli.options import Json, Lang, answer_language, library_of

Book = Annotated[str, typer.Argument(metavar="BOOK", help="game/book, e.g. mtg/cr; or game/book/edition of the original.")]
Source = Annotated[str, typer.Option(help="The language of the original: ja, zh, zh-Hant or en.")]
Target = Annotated[str, typer.Option(help="The language of the translation.")]
Translation = Annotated[str | None, typer.Option(help="The edition that was translated, where it is another one.")]
Kinds = Annotated[str | None, typer.Option("--kind", help="Only findings of these kinds, separated by commas: number,term.")]
Table = Annotated[str | None, typer.Option("--tsv", metavar="FILE", help="Write a table.")]
Page = Annotated[str | None, typer.Option("--html", metavar="FILE", help="Write one page that can be mailed.")]
Sarif = Annotated[str | None, typer.Option("--sarif", metavar="FILE", help="Write SARIF 2.1.0, for editors and code review.")]


def drift(
    context: typer.Context,
    book: Book,
    source: Source,
    target: Target,
    translation: Translation = None,
    kind: Kinds = None,
    lang: Lang = None,
    tsv: Table = None,
    html: Page = None,
    sarif: Sarif = None,
    as_json: Json = False,
) -> int:
    """Tell what a translation lost, what would change a ruling first; exit 1 where it finds something."""
    chosen = [word.strip() for word in kind.split(",")] if kind else []
    library = library_of(context)
    body = library.drift(book, source, target, translation=translation, kinds=chosen, lang=answer_language(lang))
    if tsv is not None:
        from api.text.translation.drift import table

        write([table(body).encode("utf-8", "replace")], Path(tsv))
    if html is not None:
        from api.text.pages.drift import page

        write([page(body)], Path(html))
    if sarif is not None:
        from api.encoding import encode
        from api.sarif import drift_log

        write([encode(drift_log(body, library.source_text)), b"\n"], Path(sarif))
    if as_json:
        say_json(body)
    else:
        from api.text.translation.drift import lines

        say(lines(body, width(), findings=tsv is None and html is None and sarif is None))
    return 1 if body["total"] else 0
