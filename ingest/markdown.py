"""The words of Markdown without its marks: emphasis, code, links and backslashes before punctuation (CommonMark 0.31)."""

import re

_BLOCK_QUOTE_MARK = re.compile(r"^> ?", re.M)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ADDRESS = r"(?:https?:|mailto:|#|/|\.{1,2}/|[\w%./-]{1,200}\.(?:html?|md|pdf)\b)[^()\s]{0,500}"
_LINK = re.compile(rf"!?\[([^\[\]\n]{{1,200}})\]\({_ADDRESS}\)")
_CODE = re.compile(r"(?<![`\\])(`{1,2})(?!`)([^`\n]{1,200})(?<!`)\1(?!`)")
_ASIDE = re.compile(r"\0(\d+)\0")  # the place of a span of code, whose marks are words
# A mark of emphasis touches the words inside it. Outside it no Latin letter or digit touches a single mark, as in 3*4*5 and a_b_c.
_STRONG = re.compile(r"(?<![*\\])(\*{2,3})(?=[^\s*])([^*\n]{1,500}?)(?<=[^\s*\\])\1(?!\*)")
_STRONG_UNDERLINE = re.compile(r"(?<![\w\\])(_{2,3})(?=[^\s_])([^_\n]{1,500}?)(?<=[^\s_\\])\1(?!\w)")
_EMPHASIS = re.compile(r"(?<![*\\A-Za-z0-9])\*(?=[^\s*])([^*\n]{1,500}?)(?<=[^\s*\\])\*(?![*A-Za-z0-9])")
_EMPHASIS_UNDERLINE = re.compile(r"(?<![\w\\])_(?=[^\s_])([^_\n]{1,500}?)(?<=[^\s_\\])_(?!\w)")


def without_marks(words: str) -> str:
    """The words as a page shows them. A mark without its counterpart is kept, but for `**`, which copies leave behind."""
    if not any(mark in words for mark in r"*_`[>\\"):
        return words
    codes: list[str] = []

    def set_aside(code: re.Match[str]) -> str:
        codes.append(code[2])
        return f"\0{len(codes) - 1}\0"

    plain = _LINK.sub(r"\1", _CODE.sub(set_aside, _BLOCK_QUOTE_MARK.sub("", words)))
    plain = _STRONG_UNDERLINE.sub(r"\2", _STRONG.sub(r"\2", plain))
    plain = _EMPHASIS_UNDERLINE.sub(r"\1", _EMPHASIS.sub(r"\1", plain))
    plain = _ESCAPE.sub(r"\1", plain.replace("**", ""))
    return _ASIDE.sub(lambda aside: codes[int(aside[1])], plain) if codes else plain
