"""How well a numbering grammar fits a text, measured on the text itself."""

import re
from dataclasses import dataclass
from itertools import pairwise

from corpus.catalogue import Grammar
from corpus.messages import Message, message
from ingest.layout import Layout, layout_of
from ingest.number.judge import Judge
from ingest.split.block import Block, cue
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

    @property
    def message(self) -> Message:
        """The fit in words."""
        return message(
            "{grammar}: {coverage:.0%} of the text in {rules} rules, {order:.0%} of the numbers in order",
            grammar=self.grammar.slug,
            coverage=self.coverage,
            rules=self.rules,
            order=self.order,
        )


def blocks_of(layout: Layout, grammar: Grammar) -> list[Block]:
    """The blocks of a text under a grammar, whatever its style."""
    if grammar.style == "numbered":
        return split(layout, grammar)
    if grammar.style == "rst":
        return split_rst(layout)
    return split_markup(layout, grammar)


def measure(layout: Layout, grammar: Grammar) -> Fit:
    """The fit of one grammar."""
    blocks = blocks_of(layout, grammar)
    numbered = grammar.style == "numbered"
    rules = [block for block in blocks if _is_rule(block, grammar)]
    headings = [block for block in blocks if block.role in ("number", "heading") and not _is_rule(block, grammar)]
    attached = [block for block in blocks if block.role in ("example", "note", "table", "entry")]
    total = sum(_size(block) for block in blocks if block.role not in ("furniture", "front")) or 1
    front = sum(_size(block) for block in blocks if block.role == "front")
    total += max(0, front - total // 2)  # a long preface is no rulebook
    inside = sum(_size(block) for block in (*rules, *attached))
    order = _order(layout, grammar, blocks) if numbered else _headed(layout, blocks)
    order *= _said(layout, rules)
    rooted = any(block.role == "number" and not block.depth for block in blocks)
    coverage = inside / max(1, total - sum(map(_size, headings)))
    return Fit(grammar, coverage, order, len(rules), len(rules) + len(headings), rooted)


def sample(layout: Layout) -> Layout:
    """The part of a text that is enough to measure it."""
    return layout_of(layout.raw[:_SAMPLE]) if len(layout.raw) > _SAMPLE else layout


def best(layout: Layout, grammars: list[Grammar]) -> list[Fit]:
    """All fits, the best first: among those nearly as good as the best, a numbering, and the one that tells most rules apart."""
    fits = [measure(layout, grammar) for grammar in grammars]
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


def _is_rule(block: Block, grammar: Grammar) -> bool:
    if block.role == "item":
        return True
    if block.role != "number" or not block.lines:
        return False
    return not grammar.levels[block.depth].kind.is_heading


def _size(block: Block) -> int:
    return sum(end - start for start, end in block.cover)


def _order(layout: Layout, grammar: Grammar, blocks: list[Block]) -> float:
    """Share of the numbers at line starts that the numbering accepts; nothing where they do not rise."""
    keys = [block.number.key for block in blocks if block.number]
    candidates = len(Judge(layout, grammar).candidates)
    rising = sum(before < after for before, after in pairwise(keys))
    return min(1.0, len(keys) / candidates * 1.5) if candidates and 2 * rising >= len(keys) - 1 else 0.0


def _headed(layout: Layout, blocks: list[Block]) -> float:
    """A headings-only rulebook has headings, and bullets below them; other headings than a document about software."""
    headings = [block.reading(layout) for block in blocks if block.role == "heading"]
    software = sum(bool(cue("software").match(words)) for words in headings)
    return 1.0 if len(headings) >= 2 and software <= _MOST_SOFTWARE * len(headings) else 0.0


def _said(layout: Layout, rules: list[Block]) -> float:
    """Whether enough rules are sentences: rows of a table and names of functions are none."""
    closed = sum(bool(_CLOSED.search((block.words or _end(layout, block))[-3:])) for block in rules)
    return 1.0 if closed >= _LEAST_CLOSED * len(rules) else 0.0


def _end(layout: Layout, block: Block) -> str:
    return layout.raw[block.lines[-1].start : block.lines[-1].end][-3:] if block.lines else ""
