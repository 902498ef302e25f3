"""What a concordance looks for: words as people type them, or a regular expression."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from corpus.errors import InputError
from corpus.words.text import narrow
from corpus.words.tokens import Token, all_forms, words

Place = tuple[int, int]
"""Where something stands, in code points: half open. Of a frequent word there are tens of thousands."""
LONGEST = 200
"""Characters of a query."""
MOST = 200_000
"""Places that a regular expression may fit in."""
_PLAIN = re.compile(r"[\w\s・･'’\-‐–]+")
_BETWEEN, _BETWEEN_LATIN = r"[\s・･\-‐–]*", r"[\s\-‐–]+"
_ENDINGS = (("y", "(?:y|ies)"), ("s", "s(?:es)?"), ("x", "x(?:es)?"), ("ch", "ch(?:es)?"), ("sh", "sh(?:es)?"), ("", "s?"))
"""How an English word ends in the singular, and what may stand there."""


@dataclass(frozen=True, slots=True)
class Words:
    """Words in any case, width and script variant, English ones in the plural too; symbols as they stand."""

    compiled: re.Pattern[str]

    def find(self, text: str) -> Iterator[Place]:
        """The places in a text that is `bare`, from left to right."""
        return (match.span() for match in self.compiled.finditer(text))


@dataclass(frozen=True, slots=True)
class Expression:
    """A regular expression of RE2: its time grows with the text alone, whatever it looks like."""

    compiled: Any

    def find(self, text: str) -> Iterator[Place]:
        """The places in some lines, from left to right, none in two lines. Raises InputError where there are too many."""
        for count, match in enumerate(self.compiled.finditer(text)):
            if count >= MOST:
                raise InputError("the regular expression fits in more than {most} places; write more into it", most=MOST)
            if match.end() > match.start():
                yield match.span()


Pattern = Words | Expression


def bare(text: str) -> str:
    """A text for looking words up: lower case, plain width, one form of each character; every offset holds."""
    plain = narrow(text)
    lower = plain.lower()
    return (lower if len(lower) == len(plain) else plain).translate(_one_form())


def pattern_of(query: str, *, regular: bool) -> Pattern:
    """What a query looks for. Raises InputError for one that is empty, too long or no regular expression."""
    text = query.strip()
    if not text or len(text) > LONGEST:
        raise InputError("expected words or a regular expression of 1 to {most} characters", most=LONGEST)
    return Expression(_compiled(narrow(text))) if regular else Words(re.compile(_of_words(bare(text))))


def _compiled(text: str) -> Any:  # noqa: ANN401
    """Raises InputError for what is no regular expression, or one that fits nothing at all."""
    import re2

    options = re2.Options()
    options.never_nl, options.log_errors = True, False
    try:
        compiled = re2.compile(f"(?mi:{text})", options)
    except re2.error as fault:
        reason = fault.args[0].decode() if isinstance(fault.args[0], bytes) else str(fault)
        raise InputError("{given!r} is no regular expression of RE2: {fault}", given=text[:60], fault=reason) from fault
    if compiled.fullmatch(""):
        raise InputError("{given!r} fits where nothing stands; write more into it", given=text[:60])
    return compiled


def _of_words(text: str) -> str:
    tokens = words(text, str.lower)
    if not tokens or not _PLAIN.fullmatch(text):
        return r"\s+".join(map(re.escape, text.split()))
    parts = [_of_token(token, text[token.start : token.end]) for token in tokens]
    joined = parts[0]
    for (before, token), part in zip(pairwise(tokens), parts[1:], strict=True):
        joined += (_BETWEEN if before.cjk or token.cjk else _BETWEEN_LATIN) + part
    return joined


def _of_token(token: Token, typed: str) -> str:
    if token.cjk:
        return re.escape(typed)
    if token.norm[0].isdigit():
        return f"{re.escape(typed)}(?<![\\d.]{re.escape(typed)})(?!\\d)"
    ending, instead = next((ending, instead) for ending, instead in _ENDINGS if typed.endswith(ending))
    stem = re.escape(typed[: len(typed) - len(ending)])
    return f"{stem}(?<![a-z]{stem}){instead}(?![a-z])"  # it begins with letters: what does is found many times faster


@cache
def _one_form() -> dict[int, str]:
    """Character → the form that all forms of it are compared in."""
    return {ord(form): plain for plain, forms in all_forms().items() for form in forms if form != plain}
