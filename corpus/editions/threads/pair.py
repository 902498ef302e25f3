"""The steps between two neighbouring editions.

Between editions without a common language they are proposed by glosses and common concepts: only if two rules are mutual best
matches by a margin. Other rules stay open, neither added nor removed.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

from corpus.address import split_rule
from corpus.editions.threads.matching import Matches, RulePositions, Shingles, match_edited, match_exact, match_headings
from corpus.store.threads.rule import StoredRule, masked_sentences, words_for_matching
from corpus.store.threads.step import Step, StepKind, kind_of
from corpus.words.text import fold_text

if TYPE_CHECKING:
    from corpus.contract import RuleRecord


def steps(old: Iterable[StoredRule], new: Iterable[StoredRule]) -> list[Step]:
    """The step of each rule, by locators: the new rules in document order, then the removed ones in the order of the old edition.

    Chapters that only one edition covers are left out, because the fate of their rules is unknown.
    """
    matches = match_editions(RulePositions(old), RulePositions(new))
    split_pieces = find_split_pieces(matches.unmatched_new(), matches.old.rules, _matched_texts(matches.forward, matches.new))
    merged_pieces = find_split_pieces(matches.unmatched_old(), matches.new.rules, _matched_texts(matches.back, matches.old))
    links = [*matches.forward.items(), *split_pieces, *((piece, whole) for whole, piece in merged_pieces)]
    return list(_StepBuilder(matches, dict.fromkeys(links)).steps())


def match_editions(old: RulePositions, new: RulePositions) -> Matches:
    """The one-to-one matches: equal words first, then headings by their content, then similar words."""
    matches = Matches(old, new)
    match_exact(matches)
    for match in (match_headings, match_edited, match_headings):
        match(matches)
    return matches


def similarity(old: StoredRule, new: StoredRule) -> float:
    """The share of common words in the same order: 1 for equal texts."""
    if old.folded_text == new.folded_text:
        return 1.0
    return round(min(Indel.normalized_similarity(old.words, new.words), 0.999), 3)


def _matched_texts(partner: Mapping[str, str], places: RulePositions) -> dict[str, str]:
    """The folded and masked text of each matched rule in the other edition."""
    return {locator: places.rules[other].masked_text for locator, other in partner.items()}


class _StepBuilder:
    """Turns matches into steps. `links` are old and new rules with words in common: one to one, or a whole and its pieces."""

    def __init__(self, matches: Matches, links: Iterable[tuple[str, str]]) -> None:
        self.matches = matches
        self.old, self.new = matches.old.rules, matches.new.rules
        self.before: dict[str, list[str]] = {}
        self.after: dict[str, list[str]] = {}
        for earlier, other in links:
            self.after.setdefault(earlier, []).append(other)
            self.before.setdefault(other, []).append(earlier)

    def steps(self) -> Iterator[Step]:
        """See `steps`."""
        chapters = _covered_chapters(self.matches.old, self.before, self.matches.new)
        for rule in self.new.values():
            yield from (self._step(self.old[earlier], rule) for earlier in self.before.get(rule.locator, ()))
            if rule.locator not in self.before and self.matches.new.chapter_of(rule.locator) in chapters:
                yield Step(StepKind.ADDED, None, rule.locator, 0.0)
        chapters = _covered_chapters(self.matches.new, self.after, self.matches.old)
        for rule in self.old.values():
            if rule.locator not in self.after and self.matches.old.chapter_of(rule.locator) in chapters:
                yield Step(StepKind.REMOVED, rule.locator, None, 0.0)

    def _step(self, old: StoredRule, new: StoredRule) -> Step:
        edited = old.folded_text != new.folded_text
        kind = kind_of(old.locator, new.locator, edited=edited)
        if len(self.after[old.locator]) > 1:
            kind = StepKind.SPLIT
        elif len(self.before[new.locator]) > 1:
            kind = StepKind.MERGED
        return Step(kind, old.locator, new.locator, similarity(old, new), edited and self._changed_only_references(old, new))

    def _changed_only_references(self, old: StoredRule, new: StoredRule) -> bool:
        """Whether only the references differ, and each still refers to the same rule."""
        if old.masked_text != new.masked_text or len(old.cites) != len(new.cites):
            return False
        return all(there in self.after.get(here, (here,)) for here, there in zip(old.cites, new.cites, strict=True))


def _covered_chapters(edition: RulePositions, locators: Collection[str], others: RulePositions) -> frozenset[str]:
    """The chapters of the other edition that this one covers: all, unless this one is only a part of the book."""
    chapters = frozenset(others.children.get(None, ()))
    if 2 * len(edition.children.get(None, ())) > len(chapters):
        return chapters
    return frozenset(others.chapter_of(locator) for locator in locators)


_MIN_SHARE = 0.5
"""Share of a piece's words that must be sentences of the rule it was split from."""
_MIN_SENTENCE_WORDS = 5
"""Minimum number of words (a third as many CJK characters) in a distinctive sentence."""


def find_split_pieces(
    pieces: Iterable[StoredRule], wholes: Mapping[str, StoredRule], matches: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """`(whole, piece)` for each unmatched piece that mostly consists of sentences of one whole, or is a clause of it.

    `matches` has the folded, masked words of each whole in the other edition, by locator: sentences that the whole retains were not
    split off.
    """
    index = _index_sentences(wholes.values())
    for piece in pieces:
        whole = _find_whole(piece, index, matches)
        if whole is None and not piece.title and _is_long(piece.plain):
            whole = _find_whole_with_clause(piece, wholes, matches)
        if whole is not None:
            yield whole, piece.locator


def _index_sentences(rules: Iterable[StoredRule]) -> dict[str, list[str]]:
    index: dict[str, list[str]] = {}
    for rule in rules:
        for sentence in masked_sentences(rule):
            if _is_long(sentence):
                index.setdefault(f"{rule.lang} {fold_text(sentence)}", []).append(rule.locator)
    return index


def _find_whole(piece: StoredRule, index: Mapping[str, list[str]], matches: Mapping[str, str]) -> str | None:
    shares: dict[str, int] = {}
    for sentence in masked_sentences(piece):
        words = fold_text(sentence)
        for whole in index.get(f"{piece.lang} {words}", ()) if _is_long(sentence) else ():
            if words not in matches.get(whole, ""):
                shares[whole] = shares.get(whole, 0) + len(words)
    best = max(shares, key=lambda whole: shares[whole], default=None)
    return best if best is not None and shares[best] >= _MIN_SHARE * len(piece.masked_text) else None


_CLAUSE_BORDER = re.compile(r"[,;:.，；：。、](?:and|or|but|also|then|并且?|而且|且|同时|また|かつ)?$")
_CLAUSE_ENDS = ("", *",;:.，；：。、")
_BORDER_LENGTH = 8
"""Number of folded characters before a clause that may join it to the words before."""


def _find_whole_with_clause(piece: StoredRule, wholes: Mapping[str, StoredRule], matches: Mapping[str, str]) -> str | None:
    """The rule that has all the words of a piece as a clause, and had not in the other edition."""
    words = piece.masked_text.rstrip(".。．")
    for whole in wholes.values():
        at = whole.masked_text.find(words) if whole.lang == piece.lang and len(words) < len(whole.masked_text) else -1
        if at < 0:
            continue
        begins = at == 0 or _CLAUSE_BORDER.search(whole.masked_text[max(0, at - _BORDER_LENGTH) : at])
        ends = whole.masked_text[at + len(words) :][:1] in _CLAUSE_ENDS
        if begins and ends and words not in matches.get(whole.locator, ""):
            return whole.locator
    return None


def _is_long(sentence: str) -> bool:
    return len(sentence.split()) >= _MIN_SENTENCE_WORDS or (not sentence.isascii() and len(sentence) >= 3 * _MIN_SENTENCE_WORDS)


_MIN, _MARGIN = 0.4, 0.8
"""Minimum similarity of a proposal, and the maximum similarity of the next best pair as a share of it."""
_GLOSS_LANGUAGES = ("en", "zh-Hans", "ja")


def propose_steps(old: Iterable[StoredRule], new: Iterable[StoredRule]) -> list[Step]:
    """Steps between rules, by locators, each proposed; `similarity` is the confidence."""
    before, after = [rule for rule in old if rule.words], [rule for rule in new if rule.words]
    shingles = Shingles([*before, *after])
    scores = {(rule.locator, other.locator): shingles.similarity(rule, other) for rule, other in shingles.candidates(before, after)}
    rivals = _two_best_scores(scores)
    return [
        Step(kind_of(here, there, edited=True), here, there, round(min(score, 0.99), 2), proposed=True)
        for (here, there), score in scores.items()
        if score >= _MIN and all(rivals[end][1] <= _MARGIN * score for end in ((0, here), (1, there)))
    ]


def _two_best_scores(scores: Mapping[tuple[str, str], float]) -> dict[tuple[int, str], tuple[float, float]]:
    """The two best scores of each rule, by side and locator."""
    best: dict[tuple[int, str], tuple[float, float]] = {}
    for ends, score in scores.items():
        for end in enumerate(ends):
            first, second = best.get(end, (0.0, 0.0))
            best[end] = (score, first) if score > first else (first, max(second, score))
    return best


def rule_as_gloss(record: "RuleRecord") -> StoredRule:
    """A rule as its gloss and its concepts; without a gloss as its concepts only."""
    gloss = next((record["digest"][lang] for lang in _GLOSS_LANGUAGES if lang in record["digest"]), "")
    concepts = sorted({mention["concept"] for mention in record["mentions"]})
    defined_concepts = (concept for concept in record["defines"] for _ in range(2))  # they count twice
    words = (*words_for_matching(gloss), *concepts, *defined_concepts)
    return StoredRule(
        locator=record["locator"],
        order=record["order"],
        parent=split_rule(record["parent"]).locator if record["parent"] else None,
        lang="",
        plain=gloss,
        folded_text=gloss,
        masked_text=gloss,
        words=words if gloss else (),
        cites=(),
        title=record["kind"] in ("chapter", "section"),
    )
