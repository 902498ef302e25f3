"""Small files that would cost a reader hours or gigabytes. All texts here are invented."""

import zlib
from collections.abc import Callable

from tests.support.pdfs import pdf_file

PAGE = "<html><body><p>1. Row</p><p>1.1. Row the boat.</p>"
SHOWN = b"BT /F 12 Tf 50 700 Td (1.1. Row the boat.) Tj ET\n"


def page(rest: str) -> bytes:
    return (PAGE + rest).encode()


def pdf(content: bytes, pages: int = 1, filters: bytes = b"/FlateDecode") -> bytes:
    """A PDF each of whose pages is the same: what draws it stands in one stream."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%b]/Count %d/MediaBox[0 0 600 800]/Resources<</Font<</F 5 0 R>>>>>>" % (b"3 0 R " * pages, pages),
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R>>",
        b"<</Length %d/Filter[%b]>>\nstream\n%b\nendstream" % (len(content), filters, content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    return pdf_file(objects)


def folded(size: int, times: int = 1) -> bytes:
    """So many bytes of spaces, deflated again and again."""
    data = b" " * size
    for _ in range(times):
        data = zlib.compress(data)
    return data


BOMBS: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "attributes": ("a.html", lambda: (PAGE + "<p " + " ".join(f"a{i}=1" for i in range(32_000)) + ">").encode(), "256 attributes"),
    "quoted ends": (
        "a.html",
        lambda: (PAGE + "<p " + "".join(f'a{i}=">"' for i in range(32_000)) + ">").encode(),
        "256 attributes",
    ),
    "nested": ("a.html", lambda: page("<div>" * 300_000), "512 nested HTML elements"),
    "nested, as if closed": ("a.html", lambda: page("<div/>" * 300_000), "512 nested HTML elements"),
    "pages": ("a.pdf", lambda: pdf(zlib.compress(SHOWN * 400), 3_000), "has 3,000 pages, the limit is 2,000"),
    "empty pages": ("a.pdf", lambda: pdf(zlib.compress(b""), 200_000), "has 200,000 pages"),
    "unfolding": ("a.pdf", lambda: pdf(folded(300 * 2**20)), "expands to more than 268,435,456 bytes"),
    "long text": ("a.txt", lambda: b"1.1. Row the boat to the shore.\n" * (60 * 2**15), "a text of more than 8,000,000 characters"),
    "digits": ("a.txt", lambda: b"1. Row\n1.1. " + b"7" * 10_000 + b" boats.\n", "a number of 10,000 digits"),
}
"""Name → file name, contents, what is said of it; each at the size at which it does harm."""
