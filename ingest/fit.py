"""Measures how well a numbering or another structure fits a text."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpus.catalogue import Grammar, catalogue
from corpus.messages import Message, message, plural
from corpus.model import Kind
from corpus.reference import fold_number
from corpus.words.text import CJK
from ingest.lines import Layout, Line, is_line_closed, is_torn, make_layout, title_in
from ingest.number import NumberJudge, is_listed
from ingest.split.block import APPENDIX, Block, cue_pattern
from ingest.split.document import split_document
from ingest.split.headings import is_deliberately_short, is_title
from ingest.split.plain import split_plain
from ingest.split.wiki import split_wiki

_SAMPLE_LENGTH = 150_000
"""Number of characters that are measured; longer books have the same style throughout."""
MIN_SCORE = 0.5
"""Minimum score of a rulebook in a style."""
MIN_RULES = 4
_NEARLY_BEST = 0.9
_MIN_CLOSED = 0.1  # of the rules
_MAX_SOFTWARE = 0.25  # of the headings
_MAX_CODE = 0.25  # of the paragraphs
MIN_PARAGRAPHS, _MIN_HEADINGS = 20, 2
_MIN_BELOW = 0.6
"""Minimum share of a document's text below its numbered headings."""
_MIN_SENTENCES, _MIN_NORMATIVE = 0.4, 0.25
"""Minimum shares of a document's paragraphs that end like sentences, and that have words of rules (player, must, penalty)."""
_LABEL, _MOSTLY = re.compile(r"[^.。:：!！?？]{2,40}(?:[:：]|\s[—–-]\s)\s*\S"), 0.6
"""The term and its mark at the start of a glossary's paragraph, and the share of paragraphs that have them."""
_PRINTED_NUMBER = re.compile(
    rf"(?:#{{1,6}} |\*\*|§ ?)*(?P<number>\d{{1,4}}(?:[.\-](?:\d{{1,3}}|[a-z]{{1,2}}(?![A-Za-z])))+)\.?(?=[\s*{CJK}]|$)"
)
_MAX_LOST, _NAMED_LOST = 1 / 50, 3
"""Share of a text's numbers that a reading may lose without a warning, and how many of them the warning names."""
_LAST_PART = re.compile(r"(?:[.\-]\w+|(?<=\d)[a-z]+)$")
_TEXT_ROLES = ("prose", "item", "example", "note", "entry")
_SENTENCE_ENDING = re.compile(r"[.。．!?！？][)）」』”\"’]?$")
_CLOSED_ENDING = re.compile(r"[.。．!?！？:：;；)）」』》】\]”\"’*_>]\s*$")


@dataclass(frozen=True, slots=True)
class GrammarFit:
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
        return self.coverage * self.order if self.rules >= MIN_RULES else 0.0

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
        from ingest.split.restructured import split_rst  # docutils is only imported for such a text

        return split_rst(layout)
    if grammar.style == "document":
        return split_document(layout, grammar)
    return split_wiki(layout)


def measure_fit(layout: Layout, grammar: Grammar) -> GrammarFit:
    """The fit of one grammar."""
    blocks = blocks_of(layout, grammar)
    is_numbered = grammar.style == "numbered"
    rules = [block for block in blocks if _is_rule(layout, block, grammar)]
    titles = [block for block in blocks if block.role in ("number", "heading") and block.mark != APPENDIX]
    headings = [block for block in titles if not _is_rule(layout, block, grammar)]
    parts = [block for block in blocks if block.role in ("example", "note", "table", "entry")]
    content = [block for block in blocks if block.role not in ("furniture", "front") and block.mark != APPENDIX]
    total = sum(map(_size, content)) or 1
    front = sum(_size(block) for block in blocks if block.role == "front")
    total += max(0, front - total // 2)  # a long preface does not count as a rulebook
    inside = sum(_size(block) for block in (*rules, *parts))
    order = _ordered_share(layout, grammar, blocks) if is_numbered else _has_headings_with_bullets(layout, blocks)
    order *= _has_sentences(layout, rules)
    has_top_level = any(block.role == "number" and not block.depth for block in blocks)
    coverage = inside / max(1, total - sum(map(_size, headings)))
    return GrammarFit(grammar, coverage, order, len(rules), len(rules) + len(headings), has_top_level)


def sample_layout(layout: Layout) -> Layout:
    """The part of a text that is measured."""
    return make_layout(layout.raw[:_SAMPLE_LENGTH]) if len(layout.raw) > _SAMPLE_LENGTH else layout


def fits_by_score(layout: Layout, grammars: list[Grammar]) -> list[GrammarFit]:
    """All fits, the best first; among nearly equal ones, numberings first, then those with more rules."""
    fits = [measure_fit(layout, grammar) for grammar in grammars]
    top = max(fit.score for fit in fits)

    def rank(fit: GrammarFit) -> tuple[bool, bool, int, bool, float]:
        fits_well, is_numbered = fit.score >= MIN_SCORE, fit.grammar.style == "numbered"
        return fit.score >= _NEARLY_BEST * top, fits_well and is_numbered, fit.numbers if fits_well else 0, fit.rooted, fit.score

    return sorted(fits, key=rank, reverse=True)


def _is_rule(layout: Layout, block: Block, grammar: Grammar) -> bool:
    """Whether a block is a rule: an item, a number below the headings, or a number of a heading's level with a sentence."""
    if block.role == "item":
        return True
    if block.role != "number" or not block.lines:
        return False
    return not grammar.levels[block.depth].kind.is_heading or (block.depth > 0 and _is_sentence(layout, block))


def _is_sentence(layout: Layout, block: Block) -> bool:
    """Whether the words of a numbered block end like a sentence; those of a title above the text of a section do not count."""
    return bool(_SENTENCE_ENDING.search(_block_end(layout, block))) and not _is_titled(layout, block)


def _size(block: Block) -> int:
    return sum(end - start for start, end in block.cover)


def _ordered_share(layout: Layout, grammar: Grammar, blocks: list[Block]) -> float:
    """Share of the numbers at line starts that the numbering accepts; 0 if they do not increase."""
    keys = [block.number.key for block in blocks if block.number]
    candidates = len(NumberJudge(layout, grammar).candidates)
    rising = sum(before < after for before, after in pairwise(keys))
    return min(1.0, len(keys) / candidates * 1.5) if candidates and 2 * rising >= len(keys) - 1 else 0.0


def _has_headings_with_bullets(layout: Layout, blocks: list[Block]) -> bool:
    """Whether a headings-only rulebook has headings with bullets below them, unlike those of software documents."""
    headings = [block.reading_text(layout) for block in blocks if block.role == "heading"]
    software = sum(bool(cue_pattern("software").match(words)) for words in headings)
    return len(headings) >= 2 and software <= _MAX_SOFTWARE * len(headings)


def _has_sentences(layout: Layout, rules: list[Block]) -> bool:
    """Whether enough rules are sentences: rows of a table and names of functions are not."""
    closed = sum(bool(_CLOSED_ENDING.search((block.words or _block_end(layout, block))[-3:])) for block in rules)
    return closed >= _MIN_CLOSED * len(rules)


def _block_end(layout: Layout, block: Block) -> str:
    return layout.raw[block.lines[-1].start : block.lines[-1].end][-3:] if block.lines else ""


@dataclass(frozen=True, slots=True)
class DocumentFit:
    """The structure of a document under one grammar."""

    grammar: Grammar
    numbered_headings: int  # headings with a number
    headings: int  # headings without one
    paragraphs: int  # list items among them
    coverage: float  # share of the text below the first heading
    labelled: bool  # whether it is called a glossary, and most paragraphs begin with a term

    @property
    def message(self) -> Message:
        """The structure in words."""
        if not self.numbered_headings and not self.headings:
            return message("paragraphs only: {count} of them, no headings and no numbers", count=self.paragraphs)
        return message(
            "structure {grammar}: {coverage:.0%} of the text is below a heading; numbered headings: {numbered}, others: {headings},"
            " paragraphs and list items: {paragraphs}",
            grammar=self.grammar.slug,
            coverage=self.coverage,
            numbered=self.numbered_headings,
            headings=self.headings,
            paragraphs=self.paragraphs,
        )


def document_fit(layout: Layout, grammars: Iterable[Grammar], *, style: str = "document", bare: bool = False) -> DocumentFit | None:
    """The grammar of a style that numbers the most headings, else the one without numbers.

    None if it is not a rules document; text without headings needs `bare`, unless it is a glossary.
    """
    fits = [fit for grammar in grammars if grammar.style == style and (fit := _measure_document(layout, grammar))]
    with_numbers = [fit for fit in fits if fit.numbered_headings >= _MIN_HEADINGS and fit.coverage >= _MIN_BELOW]
    with_headings = [fit for fit in fits if fit.grammar.items and fit.headings >= _MIN_HEADINGS and fit.coverage >= MIN_SCORE]
    plain = [fit for fit in fits if fit.grammar.slug == "paragraphs" and (bare or fit.labelled)]
    return max(with_numbers, key=lambda fit: fit.numbered_headings * fit.coverage, default=None) or next(
        iter(with_headings + plain), None
    )


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
    is_list = grammar.items and len(texts) >= MIN_RULES and 2 * items >= sum(map(len, words))
    questions = sum(block.reading_text(layout).endswith(("?", "？")) for block in titles)
    if not is_list and (
        len(texts) + questions < MIN_PARAGRAPHS
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
    numbers = sum(block.number is not None for block in blocks)
    headings = sum(block.number is None for block in titles)
    glossary = re.search(catalogue().titles["glossary"], title_in(layout)) is not None
    is_glossary = glossary and sum(bool(_LABEL.match(text)) for text in words) >= _MOSTLY * len(words)
    return DocumentFit(grammar, numbers, headings, len(texts), below / (sum(map(len, words)) or 1), is_glossary)


def is_document(layout: Layout, grammar: Grammar) -> bool:
    """Whether a text that fits a numbering is nevertheless a document: most of its rules are titles with prose below."""
    if grammar.style != "numbered":
        return False
    blocks = split_plain(layout, grammar)
    sections = [block for block in blocks if block.number and block.lines]
    rules = [block for block in sections if _is_rule(layout, block, grammar)]
    titles = sum(_is_titled(layout, block) for block in sections)
    prose = sum(_size(block) for block in blocks if block.role == "prose" and block.mark != APPENDIX)
    inside = sum(map(_size, rules)) + sum(_size(block) for block in blocks if block.role == "item")
    return 2 * titles > max(1, len(rules)) or prose > inside or (not rules and 3 * prose > inside)


@dataclass(frozen=True, slots=True)
class Loss:
    """The losses of a reading: numbers of the text that no rule has, sentences that it cuts, and texts glued to a title."""

    numbers: tuple[str, ...]
    cut_sentences: int
    glued_titles: int

    @property
    def total(self) -> int:
        """The number of losses."""
        return len(self.numbers) + self.cut_sentences + self.glued_titles

    @property
    def message(self) -> Message:
        """The losses in words."""
        return message(
            "lost numbers: {numbers}, cut sentences: {cut}, texts below a title in one rule: {glued}",
            numbers=len(self.numbers),
            cut=self.cut_sentences,
            glued=self.glued_titles,
        )


def measure_loss(layout: Layout, grammar: Grammar) -> Loss:
    """The losses of a reading under a grammar."""
    blocks = blocks_of(layout, grammar)
    glued_titles = sum(_is_titled(layout, block) for block in blocks if block.number) if grammar.style == "numbered" else 0
    return Loss(lost_numbers(layout, blocks), _cut_sentences(layout, blocks), glued_titles)


def lost_numbers(layout: Layout, blocks: Sequence[Block]) -> tuple[str, ...]:
    """The numbers at line starts that no block has, although one has the number above: 4.2.3 where 4.2 is there, in print order.

    It is independent of grammars, so that it also finds numbers in a form that the chosen one lacks.
    """
    numbers = sorted((block.number.start, block.number.label) for block in blocks if block.number)
    starts, labels = [start for start, _ in numbers], {label for _, label in numbers}
    missing: dict[str, None] = {}
    for line in layout.lines:
        match = _PRINTED_NUMBER.match(layout.text, line.start, line.end)
        if match is None or is_listed(layout.text, line.start, line.end):
            continue
        label = fold_number(match["number"])
        above = _LAST_PART.sub("", label)
        at = bisect_right(starts, line.start)
        if label not in labels and above in labels and at and numbers[at - 1][1].startswith(above):
            missing[label] = None
    return tuple(missing)


def loss_warning(layout: Layout, blocks: Sequence[Block]) -> Message | None:
    """A warning that names the first lost numbers if a reading loses more than one in fifty; else None."""
    missing = lost_numbers(layout, blocks)
    present = len({block.number.label for block in blocks if block.number})
    if len(missing) <= _MAX_LOST * (present + len(missing)):
        return None
    return message(
        "{lost} of {total} numbers of the text have no rule, first {first}; another reading: --structure NAME --replace",
        lost=len(missing),
        total=present + len(missing),
        first=", ".join(missing[:_NAMED_LOST]),
    )


def _cut_sentences(layout: Layout, blocks: Sequence[Block]) -> int:
    """The number of sentences that end in another block than they begin in."""
    texts = sorted((block for block in blocks if block.lines), key=lambda block: block.lines[0].start)
    return sum(
        after.number is None
        and after.role in ("prose", "title", "heading", "item")
        and before.role not in ("front", "furniture")
        and not after.lines[0].gap
        and _goes_on(layout, before.lines[-1], after.lines[0])
        for before, after in pairwise(texts)
    )


def _goes_on(layout: Layout, line: Line, after: Line) -> bool:
    """Whether a sentence continues in another line, according to its last and first characters."""
    words, below = layout.text[line.start : line.end], layout.text[after.start : after.end]
    return not is_line_closed(layout.text, line) and (below[0].islower() or words.endswith("-") or is_torn(words, below))


def paragraph_count(layout: Layout, grammars: Iterable[Grammar]) -> int:
    """The largest number of paragraphs and list items that a text has as a document."""
    documents = (split_document(layout, grammar) for grammar in grammars if grammar.style == "document")
    return max(sum(block.role in _TEXT_ROLES or block.kind is Kind.RULE for block in blocks) for blocks in documents)


def numbered_headings(layout: Layout, grammars: Iterable[Grammar]) -> tuple[Grammar, int]:
    """The structure of a document that numbers the most headings, and their number."""
    documents = ((grammar, split_document(layout, grammar)) for grammar in grammars if grammar.style == "document")
    counts = ((grammar, sum(block.number is not None for block in blocks)) for grammar, blocks in documents)
    return max(counts, key=lambda pair: pair[1])


def has_more_numbers(layout: Layout, document: DocumentFit, grammar: Grammar) -> bool:
    """Whether a document has numbered headings that a grammar of bullets reads as text."""
    return grammar.items and document.numbered_headings > sum(block.number is not None for block in blocks_of(layout, grammar))


def _is_titled(layout: Layout, block: Block) -> bool:
    if len(block.lines) < 2:
        return False
    first, second = block.lines[:2]
    whole = first._replace(start=block.cover[0].start)  # with its number: the wrap width is that of whole lines
    return is_title(layout.text[first.start : first.end]) and (second.gap > 0 or is_deliberately_short(layout, whole, second))
