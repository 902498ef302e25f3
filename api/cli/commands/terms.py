"""`terms`: a glossary comes in by way of a file that a person edits."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from api.cli.console import say
from api.cli.files import write
from api.cli.options import Game, library_of
from corpus.errors import InputError
from corpus.messages import message
from rulestone import Library

What = Annotated[str, typer.Argument(metavar="import|apply|list")]
File = Annotated[str | None, typer.Argument(metavar="[FILE]", help="A glossary (CSV, TSV, TBX, Qt .ts), or edited proposals.")]
Source = Annotated[str | None, typer.Option(help="import: the language of a column named source.")]
Target = Annotated[str | None, typer.Option(help="import: the language of a column named target.")]
Output = Annotated[str | None, typer.Option("-o", "--output", help="import: file for the proposals; else standard output.")]
By = Annotated[str, typer.Option(help="apply: whose decision it is; the labels are named as theirs.")]


def terms(
    context: typer.Context,
    what: What,
    file: File = None,
    game: Game = None,
    source: Source = None,
    target: Target = None,
    output: Output = None,
    by: By = "curator",
) -> None:
    """Compare a glossary with what is known, take in what a person decided on, or list what was taken in."""
    library = library_of(context)
    if what == "list":
        say("\t".join(curated_term[:5]) for curated_term in library.curated_terms())
    elif what not in ("import", "apply") or file is None:
        raise InputError("terms {given!r}: expected import FILE, apply FILE or list", given=what[:40])
    elif what == "import":
        _import(library, file, (game, source, target), output)
    else:
        _apply(library, file, by)


def _import(library: Library, file: str, options: tuple[str | None, ...], output: str | None) -> None:
    game, source, target = options
    proposals = library.propose_terms(file, game=game, source=source, target=target)
    write([library.proposals_table(proposals)], Path(output) if output else None)
    if output:
        counted = Counter(proposal.finding.value for proposal in proposals)
        say([", ".join(f"{count} {finding}" for finding, count in counted.most_common())])
        told = message("write take or drop in the first column of {file}, then: rulestone terms apply {file}", file=output)
        say([told.said(library.lang)])


def _apply(library: Library, file: str, by: str) -> None:
    taken, dropped = library.apply_terms(file, by=by)
    told = message("{taken} labels taken in, {dropped} dropped", taken=len(taken), dropped=len(dropped))
    say([told.said(library.lang)])
