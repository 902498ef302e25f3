"""What the pages that are written to a file have in common: one page that needs nothing beside it, for mailing and printing."""

from collections.abc import Iterable
from html import escape

_DARK = "@media(prefers-color-scheme:dark){body{background:#111;color:#eee}}"


def framed(name: str, summary: str, lines: Iterable[str], *, lang: str, style: str) -> bytes:
    """A page of HTML in UTF-8: its name and a summary, which are escaped here, and below them lines of HTML."""
    title = escape(name)
    head = (
        f'<!doctype html><html lang="{escape(lang)}"><head><meta charset="utf-8">',
        f'<meta name="viewport" content="width=device-width"><title>{title}</title><style>{style}{_DARK}</style></head><body>',
        f"<h1>{title}</h1><p>{escape(summary)}</p>",
    )
    return "\n".join((*head, *lines, "</body></html>\n")).encode("utf-8", "replace")
