"""From a file to readings: read → split → number → cite. One file may hold several books."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from corpus.address import EditionKey
from corpus.catalogue import Book, Grammar, catalogue
from corpus.errors import InputError
from corpus.memory import without_gc
from corpus.model import Authority, Reading, Span
from ingest.cite import cited
from ingest.dates import iso
from ingest.fit import blocks_of
from ingest.lines import Layout, Line, layout_of, title_in
from ingest.outline import Outline, Outliner
from ingest.read.document import Document, document, is_simple, read, shown
from ingest.read.sandbox import apart
from ingest.recognise import Hints, Recognised, recognise
from ingest.split.block import Block
from ingest.split.plain import split


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines of a page that quote another book."""

    key: EditionKey
    rules: bool  # numbered rules; otherwise one glossary entry
    lines: tuple[Line, ...]


def parse_file(path: Path, hints: Hints | None = None) -> list[Reading]:
    """The readings of a file. Raises InputError if it is not a rulebook, EnvironmentFault if it cannot be read."""
    return parse(read(path), hints or Hints())


def parse_guarded(data: bytes, path: Path, hints: Hints) -> tuple[Document, list[Reading]]:
    """The readings of an untrusted file; all but short plain text is parsed in a sandboxed process.

    Raises InputError if it is not a rulebook, or exceeds `ingest.read.limits`.
    """

    def work() -> tuple[Document, list[Reading]]:
        decoded = document(data, path)
        return decoded, parse(decoded, hints)

    return work() if is_simple(data, path) else apart(work, shown(path))


def parse(document: Document, hints: Hints) -> list[Reading]:
    """The readings of a decoded document; at least one."""
    layout = layout_of(document.text)
    return parse_as(document, layout, recognise(document, layout, hints))


def parse_as(document: Document, layout: Layout, known: Recognised) -> list[Reading]:
    """The readings of a document that has been recognised."""
    with without_gc():
        return _parse_as(document, layout, known)


def _parse_as(document: Document, layout: Layout, known: Recognised) -> list[Reading]:
    parts = list(_parts(layout, known.book, known.key))
    quoted = {line for part in parts for line in part.lines}
    own = replace(layout, lines=tuple(line for line in layout.lines if line not in quoted)) if parts else layout
    outline = _outline(own, blocks_of(own, known.grammar), known.grammar, known, document)
    plain = layout.text is layout.raw
    own_reading = _reading(document, known, known.key, known.authority, known.grammar, outline, narrow_texts=plain)
    readings = [own_reading._replace(title=title_in(layout))]
    readings += _quotations(document, layout, known, parts)
    if not readings[0].nodes:
        raise InputError("{file}: no rule was found in it; expected numbered rules, or headings with bullets", file=document.name)
    return readings


def _outline(layout: Layout, blocks: Sequence[Block], grammar: Grammar, known: Recognised, document: Document) -> Outline:
    original = known.book.original in ("", known.lang)
    outliner = Outliner(
        layout, grammar, known.lang, known.chapter, original=original, markdown=document.media in ("markdown", "html")
    )
    return outliner.outline(blocks)


def _reading(
    document: Document,
    known: Recognised,
    key: EditionKey,
    authority: Authority,
    grammar: Grammar,
    outline: Outline,
    *,
    narrow_texts: bool = False,
) -> Reading:
    return Reading(
        key=key,
        lang=known.lang,
        authority=authority,
        grammar=grammar.slug,
        file=document.name,
        sha256=document.sha256,
        nodes=cited(outline.nodes, grammar, narrow_texts=narrow_texts),
        loose=outline.loose,
        why=tuple(known.why),
        notes=tuple(known.notes),
    )


def _parts(layout: Layout, book: Book, key: EditionKey) -> Iterator[_Part]:
    """The quotations of other books in a page, in order."""
    if not book.embeds:
        return
    end = re.compile("|".join(book.embed_end))
    current: tuple[EditionKey, bool] | None = None
    lines: list[Line] = []
    for index, line in enumerate(layout.lines):
        words = layout.words(index)
        lead = _lead(words, book, key)
        if (lead or end.match(words)) and current and lines:
            yield _Part(*current, tuple(lines))
        if lead or end.match(words):
            current, lines = lead, []
        elif current:
            lines.append(line)
    if current and lines:
        yield _Part(*current, tuple(lines))


def _lead(words: str, book: Book, key: EditionKey) -> tuple[EditionKey, bool] | None:
    for embed in book.embeds:
        match = re.match(embed.lead, words)
        if match:
            game, slug = embed.book.split("/")
            return EditionKey(game, slug, iso(match["date"]) or key.edition), embed.part == "rules"
    return None


def _quotations(document: Document, layout: Layout, known: Recognised, parts: Sequence[_Part]) -> Iterator[Reading]:
    """One reading for each edition that a page quotes."""
    for key in dict.fromkeys(part.key for part in parts):
        book = catalogue().book(key.game, key.book)
        grammar = catalogue().grammars[book.grammar(known.lang) or known.grammar.slug]
        mine = [part for part in parts if part.key == key]
        blocks = [block for part in mine for block in _quoted(layout, part, grammar)]
        sub = replace(layout, lines=tuple(line for part in mine for line in part.lines), furniture=())
        outline = _outline(sub, blocks, grammar, known, document)
        authority = book.authorities.get(known.lang, known.authority)
        yield _reading(document, known, key, authority, grammar, outline)


def _quoted(layout: Layout, part: _Part, grammar: Grammar) -> list[Block]:
    if part.rules:
        return split(replace(layout, lines=part.lines, furniture=()), grammar)
    head, *body = part.lines
    entry = Block("entry", cover=[Span(head.start, head.end)], mark=layout.raw[head.start : head.end])
    for line in body:
        entry.add(line)
    return [entry]
