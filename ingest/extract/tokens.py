"""Words as the patterns see them: Latin runs whole, every other character alone. 山札 stays findable, which segmenters split."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from corpus.words.text import CJK, narrow

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

_TOKEN = re.compile(r"[A-Za-z0-9]+(?:[-'’][A-Za-z0-9]+)*|\S")
_QUOTES = {"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'"}
_OPEN, _CLOSE = "「『“（(《【", "」』”）)》】"
_FULL_STOP = re.compile(r"(?<=[a-z0-9)\"”’\]]{2})[.!?][)\"”’]*(?=\s+[A-Z<“\"(\[])|[.!?](?=\s*$)")


class CharacterTokenizer:
    """A spaCy tokenizer; `norm_` is lower case, narrow, with the variants of a character folded into one."""

    def __init__(self, vocab: "Vocab", variants: Mapping[str, str]) -> None:
        self.vocab = vocab
        self._variants = str.maketrans({**_QUOTES, **variants})

    def __call__(self, text: str) -> "Doc":
        """The text, its spaces collapsed, as a Doc."""
        from spacy.tokens import Doc

        text = " ".join(text.split())
        matches = list(_TOKEN.finditer(narrow(text)))
        words = [text[match.start() : match.end()] for match in matches]
        doc = Doc(self.vocab, words=words, spaces=[text[match.end() : match.end() + 1] == " " for match in matches])
        for token in doc:
            token.norm_ = self.norm(token.text)
        return doc

    def norm(self, word: str) -> str:
        """A word as the patterns spell it."""
        return narrow(word).lower().translate(self._variants)

    def to_disk(self, *_: object, **__: object) -> None:
        """SpaCy asks for it; there is nothing to keep."""

    def from_disk(self, *_: object, **__: object) -> "CharacterTokenizer":
        """See to_disk."""
        return self


def sentences(text: str, ends: str, *, cjk: bool) -> list[str]:
    """The sentences of a rule. In Japanese and Chinese none ends inside quotation marks or brackets."""
    text = " ".join(text.split())
    stops = list(_cjk_stops(text, ends)) if cjk else [match.end() for match in _FULL_STOP.finditer(text)]
    parts = [text[start:end].strip() for start, end in zip([0, *stops], [*stops, len(text)], strict=True)]
    return [part for part in parts if part]


def _cjk_stops(text: str, ends: str) -> list[int]:
    depth, stops = 0, []
    for at, character in enumerate(text):
        depth = max(0, depth + (character in _OPEN) - (character in _CLOSE))
        if character in ends and not depth:
            stops.append(at + 1)
    return stops


def phrase(doc: "Doc", start: int, end: int, *, cjk: bool) -> str:
    """The last words of a match that a quotation may have: at most 7 words, or 19 characters where CJK stands in them."""
    first, last = doc[start].idx, doc[end - 1].idx + len(doc[end - 1])
    words = doc.text[first:last].strip(" 、。,.，；;：:")
    if not cjk:
        return " ".join(words.split()[-7:]).strip(" ,.;:")
    while len("".join(words.split())) > 19:
        words = words[1:]
    return words.lstrip("、。,.，；;：: のはがをに的")


def has_cjk(text: str) -> bool:
    """Whether kana or Han characters stand in a text."""
    return re.search(f"[{CJK}]", text) is not None
