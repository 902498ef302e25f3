"""Matches the rules of two editions in rounds: equal words, headings, similar words."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import log

from corpus.store.threads.rule import StoredRule


class RulePositions:
    """The rules of one edition in document order, with their neighbours and parents."""

    def __init__(self, rules: Iterable[StoredRule]) -> None:
        self.rules: Mapping[str, StoredRule] = {rule.locator: rule for rule in sorted(rules, key=lambda rule: rule.order)}
        order = list(self.rules)
        self.at = {locator: place for place, locator in enumerate(order)}
        self.order: Sequence[str] = order
        self.children: dict[str | None, list[str]] = {}
        for locator, rule in self.rules.items():
            self.children.setdefault(rule.parent, []).append(locator)

    def neighbour(self, locator: str, step: int) -> str | None:
        """The rule `step` positions away, at any level; None at the ends."""
        place = self.at[locator] + step
        return self.order[place] if 0 <= place < len(self.order) else None

    def chapter_of(self, locator: str) -> str:
        """The outermost rule above, or the rule itself."""
        above = self.rules[locator].parent
        while above is not None and above in self.rules:
            locator, above = above, self.rules[above].parent
        return locator


class Matches:
    """The matches between old and new rules found so far."""

    def __init__(self, old: RulePositions, new: RulePositions) -> None:
        self.old, self.new = old, new
        self.forward: dict[str, str] = {}
        self.back: dict[str, str] = {}

    def add(self, old: str, new: str) -> bool:
        """Matches two rules if both are unmatched; returns whether they were."""
        if old in self.forward or new in self.back:
            return False
        self.forward[old], self.back[new] = new, old
        return True

    def drop(self, old: str) -> None:
        """Removes a match."""
        del self.back[self.forward.pop(old)]

    def unmatched_old(self) -> Iterator[StoredRule]:
        """The old rules without a match, in document order."""
        return (rule for locator, rule in self.old.rules.items() if locator not in self.forward)

    def unmatched_new(self) -> Iterator[StoredRule]:
        """The new rules without a match, in document order."""
        return (rule for locator, rule in self.new.rules.items() if locator not in self.back)

    def position_score(self, old: str, new: str) -> float:
        """Evidence from position that two rules are the same, from -1 to 1: parents, neighbours, number."""
        return 0.5 * self._parent_score(old, new) + 0.3 * self._neighbour_score(old, new) + (0.2 if old == new else 0.0)

    def _parent_score(self, old: str, new: str) -> float:
        """1 if the parents are matched, -1 if the old one is matched to another, 0 if unknown."""
        above, over = self.old.rules[old].parent, self.new.rules[new].parent
        if above is None or over is None:
            return 1.0 if above == over else 0.0
        if above not in self.forward:
            return 0.0
        return 1.0 if self.forward[above] == over else -1.0

    def _neighbour_score(self, old: str, new: str) -> float:
        """The share of the two neighbours that are matched to each other."""
        matches = 0
        for step in (-1, 1):
            near, other = self.old.neighbour(old, step), self.new.neighbour(new, step)
            if near is not None and self.forward.get(near, "") == other:
                matches += 1
        return matches / 2


Words = Callable[[StoredRule], str]
_WORD_FORMS: tuple[Words, ...] = (lambda rule: rule.folded_text, lambda rule: rule.masked_text)
_MAX_REPEATED = 40
"""Number of rules with the same words above which only the closest ones are compared."""


def match_exact(matches: Matches) -> None:
    """Matches rules with equal words, references masked.

    First those in their old place, then those with unique words, finally repeated ones by their neighbours.
    """
    _match_in_place(matches)
    for words in _WORD_FORMS:
        _match_unique(matches, words)
    for words in _WORD_FORMS:
        while _match_repeated(matches, words):
            pass


def _match_in_place(matches: Matches) -> None:
    for locator, rule in matches.old.rules.items():
        there = matches.new.rules.get(locator)
        if there and rule.lang == there.lang and rule.folded_text and rule.folded_text == there.folded_text:
            matches.add(locator, locator)


def _match_unique(matches: Matches, words: Words) -> None:
    new = _group_by_words(matches.unmatched_new(), words)
    for text, olds in _group_by_words(matches.unmatched_old(), words).items():
        if len(olds) == 1 and len(new.get(text, ())) == 1:
            matches.add(olds[0].locator, new[text][0].locator)


def _match_repeated(matches: Matches, words: Words) -> int:
    """Matches rules with the same repeated words whose neighbours match; returns their number."""
    new = _group_by_words(matches.unmatched_new(), words)
    pairs = [
        (matches.position_score(rule.locator, other.locator), -rule.order, rule.locator, other.locator)
        for text, olds in _group_by_words(matches.unmatched_old(), words).items()
        for rule in olds
        for other in _closest_rules(rule, new.get(text, ()))
    ]
    return sum(matches.add(old, there) for score, _, old, there in sorted(pairs, reverse=True) if score > 0)


def _closest_rules(rule: StoredRule, others: Sequence[StoredRule]) -> Sequence[StoredRule]:
    if len(others) <= _MAX_REPEATED:
        return others
    return sorted(others, key=lambda other: abs(other.order - rule.order))[:_MAX_REPEATED]


def _group_by_words(rules: Iterable[StoredRule], words: Words) -> dict[str, list[StoredRule]]:
    groups: dict[str, list[StoredRule]] = {}
    for rule in rules:
        if text := words(rule):
            groups.setdefault(f"{rule.lang} {text}", []).append(rule)
    return groups


_MAX_COMMON_SHARE = 0.5
"""Share of a heading's parts that must be matched below a single other heading."""
_MAX_TITLE_WORDS = 6
"""Maximum number of words in a title, for books that print headings as rules."""


def match_headings(matches: Matches) -> None:
    """Matches unmatched headings by their parts, the innermost first: a renamed section keeps its rules."""
    for locator in reversed(matches.old.order):
        is_open = locator not in matches.forward and _is_title(matches.old.rules[locator])
        if is_open and (there := _parent_of_parts(matches, locator)):
            matches.add(locator, there)


def _is_title(rule: StoredRule) -> bool:
    """Whether a rule's words are those of a heading; a numbered rule with a few words and with parts counts as one."""
    return rule.title or len(rule.words) <= _MAX_TITLE_WORDS


def _parent_of_parts(matches: Matches, locator: str) -> str | None:
    parts = matches.old.children.get(locator, ())
    new = [matches.new.rules[matches.forward[part]].parent for part in parts if part in matches.forward]
    if not new:
        return None
    [(there, count)] = Counter(new).most_common(1)
    fits = there is not None and count > _MAX_COMMON_SHARE * len(parts) and _is_title(matches.new.rules[there])
    return there if fits and there not in matches.back else None


Shingle = str | tuple[str, str]
_MAX_KEYS = 16
"""Number of a rule's rarest shingles that are used to find candidates."""
_MAX_RULES_PER_KEY = 60
"""Maximum number of rules that share such a shingle; a more frequent one is not distinctive."""
_MAX_CANDIDATES = 12
"""Maximum number of candidates compared for one rule."""


class Shingles:
    """The words and word pairs of some rules, weighted by their rarity among all of them."""

    def __init__(self, rules: Iterable[StoredRule]) -> None:
        self._counts = {id(rule): Counter(_shingles(rule.words)) for rule in rules}
        frequencies = Counter(shingle for counts in self._counts.values() for shingle in counts)
        every = max(len(self._counts), 1)
        self._weights: Mapping[Shingle, float] = {shingle: log(1 + every / count) for shingle, count in frequencies.items()}
        self._frequencies: Mapping[Shingle, int] = frequencies
        self._totals = {
            rule: sum(self._weights[shingle] * count for shingle, count in counts.items()) for rule, counts in self._counts.items()
        }

    def similarity(self, rule: StoredRule, other: StoredRule) -> float:
        """The weighted Dice similarity of two rules, from 0 to 1; a rule that the other contains keeps most of it."""
        mine, theirs = self._counts[id(rule)], self._counts[id(other)]
        if len(theirs) < len(mine):
            mine, theirs = theirs, mine
        shared = sum(self._weights[shingle] * min(count, theirs[shingle]) for shingle, count in mine.items() if shingle in theirs)
        totals = self._totals[id(rule)], self._totals[id(other)]
        if not shared:
            return 0.0
        return max(2 * shared / sum(totals), _CONTAINED_SHARE * shared / min(totals) if len(mine) >= _MIN_DISTINCT else 0.0)

    def candidates(self, rules: Iterable[StoredRule], others: Sequence[StoredRule]) -> Iterator[tuple[StoredRule, StoredRule]]:
        """For each rule the others that share most of its rarest shingles; linear, because common shingles are skipped."""
        index: dict[Shingle, list[int]] = {}
        for place, other in enumerate(others):
            for shingle in self._counts[id(other)]:
                if self._frequencies[shingle] <= _MAX_RULES_PER_KEY:
                    index.setdefault(shingle, []).append(place)
        for rule in rules:
            votes: Counter[int] = Counter()
            for shingle in self._rarest_keys(rule):
                votes.update(dict.fromkeys(index.get(shingle, ()), 1))
            yield from ((rule, others[place]) for place, _ in votes.most_common(_MAX_CANDIDATES))

    def _rarest_keys(self, rule: StoredRule) -> list[Shingle]:
        shingles = sorted(self._counts[id(rule)], key=lambda shingle: (self._frequencies[shingle], str(shingle)))
        return shingles[:_MAX_KEYS]


_CONTAINED_SHARE = 0.85
"""Similarity assigned to a text that the other one contains."""
_MIN_DISTINCT = 12
"""Number of distinct shingles from which containment is not accidental."""


def _shingles(words: Sequence[str]) -> Iterator[Shingle]:
    yield from words
    yield from pairwise(words)


_SURE, _LIKELY, _PLACED = 0.75, 0.55, 0.42
"""Minimum scores of the rounds, descending: certain matches give position evidence for the others."""
_CONTEXT_WEIGHT = 0.25
"""Weight of position evidence beside words."""
_MAX_PARTS = 30
"""Maximum number of parts of a rule that are candidates; few rules have more."""
_MIN_SCORE = 0.2
"""Similarity of words below which rules never match, except titles and glossary entries of one name."""


def match_edited(matches: Matches) -> None:
    """Matches rules with similar words, the best match first."""
    old, new = list(matches.unmatched_old()), list(matches.unmatched_new())
    shingles = Shingles([*matches.old.rules.values(), *matches.new.rules.values()])
    likeness = {(rule.locator, other.locator): shingles.similarity(rule, other) for rule, other in shingles.candidates(old, new)}
    for least in (_SURE, _LIKELY, _PLACED):
        while _match_round(matches, shingles, likeness, least):
            pass


def _match_round(matches: Matches, shingles: Shingles, similarities: dict[tuple[str, str], float], min_score: float) -> int:
    """Accepts matches with at least this score, the best first; returns their number."""
    for rule, other in _candidates_by_position(matches):
        if (rule.locator, other.locator) not in similarities:
            similarities[rule.locator, other.locator] = shingles.similarity(rule, other)
    scores = sorted(_scored_pairs(matches, similarities, min_score), reverse=True)
    return sum(matches.add(old, new) for _, _, old, new in scores)


def _scored_pairs(
    matches: Matches, similarities: dict[tuple[str, str], float], min_score: float
) -> Iterator[tuple[float, int, str, str]]:
    for (old, new), alike in similarities.items():
        if old in matches.forward or new in matches.back:
            continue
        score = alike + _CONTEXT_WEIGHT * matches.position_score(old, new)
        is_one_name = old == new and old.startswith("glossary/")
        if score >= min_score and (alike >= _MIN_SCORE or is_one_name):
            yield score, -matches.old.at[old], old, new


def _candidates_by_position(matches: Matches) -> Iterator[tuple[StoredRule, StoredRule]]:
    """Pairs that are candidates by position: same number, same neighbours, parts of the same rule."""
    for rule in matches.unmatched_old():
        for locator in dict.fromkeys(_candidate_places(matches, rule)):
            if locator not in matches.back:
                yield rule, matches.new.rules[locator]


def _candidate_places(matches: Matches, rule: StoredRule) -> Iterator[str]:
    if rule.locator in matches.new.rules:
        yield rule.locator
    for step in (-1, 1):
        near = matches.old.neighbour(rule.locator, step)
        there = matches.new.neighbour(matches.forward[near], -step) if near in matches.forward else None
        if there is not None:
            yield there
    if rule.parent in matches.forward:
        yield from list(matches.new.children.get(matches.forward[rule.parent], ()))[:_MAX_PARTS]
