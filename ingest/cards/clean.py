"""The words of a name or a text in a file of cards, without markup; of a name with readings beside it, both."""

import html
import re

_BRACKET = "(?:<rp>[^<>]{0,4}</rp>)?"
_RUBY = re.compile(f"<ruby>(?P<base>[^<>]{{0,80}}){_BRACKET}<rt>(?P<reading>[^<>]{{0,80}})</rt>{_BRACKET}</ruby>")
_TAG = re.compile(r"<[a-zA-Z/!][^<>]{0,200}>")
_BREAK = re.compile(r"<(?:br|p|li|div)\b[^<>]{0,100}>", re.IGNORECASE)


def spoken(name: str) -> tuple[str, ...]:
    """A name without markup; where readings are printed beside its characters, the name and how it is read."""
    written, read = _RUBY.sub(r"\g<base>", name), _RUBY.sub(r"\g<reading>", name)
    return tuple(dict.fromkeys(filter(None, (plain(spelling) for spelling in (written, read)))))


def plain(text: str) -> str:
    """A text without markup, its lines kept."""
    broken = _BREAK.sub("\n", text)
    lines = html.unescape(_TAG.sub("", broken)).split("\n")
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))
