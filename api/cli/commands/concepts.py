"""`compare`, `concept`, `term`, `propose` and `mappings`: concepts across games, names, and what programs propose."""

from typing import Annotated

import typer

from api.cli.console import print_body, print_to_stderr, terminal_width, write
from api.cli.options import (
    AsOf,
    BookLang,
    Games,
    GamesOfGame,
    Json,
    Lang,
    Offset,
    answer_language,
    argument,
    join_words,
    library_of,
    option,
)
from api.languages import gettext, ngettext
from api.text.compare import proposals_lines, topics_table, zones_table
from api.text.concepts import concept_lines, mappings_table, term_lines, unused_verdicts_lines, verdicts_added_lines
from corpus.errors import InputError
from rulestone import options
from rulestone.limits import OFFSETS, USE_LIMITS, parse_int

Named = Annotated[list[str], argument(options.CONCEPT, "REF")]


def compare(
    context: typer.Context,
    what: Annotated[str, typer.Argument(metavar="WHAT", help="zones or topics.")],
    games: Games = None,
    topic: Annotated[str | None, option(options.TOPIC)] = None,
    lang: Lang = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Compare the games by zone or by topic, each statement with the rule that proves it."""
    answer_lang = answer_language(lang)
    if what == "topics":
        topics = library_of(context).topics(games=games, topic=topic, lang=answer_lang, as_of=as_of)
        return print_body(topics, topics_table(topics, terminal_width()), as_json=as_json)
    if what != "zones":
        raise InputError("{given!r} cannot be compared; expected zones or topics", given=what[:40])
    if topic is not None:
        raise InputError("--topic selects a topic; write: compare topics --topic {topic}", topic=topic[:40])
    library = library_of(context)
    zones = library.zones(games=games, lang=answer_lang, as_of=as_of)
    return print_body(zones, zones_table(zones, library.property_labels(), terminal_width()), as_json=as_json)


def concept(context: typer.Context, ref: Named, lang: Lang = None, as_of: AsOf = None, as_json: Json = False) -> None:
    """Show a concept: its names, its properties according to the rules, and its counterparts in other games."""
    library = library_of(context)
    body = library.concept(join_words(ref), lang=answer_language(lang), as_of=as_of)
    print_body(body, concept_lines(body, library.property_labels(), terminal_width()), as_json=as_json)


def term(
    context: typer.Context,
    label: Annotated[list[str], argument(options.LABEL, "LABEL")],
    game: GamesOfGame = None,
    lang: Lang = None,
    book_lang: BookLang = None,
    as_of: AsOf = None,
    limit: Annotated[str | None, option(options.USES)] = None,
    offset: Offset = None,
    as_json: Json = False,
) -> None:
    """Show the names of a term in every game and language, and its uses."""
    first, most = parse_int("offset", offset, OFFSETS), parse_int("limit", limit, USE_LIMITS)
    answer_lang = answer_language(lang, book_lang)
    body = library_of(context).term(
        join_words(label), games=game, lang=answer_lang, book_lang=book_lang, as_of=as_of, limit=most, offset=first
    )
    print_body(body, term_lines(body, terminal_width()), as_json=as_json)


def propose(
    context: typer.Context,
    which: Annotated[str, typer.Argument(metavar="GAME[/BOOK]", help="Slug of a loaded game, or of one of its books.")],
    as_json: Json = False,
    output: Annotated[str | None, typer.Option("-o", "--output", help="Turtle file to write, for a judge to correct.")] = None,
) -> None:
    """Propose the zones of a game without annotations, with the rule and the words for each statement."""
    library = library_of(context)
    if output:
        return write([library.propose_turtle(which)], output)
    body = library.propose(which)
    return print_body(body, proposals_lines(body), as_json=as_json)


def mappings(
    context: typer.Context,
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="A table with verdicts; by default one is printed.")] = None,
    game: GamesOfGame = None,
    prune: Annotated[bool, typer.Option("--prune", help="Drop verdicts on concepts and rules that are no longer loaded.")] = False,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Print the proposed cross-game concepts and counterparts of new books as a table to fill in, or add such a table."""
    library = library_of(context)
    if (file is not None) + bool(game) + prune > 1:
        raise InputError("give either a FILE to add, or --game to filter the printed table, or --prune")
    if file is not None:
        answer_language(lang)
        verdicts_body = library.judge_mappings(file)
        return print_body(verdicts_body, verdicts_added_lines(verdicts_body["added"]), as_json=as_json)
    if prune:
        pruned = library.prune_mappings()
        return print_body(pruned, unused_verdicts_lines(pruned["pruned"]), as_json=as_json)
    body = library.mappings(games=game, lang=answer_language(lang))
    if body["unused"] and not as_json:
        count = ngettext("{count} verdict", "{count} verdicts", len(body["unused"]))
        print_to_stderr(
            gettext(
                "{verdicts} without effect: a concept or rule is no longer loaded; to drop them, run: {command}",
                verdicts=count,
                command="rulestone mappings --prune",
            )
        )
    return print_body(body, mappings_table(body), as_json=as_json)
