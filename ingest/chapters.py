"""Reads a folder with a file for each chapter as one book: its texts are joined in the order of the file names."""

import re
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import PurePath

from corpus.errors import InputError
from ingest.lines import layout_of
from ingest.pipeline import parse
from ingest.read.document import Document
from ingest.recognise import Hints, recognise
from ingest.split.block import cue
from ingest.split.headings import rank

SUFFIXES = {"markdown": ".md", "html": ".md", "rst": ".rst", "text": ".txt", "pdf": ".txt"}
"""Suffix of the joined text, by the kind of the chapter files: for HTML and PDF, the extracted text is joined."""
_MAX_AGAIN = 0.2
"""Share of repeated numbers above which the files are separate books or editions."""
_NUMBER = re.compile(r"\d+|(?<=第)[〇零一二三四五六七八九十百]{1,5}|^[一二三四五六七八九十百]{1,5}(?=[、.．\s_-])")

Order = tuple[tuple[int, int, str], ...]


def reading_order(path: PurePath) -> Order:
    """Sort key of a chapter file: `2-ropes` before `10-bells`, 第九章 before 第十章, a preface before all chapters."""
    return tuple(part for name in (*path.parts[:-1], path.name.split(".")[0]) for part in _parts(name))


def _parts(name: str) -> list[tuple[int, int, str]]:
    if cue("preface").match(name):
        return [(0, 0, name)]
    parts, at = list[tuple[int, int, str]](), 0
    for match in _NUMBER.finditer(name):
        parts += [(2, 0, name[at : match.start()])] * (match.start() > at)
        parts.append((1, rank(match[0]), ""))
        at = match.end()
    return [*parts, (2, 0, name[at:])]


def joined(documents: Sequence[Document], name: str, hints: Hints) -> tuple[Document, Hints] | None:
    """The chapters of one book, in their order, as one document called `name`, with its hints.

    None if the files are separate books or editions: most are recognised individually, they are of several kinds, or they can be
    read individually and have the same numbers. Raises InputError if the joined text is no rulebook, or if its game is unknown.
    """
    if len(documents) < 2 or len({SUFFIXES[document.media] for document in documents}) > 1:
        return None
    alone = [edition for document in documents if (edition := _edition(document, hints))]
    editions = [edition for edition in alone if not edition.startswith("x-")]
    if len(set(editions)) > 1 or 2 * len(editions) >= len(documents):
        return None
    text = "\n\n".join(document.text for document in documents)
    media = {".md": "markdown", ".rst": "rst"}.get(SUFFIXES[documents[0].media], "text")
    name += SUFFIXES[documents[0].media]
    book = Document(name, sha256(text.encode()).hexdigest(), media, "utf-8", text)
    told = replace(hints, edition=hints.edition or next(iter(editions), None))
    numbers = [node.locator for reading in parse(book, told) for node in reading.nodes if node.number]
    again = sum(".dup" in number for number in numbers)
    return None if alone and again > _MAX_AGAIN * len(numbers) else (book, told)


def _edition(document: Document, hints: Hints) -> str | None:
    """The edition of a file, if the file can be read individually."""
    try:
        return recognise(document, layout_of(document.text), hints).key.edition
    except InputError:
        return None
