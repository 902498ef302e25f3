"""A text that cites, and what is right of it."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from corpus.contract import VerifiedCitation, Verify

Verifies = Callable[["Case"], Verify]


@dataclass(frozen=True, slots=True)
class Expected:
    """A citation as it should be found: its number as printed, its status, and the locator of its rule today, if that is told."""

    surface: str
    status: str
    now: str | None = None
    quote: str | None = None  # the verdict on the words quoted


@dataclass(frozen=True, slots=True)
class Case:
    """A text, what is asked with it, and every citation in it; `kind` groups cases in a table."""

    kind: str
    text: str
    expected: tuple[Expected, ...]
    game: str | None = None
    as_of: str | None = None


@dataclass(slots=True)
class Score:
    """The outcome of some cases: right and all by kind, and those falsely called verified."""

    right: Counter[str] = field(default_factory=Counter)
    every: Counter[str] = field(default_factory=Counter)
    false_verified: list[Case] = field(default_factory=list)
    wrong: list[tuple[Case, list[str]]] = field(default_factory=list)

    def add(self, case: Case, citations: "list[VerifiedCitation]") -> None:
        """Counts a case."""
        given = [shown(citation) for citation in citations]
        wanted = [(expected.surface, expected.status) for expected in case.expected]
        held = [(citation["surface"], citation["status"]) for citation in citations] == wanted and all(
            map(_fits, case.expected, citations)
        )
        self.every[case.kind] += 1
        self.right[case.kind] += held
        if not held:
            self.wrong.append((case, given))
        if any(citation["status"] == "verified" and (citation["surface"], "verified") not in wanted for citation in citations):
            self.false_verified.append(case)

    @property
    def share(self) -> float:
        """Share of cases in which everything was right."""
        return sum(self.right.values()) / max(1, sum(self.every.values()))


def _fits(wanted: Expected, citation: "VerifiedCitation") -> bool:
    """Whether place and quotation are as they should be, where these matter."""
    here = wanted.now is None or (citation["now"] or "").endswith(f"/{wanted.now}") or citation["status"] == "verified"
    return here and (wanted.quote is None or (citation["quote"] is not None and citation["quote"]["status"] == wanted.quote))


def shown(citation: "VerifiedCitation") -> str:
    """A citation in one word or two."""
    now = f">{citation['now'].rsplit('/', 1)[-1]}" if citation["now"] else ""
    quote = f"/{citation['quote']['status']}" if citation["quote"] else ""
    return f"{citation['surface']}={citation['status']}{now}{quote}"


def scored(cases: Iterable[Case], verifies: Verifies) -> Score:
    """The outcome of some cases."""
    score = Score()
    for case in cases:
        score.add(case, verifies(case)["citations"])
    return score


def report(score: Score, *, texts: bool, most: int = 40) -> None:
    """Prints a line for each kind, and what was wrong; `texts`: whether the texts may be shown."""
    for kind in sorted(score.every):
        print(f"{kind:<34}{score.right[kind]:>6} of {score.every[kind]}")
    print(f"right {score.share:.4f} of {sum(score.every.values())} · false verified {len(score.false_verified)}")
    for case, given in score.wrong[:most]:
        wanted = ", ".join(f"{expected.surface}={expected.status}" for expected in case.expected)
        said = f" · {case.text!r}" if texts else ""
        asked = " ".join(filter(None, (case.game, case.as_of)))
        print(f"  {case.kind}: wanted {wanted or 'nothing'}, given {', '.join(given) or 'nothing'}{said} {asked}")
