"""The text of HTML and PDF files; files that are too costly for a parser are refused before parsing.

Offsets refer to the extracted text, not to the bytes of the file.
"""

import re
import zlib
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from corpus.errors import InputError
from ingest.read import limits
from ingest.read.limits import refuse_length

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


DROPPED_ELEMENTS = {"head", "script", "style", "nav", "noscript", "template", "svg", "rt", "rp", "-comment"}  # rt: furigana
BLOCK_ELEMENTS = {"address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "div", "dl", "dt"}
BLOCK_ELEMENTS |= {"fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "main", "p", "section", "summary"}
BLOCK_ELEMENTS |= {"table", "tbody", "td", "tfoot", "th", "thead", "tr"}
HEADING_MARKS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
LIST_ELEMENTS = {"ul", "ol", "menu", "dir"}
_WIDE_BREAK = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])[ \t]*[\r\n]\s*(?=[\u3000-\u9fff\uff00-\uffef])")
_SPACES = re.compile(r"[ \t\r\n\f]+")  # not NBSP and not the ideographic space, which are intentional
_CREATED = re.compile(r"(?:D:)?((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
_OWN_NUMBER = re.compile(r"[(（]?(?:\d+(?:[.．-]\d+)+[a-z]?[.．]?|\d+[a-z]?[.．)）、])")


class _Writer:
    """A builder of lines. A block starts with the prefix of its first line and ends with a blank line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.lists: list[str] = []
        self.pending = ""
        self.prefix = ""
        self.pre = 0

    def add(self, text: str) -> None:
        self.pending += text if self.pre else _SPACES.sub(" ", _WIDE_BREAK.sub("", text))

    def flush(self) -> None:
        """Ends a line, without a blank line after it."""
        text = self.pending.strip("\r\n") if self.pre else _SPACES.sub(" ", self.pending).strip(" ")
        self.pending = ""
        if text:
            bullet = self.prefix.endswith("- ") and self.lists[-1:] == ["ol"] and _OWN_NUMBER.match(text)
            self.lines.append((self.prefix[:-2] if bullet else self.prefix) + text)
            self.prefix = "  " * len(self.lists)

    def end_block(self) -> None:
        """Ends a line and a block."""
        self.flush()
        if self.lines and self.lines[-1] and not self.prefix.endswith("- "):
            self.lines.append("")


def html_text(html: str) -> str:
    r"""Returns the text of an HTML page as Markdown lines that end with "\n".

    Blocks are lines with a blank line between them; `<hN>` is N "#" and its title; `<li>` is "- " with two spaces of indent per
    depth, but in `<ol>` a number in the text replaces the dash; a data table is a pipe table and `<br>` a line end. Head,
    navigation, scripts, styles and furigana are dropped; an image becomes its alternative text.
    """
    from selectolax.lexbor import LexborHTMLParser

    writer = _Writer()
    root = LexborHTMLParser(html).root
    stack: list[tuple[LexborNode, bool]] = [(root, True)] if root else []
    while stack:  # not recursive: pages nest deeper than Python does
        node, opening = stack.pop()
        if not opening:
            _close_element(writer, node.tag or "")
        elif node.tag not in DROPPED_ELEMENTS:
            children = _open_element(writer, node)
            stack.append((node, False))
            stack.extend((child, True) for child in reversed(children))
    writer.end_block()
    return "\n".join(writer.lines).rstrip("\n")


def _open_element(writer: _Writer, node: "LexborNode") -> list["LexborNode"]:
    """Begins a node and returns the children that are still to be read."""
    tag = node.tag or ""
    if tag == "-text":
        writer.add(node.text_content or "")
    elif tag == "br":
        _break_line(writer)
    elif tag == "img":
        writer.add(node.attributes.get("alt") or "")
    elif tag == "table" and (rows := _rows(node)):
        writer.end_block()
        writer.lines += [*rows, ""]
        return []
    else:
        _begin_element(writer, tag)
    return list(node.iter(include_text=True))


def _begin_element(writer: _Writer, tag: str) -> None:
    if tag in LIST_ELEMENTS:
        writer.flush() if writer.lists else writer.end_block()
        writer.lists.append(tag)
    elif tag == "li":
        writer.flush()
        writer.prefix = "  " * max(0, len(writer.lists) - 1) + "- "
    elif tag in HEADING_MARKS:
        writer.end_block()
        writer.prefix = HEADING_MARKS[tag]
    elif tag in BLOCK_ELEMENTS:
        writer.end_block()
    elif tag == "pre":
        writer.end_block()
        writer.pre += 1


def _close_element(writer: _Writer, tag: str) -> None:
    if tag in LIST_ELEMENTS:
        writer.flush()
        writer.lists.pop()
        writer.prefix = "  " * len(writer.lists)
        if not writer.lists:
            writer.end_block()
    elif tag == "li":
        writer.flush()
        writer.prefix = "  " * len(writer.lists)
    elif tag in BLOCK_ELEMENTS or tag in HEADING_MARKS or tag == "pre":
        writer.end_block()
        writer.prefix = writer.prefix if writer.prefix.endswith("- ") else "  " * len(writer.lists)
        writer.pre -= tag == "pre"


def _break_line(writer: _Writer) -> None:
    if writer.prefix.startswith("#"):
        writer.pending += " "  # a heading is one line
    elif writer.pre:
        writer.pending += "\n"
    else:
        writer.flush()


def _rows(table: "LexborNode") -> list[str]:
    """Returns a table's lines, its caption first; nothing for a layout table."""
    if len(table.css("table")) > 1 or table.css("h1,h2,h3,h4,h5,h6"):
        return []
    rows = [[_cell(cell) for cell in row.css("td,th")] for row in table.css("tr")]
    width = max(map(len, rows), default=0)
    if width < 2:
        return []
    lines = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in rows]
    caption = [text for each in table.css("caption") for text in (_cell(each), "")]
    return [*caption, lines[0], "|" + " --- |" * width, *lines[1:]]


def _cell(node: "LexborNode") -> str:
    inner = html_text(f"<body>{node.inner_html or ''}")
    return _SPACES.sub(" ", inner).strip().replace("|", r"\|")


def pdf_text(data: bytes, name: str) -> str:
    r"""Returns a PDF's text layer, lines separated by "\n", pages by "\n\f".

    Raises InputError for a truncated, encrypted or broken file and for a scan, which has no text layer.
    """
    if b"%%EOF" not in data[-4096:]:  # pdfium repairs a truncated file and silently omits its last pages
        raise InputError("{file}: the PDF is cut off (its end mark %%EOF is missing); copy or download it again", file=name)
    refuse_undecodable_streams(data, name)
    pages = list(_pages(data, name))
    if not any(page.strip() for page in pages):
        raise InputError(
            "{file}: the PDF has no text layer on any of its {pages} pages (a scan?);"
            " run text recognition (for example ocrmypdf) on it, or give the rules as a text file",
            file=name,
            pages=len(pages),
        )
    return "\n\f".join(pages)


def pdf_created(data: bytes) -> str:
    """The creation date (ISO) of a PDF from its metadata; "" if it is missing."""
    import pypdfium2

    with closing(pypdfium2.PdfDocument(data)) as document:
        metadata = document.get_metadata_dict()
    match = _CREATED.match(metadata.get("CreationDate") or metadata.get("ModDate") or "")
    return "-".join(match.groups()) if match else ""


def _pages(data: bytes, name: str) -> Iterator[str]:
    import pypdfium2

    from ingest.read.pages import ordered_text

    characters = 0
    try:
        with closing(pypdfium2.PdfDocument(data)) as document:
            refuse_many(len(document), name)
            for number in range(len(document)):
                with closing(document[number]) as page, closing(page.get_textpage()) as layer:
                    characters += layer.count_chars()
                    refuse_length(characters, name)
                    yield _lines(ordered_text(layer, layer.get_text_range()))
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise InputError("{file}: the PDF is encrypted; save it without a password and give it again", file=name) from None
        raise InputError("{file}: the PDF is damaged and cannot be opened; copy or download it again", file=name) from None


def _lines(text: str) -> str:
    # pdfium replaces the hyphen and line break in a hyphenated word by U+FFFE; the page shows a hyphen and a new line, and so do
    # we.
    return re.sub("[\ufffe\x02]\n?", "-\n", text).replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")


_STREAM = re.compile(rb"(?<!end)stream\r?\n")
_ENCRYPTED = re.compile(rb"/Encrypt[ \r\n]")
_DEFLATED = re.compile(rb"/Filter[ \r\n]*\[?[ \r\n]*/(?:FlateDecode|Fl)\b[^\0]{0,4000}\Z")
_LONGEST_DICTIONARY = 4_000
_DECOMPRESSION_STEP = 2**20


def refuse_undecodable_streams(data: bytes, name: str) -> None:
    """Raises InputError if a compressed stream is damaged, or expands beyond `limits.READ_LIMITS`.

    pdfium omits the text of a damaged stream without an error.
    """
    end, is_encrypted = 0, bool(_ENCRYPTED.search(data))
    for match in _STREAM.finditer(data):
        if match.start() < end:  # the keyword, inside compressed data
            continue
        size, after = _expanded_size(data, match.end())
        if size > limits.READ_LIMITS.unfolded:
            raise InputError(
                "{file}: a stream of the PDF expands to more than {most:,.0f} bytes; give the rules as a plain text file",
                file=name,
                most=limits.READ_LIMITS.unfolded,
            )
        if after is None and not is_encrypted and _is_deflated(data, end, match.start()):
            raise InputError(
                "{file}: the PDF is damaged: its data at byte {byte:,} cannot be decoded; copy or download it again",
                file=name,
                byte=match.end(),
            )
        end = after or match.end()


def _is_deflated(data: bytes, after: int, stream: int) -> bool:
    """Whether the dictionary before a stream says that it is deflated; `after` is the end of the stream before."""
    start = max(after, stream - _LONGEST_DICTIONARY)
    return bool(_DEFLATED.search(data[max(start, data.rfind(b" obj", start, stream)) : stream]))


def _expanded_size(data: bytes, start: int) -> tuple[int, int | None]:
    """The expanded size of a stream up to the limit, and its end; no end if it does not decode."""
    unfolding, size, place = zlib.decompressobj(), 0, start
    try:
        while not unfolding.eof and size <= limits.READ_LIMITS.unfolded and place < len(data):
            part = unfolding.decompress(data[place : place + _DECOMPRESSION_STEP // 1024], _DECOMPRESSION_STEP)
            size += len(part)
            place += _DECOMPRESSION_STEP // 1024 - len(unfolding.unconsumed_tail)
    except zlib.error:
        return size, None
    return size, place - len(unfolding.unused_data)


def refuse_many(pages: int, name: str) -> None:
    """Raises InputError for more pages than `limits.READ_LIMITS` allows."""
    if pages > limits.READ_LIMITS.pages:
        raise InputError(
            "{file}: the PDF has {pages:,} pages, the limit is {most:,.0f}; split it into one file per book",
            file=name,
            pages=pages,
            most=limits.READ_LIMITS.pages,
        )


_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<raw>script|style|textarea|title)\b.*?(?:</(?P=raw)|\Z)"
    r"""|<(?P<tag>/?[a-z][^\s/>]*+)(?P<rest>(?>(?:[^>"']++|"[^"]*+"|'[^']*+')*))""",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE_VALUE_OR_SPACE = re.compile(r"\"[^\"]*\"|'[^']*'|[\s/]+")
_FOREIGN_ELEMENTS = {"svg", "math"}  # only in these is a tag that ends with "/>" closed
_VOID_ELEMENTS = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
_VOID_ELEMENTS |= {"html", "head", "body", "li", "dt", "dd", "p", "rt", "rp", "optgroup", "option", "colgroup"}
_VOID_ELEMENTS |= {"thead", "tbody", "tfoot", "tr", "td", "th"}
"""Elements without an end tag, and those whose end tag is optional, which nest only with other elements between them."""


def refuse_deep_nesting(html: str, name: str) -> None:
    """Raises InputError for more attributes on an element, or elements inside one another, than `limits.READ_LIMITS`."""
    depth, foreign = 0, False
    for tag, rest in _tags(html):
        closing, element = tag.startswith("/"), tag.lstrip("/").lower()
        foreign = not closing if element in _FOREIGN_ELEMENTS else foreign
        if element not in _VOID_ELEMENTS and not (foreign and rest.endswith("/")):
            depth = max(0, depth - 1) if closing else depth + 1
        if depth > limits.READ_LIMITS.depth:
            raise InputError(
                "{file}: has more than {most:,.0f} nested HTML elements; give the rules as a plain text file",
                file=name,
                most=limits.READ_LIMITS.depth,
            )
        if _attribute_count(rest) > limits.READ_LIMITS.attributes:
            raise InputError(
                "{file}: has an HTML element with more than {most:,.0f} attributes; give the rules as a plain text file",
                file=name,
                most=limits.READ_LIMITS.attributes,
            )


def _tags(html: str) -> Iterator[tuple[str, str]]:
    for match in _TAG.finditer(html):
        if match["tag"]:
            yield match["tag"], match["rest"]


def _attribute_count(tag_text: str) -> int:
    if len(tag_text) <= 2 * limits.READ_LIMITS.attributes:  # each takes at least a letter and a space
        return 0
    return len(_ATTRIBUTE_VALUE_OR_SPACE.sub(" ", tag_text).split())
