"""What commands write: standard output in UTF-8, and single plain lines on standard error."""

import os
import re
import sys
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from io import TextIOWrapper

from corpus.words.text import printable
from rulestone.faults import os_faults
from rulestone.languages import DEFAULT

_WRITING = "write the output"
_STEERING = re.compile("\x1b(?!\\[(?:0|1|31|32)m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but tab, line feed and the colours that api.text writes; characters that turn the direction of a line."""
_SPOKEN = ContextVar("_SPOKEN", default=DEFAULT)
_WIDEST = 100
"""Columns beyond which lines are hard to read."""


def prepare() -> None:
    """UTF-8 whatever the locale says; what cannot be encoded becomes `?`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def speak(lang: str) -> None:
    """Has reasons and errors told in a language from now on."""
    _SPOKEN.set(lang)


def speaking() -> str:
    """The language that reasons and errors are told in."""
    return _SPOKEN.get()


def say(lines: Iterable[str]) -> None:
    """Lines for people, without what could steer their terminal. Raises EnvironmentFault where they cannot be written."""
    put(_STEERING.sub("\ufffd", line) for line in lines)


def put(lines: Iterable[str]) -> None:
    """Lines for programs, as they are. Raises EnvironmentFault where they cannot be written."""
    with os_faults(_WRITING):
        for line in lines:
            print(line)  # noqa: T201


def say_json(body: Mapping[str, object]) -> None:
    """One JSON body: the same bytes that the HTTP API gives."""
    from api.encoding import encode

    put([encode(body).decode()])


def write(chunks: Iterable[bytes]) -> None:
    """Bytes on standard output."""
    with os_faults(_WRITING):
        sys.stdout.buffer.writelines(chunks)


def flush() -> None:
    """Writes what is still held back. Raises EnvironmentFault where it cannot be written."""
    if sys.stdout:
        with os_faults(_WRITING):
            sys.stdout.flush()


def drop_output() -> None:
    """What could not be written must not be tried again when Python ends."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell(line: str) -> None:
    """One line on standard error; characters that could steer the terminal are replaced."""
    if sys.stderr:
        print(printable(" ".join(line.split())), file=sys.stderr)  # noqa: T201


def width() -> int | None:
    """Columns of the terminal; None where the output goes elsewhere."""
    if not (sys.stdout and sys.stdout.isatty()):
        return None
    from shutil import get_terminal_size

    return min(get_terminal_size().columns, _WIDEST)
