"""PDF files with words at chosen places, in any script, for tests of the reader."""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, slots=True)
class Words:
    """Words at a place of a page; lengths in points of 1/72 inch, from the lower left corner."""

    x: float
    y: float
    text: str
    size: float = 9.0


# Identity-H: a code is two bytes, and means the UTF-16 code unit of the same value. Latin letters are half as wide as others.
_TO_UNICODE = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Same def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0000> <FFFF> <0000> endbfrange
endcmap CMapName currentdict /CMap defineresource pop end end"""
_FONT = (
    b"<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H /ToUnicode 3 0 R /DescendantFonts [<< /Type /Font"
    b" /Subtype /CIDFontType2 /BaseFont /Any /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
    b" /DW 1000 /W [0 255 500] /FontDescriptor << /Type /FontDescriptor /FontName /Any /Flags 4 /FontBBox [0 -200 1000 800]"
    b" /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>] >>"
)


def pdf_of(pages: Iterable[Sequence[Words]], *, is_compressed: bool = True, info: bytes = b"", trailer: bytes = b"") -> bytes:
    """A PDF of A4 pages that draws the words of each in the given order; `info` describes it, `trailer` is added to its end."""
    contents = [b"\n".join(_text_operators(words) for words in page) for page in pages]
    kids = b" ".join(b"%d 0 R" % (5 + 2 * number) for number in range(len(contents)))
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(contents)),
        _stream(_TO_UNICODE, is_compressed=is_compressed),
        _FONT,
    ]
    for number, page in enumerate(contents):
        resources = b"<< /Font << /F 4 0 R >> >>"
        bodies.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources %s /Contents %d 0 R >>" % (resources, 6 + 2 * number)
        )
        bodies.append(_stream(page, is_compressed=is_compressed))
    if info:
        bodies.append(b"<< %s >>" % info)
        trailer += b" /Info %d 0 R" % len(bodies)
    return pdf_file(bodies, trailer)


def pdf_file(bodies: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """A PDF of numbered objects, the first of which is the catalogue."""
    data, places = b"%PDF-1.7\n", list[int]()
    for number, body in enumerate(bodies, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
    end = b"trailer << /Root 1 0 R /Size %d %s >>\nstartxref\n%d\n%%%%EOF" % (len(bodies) + 1, trailer, len(data))
    return data + head + table + end


def page_lines(lines: Iterable[str], x: float = 60.0, top: float = 780.0, leading: float = 12.0) -> list[Words]:
    """Lines one below the other."""
    return [Words(x, top - leading * place, line) for place, line in enumerate(lines) if line]


def paginated(lines: Sequence[str], length: int = 50) -> list[list[Words]]:
    """Pages of lines one below the other, `length` on each."""
    return [page_lines([line for _, line in page]) for _, page in groupby(enumerate(lines), lambda each: each[0] // length)]


def _text_operators(words: Words) -> bytes:
    hex_text = words.text.encode("utf-16-be").hex().encode()
    return b"BT /F %g Tf 1 0 0 1 %g %g Tm <%s> Tj ET" % (words.size, words.x, words.y, hex_text)


def _stream(data: bytes, *, is_compressed: bool) -> bytes:
    packed = zlib.compress(data) if is_compressed else data
    filters = b"/Filter /FlateDecode " if is_compressed else b""
    return b"<< %s/Length %d >>\nstream\n%s\nendstream" % (filters, len(packed), packed)
