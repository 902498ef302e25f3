"""Invented numbered books of any size, written down in the layouts of real ones: wrapped lines, appendices, Markdown, HTML, PDF."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from hypothesis import strategies as st

from tests.support.pdfs import paginated, pdf_of

SENTENCES = {
    "en": (
        "A red kite must be tied to the pole before the wind rises.",
        "The flyer whose kite is the highest counts its tails.",
        "If two kites cross, both flyers pull their strings (see {number}).",
        "No kite may be flown above the bell, unless a rule says otherwise.",
        "Each flyer draws three strings and keeps one of them.",
        "A string that was cut goes to the box of its owner at the end of the turn.",
        "Then the next flyer begins.",
    ),
    "ja": (
        "赤い凧は、風が吹く前に棒に結ばれます。",
        "最も高い凧の持ち主は、凧の尾を数えます。",
        "二つの凧が交わった場合、両方の凧師は糸を引きます（{number}を参照）。",
        "特に指定がない限り、鐘より高く凧を揚げることはできません。",
        "各凧師は糸を3本引き、そのうち1本を手元に残します。",
        "切れた糸は、その風の番の終わりに持ち主の箱に置かれます。",
        "続けて次の凧師が始めます。",
    ),
    "zh-Hans": (
        "红色风筝须在起风之前系在柱上。",
        "风筝最高的玩家数其风筝的尾巴。",
        "两只风筝相交的场合，双方玩家收线（参见{number}）。",
        "除非另有说明，风筝不能高于铃铛。",
        "每位玩家抽3根线，并保留其中1根。",
        "被剪断的线在回合结束时放入其拥有者的箱子。",
        "然后由下一位玩家开始。",
    ),
}
TITLES = {
    "en": ("Kites", "Poles and Bells", "The Yard", "Winds", "Flying a Kite", "Strings", "End of the Turn"),
    "ja": ("凧", "棒と鐘", "庭", "風", "凧を揚げる", "糸", "番の終わり"),
    "zh-Hans": ("风筝", "柱与铃", "院子", "风", "放飞", "线", "回合结束"),
}
FRONT = {
    "en": ("Kite Yard Comprehensive Book", "Last updated: May 5, 2024"),
    "ja": ("凧の庭 総合解説", "最終更新日：2024年5月5日"),
    "zh-Hans": ("风筝院综合说明", "最后更新：2024年5月5日"),
}
APPENDIX = {
    "en": ("Appendix A: Flyers", "Ann of the Hill", "Bob of the Pond", "Cid of the Tower"),
    "ja": ("付録A：凧師一覧", "緑の丘の凧師", "青い池の凧師", "白い塔の凧師"),
    "zh-Hans": ("附录A：玩家名单", "绿丘的玩家", "蓝池的玩家", "白塔的玩家"),
}
_NEVER_FIRST = "。、，）」』：！？"


@dataclass(frozen=True, slots=True)
class Item:
    """A numbered title or rule of an invented book."""

    number: str
    words: str
    is_title: bool


@dataclass(frozen=True, slots=True)
class InventedBook:
    """An invented book: its language, what joins the parts of its numbers, and its items in print order."""

    lang: str
    separator: str
    items: tuple[Item, ...]
    has_front: bool
    has_appendix: bool

    def rules(self) -> list[tuple[str, str]]:
        """Number and words, without spaces, of each item."""
        return [(item.number, squeezed(item.words)) for item in self.items]

    def text(self, width: int) -> str:
        """Plain text whose lines have at most `width` characters."""
        lines = [*FRONT[self.lang], ""] if self.has_front else []
        for item in self.items:
            printed = f"{item.number}. {item.words}"
            lines += _wrapped(printed, width)
        return "\n".join([*lines, *(["", *APPENDIX[self.lang]] if self.has_appendix else []), ""])

    def markdown(self) -> str:
        """Markdown: chapters and sections as headings, rules as paragraphs."""
        marks = {1: "## ", 2: "### "}
        depth = {item.number: item.number.count(self.separator) + 1 for item in self.items}
        blocks = ["# " + FRONT[self.lang][0], FRONT[self.lang][1]] if self.has_front else []
        for item in self.items:
            mark = marks.get(depth[item.number], "") if item.is_title else ""
            blocks.append(f"{mark}{item.number}. {item.words}")
        if self.has_appendix:
            blocks += ["## " + APPENDIX[self.lang][0], "\n".join("- " + name for name in APPENDIX[self.lang][1:])]
        return "\n\n".join(blocks) + "\n"

    def html(self) -> str:
        """An HTML page: chapters and sections as headings, rules as paragraphs."""
        blocks = [f"<h1>{FRONT[self.lang][0]}</h1><p>{FRONT[self.lang][1]}</p>"] if self.has_front else []
        for item in self.items:
            tag = f"h{item.number.count(self.separator) + 2}" if item.is_title else "p"
            blocks.append(f"<{tag}>{item.number}. {escape(item.words)}</{tag}>")
        if self.has_appendix:
            names = "".join(f"<li>{name}</li>" for name in APPENDIX[self.lang][1:])
            blocks.append(f"<h2>{APPENDIX[self.lang][0]}</h2><ul>{names}</ul>")
        return "<!DOCTYPE html><html><head><title>Kites</title></head><body>" + "\n".join(blocks) + "</body></html>"

    def pdf(self, width: int) -> bytes:
        """A PDF whose pages have 40 lines."""
        return pdf_of(paginated(self.text(width).split("\n"), 40))


def squeezed(words: str) -> str:
    """Words without spaces."""
    return re.sub(r"\s", "", words)


def _wrapped(words: str, width: int) -> Iterator[str]:
    if words.isascii():
        yield from wrap(words, width, break_on_hyphens=False)
        return
    pieces = re.findall(rf"[\d.\-]+ ?|.[{_NEVER_FIRST}]*", words)  # no line ends inside a number or begins with a closing mark
    line = ""
    for piece in pieces:
        if line and len(line) + len(piece) > width:
            yield line.rstrip()
            line = ""
        line += piece
    yield line


@st.composite
def invented_books(draw: st.DrawFn, *, has_appendix: bool = False) -> InventedBook:
    """Books of two to four chapters, each of one to three sections, each of five to nine rules of up to seven parts."""
    lang, separator = draw(st.sampled_from(list(SENTENCES))), draw(st.sampled_from(".-"))
    titles, sentences = st.sampled_from(TITLES[lang]), st.sampled_from(SENTENCES[lang])
    deepest = draw(st.integers(3, 7))
    items = list[Item]()
    for chapter in range(1, draw(st.integers(2, 4)) + 1):
        items.append(Item(str(chapter), draw(titles), is_title=True))
        for section in range(1, draw(st.integers(1, 3)) + 1):
            parts = [chapter, section]
            items.append(Item(separator.join(map(str, parts)), draw(titles), is_title=True))
            for _ in range(draw(st.integers(5, 9))):
                depth = draw(st.integers(3, min(deepest, len(parts) + 1)))
                parts = [*parts[:depth], 1] if len(parts) < depth else [*parts[: depth - 1], parts[depth - 1] + 1]
                words = draw(st.lists(sentences, min_size=1, max_size=3, unique=True))
                text = (" " if lang == "en" else "").join(words).replace("{number}", separator.join(map(str, parts[:3])))
                items.append(Item(separator.join(map(str, parts)), text, is_title=False))
    return InventedBook(lang, separator, tuple(items), draw(st.booleans()), has_appendix)
