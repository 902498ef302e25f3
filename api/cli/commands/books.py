"""`build`, `add`, `remove`, `index`, `push` and `doctor`: commands that change the knowledge base or check its files."""

import os
import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.console import print_body, print_lines, print_to_stderr, progress, write_to_stdout
from api.cli.options import Json, library_of, option
from api.encoding import encode
from api.languages import gettext as _
from api.languages import terminal_language
from api.text.books import added_lines, built_lines, diagnosis_lines, outline_lines, removed_lines
from corpus.errors import InputError
from rulestone import Library, options
from rulestone.languages import language_option

if TYPE_CHECKING:
    from corpus.contract import Added

Later = Annotated[bool, typer.Option("--later", help="Skip the encoding, which takes minutes; run `rulestone index` later.")]


def build(context: typer.Context, later: Later = False) -> None:
    """Rebuild the knowledge base from the digest and every added file."""
    library = library_of(context)
    with progress() as report:
        result = library.build(report, later=later)
    print_lines(built_lines(result.editions, result.rules, library.path, [library.missing_search_parts()]))


def index(context: typer.Context) -> None:
    """Encode the loaded texts with the pretrained encoder, so that search finds rules by meaning; the first run takes minutes."""
    library = library_of(context)
    with progress() as report:
        counts = library.index(report)
    print_lines([_("{made} texts encoded, {total} in all", made=counts.made, total=counts.total)])


def push(context: typer.Context) -> None:
    """Write the search index to the Milvus server that RULESTONE_INDEX names; it keeps the previous bundle until the next push."""
    passages = library_of(context).push_index()
    print_lines([_("{passages} passages written to {address}", passages=passages, address=os.environ["RULESTONE_INDEX"])])


def doctor(
    context: typer.Context,
    mend: Annotated[bool, typer.Option("--mend", help="Rebuild damaged parts from the stored files.")] = False,
    as_json: Json = False,
) -> int:
    """Check the files of the knowledge base; with --mend, repair them."""
    with progress() as report:
        body = library_of(context).doctor(mend=mend, progress=report)
    print_body(body, diagnosis_lines(body), as_json=as_json)
    return 0 if body["sound"] else 1


def _asked_title(library: Library, game: str | None, adding: "Callable[..., Added]") -> str | None:
    """The name of an unknown game, asked once on a terminal before its first file is added."""
    if not game or library.title_of(game) or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    files = adding(dry_run=True)["added"]
    if not any(file["readings"] for file in files) or any(file.get("title") for file in files):
        return None
    name: str = typer.prompt(_("What is the name of the game {game}? (Enter: no name)", game=game), default="", show_default=False)
    return name.strip() or None


def add(
    context: typer.Context,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Rulebooks or folders of them; files of rulings.")],
    game: Annotated[str | None, option(options.GAME, note="Needed if it is not recognised.")] = None,
    book: Annotated[str | None, typer.Option(help="Slug of the book.")] = None,
    lang: Annotated[str | None, typer.Option(help="Language of the files: ja, zh, zh-Hant or en.")] = None,
    edition: Annotated[str | None, typer.Option(help="ISO date or slug of the edition.")] = None,
    authority: Annotated[str | None, typer.Option(help="official, translation, community or editorial.")] = None,
    title: Annotated[str | None, typer.Option(help='The name of the game: "Flesh and Blood".')] = None,
    alias: Annotated[list[str] | None, typer.Option(help="Another name of the game; repeat the option for more names.")] = None,
    structure: Annotated[
        str | None, typer.Option(metavar="NAME", help="Read the files with this structure: dotted, dashed, sections, outline, …")
    ] = None,
    source: Annotated[str | None, option(options.RULINGS_SOURCE)] = None,
    fields: Annotated[
        str | None, typer.Option("--map", help="Fields of rulings, if they are not recognised: question=q,answer=a.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace an edition whose words differ.")] = False,
    keep_going: Annotated[bool, typer.Option("--keep-going", help="Add the valid files even if others are refused.")] = False,
    later: Later = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the outline of each file, and save nothing.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print how each file was recognised.")] = False,
    as_json: Json = False,
) -> int:
    """Add rulebooks or rulings; without --keep-going, either all files are added or none."""
    library = library_of(context)
    adding = partial(library.add, paths, game=game, book=book, edition=edition, lang=language_option(lang, "--lang"))
    adding = partial(adding, authority=authority, alias=", ".join(alias or ()) or None, structure=structure)
    adding = partial(adding, source=source, fields=fields)
    adding = partial(adding, replace=replace, keep_going=keep_going, later=later)
    title_given = title or (None if dry_run else _asked_title(library, game, adding))
    try:
        with progress() as report:
            body = adding(title=title_given, dry_run=dry_run, progress=report)
    except InputError as error:
        if as_json and error.details:
            write_to_stdout([encode(_refused_file_result(error)).decode()])
        raise
    errors = [file["error"] for file in body["added"] if file["error"]]
    for reason in errors:
        print_to_stderr(f"rulestone: {reason}")
    if dry_run:
        print_body(body, outline_lines(body), as_json=as_json)
        return 2 if errors else 0
    print_body(body, added_lines(body, verbose=verbose), as_json=as_json)
    if game and not library.title_of(game):
        command = f'rulestone add {shlex.quote(str(paths[0]))} --game {game} --title "NAME" --replace'
        print_to_stderr(_("{game} has no name yet; to name it, run: {command}", game=game, command=command))
    if not as_json:
        print_lines(filter(None, [library.missing_search_parts()]))
    return 2 if errors else 0


def _refused_file_result(error: InputError) -> "Added":
    """The result for a file whose findings refuse it: they are its notes."""
    lang = terminal_language()
    return {
        "added": [
            {
                "file": str(error.message.values["file"]),
                "status": "refused",
                "readings": [],
                "rulings": [],
                "why": [],
                "notes": [finding.in_language(lang) for finding in error.details],
                "error": error.in_language(lang),
            }
        ]
    }


def remove(
    context: typer.Context,
    what: Annotated[
        str,
        typer.Argument(metavar="EDITION|FILE", help="mtg:2024-06-07, mtg/cr/2024-06-07, an IRI, or a file by name or path."),
    ],
    lang: Annotated[str | None, typer.Option(help="Remove only this language: ja, zh, zh-Hant or en.")] = None,
    as_json: Json = False,
) -> None:
    """Remove an edition, one language of it, or an added file, as if it had never been added."""
    with progress() as report:
        body = library_of(context).remove(what, lang=language_option(lang, "--lang"), progress=report)
    print_body(body, removed_lines(body), as_json=as_json)
