"""`get` and `update`: the two commands that use the network. They download books, cards and rulings, after a confirmation."""

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.commands.books import Later
from api.cli.console import print_body, print_lines, print_to_stderr, progress
from api.cli.options import Json, library_of
from api.languages import gettext as _
from api.languages import terminal_language
from api.text.books import added_lines, cards_added_lines
from api.text.publishers import offer_lines, source_lines, update_lines, update_row
from corpus.errors import InputError
from corpus.sources import sources

if TYPE_CHECKING:
    from rulestone.publishers.books import Publishers, SourceResult

Yes = Annotated[bool, typer.Option("--yes", help="Download without asking.")]
_YES_ANSWERS = {"y", "yes", "はい", "是"}


def get(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="GAME|BOOK", help="mtg, mtg/cr, mtg/cards or mtg/rulings; without it, all are listed."),
    ] = None,
    yes: Yes = False,
    later: Later = False,
) -> int:
    """Download the newest edition of a book from its publisher, or a game's cards or rulings, and add them. Uses the network."""
    if name is None:
        print_lines(source_lines(sources()))
        return 0
    from rulestone.publishers.books import Publishers, sources_of

    matches = sources_of(name)
    without_download = [source for source in matches if not source.is_downloadable]
    print_lines(source_lines(without_download))
    library = library_of(context)
    publishers = Publishers(library)
    results = [publishers.check_offer(source) for source in matches if source.is_downloadable]
    todo = [each for each in results if each.offer and not each.offer.known]
    print_lines(line for each in results if each.offer for line in offer_lines(each.offer))
    is_confirmed = bool(todo) and (yes or _confirm_download())
    if is_confirmed:
        _add(publishers, todo, later=later)
        bodies = [each.added for each in todo if each.added]
        print_lines(line for body in bodies for line in added_lines(body, verbose=False))
        print_lines(line for each in todo if each.cards for line in cards_added_lines(each.cards))
        print_lines(filter(None, [library.missing_search_parts() if bodies else None]))
    return max(_print_errors(results), 1 if len(without_download) == len(matches) or (todo and not is_confirmed) else 0)


def update(
    context: typer.Context,
    check: Annotated[
        bool, typer.Option("--check", help="Only check: add nothing, and exit with 1 if there is a newer edition.")
    ] = False,
    yes: Yes = False,
    later: Later = False,
    as_json: Json = False,
) -> int:
    """Ask the publishers of the loaded books for newer editions and add them. Uses the network; in cron, use --yes."""
    from rulestone.publishers.books import Publishers

    library = library_of(context)
    publishers = Publishers(library)
    results = [
        publishers.check_offer(source) for source in sources() if source.is_downloadable and publishers.loaded_edition(source)
    ]
    newer = [each for each in results if each.offer and each.offer.is_newer]
    if newer and not check and not yes:
        for line in (line for each in newer if each.offer for line in offer_lines(each.offer)):
            print_to_stderr(line)
    is_confirmed = bool(newer) and not check and (yes or _confirm_download())
    if is_confirmed:
        _add(publishers, newer, later=later, only_newer=True)
    rows = [update_row(each, library, terminal_language()) for each in results]
    print_body({"books": rows}, update_lines(rows), as_json=as_json)
    return max(_print_errors(results), 1 if newer and not is_confirmed else 0)


def _confirm_download() -> bool:
    """Asks whether to download. Raises InputError without a terminal."""
    if not (sys.stdin and sys.stdin.isatty()):
        raise InputError("cannot ask for confirmation without a terminal; use --yes")
    print_to_stderr(_("Download and add? [y/N]"))
    return sys.stdin.readline().strip().casefold() in _YES_ANSWERS


def _add(publishers: "Publishers", todo: Sequence["SourceResult"], *, later: bool, only_newer: bool = False) -> None:
    with progress() as report:
        downloading = _("downloading")
        for each in todo:
            publishers.add(
                each, lambda done, total: report(done, total or done, downloading), report, later=later, only_newer=only_newer
            )


def _print_errors(results: Iterable["SourceResult"]) -> int:
    """Prints the errors, one per line; returns the exit code."""
    faults = [each.fault for each in results if each.fault]
    for fault in faults:
        print_to_stderr(f"rulestone: {fault.in_language(terminal_language())}")
    return max((fault.exit_code for fault in faults), default=0)
