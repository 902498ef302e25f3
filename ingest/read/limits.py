"""The limits of reading a file of any kind."""

from dataclasses import dataclass

from corpus.errors import InputError
from corpus.limits import limit_field


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """Limits of size and cost. The largest rulebook known to us has 1,000,000 characters."""

    file: float = limit_field(64 * 2**20, "bytes of a file; large ones are PDFs with pictures")
    text: float = limit_field(8_000_000, "characters of a file's text")
    line: float = limit_field(1_000_000, "characters of one line; beyond it the line ends have been lost")
    digits: float = limit_field(1_000, "digits of one number; Python itself converts 4,300")
    citations: float = limit_field(50_000, "citations of a file; the largest known rulebook has 2,059")
    pages: float = limit_field(2_000, "pages of a PDF; rulebooks have up to 300")
    unfolded: float = limit_field(256 * 2**20, "bytes that one compressed stream of a PDF unfolds to")
    depth: float = limit_field(512, "HTML elements inside one another; browsers draw as many")
    attributes: float = limit_field(256, "attributes of an HTML element; the parser's time grows with their square")
    seconds: float = limit_field(15, "seconds of processor time for reading one file")
    wait: float = limit_field(18, "seconds until a reading that only waits is given up")
    memory: float = limit_field(768 * 2**20, "bytes that reading one file takes beyond those of the program (Linux)")
    here: float = limit_field(256 * 2**10, "bytes of plain text read without a process of its own: its time is linear")
    control: float = limit_field(0.01, "share of control characters; beyond it the file is binary")
    unreadable: float = limit_field(0.001, "share of U+FFFD; beyond it text was lost")
    forgiven: float = limit_field(4, "U+FFFD that are always forgiven: one damaged byte costs as many, whatever the length")
    damaged: float = limit_field(0.02, "share of U+FFFD among the characters beyond ASCII up to which a file is still UTF-8")
    sample: float = limit_field(100_000, "characters at the beginning in which control characters are counted")


READ_LIMITS = ReadLimits()


def refuse_length(length: int, name: str) -> None:
    """Raises InputError for a text of more characters than `READ_LIMITS` allows."""
    if length > READ_LIMITS.text:
        raise InputError(
            "{file}: has a text of more than {most:,.0f} characters; split it into one file per book",
            file=name,
            most=READ_LIMITS.text,
        )


def refuse_citations(count: int, name: str) -> None:
    """Raises InputError for a text with more citations than `READ_LIMITS` allows; each takes 0.2 ms and a record of its own."""
    if count > READ_LIMITS.citations:
        raise InputError(
            "{file}: cites {count:,} rules; at most {most:,.0f} citations are read from one file; split it into one file per book",
            file=name,
            count=count,
            most=READ_LIMITS.citations,
        )
