"""From a file to readings: read → split → number → cite. One file may hold several books.

A folder with a file for each chapter is one book: its texts are joined in the order of the file names.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path, PurePath

from corpus.address import EditionKey
from corpus.catalogue import Book, Grammar, catalogue
from corpus.errors import InputError
from corpus.memory import without_gc
from corpus.model import Authority, Reading, Span
from ingest.cite import with_citations
from ingest.dates import find_day
from ingest.fit import blocks_of, loss_warning
from ingest.lines import Layout, Line, make_layout, title_in
from ingest.outline import OutlinedText, Outliner
from ingest.read.document import Document, displayable_name, is_simple, read, read_document
from ingest.read.limits import refuse_citations
from ingest.read.sandbox import run_sandboxed
from ingest.recognise import Hints, Recognised, recognise
from ingest.split.block import Block, cue_pattern
from ingest.split.headings import number_rank
from ingest.split.plain import split_plain


@dataclass(frozen=True, slots=True)
class _PagePart:
    """Lines of a page that quote another book."""

    key: EditionKey
    rules: bool  # numbered rules; otherwise one glossary entry
    lines: tuple[Line, ...]


def parse_file(path: Path) -> list[Reading]:
    """The readings of a file. Raises InputError if it is not a rulebook, EnvironmentFault if it cannot be read."""
    return parse(read(path), Hints())


def parse_guarded(data: bytes, path: Path, hints: Hints) -> tuple[Document, list[Reading]]:
    """The readings of an untrusted file; all but short plain text is parsed in a sandboxed process.

    Raises InputError if it is not a rulebook, or exceeds `ingest.read.limits`.
    """

    def read_and_parse() -> tuple[Document, list[Reading]]:
        document = read_document(data, path)
        return document, parse(document, hints)

    return read_and_parse() if is_simple(data, path) else run_sandboxed(read_and_parse, displayable_name(path))


def parse(document: Document, hints: Hints) -> list[Reading]:
    """The readings of a decoded document; at least one."""
    layout = make_layout(document.text)
    return parse_as(document, layout, recognise(document, layout, hints))


@without_gc()
def parse_as(document: Document, layout: Layout, recognised: Recognised) -> list[Reading]:
    """The readings of a document that has been recognised."""
    parts = list(_parts(layout, recognised.book, recognised.key))
    quotation_lines = {line for part in parts for line in part.lines}
    own = replace(layout, lines=tuple(line for line in layout.lines if line not in quotation_lines)) if parts else layout
    blocks = blocks_of(own, recognised.grammar)
    if warning := loss_warning(own, blocks):
        recognised.why.append(warning)
        recognised.notes.append(warning)
    outline = _outline(own, blocks, recognised.grammar, recognised, document)
    plain = layout.text is layout.raw
    own_reading = _reading(
        document, recognised, recognised.key, recognised.authority, recognised.grammar, outline, narrow_texts=plain
    )
    readings = [own_reading._replace(title=title_in(layout))]
    readings += _quotation_readings(document, layout, recognised, parts)
    if not readings[0].nodes:
        raise InputError("{file}: no rule was found in it; expected numbered rules, or headings with bullets", file=document.name)
    return readings


def _outline(layout: Layout, blocks: Sequence[Block], grammar: Grammar, recognised: Recognised, document: Document) -> OutlinedText:
    original = recognised.book.original in ("", recognised.lang)
    outliner = Outliner(
        layout, grammar, recognised.lang, recognised.chapter, original=original, markdown=document.media in ("markdown", "html")
    )
    return outliner.outline(blocks)


def _reading(
    document: Document,
    recognised: Recognised,
    key: EditionKey,
    authority: Authority,
    grammar: Grammar,
    outline: OutlinedText,
    *,
    narrow_texts: bool = False,
) -> Reading:
    nodes = with_citations(outline.nodes, grammar, narrow_texts=narrow_texts)
    of_asides = sum(len(aside.cites) for node in nodes for aside in (*node.examples, *node.notes))
    refuse_citations(sum(len(node.cites) for node in nodes) + of_asides, document.name)
    return Reading(
        key=key,
        lang=recognised.lang,
        authority=authority,
        grammar=grammar.slug,
        file=document.name,
        sha256=document.sha256,
        nodes=nodes,
        loose=outline.loose,
        why=tuple(recognised.why),
        notes=tuple(recognised.notes),
    )


def _parts(layout: Layout, book: Book, key: EditionKey) -> Iterator[_PagePart]:
    """The quotations of other books in a page, in order."""
    if not book.embeds:
        return
    end = re.compile("|".join(book.embed_end))
    current: tuple[EditionKey, bool] | None = None
    lines: list[Line] = []
    for index, line in enumerate(layout.lines):
        words = layout.words(index)
        lead = _leading_edition(words, book, key)
        if (lead or end.match(words)) and current and lines:
            yield _PagePart(*current, tuple(lines))
        if lead or end.match(words):
            current, lines = lead, []
        elif current:
            lines.append(line)
    if current and lines:
        yield _PagePart(*current, tuple(lines))


def _leading_edition(words: str, book: Book, key: EditionKey) -> tuple[EditionKey, bool] | None:
    for embed in book.embeds:
        match = re.match(embed.lead, words)
        if match:
            game, slug = embed.book.split("/")
            return EditionKey(game, slug, find_day(match["date"]) or key.edition), embed.part == "rules"
    return None


def _quotation_readings(
    document: Document, layout: Layout, recognised: Recognised, parts: Sequence[_PagePart]
) -> Iterator[Reading]:
    """One reading for each edition that a page quotes."""
    for key in dict.fromkeys(part.key for part in parts):
        book = catalogue().book(key.game, key.book)
        grammar = catalogue().grammars[book.grammar(recognised.lang) or recognised.grammar.slug]
        mine = [part for part in parts if part.key == key]
        blocks = [block for part in mine for block in _quoted_nodes(layout, part, grammar)]
        sub = replace(layout, lines=tuple(line for part in mine for line in part.lines), furniture=())
        outline = _outline(sub, blocks, grammar, recognised, document)
        authority = book.authorities.get(recognised.lang, recognised.authority)
        yield _reading(document, recognised, key, authority, grammar, outline)


def _quoted_nodes(layout: Layout, part: _PagePart, grammar: Grammar) -> list[Block]:
    if part.rules:
        return split_plain(replace(layout, lines=part.lines, furniture=()), grammar)
    head, *body = part.lines
    entry = Block("entry", cover=[Span(head.start, head.end)], mark=layout.raw[head.start : head.end])
    for line in body:
        entry.add(line)
    return [entry]


SUFFIXES = {"markdown": ".md", "html": ".md", "rst": ".rst", "text": ".txt", "pdf": ".txt"}
"""Suffix of the joined text, by the kind of the chapter files: for HTML and PDF, the extracted text is joined."""
_MAX_REPARSES = 0.2
"""Share of repeated numbers above which the files are separate books or editions."""
_NUMBER = re.compile(r"\d+|(?<=第)[〇零一二三四五六七八九十百]{1,5}|^[一二三四五六七八九十百]{1,5}(?=[、.．\s_-])")
Order = tuple[tuple[int, int, str], ...]


def reading_order(path: PurePath) -> Order:
    """Sort key of a chapter file: `2-ropes` before `10-bells`, 第九章 before 第十章, a preface before all chapters."""
    return tuple(part for name in (*path.parts[:-1], path.name.split(".")[0]) for part in _name_parts(name))


def _name_parts(name: str) -> list[tuple[int, int, str]]:
    if cue_pattern("preface").match(name):
        return [(0, 0, name)]
    parts, at = list[tuple[int, int, str]](), 0
    for match in _NUMBER.finditer(name):
        parts += [(2, 0, name[at : match.start()])] * (match.start() > at)
        parts.append((1, number_rank(match[0]), ""))
        at = match.end()
    return [*parts, (2, 0, name[at:])]


def join_chapters(documents: Sequence[Document], name: str, hints: Hints) -> tuple[Document, Hints] | None:
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
    whole_hints = replace(hints, edition=hints.edition or next(iter(editions), None))
    numbers = [node.locator for reading in parse(book, whole_hints) for node in reading.nodes if node.number]
    again = sum(".dup" in number for number in numbers)
    return None if alone and again > _MAX_REPARSES * len(numbers) else (book, whole_hints)


def _edition(document: Document, hints: Hints) -> str | None:
    """The edition of a file, if the file can be read individually."""
    try:
        return recognise(document, make_layout(document.text), hints).key.edition
    except InputError:
        return None
