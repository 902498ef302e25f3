"""A text with citations, and the expected result."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from corpus.contract import VerifiedCitation
from rulestone import Library

MIN_SHARE = 0.98
_SOUND = {"exists": 1, "verified": 2}
"""Statuses without a finding, and how much each asserts."""


def asserts_too_much(status: str, expected: str) -> bool:
    """Whether a status asserts more than the expected one: that a rule exists, or has the quoted words."""
    return _SOUND.get(status, 0) > _SOUND.get(expected, 0)


@dataclass(frozen=True, slots=True)
class Expected:
    """An expected citation: its number as printed, its status, and the locator of its rule today, if given."""

    surface: str
    status: str
    now: str | None = None
    quote: str | None = None  # the verdict on the words quoted


@dataclass(frozen=True, slots=True)
class Case:
    """A text, its parameters, and every citation in it; `kind` groups cases in a table."""

    kind: str
    text: str
    expected: tuple[Expected, ...]
    game: str | None = None
    as_of: str | None = None


@dataclass(slots=True)
class Score:
    """The outcome of some cases: correct and all cases by kind, and those falsely reported as verified."""

    right: Counter[str] = field(default_factory=Counter)
    every: Counter[str] = field(default_factory=Counter)
    false_verified: list[Case] = field(default_factory=list)
    wrong: list[tuple[Case, list[str]]] = field(default_factory=list)

    def add(self, case: Case, citations: "list[VerifiedCitation]") -> None:
        """Counts a case."""
        citation_names = [short_citation(citation) for citation in citations]
        expected_pairs = [(expected.surface, expected.status) for expected in case.expected]
        has_expected = [(citation["surface"], citation["status"]) for citation in citations] == expected_pairs and all(
            map(_is_as_expected, case.expected, citations)
        )
        self.every[case.kind] += 1
        self.right[case.kind] += has_expected
        if not has_expected:
            self.wrong.append((case, citation_names))
        rest = defaultdict[str, list[str]](list)  # surface → the expected statuses that no citation has been compared with
        for surface, status in expected_pairs:
            rest[surface].append(status)
        pairs = [(one["status"], rest[one["surface"]].pop(0) if rest[one["surface"]] else "") for one in citations]
        if any(asserts_too_much(status, expected) for status, expected in pairs):
            self.false_verified.append(case)

    @property
    def share(self) -> float:
        """Share of completely correct cases."""
        return sum(self.right.values()) / max(1, sum(self.every.values()))


def _is_as_expected(expected: Expected, citation: "VerifiedCitation") -> bool:
    """Whether place and quotation are as expected, if they are given."""
    here = (
        expected.now is None or (citation["now"] or "").endswith(f"/{expected.now}") or citation["status"] in ("exists", "verified")
    )
    return here and (expected.quote is None or (citation["quote"] is not None and citation["quote"]["status"] == expected.quote))


def short_citation(citation: "VerifiedCitation") -> str:
    """A citation in short form."""
    now = f">{citation['now'].rsplit('/', 1)[-1]}" if citation["now"] else ""
    quote = f"/{citation['quote']['status']}" if citation["quote"] else ""
    return f"{citation['surface']}={citation['status']}{now}{quote}"


def score_cases(cases: Iterable[Case], library: Library) -> Score:
    """The outcome of some cases."""
    score = Score()
    for case in cases:
        score.add(case, library.verify(case.text, game=case.game, as_of=case.as_of, lang="en")["citations"])
    return score


def print_score(score: Score, max_wrong: int = 40) -> int:
    """Prints a line for each kind, and the errors without their texts.

    Returns 0 if at least MIN_SHARE of the cases are correct and none is falsely reported as verified.
    """
    for kind in sorted(score.every):
        print(f"  {kind:<34}{score.right[kind]:>6} of {score.every[kind]}")
    print(f"right {score.share:.4f} of {sum(score.every.values())} · false verified {len(score.false_verified)}")
    for case, citation_names in score.wrong[:max_wrong]:
        expected_text = ", ".join(f"{expected.surface}={expected.status}" for expected in case.expected)
        options = " ".join(filter(None, (case.game, case.as_of)))
        print(f"  {case.kind}: wanted {expected_text or 'nothing'}, given {', '.join(citation_names) or 'nothing'} {options}")
    return int(score.share < MIN_SHARE or bool(score.false_verified))
