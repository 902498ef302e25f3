"""`search`, `ask`, `rulings`, `grounds`, `cards` and `verify`: questions, rulings, cards, and citations in a text."""

import json
from pathlib import Path
from typing import Annotated

import typer

from api.cli.console import print_body, print_to_stderr, progress, read_text, terminal_width, write, write_report, write_to_stdout
from api.cli.options import (
    AsOf,
    BookLang,
    Game,
    GamesOfGame,
    Json,
    Lang,
    Offset,
    QuestionGames,
    SarifFile,
    answer_language,
    argument,
    join_words,
    library_of,
    option,
)
from api.languages import ngettext
from api.text.books import cards_added_lines, judgements_added_lines
from api.text.rulings import card_lines, grounds_table, ruling_lines
from api.text.search import ask_lines, search_lines
from api.text.verify import fix_line, gate_lines, line_start_offsets, verify_lines
from corpus.errors import InputError
from rulestone import options
from rulestone.limits import HIT_LIMITS, OFFSETS, RULING_LIMITS, parse_int

_CARD_FILES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".yaml", ".yml")
"""Suffixes of files of cards; no card's name has one."""
_FAILING_STATUSES = {
    "wrong": ("misquoted", "not_found"),
    "stale": ("edited", "moved", "reused"),
    "unchecked": ("unchecked", "ambiguous"),
}
"""Groups of `--fail-on` → statuses of citations."""
_DOUBTFUL = "doubtful"
"""The group of `--fail-on` of citations whose words are about another rule: a guess, which fails only if it is asked for."""
_MAX_BATCH_BYTES = 64 << 20
"""Maximum number of bytes of a text to verify, and of a batch."""


def search(
    context: typer.Context,
    query: Annotated[list[str] | None, argument(options.QUERY, "QUERY")] = None,
    game: QuestionGames = None,
    lang: Lang = None,
    book_lang: BookLang = None,
    as_of: AsOf = None,
    limit: Annotated[str | None, option(options.LIMIT.within(HIT_LIMITS))] = None,
    batch: Annotated[
        str | None, typer.Option("--batch", metavar="FILE", help="JSON Lines file of queries, instead of QUERY.")
    ] = None,
    kind: Annotated[str | None, option(options.HIT_KIND)] = None,
    as_json: Json = False,
) -> int:
    """Search the rules and rulings of every game by meaning, in any language; exit 1 if no rule is certain enough."""
    library = library_of(context)
    if batch is not None:
        if query:
            raise InputError("give either QUERY or --batch FILE, which contains queries")
        if kind is not None:
            raise InputError("--kind needs a QUERY; --batch returns both rules and rulings")
        if as_of is not None:
            raise InputError("--as-of needs a QUERY; --batch searches the current library")
        lines = read_text(batch, _MAX_BATCH_BYTES).split("\n")
        answers = library.batch(lines, name=batch, games=game, lang=lang, book_lang=book_lang, limit=limit)
        write_to_stdout(json.dumps(answer, ensure_ascii=False) for answer in answers)
        return 0
    answer_language(lang, book_lang)
    most = parse_int("limit", limit, HIT_LIMITS)
    body = library.search(" ".join(query or ()), games=game, lang=lang, book_lang=book_lang, as_of=as_of, limit=most, kind=kind)
    print_body(body, search_lines(body, terminal_width()), as_json=as_json)
    return 1 if body["abstained"] else 0


def ask(
    context: typer.Context,
    query: Annotated[list[str], argument(options.QUERY, "QUESTION")],
    game: QuestionGames = None,
    lang: Lang = None,
    as_of: AsOf = None,
    phrase: Annotated[
        bool, typer.Option("--phrase", help="Let the model of RULESTONE_LLM write prose; only proven sentences are shown.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Answer a question in the words of rules, each with its rule and position; exit 1 if no rule is certain enough."""
    answer_language(lang)
    body = library_of(context).ask(" ".join(query), games=game, lang=lang, as_of=as_of, phrase=phrase)
    print_body(body, ask_lines(body, terminal_width()), as_json=as_json)
    return 1 if body["abstained"] else 0


def rulings(
    context: typer.Context,
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="REF|CARD|QUERY", help="A rule, a card's name or a question; by default all, the newest first."),
    ] = None,
    changed: Annotated[bool, option(options.CHANGED, "--changed")] = False,
    game: GamesOfGame = None,
    source: Annotated[str | None, option(options.RULINGS_SOURCE)] = None,
    as_of: AsOf = None,
    lang: Lang = None,
    limit: Annotated[str | None, option(options.LIMIT.within(RULING_LIMITS))] = None,
    offset: Offset = None,
    as_json: Json = False,
) -> int:
    """Show the rulings that rest on a rule, are about a card, or answer a question; exit 1 if there are none."""
    if what and what[0] == "add" and len(what) > 1 and Path(what[-1]).suffix:
        raise InputError("add rulings like books: rulestone add {files} --game GAME", files=" ".join(what[1:]))
    library, answer_lang = library_of(context), answer_language(lang)
    body = library.rulings(
        join_words(what) if what else None,
        games=game,
        source=source,
        changed=True if changed else None,
        as_of=as_of,
        lang=answer_lang,
        limit=parse_int("limit", limit, RULING_LIMITS),
        offset=parse_int("offset", offset, OFFSETS),
    )
    print_body(body, ruling_lines(body, answer_lang or library.lang, terminal_width()), as_json=as_json)
    return 0 if body["total"] else 1


def grounds(
    context: typer.Context,
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="A curator's table to add; by default one is printed.")] = None,
    game: GamesOfGame = None,
    below: Annotated[str | None, typer.Option(help="Only proposals with a confidence below this number, 0.5 by default.")] = None,
    as_json: Json = False,
) -> None:
    """Print uncertain links from rulings to rules as a table to fill in, or add such a table with verdicts."""
    library = library_of(context)
    if file is not None:
        if game or below:
            raise InputError("give either a FILE to add, or --game and --below to filter the printed table")
        with progress() as report:
            judgements_body = library.judge(file, progress=report)
        return print_body(judgements_body, judgements_added_lines(judgements_body), as_json=as_json)
    try:
        threshold = None if below is None else float(below)
    except ValueError:
        raise InputError("below {given}: expected a probability from 0 to 1", given=below) from None
    body = library.grounds(below=threshold, games=game)
    return print_body(body, grounds_table(body), as_json=as_json)


def cards(
    context: typer.Context,
    what: Annotated[list[str], typer.Argument(metavar="FILE|NAME", help="A file of cards to add, or a card's name.")],
    game: Game = None,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Add a file of cards so that questions can name them, or look up a card by its name in any language."""
    library, name_or_file, answer_lang = library_of(context), join_words(what), answer_language(lang)
    if name_or_file.lower().endswith(_CARD_FILES) or Path(name_or_file).is_file():
        with progress() as report:
            added_body = library.add_cards(name_or_file, game=game, progress=report)
        return print_body(added_body, cards_added_lines(added_body), as_json=as_json)
    body = library.cards(name_or_file, games=game, lang=answer_lang)
    return print_body(body, card_lines(body, terminal_width()), as_json=as_json)


def verify(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FILE|-", help="A text; - reads standard input.")],
    game: Annotated[str | None, option(options.CITED_GAME)] = None,
    as_of: Annotated[str | None, option(options.CITED_AS_OF)] = None,
    lang: Lang = None,
    sarif: SarifFile = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Print the text with the unproven parts marked; also exit 1 if nothing is cited.")
    ] = False,
    fixed: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write a copy with today's numbers, where the move is certain.")
    ] = None,
    allowed: Annotated[str | None, option(options.ALLOWED, metavar="FILE|-", note="One a line.")] = None,
    fail_on: Annotated[
        str,
        typer.Option(metavar="LIST", help="Findings that cause exit code 1: any of wrong, stale, unchecked and doubtful, or none."),
    ] = ",".join(_FAILING_STATUSES),
    as_json: Json = False,
) -> int:
    """Check every citation and quotation of a text against the loaded rules; exit 1 if one is wrong."""
    answer_language(lang)
    groups = [name.strip() for name in fail_on.split(",") if name.strip() not in ("", "none")]
    if unknown := [name for name in groups if name not in (*_FAILING_STATUSES, _DOUBTFUL)]:
        unknown_names, known_names = ", ".join(unknown)[:60], ", ".join((*_FAILING_STATUSES, _DOUBTFUL))
        raise InputError("--fail-on {given!r}: expected any of {groups}", given=unknown_names, groups=known_names)
    if source == allowed == "-":
        raise InputError("standard input can be the text or the list of --allowed, not both; give one of them as a file")
    library, text = library_of(context), read_text(source, _MAX_BATCH_BYTES)
    refs = None if allowed is None else read_text(allowed, _MAX_BATCH_BYTES).split("\n")
    rule_refs = None if refs is None else [ref.strip() for ref in refs if ref.strip()]
    body = library.verify(text, game=game, as_of=as_of, lang=lang, strict=strict, allowed=rule_refs)
    if sarif:
        from api.encoding import encode
        from api.sarif import verification_log

        write_report([encode(verification_log(body, text, None if source == "-" else source)), b"\n"], sarif)
    if fixed:
        write([library.apply_fixes(text, body).encode()], fixed)
        starts = line_start_offsets(text)
        for fix in body["fixes"]:
            print_to_stderr(fix_line(fix, starts, source))
        fix_note = ngettext(
            "{count} number changed in {file}; check it with: --as-of latest",
            "{count} numbers changed in {file}; check it with: --as-of latest",
            len(body["fixes"]),
            file=fixed,
        )
        print_to_stderr(fix_note)
    print_body(body, gate_lines(body) if strict else verify_lines(body, text, source, terminal_width()), as_json=as_json)
    if strict:
        return 0 if body["gate"]["verdict"] == "proven" else 1
    if _DOUBTFUL in groups and any(citation["fit"] == _DOUBTFUL for citation in body["citations"]):
        return 1
    return int(any(body["counts"][status] for name in groups for status in _FAILING_STATUSES.get(name, ())))
