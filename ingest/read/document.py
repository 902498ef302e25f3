"""Reads a file: bytes, encoding, text. Files that cannot be a rulebook are refused with a one-line error.

Offsets everywhere count code points of `Document.text`. It keeps the line ends of a text file; for HTML and PDF it is the
extracted text (see `ingest.read.formats`), and offsets refer to that text.
"""

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from corpus.errors import EnvironmentFault, InputError
from corpus.messages import message
from ingest.read import limits
from ingest.read.limits import refuse_length


@dataclass(frozen=True, slots=True)
class Document:
    """A decoded source file. Offsets everywhere count code points of `text`, which has no BOM."""

    name: str  # file name without folders
    sha256: str  # of the file's bytes, 64 hex
    media: str  # "text" | "markdown" | "rst" | "html" | "pdf"
    encoding: str  # e.g. "utf-8", "utf-16", "utf-16-le" (no BOM), "cp1252", "shift_jis", "gb18030"; "utf-8" for pdf
    text: str
    created: str = ""  # ISO date in the metadata of a PDF; "" without one


BOMS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
NOT_TEXT_MESSAGE = {
    b"\x89PNG": message("a PNG image"),
    b"\xff\xd8\xff": message("a JPEG image"),
    b"GIF8": message("a GIF image"),
    b"PK\x03\x04": message("a zip archive (or a Word, OpenDocument or EPUB file)"),
    b"\xd0\xcf\x11\xe0": message("an old Word or Excel file"),
    b"{\\rtf": message("an RTF file"),
    b"\x1f\x8b": message("a gzip archive"),
    b"7z\xbc\xaf": message("a 7z archive"),
}
SUFFIXES = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".rst": "rst",
    ".rst.txt": "rst",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
}
WANTED_MESSAGE = message("a rulebook is a text, Markdown, reStructuredText, HTML or PDF file")
_MAX_CODE_UNIT = 4
"""Number of bytes of a character in the widest encoding."""
_MIN_VALID_BYTES = 16  # valid sequences for each lost one that indicate UTF-8, if few were lost
_HTML = re.compile(r"(?>(?:\s|<!--.*?-->|<\?.*?\?>)*)<(?:!doctype\s+html|html[\s>])", re.IGNORECASE | re.DOTALL)
_CONTROL = re.compile("[\0-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f]")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_RST_TITLE = re.compile(r"(?:\A|[\r\n])[^\s=~^*#-].*(?:\r\n|\n|\r)([=~^*#-])\1{2,}[ \t]*(?:[\r\n]|\Z)")
_MAX_DIGIT_RUN = 100
"""Number of digits above which the length of a number is checked."""
_DIGITS = re.compile(rf"\d{{{_MAX_DIGIT_RUN},}}")
_DIGIT = re.compile(r"\d")
_RST_MARK = re.compile(r"(?:\A|[\r\n])\.\. (?:\[|_|[\w-]+::)")


def read(path: Path) -> Document:
    """Reads a rulebook file of at most `READ_LIMITS.file` bytes.

    Raises InputError for a file that cannot be a rulebook (missing, a folder, empty, binary, garbled, too large …), and
    EnvironmentFault without permission to read.
    """
    return read_document(file_bytes(path), path)


def read_document(data: bytes, path: Path) -> Document:
    """Decodes the bytes of a file. Raises InputError as `read` does."""
    name = displayable_name(path)
    is_pdf = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"%PDF-")
    document = _pdf(data, name) if is_pdf else _text(data, name)
    _refuse_unreadable_shape(document)
    return document


def is_simple(data: bytes, path: Path) -> bool:
    """Whether this is a short plain text, which is parsed in linear time without third-party parsers."""
    name, head = path.name.lower(), data[:4096]
    has_markup = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"%PDF-", b"<")) or b"<!" in head or b"<html" in head.lower()
    has_suffix = name.endswith((".rst", ".rst.txt", ".html", ".htm", ".xhtml", ".pdf"))
    return (
        len(data) <= limits.READ_LIMITS.here
        and b"\0" not in data
        and not (has_markup or has_suffix or b"\n.. " in data or b"\r.. " in data)
    )


def decode(data: bytes, name: str) -> tuple[str, str]:
    """Returns the text without BOM and its encoding; `name` is for messages.

    An encoding's name is that of the standard; as on the web, shift_jis, big5 and euc-jp mean the supersets in actual use (so a
    wave dash in Shift-JIS is U+FF5E). Raises InputError for bytes that are not text, or text that was garbled.
    """
    _refuse_binary(data, name)
    text, encoding = _decode_marked(data, name) or _decode_utf8(data) or _decode_detected(data, name)
    text = text.replace("\0", "\ufffd")  # lost as well, so that later steps need not handle NUL
    _refuse_garbled(text, name)
    return text, encoding


def _pdf(data: bytes, name: str) -> Document:
    from ingest.read.formats import pdf_created, pdf_text

    text = pdf_text(data, name)
    _refuse_garbled(text, name)
    return Document(name, hashlib.sha256(data).hexdigest(), "pdf", "utf-8", text, pdf_created(data))


def _text(data: bytes, name: str) -> Document:
    if name.lower().endswith(".pdf") and data:
        raise InputError(
            '{file}: not a PDF, although its name says so (it should begin with "%PDF-"); {wanted}',
            file=name,
            wanted=WANTED_MESSAGE,
        )
    refuse_length(len(data) // _MAX_CODE_UNIT, name)  # before its encoding is detected
    text, encoding = decode(data, name)
    refuse_length(len(text), name)
    media = _media_kind(text, name)
    if media == "html":
        from ingest.read.formats import html_text, refuse_deep_nesting

        refuse_deep_nesting(text, name)
        text = html_text(text)
    return Document(name, hashlib.sha256(data).hexdigest(), media, encoding, text)


def _media_kind(text: str, name: str) -> str:
    if _HTML.match(text[:4096]):
        return "html"
    kinds = [media for suffix, media in SUFFIXES.items() if name.lower().endswith(suffix)]
    return kinds[-1] if kinds else "rst" if _is_rst(text) else "text"


def _is_rst(text: str) -> bool:
    head = text[: int(limits.READ_LIMITS.sample)]
    if "\n.. " not in head and "\r.. " not in head:  # a hundred times as fast as the expressions
        return False
    return bool(_RST_TITLE.search(head) and _RST_MARK.search(head))


def displayable_name(path: Path) -> str:
    """Returns the file name with invalid Unicode replaced, for JSON and terminals."""
    return os.fsencode(path.name or path).decode("utf-8", "replace")


def file_bytes(path: Path) -> bytes:
    """Reads a file of at most `READ_LIMITS.file` bytes. Raises InputError and EnvironmentFault as `read` does."""
    max_bytes = limits.READ_LIMITS.file
    with open_limited(path, max_bytes) as file:
        data = file.read(int(max_bytes) + 1)
    _refuse_size(len(data), displayable_name(path), max_bytes)
    return data


@contextmanager
def open_limited(path: Path, max_bytes: float) -> Iterator[BinaryIO]:
    """Opens a file of at most this many bytes for streaming. Raises as `file_bytes` does."""
    name = displayable_name(path)
    try:
        _refuse_kind(path.stat(), name, max_bytes)
        file = path.open("rb")
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a NUL in the path
        raise InputError("{file}: there is no such file; check the path ({wanted})", file=name, wanted=WANTED_MESSAGE) from None
    except PermissionError:
        raise EnvironmentFault("{file}: no permission to read it; change its permissions or copy it", file=name) from None
    except OSError as error:
        raise _unreadable_error(name, error) from None
    try:
        with file:
            yield file
    except OSError as error:
        raise _unreadable_error(name, error) from None


def _unreadable_error(name: str, error: OSError) -> EnvironmentFault:
    return EnvironmentFault("{file}: cannot be read ({reason}); check the disk, or copy the file", file=name, reason=error.strerror)


def _refuse_kind(status: os.stat_result, name: str, max_bytes: float) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise InputError("{file}: is a folder; give the rulebook files in it ({wanted})", file=name, wanted=WANTED_MESSAGE)
    if not stat.S_ISREG(status.st_mode):
        raise InputError("{file}: is a device or pipe, not a file; save its contents to a file and give that", file=name)
    _refuse_size(status.st_size, name, max_bytes)


def _refuse_size(size: int, name: str, max_bytes: float) -> None:
    if size > max_bytes:
        raise InputError(
            "{file}: has {size:,} bytes or more, the limit is {most:,.0f}; split it into one file per book",
            file=name,
            size=size,
            most=max_bytes,
        )


def _refuse_binary(data: bytes, name: str) -> None:
    for magic, kind in NOT_TEXT_MESSAGE.items():
        if data.startswith(magic):
            raise InputError(
                "{file}: is {kind}; {wanted}: save the rules as one of these", file=name, kind=kind, wanted=WANTED_MESSAGE
            )


def _decode_marked(data: bytes, name: str) -> tuple[str, str] | None:
    """Decodes by the byte order mark, if there is one."""
    for mark, encoding in BOMS:
        if data.startswith(mark):
            codec = "utf-8-sig" if encoding == "utf-8" else encoding
            try:
                return data.decode(codec), encoding
            except UnicodeDecodeError as error:
                text = data.decode(codec, "replace")
                if text.count("\ufffd") <= limits.READ_LIMITS.forgiven < len(text) * limits.READ_LIMITS.damaged:
                    return text, encoding
                raise InputError(
                    "{file}: begins with a byte order mark of {encoding}, but byte {byte:,} is not valid in it;"
                    " copy the file again, or save it as UTF-8",
                    file=name,
                    encoding=encoding,
                    byte=error.start,
                ) from None
    return None


def _decode_utf8(data: bytes) -> tuple[str, str] | None:
    if data.count(0) > 1:  # ASCII in UTF-16 is valid UTF-8 with NULs
        return None
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return _damaged_utf8(data)


def _damaged_utf8(data: bytes) -> tuple[str, str] | None:
    """Reads UTF-8 with a few damaged bytes, which become U+FFFD if most sequences are valid."""
    text = data.decode("utf-8", "replace")
    losses = text.count("\ufffd")
    sound = sum(map(len, _BEYOND_ASCII.findall(text))) - losses
    few = losses <= limits.READ_LIMITS.forgiven and sound > _MIN_VALID_BYTES * losses
    return (text, "utf-8") if few or losses <= limits.READ_LIMITS.damaged * sound else None


def _decode_detected(data: bytes, name: str) -> tuple[str, str]:
    from ingest.read.charset import decode_declared, detect_encoding

    result = decode_declared(data) or detect_encoding(data)
    if result:
        return result
    if b"\0" in data:
        raise InputError(
            "{file}: is a binary file (it has NUL bytes and is not UTF-16); {wanted}", file=name, wanted=WANTED_MESSAGE
        )
    raise InputError(
        "{file}: its bytes match no encoding (not UTF-8 from byte {byte:,} on, nor plausible UTF-16, "
        "Shift-JIS, EUC-JP, GB 18030, Big5 or cp1252); save it as UTF-8",
        file=name,
        byte=_bad_byte(data),
    )


def _bad_byte(data: bytes) -> int:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return 0


def _refuse_garbled(text: str, name: str) -> None:
    from ingest.read.charset import is_mojibake

    if is_mojibake(text):
        raise InputError(
            '{file}: is garbled: UTF-8 was read in another encoding ("ã‚¾ãƒ¼ãƒ³") and saved again; use the original file', file=name
        )
    head = text[: int(limits.READ_LIMITS.sample)]
    if len(_CONTROL.findall(head)) > limits.READ_LIMITS.control * len(head):
        raise InputError("{file}: is a binary file (too many control characters); {wanted}", file=name, wanted=WANTED_MESSAGE)
    losses = text.count("\ufffd")
    if losses > limits.READ_LIMITS.forgiven + limits.READ_LIMITS.unreadable * len(text):
        raise InputError(
            "{file}: {lost:,} characters are U+FFFD, lost in a wrong conversion; use the original file", file=name, lost=losses
        )


def _refuse_unreadable_shape(document: Document) -> None:
    if not document.text or document.text.isspace():
        raise InputError("{file}: is empty or has only spaces; give a file with rules in it", file=document.name)
    if len(document.text) > limits.READ_LIMITS.line:
        longest = max(map(len, document.text.splitlines()))
        if longest > limits.READ_LIMITS.line:
            raise InputError(
                "{file}: has a line of {longest:,} characters, the limit is {most:,.0f}; save it with its line breaks",
                file=document.name,
                longest=longest,
                most=limits.READ_LIMITS.line,
            )
    digits = _most_digits(document.text)
    if digits > limits.READ_LIMITS.digits:
        raise InputError(
            "{file}: has a number of {digits:,} digits, the limit is {most:,.0f}; remove it",
            file=document.name,
            digits=digits,
            most=limits.READ_LIMITS.digits,
        )


def _most_digits(text: str) -> int:
    """The digits of the longest number; 0 if none is long.

    Samples the text at intervals: a long number contains a sampled character with digits on one side for half its length.
    """
    half = _MAX_DIGIT_RUN // 2
    places = (match.start() * _MAX_DIGIT_RUN for match in _DIGIT.finditer(text[::_MAX_DIGIT_RUN]))
    if not any(text[place : place + half].isdecimal() or text[max(0, place - half) : place + 1].isdecimal() for place in places):
        return 0
    return max((match.end() - match.start() for match in _DIGITS.finditer(text)), default=0)
