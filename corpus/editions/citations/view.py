"""A text as rendered: without the markup of Markdown, HTML, BBCode and chat logs, with a mapping back to the source.

Removed are front matter, link addresses, tags, comments, code in a named language, the bars of spoilers and time stamps.
Lines that were broken to fit a column are joined. Every step is linear: repetitions are bounded.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape

from corpus.editions.citations.phrases import alternation, phrase_list, phrase_pattern
from corpus.model import Span
from corpus.words.text import CJK, to_half_width

_PARAGRAPH_TAG = re.compile("p|div|h[1-6]|ul|ol|table|article|section|html|body")
_LINE_TAG = re.compile("br|hr|li|dt|dd|tr|thead|tbody|dl|header|footer|main|aside|nav|figure|figcaption|pre")
_INLINE_TAG = (
    "a|b|i|u|s|em|strong|span|small|sub|sup|code|kbd|mark|del|ins|font|cite|abbr|time|ruby|rt|rp|label|q|center|details|summary"
    "|blockquote|td|th|head|title|meta|link|img|iframe|button|form|input|!doctype"
)
_TAG = re.compile(rf"<(/?)({_PARAGRAPH_TAG.pattern}|{_LINE_TAG.pattern}|{_INLINE_TAG})(?=[\s/>])([^<>]{{0,2000}})>", re.I)
_INVISIBLE_ELEMENT = re.compile(r"<(!--|(?:script|style|head|svg|noscript)(?=[\s>]))", re.I)
_ENTITY = re.compile(r"&(?:[a-z]{2,8}\d{0,2}|#\d{1,7}|#x[\da-f]{1,6});", re.I)
_HREF = re.compile(r"""href\s?=\s?["']?([^"'\s>]{1,500})""", re.I)
FRONT_MATTER = re.compile(r"\ufeff?(---|\+\+\+)[ \t]*\n(.{0,6000}?)\n\1[ \t]*(?:\n|$)", re.S)
_VISIBLE_FRONT_MATTER = re.compile(r"^(?:title|subtitle|description|summary|excerpt)[ \t]*[:=][ \t]*(.+)$", re.I | re.M)
_FENCE = re.compile(r"^[ \t]{0,3}(`{3,9}|~{3,9})[ \t]{0,3}([\w+#-]{0,20})[^\n`]{0,80}$", re.M)
_PROSE_LANGUAGES = frozenset({"", "text", "txt", "md", "markdown", "quote", "plain", "plaintext"})
_LINK_TEXT = r"(?:[^\[\]\n]|\[[^\[\]\n]{0,200}\]){0,300}"
_LINK_TARGET = r"[ \t]?<?([^\s()<>]{0,1000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,500}){0,3})>?"
_LINK_TITLE = r"""(?:[ \t]{1,3}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|“[^”\n]{0,300}”|\([^()\n]{0,300}\)))?[ \t]{0,3}"""
_LINK = re.compile(rf"(!?)\[({_LINK_TEXT})\](?:\({_LINK_TARGET}{_LINK_TITLE}\)|\[([^\[\]\n]{{0,100}})\])")
_LINK_DEFINITION = re.compile(r"^[ \t]{0,3}\[([^\[\]^\n][^\[\]\n]{0,100})\]:[ \t]?\S[^\n]*$", re.M)
_FOOTNOTE = re.compile(r"^[ \t]{0,3}\[\^[^\[\]\n]{1,60}\]:[ \t]?|\[\^[^\[\]\n]{1,60}\]", re.M)
_BBCODE = re.compile(
    r"\[(/?)(b|i|u|s|quote|spoiler|colou?r|size|font|url|list|code|center|\*)(?:[= ][^\[\]\n]{0,200})?\]", re.IGNORECASE
)
_SPOILER = re.compile(r"(\|\|)(?=\S)([^|\n]{1,2000})(\|\|)")
_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_RULE_NUMBER = re.compile(
    r"[^\w\n]{0,4}(?:CR|C\.R\.|rules?|規則|规则|§|第)?\s?\d{1,4}(?:[.\-–]\d{1,4}){0,5}\.?[a-z]{0,2}(?:条|條)?[^\w\n]{0,4}", re.I
)
_OWN_ADDRESS = "/id/"
_INVISIBLE_CHARACTERS = re.compile("[\u200b-\u200d\u2060\ufeff\u00ad]")
_MIN_WRAPPED_WIDTH = 58
"""Column at which a line may have been wrapped."""
_WIDE = re.compile(f"[{CJK}\u3000-\u303f\uff01-\uff60]")


@dataclass(frozen=True, slots=True)
class Edit:
    """The replacement of a span of the source."""

    start: int
    end: int
    replacement: str


@dataclass(frozen=True, slots=True)
class View:
    """The rendered text of a source; `links` are the spans of link texts."""

    source: str
    text: str
    places: "array[int]"  # of each character in the source, and the end
    links: tuple[Span, ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The source span of a span of the view."""
        first = self.places[start] if start < len(self.text) else len(self.source)
        return first, (self.places[end - 1] + 1 if end > start else first)

    def place(self, of_source: int) -> int:
        """The view position of a source position."""
        return bisect_left(self.places, of_source)


def render_view(source: str) -> View:
    """The rendered text, with full-width characters narrowed."""
    edits, links = _find_edits(source)
    if not edits:
        return View(source, to_half_width(source), array("l", range(len(source) + 1)))
    pieces: list[str] = []
    places: array[int] = array("l")
    at = 0
    for edit in edits:
        pieces += [source[at : edit.start], edit.replacement]
        places.extend(range(at, edit.start))
        places.extend([min(edit.start, len(source) - 1)] * len(edit.replacement))
        at = edit.end
    places.extend(range(at, len(source) + 1))
    half_width = View(source, to_half_width("".join((*pieces, source[at:]))), places)
    ends = [Span(half_width.place(link.start), half_width.place(link.end)) for link in links]
    return View(source, half_width.text, places, tuple(ends))


def _find_edits(source: str) -> tuple[list[Edit], list[Span]]:
    """Edits in order and without overlaps, and the link texts."""
    unseen = list(_invisible_regions(source))
    links: list[Span] = []
    edits = [Edit(region.start, region.end, "") for region in unseen]
    others = [*_wrapped_line_edits(source), *_markdown_edits(source, links)]
    if "<" in source or "&" in source:
        others += _html_edits(source, links)
    if "[/" in source:
        others += _bbcode_edits(source)
    if "||" in source:
        others += [Edit(*match.span(bars), "") for match in _SPOILER.finditer(source) for bars in (1, 3)]
    if _INVISIBLE_CHARACTERS.search(source):
        others += [Edit(*match.span(), "") for match in _INVISIBLE_CHARACTERS.finditer(source)]
    return list(_without_overlaps(edits, others)), links


def _without_overlaps(first: Iterable[Edit], others: Iterable[Edit]) -> Iterator[Edit]:
    """The edits without those that overlap an earlier one; the longest of those that start at one position."""
    end = 0
    ranks = [*((edit.start, -edit.end, edit) for edit in first), *((edit.start, -edit.end, edit) for edit in others)]
    for start, _, edit in sorted(ranks, key=lambda entry: entry[:2]):
        if start >= end:
            yield edit
            end = max(end, edit.end)


def _invisible_regions(source: str) -> Iterator[Span]:
    """The invisible spans: front matter except titles, comments, scripts, code in a named language."""
    if front := FRONT_MATTER.match(source):
        at = 0
        for title in _VISIBLE_FRONT_MATTER.finditer(source, 0, front.end()):
            yield Span(at, title.start(1))
            at = title.end(1)
        yield Span(at, front.end() - front[0].endswith("\n"))
    if "<" in source:
        yield from _hidden_elements(source)
    for opening, closing in _code_fences(source):
        if opening[2].lower() in _PROSE_LANGUAGES:
            yield from (Span(*opening.span()), Span(*closing.span()))
        else:
            yield Span(opening.start(), closing.end())


def _hidden_elements(source: str) -> Iterator[Span]:
    """Comments and elements without visible text; an unclosed one counts as text."""
    lower, at = source.lower(), 0
    without_closing_tag: set[str] = set()
    for match in _INVISIBLE_ELEMENT.finditer(source):
        closing = "-->" if match[1] == "!--" else f"</{match[1].lower()}"
        if match.start() < at or closing in without_closing_tag:
            continue
        end = lower.find(closing, match.end())
        if end < 0:
            without_closing_tag.add(closing)
            continue
        at = source.find(">", end) + 1 or len(source)
        yield Span(match.start(), at)


def _code_fences(source: str) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """The first and the last line of each stretch of code."""
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(source) if "```" in source or "~~~" in source else ():
        if opening is None:
            opening = fence
        elif fence[1].startswith(opening[1]) and not fence[2]:
            yield opening, fence
            opening = None


def _markdown_edits(source: str, links: list[Span]) -> Iterator[Edit]:
    if "[" in source:
        definitions = {match[1].lower(): match for match in _LINK_DEFINITION.finditer(source)}
        for link in _LINK.finditer(source):
            if link[4] is None or (link[4] or link[2]).lower() in definitions:
                yield from _link_edits(link, links)
        yield from (Edit(*match.span(), "") for match in definitions.values())
        yield from (Edit(*match.span(), "") for match in _FOOTNOTE.finditer(source))
    if "\\" in source:
        yield from (Edit(*match.span(), "") for match in _ESCAPE.finditer(source))


def _bbcode_edits(source: str) -> Iterator[Edit]:
    """Tags of forums as line breaks and bullets. A name in brackets is a tag only if it is closed: [B] may be a symbol."""
    tags = list(_BBCODE.finditer(source))
    closed = {tag[2].lower() for tag in tags if tag[1]}
    for tag in tags:
        name = tag[2].lower()
        if name == "*" and "list" in closed:
            yield Edit(*tag.span(), "\n- ")
        elif name in closed:
            yield Edit(*tag.span(), "\n" if name in ("quote", "list", "code") else "")


def _link_edits(link: re.Match[str], links: list[Span]) -> Iterator[Edit]:
    """The words of a link without its address; brackets around a number are kept."""
    if link[1]:
        yield Edit(*link.span(), "")
        return
    links.append(Span(*link.span(2)))
    if _OWN_ADDRESS in (link[3] or ""):
        return
    if _RULE_NUMBER.fullmatch(link[2]):
        yield Edit(link.end(2) + 1, link.end(), "")
        return
    yield Edit(link.start(), link.start(2), "")
    yield Edit(link.end(2), link.end(), "")


def _html_edits(source: str, links: list[Span]) -> Iterator[Edit]:
    """Tags as line breaks, bullets, cells and quotation marks; entities as characters."""
    yield from (Edit(*match.span(), unescape(match[0])) for match in _ENTITY.finditer(source) if unescape(match[0]) != match[0])
    tags = list(_TAG.finditer(source))
    is_page = sum(bool(_PARAGRAPH_TAG.fullmatch(tag[2].lower())) for tag in tags) > 1
    depth, at, link_start, verbatim = 0, 0, -1, False
    for tag in tags:
        name, closing = tag[2].lower(), bool(tag[1])
        if is_page and not verbatim:
            yield from _html_line_breaks(source, at, tag.start())
        at = tag.end()
        if name == "blockquote":
            depth = max(0, depth - 1) if closing else depth + 1
        elif name == "pre":
            verbatim = not closing
        elif name == "a" and closing and link_start >= 0:
            links.append(Span(link_start, tag.start()))
        link_start = (-1 if closing else tag.end()) if name == "a" else link_start
        yield Edit(*tag.span(), _render_tag(name, tag[3], closing=closing, quoted=depth > 0))


def _render_tag(name: str, attributes: str, *, closing: bool, quoted: bool) -> str:
    """The text for a tag; inside a block quote every line starts with its mark."""
    line = "\n> " if quoted else "\n"
    if name == "blockquote":
        return "\n" if closing else "\n\n> "
    if name == "a":
        address = None if closing else _HREF.search(attributes)
        return f"<{address[1]}> " if address and _OWN_ADDRESS in address[1] else ""
    if name == "q":
        return "”" if closing else "“"
    if name == "li" and not closing:
        return f"{line}- "
    if name in ("td", "th"):
        return " | "
    if _PARAGRAPH_TAG.fullmatch(name):
        return line if quoted else "\n\n"
    return line if _LINE_TAG.fullmatch(name) else ""


def _html_line_breaks(source: str, start: int, end: int) -> Iterator[Edit]:
    """The line breaks of HTML source, which are spaces."""
    at = source.find("\n", start, end)
    while at >= 0:
        yield Edit(at, at + 1, " ")
        at = source.find("\n", at + 1, end)


_CHAT_MESSAGE = re.compile(
    rf"^(?:{phrase_pattern('chat', 'stamp')}){phrase_pattern('chat', 'name')}|^{phrase_pattern('chat', 'nick')}", re.M
)
"""The header of a chat message: time and speaker."""
_BLOCK_START = re.compile(alternation(*phrase_list("line", "starts")))
"""The start of text that is never joined to the line before."""
_CONTINUES = re.compile(rf"{alternation(*phrase_list('line', 'goes_on'))}$", re.I)
"""The end of a line whose sentence continues."""


def _wrapped_line_edits(source: str) -> Iterator[Edit]:
    """Chat messages as paragraphs, and wrapped lines joined."""
    heads = {match.start(): match for match in _CHAT_MESSAGE.finditer(source)}
    if len(heads) > 1:
        yield from (Edit(*match.span(), "\n") for match in heads.values())
    start = 0
    previous = ""
    code_blocks = [Span(opening.start(), closing.end()) for opening, closing in _code_fences(source)]
    while True:
        end = source.find("\n", start)
        line = source[start : end if end >= 0 else len(source)]
        if previous and start not in heads and not _is_within(start, code_blocks) and _continues_line(previous, line):
            yield Edit(start - 1, start + len(line) - len(line.lstrip(" \t\u3000")), " ")
        if end < 0:
            return
        previous, start = line, end + 1


def _is_within(place: int, spans: list[Span]) -> bool:
    """Whether a position is in one of the spans, which are in order."""
    at = bisect_right(spans, place, key=lambda span: span.start) - 1
    return at >= 0 and place <= spans[at].end


def _continues_line(previous: str, line: str) -> bool:
    """Whether a line continues the sentence of the line before."""
    columns = len(previous) + (0 if previous.isascii() else len(_WIDE.findall(previous)))
    if not line.strip() or not previous.strip() or _BLOCK_START.match(line) or columns < _MIN_WRAPPED_WIDTH:
        return False
    if previous.lstrip().startswith(("#", "|", ">", "===")):
        return False
    last = previous.rstrip()[-1:]
    if line.lstrip()[:1].isdigit():
        return bool(_CONTINUES.search(previous.rstrip()))
    return last not in ".。!！?？:：;；" and not previous.endswith("  ")
