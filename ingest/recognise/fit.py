"""How well a numbering grammar fits a text, measured on the text itself."""

import re
from dataclasses import dataclass
from itertools import pairwise

from corpus.catalogue import Grammar
from ingest.lines import Page, page
from ingest.number.judge import Judge
from ingest.split.block import Piece, sign
from ingest.split.markup import split_markup
from ingest.split.plain import split
from ingest.split.restructured import split_rst

_SAMPLE = 150_000
"""Characters that are measured; whole books are longer, their style is the same throughout."""
LEAST = 0.5
"""A text of which a smaller share is rules in order is no rulebook of that style."""
_LEAST_RULES = 4
_NEARLY_BEST = 0.9
_LEAST_CLOSED = 0.1  # of the rules
_MOST_SOFTWARE = 0.25  # of the headings
_CLOSED = re.compile(r"[.。．!?！？:：;；)）」』》】\]”\"’*_>]\s*$")


@dataclass(frozen=True, slots=True)
class Fit:
    """A grammar's fit: share of the text inside rules, share of the candidate numbers in order, number of rules."""

    grammar: Grammar
    coverage: float
    order: float
    rules: int
    numbers: int  # rules and headings told apart
    rooted: bool  # whether the outermost level of the numbering occurs

    @property
    def score(self) -> float:
        """0 … 1; 0 for a text with hardly any rules."""
        return self.coverage * self.order if self.rules >= _LEAST_RULES else 0.0

    def __str__(self) -> str:
        return (
            f"{self.grammar.slug}: {self.coverage:.0%} of the text in {self.rules} rules, {self.order:.0%} of the numbers in order"
        )


def pieces(text: Page, grammar: Grammar) -> list[Piece]:
    """The pieces of a text under a grammar, whatever its style."""
    if grammar.style == "numbered":
        return split(text, grammar)
    if grammar.style == "rst":
        return split_rst(text)
    return split_markup(text, grammar)


def measure(text: Page, grammar: Grammar) -> Fit:
    """The fit of one grammar."""
    found = pieces(text, grammar)
    numbered = grammar.style == "numbered"
    rules = [piece for piece in found if _is_rule(piece, grammar)]
    headings = [piece for piece in found if piece.role in ("number", "heading") and not _is_rule(piece, grammar)]
    attached = [piece for piece in found if piece.role in ("example", "note", "table", "entry")]
    total = sum(_size(piece) for piece in found if piece.role not in ("furniture", "front")) or 1
    front = sum(_size(piece) for piece in found if piece.role == "front")
    total += max(0, front - total // 2)  # a long preface is no rulebook
    inside = sum(_size(piece) for piece in (*rules, *attached))
    order = _order(text, grammar, found) if numbered else _headed(text, found)
    order *= _said(text, rules)
    rooted = any(piece.role == "number" and not piece.depth for piece in found)
    coverage = inside / max(1, total - sum(map(_size, headings)))
    return Fit(grammar, coverage, order, len(rules), len(rules) + len(headings), rooted)


def sample(text: Page) -> Page:
    """The part of a text that is enough to measure it."""
    return page(text.raw[:_SAMPLE]) if len(text.raw) > _SAMPLE else text


def best(text: Page, grammars: list[Grammar]) -> list[Fit]:
    """All fits, the best first: among those nearly as good as the best, a numbering, and the one that tells most rules apart."""
    fits = [measure(text, grammar) for grammar in grammars]
    top = max(fit.score for fit in fits)
    return sorted(
        fits,
        key=lambda fit: (
            fit.score >= _NEARLY_BEST * top,
            fit.score >= LEAST and fit.grammar.style == "numbered",
            fit.numbers if fit.score >= LEAST else 0,
            fit.rooted,
            fit.score,
        ),
        reverse=True,
    )


def _is_rule(piece: Piece, grammar: Grammar) -> bool:
    if piece.role == "item":
        return True
    if piece.role != "number" or not piece.lines:
        return False
    return not grammar.levels[piece.depth].kind.is_heading


def _size(piece: Piece) -> int:
    return sum(end - start for start, end in piece.cover)


def _order(text: Page, grammar: Grammar, found: list[Piece]) -> float:
    """Share of the numbers at line starts that the numbering accepts; nothing where they do not rise."""
    keys = [piece.number.key for piece in found if piece.number]
    candidates = len(Judge(text, grammar).candidates)
    rising = sum(before < after for before, after in pairwise(keys))
    return min(1.0, len(keys) / candidates * 1.5) if candidates and 2 * rising >= len(keys) - 1 else 0.0


def _headed(text: Page, found: list[Piece]) -> float:
    """A headings-only rulebook has headings, and bullets below them; other headings than a document about software."""
    headings = [piece.reading(text) for piece in found if piece.role == "heading"]
    software = sum(bool(sign("software").match(words)) for words in headings)
    return 1.0 if len(headings) >= 2 and software <= _MOST_SOFTWARE * len(headings) else 0.0


def _said(text: Page, rules: list[Piece]) -> float:
    """Whether enough rules are sentences: rows of a table and names of functions are none."""
    closed = sum(bool(_CLOSED.search((piece.words or _end(text, piece))[-3:])) for piece in rules)
    return 1.0 if closed >= _LEAST_CLOSED * len(rules) else 0.0


def _end(text: Page, piece: Piece) -> str:
    return text.raw[piece.lines[-1].start : piece.lines[-1].end][-3:] if piece.lines else ""
