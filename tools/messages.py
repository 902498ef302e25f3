#!/usr/bin/env python
"""Writes corpus/data/locale/rulestone.pot: every message shown to users.

The translations in the same folder (ja.po, zh_Hans.po, zh_Hant.po) are updated: new messages are added with an empty
translation, obsolete ones are removed. The files have no places and dates, so they change only if a message changes.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

import typer
from babel.messages.catalog import Catalog
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
CATALOGUE = ROOT / "corpus" / "data" / "locale" / "rulestone.pot"
KEYWORDS = (
    *("_", "gettext", "ngettext:1,2", "Message", "message", "plural:1,2"),
    *("RulestoneError", "NotFoundError", "UnknownAddressError", "InputError", "TooLargeError", "TooCostlyError"),
    *(
        "NotAcceptableError",
        "EnvironmentFault",
        "EndpointFault",
        "PublisherFault",
        "BusyError",
        "DamagedError",
        "CompleteStoreError",
    ),
)
LOCALES = ("ja", "zh_Hans", "zh_Hant")
WIDTH = 120


def first_line(file: BinaryIO, *_: object, **__: object) -> Iterator[tuple[int, None, str, list[str]]]:
    """Yields the first line of a violation query, which states the requirement; an extractor for Babel."""
    yield 1, None, file.readline().decode("utf-8").removeprefix("#").strip(), []


def help_texts(*_: object, **__: object) -> Iterator[tuple[int, None, str, list[str]]]:
    """Yields the help of every command and option, and click's headings; an extractor for Babel."""
    sys.path.insert(0, str(ROOT))
    from api.cli.app import application

    group = application([])
    texts = ["Arguments", "Options", "Commands"]
    for command in (group, *group.commands.values()):
        texts += [
            command.help,
            *(line for each in command.get_params(typer.Context(command)) for line in (each.help or "").split("\n")),
        ]
    yield from ((1, None, text, []) for text in dict.fromkeys(texts) if text)


def main(target: Path = CATALOGUE) -> None:
    """Extracts the messages into a file and updates the translations in its folder; an interruption leaves all as they were."""
    target.parent.mkdir(parents=True, exist_ok=True)
    keywords = [word for keyword in KEYWORDS for word in ("--keyword", keyword)]
    options = ["--no-default-keywords", *keywords, "--no-location", "--sort-output", "--omit-header", f"--width={WIDTH}"]
    with TemporaryDirectory(prefix=".messages-", dir=target.parent) as folder:
        fresh = Path(folder) / target.name
        command = ["pybabel", "-q", "extract", "-F", str(ROOT / "babel.cfg"), *options, "-o", str(fresh), str(ROOT)]
        CommandLineInterface().run(command)
        sentences = read(fresh)
        for locale in LOCALES:
            file = target.parent / f"{locale}.po"
            write(fresh.with_name(file.name), updated(read(file), sentences))
        for file in sorted(fresh.parent.iterdir()):
            file.replace(target.parent / file.name)


def read(file: Path) -> Catalog:
    """The catalogue in a file; an empty one if there is no file."""
    locale = file.stem if file.suffix == ".po" else None
    if not file.is_file():
        return Catalog(locale=locale)
    with file.open("rb") as lines:
        return read_po(lines, locale=locale)


def updated(before: Catalog, sentences: Catalog) -> Catalog:
    """Translations limited to these messages; existing ones remain, new messages have empty ones."""
    after = Catalog(locale=before.locale)
    for sentence in sentences:
        if sentence.id:
            known = before.get(sentence.id)
            after.add(sentence.id, known.string if known else "", flags=sentence.flags)
    return after


def write(file: Path, catalog: Catalog) -> None:
    """Writes a catalogue of translations."""
    with file.open("wb") as lines:
        write_po(lines, catalog, width=WIDTH, no_location=True, omit_header=True, sort_output=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
