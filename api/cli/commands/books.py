"""What the knowledge base is made of, where it is searched, and whether it is sound."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.console import say, say_json, speaking, tell
from api.cli.files import write
from api.cli.options import Json, library_of
from api.cli.progress import progress
from corpus.messages import message
from corpus.words.text import printable
from rulestone.languages import language_option

if TYPE_CHECKING:
    from corpus import contract

Paths = Annotated[list[Path], typer.Argument(metavar="PATH", help="Rulebooks or folders of them; files of rulings.")]


Later = Annotated[bool, typer.Option("--later", help="Leave the encoding, which takes minutes, to `rulestone index`.")]


def build(context: typer.Context, later: Later = False) -> int:
    """Build the knowledge base anew: the digest and every file that was added."""
    library = library_of(context)
    with progress() as report:
        built = library.build(report, later=later)
    say([f"{built.editions} editions, {built.rules} rules in {library.path}"])
    say(filter(None, [library.lacking()]))
    for reason in built.unread:
        tell(f"rulestone: {reason}")
    return 3 if built.unread else 0


def index(context: typer.Context) -> None:
    """Encode what is loaded with the pretrained encoder, so that search knows what a question means; takes minutes once."""
    library = library_of(context)
    with progress() as report:
        made, total = library.index(report)
    say([f"{made} texts encoded, {total} in all"])


def push(context: typer.Context) -> None:
    """Write the search index to Milvus as RULESTONE_INDEX names it; the bundle before stays there until the next push."""
    passages, address = library_of(context).push(), os.environ["RULESTONE_INDEX"]
    say([message("{passages} passages written to {address}", passages=passages, address=address).said(speaking())])


def doctor(
    context: typer.Context,
    mend: Annotated[bool, typer.Option("--mend", help="Build anew from the kept files what is damaged.")] = False,
    as_json: Json = False,
) -> int:
    """Say what is wrong with the files of the knowledge base, and mend it."""
    with progress() as report:
        body = library_of(context).doctor(mend=mend, progress=report)
    if as_json:
        say_json(body)
    else:
        say(_diagnosis(body))
    return 0 if body["sound"] else 1


def _diagnosis(body: "contract.Diagnosis") -> Iterator[str]:
    for complaint in body["complaints"]:
        yield printable(complaint["message"])
    if body["sound"]:
        yield message("{home} is sound", home=body["home"]).said(speaking())
    elif any(complaint["mendable"] for complaint in body["complaints"]):
        yield message("mend it with: rulestone doctor --mend").said(speaking())


def add(
    context: typer.Context,
    paths: Paths,
    game: Annotated[str | None, typer.Option(help="Slug of the game, where it is not recognised.")] = None,
    book: Annotated[str | None, typer.Option(help="Slug of the book.")] = None,
    lang: Annotated[str | None, typer.Option(help="Language of the files: ja, zh, zh-Hant or en.")] = None,
    edition: Annotated[str | None, typer.Option(help="ISO date or slug of the edition.")] = None,
    authority: Annotated[str | None, typer.Option(help="official, translation, community or editorial.")] = None,
    source: Annotated[str | None, typer.Option(help="Slug of who answers, of rulings.")] = None,
    fields: Annotated[
        str | None, typer.Option("--map", help="Fields of rulings, where they are not recognised: question=q,answer=a.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Take the place of an edition with other words.")] = False,
    keep_going: Annotated[bool, typer.Option("--keep-going", help="Add what can be added.")] = False,
    later: Later = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say how each file was recognised.")] = False,
    as_json: Json = False,
) -> int:
    """Add rulebooks or rulings: all of them or none, unless --keep-going."""
    from api.text import added

    library = library_of(context)
    given = {"game": game, "book": book, "edition": edition, "lang": language_option(lang, "--lang"), "authority": authority}
    given |= {"source": source, "fields": fields}
    with progress() as report:
        body = library.add(paths, **given, replace=replace, keep_going=keep_going, later=later, progress=report)
    refused = [file["error"] for file in body["added"] if file["error"]]
    for reason in refused:
        tell(f"rulestone: {reason}")
    if as_json:
        say_json(body)
    else:
        say(added.lines(body, library.editions(), verbose=verbose))
        say(filter(None, [library.lacking()]))
    return 2 if refused else 0


def remove(
    context: typer.Context,
    what: Annotated[
        str,
        typer.Argument(metavar="EDITION|FILE", help="mtg:2024-06-07, mtg/cr/2024-06-07, an IRI, or a file by name or path."),
    ],
    lang: Annotated[str | None, typer.Option(help="The one language to remove: ja, zh, zh-Hant or en.")] = None,
    as_json: Json = False,
) -> None:
    """Remove an edition, one language of it, or an added file; what stays is as if it had never been added."""
    from api.text import added

    with progress() as report:
        body = library_of(context).remove(what, lang=language_option(lang, "--lang"), progress=report)
    if as_json:
        return say_json(body)
    return say(added.removed(body))


def propose(
    context: typer.Context,
    which: Annotated[str, typer.Argument(metavar="GAME[/BOOK]", help="Slug of a loaded game, or of one of its books.")],
    as_json: Json = False,
    output: Annotated[str | None, typer.Option("-o", "--output", help="Turtle file to write, for a judge to correct.")] = None,
) -> None:
    """Propose the zones of a game that nobody has annotated, with the rule and the words for each statement."""
    library = library_of(context)
    if output:
        return write([library.propose_turtle(which)], Path(output))
    body = library.propose(which)
    if as_json:
        return say_json(body)
    from api.text.proposals import table

    return say(table(body))


def check(context: typer.Context, as_json: Json = False) -> int:
    """Report what is wrong in the knowledge base, and what is disputed; exit 1 if anything is wrong."""
    body = library_of(context).check()
    if as_json:
        say_json(body)
    else:
        say(
            f"{finding['kind']}: {finding['subject']}: {finding['message']}"
            for finding in (*body["findings"], *body["information"])
        )
    return 1 if body["findings"] else 0
