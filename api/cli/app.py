"""The command line: `rulestone …`. What a command needs is imported when it runs: a look-up pays for nothing else."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from api.cli.console import prepare, say, say_json, tell, width
from api.cli.exits import guarded
from api.cli.verbatim import verbatim
from api.languages import asked_for
from corpus.errors import InputError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
Json = Annotated[bool, typer.Option("--json", help="Print one JSON body.")]
Words = Annotated[list[str], typer.Argument(metavar="REF", help="400.3b, dm:400.3b, MTG CR 400.7d or an IRI.")]
Named = Annotated[list[str], typer.Argument(metavar="REF", help="mtg/graveyard, graveyard, a name in any language or an IRI.")]
Label = Annotated[list[str], typer.Argument(metavar="LABEL", help="A name in any language: 山札, graveyard, yard.")]
Lang = Annotated[str | None, typer.Option(help="The answer's language: ja, zh, zh-Hant or en.")]
Within = Annotated[str | None, typer.Option("--in", help="The book's language: ja, zh, zh-Hant or en.")]
Paths = Annotated[list[Path], typer.Argument(metavar="PATH", help="Rulebooks, or folders of them.")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code: 0 ok, 1 nothing found, 2 bad input, 3 environment."""
    prepare()
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    return guarded(lambda: verbatim(app)(args=given, prog_name="rulestone", standalone_mode=False))


@app.callback()
def rulestone(
    context: typer.Context,
    home: Annotated[str | None, typer.Option(help="Folder of the knowledge base (or RULESTONE_HOME).")] = None,
) -> None:
    """Rules of trading card games with permanent addresses, in Japanese, Chinese and English."""
    from ontology.store.home import Home, default_home

    context.obj = Home(Path(home) if home else default_home())


@app.command()
def build(context: typer.Context) -> int:
    """Build the knowledge base anew: the digest and every file that was added."""
    from api.cli.progress import progress
    from rulestone.building import build as build_bundle

    with progress() as report:
        manifest = build_bundle(context.obj, report)
    editions = manifest.editions.values()
    say([f"{len(editions)} editions, {sum(one.rules for one in editions)} rules in {context.obj.path}"])
    for reason in manifest.unread:
        tell(f"rulestone: {reason}")
    return 3 if manifest.unread else 0


@app.command()
def add(
    context: typer.Context,
    paths: Paths,
    game: Annotated[str | None, typer.Option(help="Slug of the game, where it is not recognised.")] = None,
    book: Annotated[str | None, typer.Option(help="Slug of the book.")] = None,
    lang: Annotated[str | None, typer.Option(help="Language of the files: ja, zh, zh-Hant or en.")] = None,
    edition: Annotated[str | None, typer.Option(help="ISO date or slug of the edition.")] = None,
    authority: Annotated[str | None, typer.Option(help="official, translation, community or editorial.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Take the place of an edition with other words.")] = False,
    keep_going: Annotated[bool, typer.Option("--keep-going", help="Add what can be added.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say how each file was recognised.")] = False,
    as_json: Json = False,
) -> int:
    """Add rulebooks: all of them or none, unless --keep-going."""
    from api.cli import adding
    from ingest.recognise.edition import Hints

    hints = Hints(game, book, edition, asked_for(lang, "--lang"), adding.authority_of(authority))
    added = adding.add(context.obj, paths, hints, replace=replace, keep_going=keep_going)
    for one in added:
        if one.error:
            tell(f"rulestone: {one.error}")
    if as_json:
        say_json(adding.body(added))
    else:
        say(line for one in added if not one.error for line in adding.lines(one, verbose=verbose))
        say(adding.to_learn(context.obj, added))
    return 2 if any(one.error for one in added) else 0


@app.command()
def show(context: typer.Context, ref: Words, lang: Lang = None, within: Within = None, as_json: Json = False) -> None:
    """Show a rule with everything around it."""
    from api.cli import looking

    body, answer = looking.rules(context.obj, ref, lang, within)
    if as_json:
        say_json(body)
    else:
        from api.text.rule import pages

        say(pages(body, answer, width()))


@app.command()
def search(
    context: typer.Context,
    query: Annotated[list[str] | None, typer.Argument(metavar="QUERY", help="A question in Japanese, Chinese or English.")] = None,
    game: Annotated[str | None, typer.Option(help="Slugs of games, divided by commas; without it all.")] = None,
    lang: Lang = None,
    within: Within = None,
    limit: Annotated[str | None, typer.Option(help="Hits to show, 10 without it.")] = None,
    batch: Annotated[str | None, typer.Option("--batch", metavar="FILE", help="A JSON Lines file of queries instead.")] = None,
    as_json: Json = False,
) -> int:
    """Search the rules of every game by meaning, in any language; exit 1 where no rule is sure enough."""
    from api.cli import searching

    if batch is not None:
        if query:
            raise InputError("give either a QUERY or --batch FILE, which brings its own")
        say(searching.batch(context.obj, Path(batch)))
        return 0
    asked = searching.request(" ".join(query or ()), game, lang, within, limit)
    body = searching.found(context.obj, asked)
    if as_json:
        say_json(body)
    else:
        say(searching.pages(body, width()))
    return 1 if body["abstained"] else 0


@app.command()
def cites(context: typer.Context, ref: Words, within: Within = None, as_json: Json = False) -> None:
    """Show what a rule cites, and which rules cite it."""
    from api.cli import looking

    body = looking.cites(context.obj, ref, within)
    if as_json:
        say_json(body)
    else:
        from api.text.rule import citations

        say(citations(body, width()))


@app.command()
def export(
    context: typer.Context,
    kind: Annotated[str, typer.Argument(metavar="KIND", help="jsonl, nquads, turtle or sssom.")],
    output: Annotated[str | None, typer.Option("-o", "--output", help="File to write; else standard output.")] = None,
) -> None:
    """Write the whole knowledge base to standard output or to a file."""
    from api.cli.exports import kind_of, write
    from api.cli.opening import opened

    chunks = kind_of(kind)
    with opened(context.obj, tell) as knowledge:
        write(chunks(knowledge), Path(output) if output else None)


@app.command()
def compare(
    context: typer.Context,
    what: Annotated[str, typer.Argument(metavar="WHAT", help="zones.")],
    games: Annotated[str | None, typer.Option(help="Slugs of games, divided by commas; without it all.")] = None,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Compare the games: their zones side by side, each statement with the rule that proves it."""
    from api.cli import looking

    body = looking.compared(context.obj, what, games, lang)
    if as_json:
        say_json(body)
    else:
        from api.text.zones import table

        say(table(body, width()))


@app.command()
def concept(context: typer.Context, ref: Named, lang: Lang = None, as_json: Json = False) -> None:
    """Show a concept: its names, what the rules say of it, and its counterparts in other games."""
    from api.cli import looking

    body = looking.concept(context.obj, ref, lang)
    if as_json:
        say_json(body)
    else:
        from api.text.concept import cards

        say(cards(body, width()))


@app.command()
def term(
    context: typer.Context,
    label: Label,
    game: Annotated[str | None, typer.Option(help="Slug of the one game to look at.")] = None,
    lang: Lang = None,
    within: Within = None,
    limit: Annotated[str | None, typer.Option(help="Uses shown of each game and language (10).")] = None,
    offset: Annotated[str | None, typer.Option(help="Uses passed over of each game and language.")] = None,
    as_json: Json = False,
) -> None:
    """Show what a term is called in every game and language, and every place where it is used."""
    from api.cli import looking
    from corpus.paging import page_of

    body = looking.term(context.obj, label, lang, within, game, page_of(offset, limit, 10))
    if as_json:
        say_json(body)
    else:
        from api.text.term import sheet

        say(sheet(body, width()))


@app.command()
def sparql(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FILE|-", help="File with a query; - reads standard input.")],
    seconds: Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds that the query may take.")] = 60,
    as_json: Annotated[bool, typer.Option("--json", help="SPARQL 1.1 JSON results instead of TSV.")] = False,
) -> int:
    """Answer a SPARQL 1.1 query over everything: TSV, or N-Triples for CONSTRUCT; exit 1 if nothing is found."""
    from api.cli import asking
    from api.cli.console import write

    answer = asking.ask(context.obj, source, as_json=as_json, seconds=seconds)
    write([answer.body])
    return 0 if answer.found else 1


@app.command()
def propose(
    context: typer.Context,
    which: Annotated[str, typer.Argument(metavar="GAME[/BOOK]", help="Slug of a loaded game, or of one of its books.")],
    as_json: Json = False,
    output: Annotated[str | None, typer.Option("-o", "--output", help="Turtle file to write, for a judge to correct.")] = None,
) -> None:
    """Propose the zones of a game that nobody has annotated, with the rule and the words for each statement."""
    from api.cli import proposing

    found = proposing.proposed(context.obj, which)
    if output:
        proposing.write_turtle(found, Path(output))
    elif as_json:
        say_json(proposing.body(found))
    else:
        say(proposing.table(found))


@app.command()
def check(context: typer.Context, as_json: Json = False) -> int:
    """Report what is wrong in the knowledge base, and what is disputed; exit 1 if anything is wrong."""
    from api.cli import checking

    found = checking.found(context.obj)
    if as_json:
        say_json(checking.body(found))
    else:
        say(f"{one.kind}: {one.subject}: {one.message}" for one in found)
    return 1 if any(not one.is_information for one in found) else 0


@app.command()
def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[str, typer.Option(help="Port to listen on; 0 takes a free one.")] = "8000",
) -> None:
    """Serve the HTTP API, with its documentation at /docs."""
    from api.cli.serving import port_of, run

    run(context.obj, host, port_of(port))


if __name__ == "__main__":
    sys.exit(main())
