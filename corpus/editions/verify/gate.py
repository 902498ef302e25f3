"""The gate: which citing sentences of a text are proven, and the text with the others marked."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from corpus.editions.citations.context import sentences
from corpus.editions.verify.resolve import Status
from corpus.messages import message
from corpus.model import Span

if TYPE_CHECKING:
    from corpus import contract
    from corpus.contract import Gate, GatedSentence, VerifiedCitation

OPEN, CLOSE = "⟦", "⟧"
"""The marks around an unproven sentence."""
_BLANKS = re.compile("[ \t\u3000]*")


def gate(text: str, citations: "Sequence[VerifiedCitation]", lang: str) -> "Gate":
    """The verdict on a text: proven if the words of every citation are verified, uncited if it has no citations."""
    told = list(_sentences(text, citations))
    wrong = [sentence for sentence in told if not sentence["proven"]]
    return {
        "verdict": "unproven" if wrong else "proven" if told else "uncited",
        "marked": _marked(text, wrong, citations, lang),
        "kept": _kept(text, wrong),
        "sentences": told,
    }


def _sentences(text: str, citations: "Sequence[VerifiedCitation]") -> "Iterator[GatedSentence]":
    """The sentences that cite or quote a rule."""
    quotes = [Span(quote["start"], quote["end"]) for citation in citations if (quote := citation["quote"])]
    ends = sentences(text, quotes)
    reach = [_reach(citation) for citation in citations]
    bounds = sorted({0, len(text), *(end for end in ends.places if end < len(text))})
    for start, end in pairwise(bounds):
        own = [place for place, spans in enumerate(reach) if any(first < end and last > start for first, last in spans)]
        if own:
            proven = all(_is_proven(citations[place]) for place in own)
            yield {**_trimmed(text, start, end), "proven": proven, "citations": own}


def _is_proven(citation: "VerifiedCitation") -> bool:
    """Whether the words of a citation were compared and are correct."""
    return citation["status"] == Status.VERIFIED and citation["checked"] == "words"


def _reach(citation: "VerifiedCitation") -> list[tuple[int, int]]:
    """The spans of a verdict: the citation and the words beside it."""
    quote = citation["quote"]
    return [(citation["start"], citation["end"]), *([(quote["start"], quote["end"])] if quote else [])]


def _trimmed(text: str, start: int, end: int) -> "contract.Span":
    piece = text[start:end]
    return {"start": start + len(piece) - len(piece.lstrip()), "end": end - (len(piece) - len(piece.rstrip()))}


def _marked(text: str, wrong: "Sequence[GatedSentence]", citations: "Sequence[VerifiedCitation]", lang: str) -> str:
    """The text with each unproven sentence between marks, followed by the reasons."""
    parts, at = [], 0
    for sentence in wrong:
        bad = [citations[place] for place in sentence["citations"] if not _is_proven(citations[place])]
        why = ", ".join(f"{cited['surface']} {_reason(cited, lang)}" for cited in bad)
        parts += [text[at : sentence["start"]], OPEN, text[sentence["start"] : sentence["end"]], f" — {why}{CLOSE}"]
        at = sentence["end"]
    return "".join((*parts, text[at:]))


def _reason(citation: "VerifiedCitation", lang: str) -> str:
    verified = citation["status"] == Status.VERIFIED
    return message("only the number was checked").in_language(lang) if verified else citation["status"]


def _kept(text: str, wrong: "Sequence[GatedSentence]") -> str:
    """The text without the unproven sentences."""
    parts, at = [], 0
    for sentence in wrong:
        parts.append(text[at : sentence["start"]])
        behind = _BLANKS.match(text, sentence["end"])
        at = behind.end() if behind else sentence["end"]
    return "".join((*parts, text[at:]))
