"""Measures how well a numbering or another structure fits a text."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from corpus.catalogue import Grammar, catalogue
from corpus.messages import Message, message, plural
from corpus.model import Kind
from ingest.lines import Layout, make_layout, title_in
from ingest.number import Judge
from ingest.split.block import Block, cue_pattern
from ingest.split.document import split_document
from ingest.split.headings import is_deliberately_short, is_title
from ingest.split.plain import split_plain
from ingest.split.restructured import split_rst
from ingest.split.wiki import split_wiki

_SAMPLE_LENGTH = 150_000
"""Number of characters that are measured; longer books have the same style throughout."""
MIN_SCORE = 0.5
"""Minimum score of a rulebook in a style."""
_MIN_RULES = 4
_NEARLY_BEST = 0.9
_MIN_CLOSED = 0.1  # of the rules
_MAX_SOFTWARE = 0.25  # of the headings
_MAX_CODE = 0.25  # of the paragraphs
_MIN_PARAGRAPHS, _MIN_HEADINGS = 20, 2
_MAX_BELOW = 0.6
"""Minimum share of a document's text below its numbered headings."""
_MIN_SENTENCES, _MIN_NORMATIVE = 0.4, 0.25
"""Minimum shares of a document's paragraphs that end like sentences, and that have words of rules (player, must, penalty)."""
_LABEL, _MOSTLY = re.compile(r"[^.。:：!！?？]{2,40}(?:[:：]|\s[—–-]\s)\s*\S"), 0.6
"""The term and its mark at the start of a glossary's paragraph, and the share of paragraphs that have them."""
_TEXT_ROLES = ("prose", "item", "example", "note", "entry")
_CLOSED_ENDING = re.compile(r"[.。．!?！？:：;；)）」』》】\]”\"’*_>]\s*$")


@dataclass(frozen=True, slots=True)
class Fit:
    """A grammar's fit: share of the text inside rules, share of the candidate numbers in order, number of rules."""

    grammar: Grammar
    coverage: float
    order: float
    rules: int
    numbers: int  # distinct rules and headings
    rooted: bool  # whether the top level of the numbering occurs

    @property
    def score(self) -> float:
        """0 … 1; 0 for a text with hardly any rules."""
        return self.coverage * self.order if self.rules >= _MIN_RULES else 0.0

    @property
    def message(self) -> Message:
        """The fit in words."""
        return message(
            "{grammar}: {coverage:.0%} of the text in {rules}, {order:.0%} of the numbers in order",
            grammar=self.grammar.slug,
            coverage=self.coverage,
            rules=plural("{count} rule", "{count} rules", self.rules),
            order=self.order,
        )


def blocks_of(layout: Layout, grammar: Grammar) -> list[Block]:
    """The blocks of a text under a grammar, whatever its style."""
    if grammar.style == "numbered":
        return split_plain(layout, grammar)
    if grammar.style == "rst":
        return split_rst(layout)
    if grammar.style == "document":
        return split_document(layout, grammar)
    return split_wiki(layout)


def measure_fit(layout: Layout, grammar: Grammar) -> Fit:
    """The fit of one grammar."""
    blocks = blocks_of(layout, grammar)
    numbered = grammar.style == "numbered"
    rules = [block for block in blocks if _is_rule(block, grammar)]
    headings = [block for block in blocks if block.role in ("number", "heading") and not _is_rule(block, grammar)]
    attached = [block for block in blocks if block.role in ("example", "note", "table", "entry")]
    total = sum(_size(block) for block in blocks if block.role not in ("furniture", "front")) or 1
    front = sum(_size(block) for block in blocks if block.role == "front")
    total += max(0, front - total // 2)  # a long preface does not count as a rulebook
    inside = sum(_size(block) for block in (*rules, *attached))
    order = _ordered_share(layout, grammar, blocks) if numbered else _has_headings_with_bullets(layout, blocks)
    order *= _has_sentences(layout, rules)
    rooted = any(block.role == "number" and not block.depth for block in blocks)
    coverage = inside / max(1, total - sum(map(_size, headings)))
    return Fit(grammar, coverage, order, len(rules), len(rules) + len(headings), rooted)


def sample_layout(layout: Layout) -> Layout:
    """The part of a text that is measured."""
    return make_layout(layout.raw[:_SAMPLE_LENGTH]) if len(layout.raw) > _SAMPLE_LENGTH else layout


def fits_by_score(layout: Layout, grammars: list[Grammar]) -> list[Fit]:
    """All fits, the best first; among nearly equal ones, numberings first, then those with more rules."""
    fits = [measure_fit(layout, grammar) for grammar in grammars]
    top = max(fit.score for fit in fits)

    def rank(fit: Fit) -> tuple[bool, bool, int, bool, float]:
        fits_well, numbered = fit.score >= MIN_SCORE, fit.grammar.style == "numbered"
        return fit.score >= _NEARLY_BEST * top, fits_well and numbered, fit.numbers if fits_well else 0, fit.rooted, fit.score

    return sorted(fits, key=rank, reverse=True)


def _is_rule(block: Block, grammar: Grammar) -> bool:
    if block.role == "item":
        return True
    if block.role != "number" or not block.lines:
        return False
    return not grammar.levels[block.depth].kind.is_heading


def _size(block: Block) -> int:
    return sum(end - start for start, end in block.cover)


def _ordered_share(layout: Layout, grammar: Grammar, blocks: list[Block]) -> float:
    """Share of the numbers at line starts that the numbering accepts; 0 if they do not increase."""
    keys = [block.number.key for block in blocks if block.number]
    candidates = len(Judge(layout, grammar).candidates)
    rising = sum(before < after for before, after in pairwise(keys))
    return min(1.0, len(keys) / candidates * 1.5) if candidates and 2 * rising >= len(keys) - 1 else 0.0


def _has_headings_with_bullets(layout: Layout, blocks: list[Block]) -> float:
    """Whether a headings-only rulebook has headings with bullets below them, unlike those of software documents."""
    headings = [block.reading_text(layout) for block in blocks if block.role == "heading"]
    software = sum(bool(cue_pattern("software").match(words)) for words in headings)
    return 1.0 if len(headings) >= 2 and software <= _MAX_SOFTWARE * len(headings) else 0.0


def _has_sentences(layout: Layout, rules: list[Block]) -> float:
    """Whether enough rules are sentences: rows of a table and names of functions are not."""
    closed = sum(bool(_CLOSED_ENDING.search((block.words or _block_end(layout, block))[-3:])) for block in rules)
    return 1.0 if closed >= _MIN_CLOSED * len(rules) else 0.0


def _block_end(layout: Layout, block: Block) -> str:
    return layout.raw[block.lines[-1].start : block.lines[-1].end][-3:] if block.lines else ""


@dataclass(frozen=True, slots=True)
class DocumentFit:
    """The structure of a document under one grammar."""

    grammar: Grammar
    numbered: int  # headings with a number
    headings: int  # headings without one
    paragraphs: int  # list items among them
    coverage: float  # share of the text below the first heading
    labelled: bool  # whether it is called a glossary, and most paragraphs begin with a term

    @property
    def message(self) -> Message:
        """The structure in words."""
        if not self.numbered and not self.headings:
            return message("paragraphs only: {count} of them, no headings and no numbers", count=self.paragraphs)
        return message(
            "structure {grammar}: numbered headings: {numbered}, others: {headings}, paragraphs and list items: {paragraphs}",
            grammar=self.grammar.slug,
            numbered=self.numbered,
            headings=self.headings,
            paragraphs=self.paragraphs,
        )


def document_fit(layout: Layout, grammars: Iterable[Grammar], *, style: str = "document", bare: bool = False) -> DocumentFit | None:
    """The grammar of a style that numbers the most headings, else the one without numbers.

    None if it is not a rules document; text without headings needs `bare`, unless it is a glossary.
    """
    fits = [fit for grammar in grammars if grammar.style == style and (fit := _measure_document(layout, grammar))]
    numbered = [fit for fit in fits if fit.numbered >= _MIN_HEADINGS and fit.coverage >= _MAX_BELOW]
    headed = [fit for fit in fits if fit.grammar.items and fit.headings >= _MIN_HEADINGS and fit.coverage >= MIN_SCORE]
    plain = [fit for fit in fits if fit.grammar.slug == "paragraphs" and (bare or fit.labelled)]
    return max(numbered, key=lambda fit: fit.numbered * fit.coverage, default=None) or next(iter(headed + plain), None)


def _measure_document(layout: Layout, grammar: Grammar) -> DocumentFit | None:
    """The fit of one grammar; None for a text with too few paragraphs, sentences or words of rules.

    A list below headings is exempt, because its items are rules.
    """
    blocks = blocks_of(layout, grammar)
    titles = [block for block in blocks if block.role in ("number", "heading", "title") and block.kind is not Kind.RULE]
    texts = [block for block in blocks if block.role in _TEXT_ROLES or block.kind is Kind.RULE]
    words = [block.reading_text(layout) for block in texts]
    software = sum(bool(cue_pattern("software").match(block.reading_text(layout))) for block in titles)
    items = sum(len(text) for block, text in zip(texts, words, strict=True) if block.role == "item")
    listed = grammar.items and len(texts) >= _MIN_RULES and 2 * items >= sum(map(len, words))
    asked = sum(block.reading_text(layout).endswith(("?", "？")) for block in titles)
    if not listed and (
        len(texts) + asked < _MIN_PARAGRAPHS
        or sum(bool(_CLOSED_ENDING.search(text[-3:])) for text in words) < _MIN_SENTENCES * len(words)
        or sum(bool(cue_pattern("normative").search(text)) for text in words) < _MIN_NORMATIVE * len(words)
    ):
        return None
    code = sum(bool(cue_pattern("code").match(line)) for text in words for line in text.split("\n"))
    if software > _MAX_SOFTWARE * len(titles) or code > _MAX_CODE * len(words):
        return None
    marks = [block for block in titles if block.number] or titles
    first = min((block.cover[0].start for block in marks), default=len(layout.text))
    below = sum(len(text) for block, text in zip(texts, words, strict=True) if block.cover[0].start >= first)
    numbered = sum(block.number is not None for block in blocks)
    headings = sum(block.number is None for block in titles)
    glossary = re.search(catalogue().titles["glossary"], title_in(layout)) is not None
    labelled = glossary and sum(bool(_LABEL.match(text)) for text in words) >= _MOSTLY * len(words)
    return DocumentFit(grammar, numbered, headings, len(texts), below / (sum(map(len, words)) or 1), labelled)


def is_document(layout: Layout, grammar: Grammar) -> bool:
    """Whether a text that fits a numbering is nevertheless a document: most of its rules are titles with prose below."""
    if grammar.style != "numbered":
        return False
    blocks = split_plain(layout, grammar)
    rules = [block for block in blocks if block.number and _is_rule(block, grammar)]
    titled = sum(_is_titled(layout, block) for block in rules)
    prose = sum(_size(block) for block in blocks if block.role == "prose")
    items = sum(_size(block) for block in blocks if block.role == "item")
    return 2 * titled > len(rules) or (not rules and 3 * prose > items)


def has_more_numbers(layout: Layout, document: DocumentFit, grammar: Grammar) -> bool:
    """Whether a document has numbered headings that a grammar of bullets reads as text."""
    return grammar.items and document.numbered > sum(block.number is not None for block in blocks_of(layout, grammar))


def _is_titled(layout: Layout, block: Block) -> bool:
    if len(block.lines) < 2:
        return False
    first, second = block.lines[:2]
    whole = first._replace(start=block.cover[0].start)  # with its number: the wrap width is that of whole lines
    return is_title(layout.text[first.start : first.end]) and (second.gap > 0 or is_deliberately_short(layout, whole, second))
