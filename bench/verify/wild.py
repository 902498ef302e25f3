"""Verification of citations in realistic posts about invented books: `python -m bench.verify.wild`.

`posts/*.txt` has 77 posts in four languages: articles with front matter, pages in HTML, chat logs, mails, tables, tests, reports.
A post begins with `=== name | game=… | as_of=…`. Each citation is in `{{ }}` with its status and, if they matter, `>locator today`
and `/verdict on the quotation`; a range has one status for each rule: `{{601.2a–c=verified+verified+verified}}`.
"""

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.measure import Counts, use_only_seed_digests
from bench.verify.case import asserts_too_much, short_citation
from corpus.contract import VerifiedCitation
from rulestone import Library

FOLDER = Path(__file__).with_name("posts")
_HEAD = re.compile(r"^=== (?P<name>[^|\n]+)(?P<asked>(?:\|[^|\n]*)*)\n", re.M)
_GOLD = re.compile(r"\{\{(?P<surface>[^{}]+?)=(?P<statuses>[a-z_+]+)(?:>(?P<now>[^/{}]+))?(?:/(?P<quote>[a-z]+))?\}\}")


@dataclass(frozen=True, slots=True)
class Gold:
    """An expected citation: its place, its status and, if they matter, its rule today and its quotation."""

    start: int
    end: int
    status: str
    now: str | None = None
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class Post:
    """A text, its parameters and every citation in it."""

    name: str
    text: str
    gold: tuple[Gold, ...]
    game: str | None = None
    as_of: str | None = None


@dataclass(slots=True)
class Figures:
    """The outcome of some posts."""

    posts: int = 0
    gold: int = 0
    found: int = 0  # of them
    given: int = 0  # citations in the answers
    right: int = 0  # found with the correct status, place and quotation
    false_verified: int = 0
    false_not_found: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def of_citations(self) -> Counts:
        """The citations in the answers and in the posts."""
        return Counts(self.found, self.given, self.gold)

    @property
    def status_share(self) -> float:
        """Share of the citations that were found and have the right status."""
        return self.right / max(1, self.gold)

    def add(self, post: Post, citations: "Sequence[VerifiedCitation]") -> None:
        """Counts a post."""
        self.posts += 1
        self.gold += len(post.gold)
        self.given += len(citations)
        next_places = Counter[tuple[int, int]]()
        by_place: dict[tuple[int, int], list[VerifiedCitation]] = {}
        for citation in citations:
            by_place.setdefault((citation["start"], citation["end"]), []).append(citation)
        for gold in post.gold:
            place = (gold.start, gold.end)
            there = by_place.get(place, [])
            citation_there = there[next_places[place]] if next_places[place] < len(there) else None
            next_places[place] += 1
            self._count_expected(post, gold, citation_there)
        for place, there in by_place.items():
            for citation in there[next_places[place] :]:
                self._count_extra(post, citation)

    def _count_expected(self, post: Post, gold: Gold, citation: "VerifiedCitation | None") -> None:
        where = f"{post.name}: {post.text[gold.start : gold.end]}={gold.status}{f'>{gold.now}' if gold.now else ''}/{gold.quote}"
        if citation is None:
            self.wrong.append(f"{where} not found")
            return
        self.found += 1
        right = citation["status"] == gold.status
        right &= gold.now is None or (citation["now"] or "").endswith(f"/{gold.now}")
        right &= gold.quote is None or (citation["quote"] is not None and citation["quote"]["status"] == gold.quote)
        self.right += right
        if not right:
            self.wrong.append(f"{where} given {short_citation(citation)}")
            self._count_false(citation, gold.status)

    def _count_extra(self, post: Post, citation: "VerifiedCitation") -> None:
        around = " ".join(post.text[max(0, citation["start"] - 20) : citation["end"] + 20].split())
        self.wrong.append(f"{post.name}: no citation given {short_citation(citation)} in {around!r}")
        self._count_false(citation, "")

    def _count_false(self, citation: "VerifiedCitation", status: str) -> None:
        self.false_verified += asserts_too_much(citation["status"], status)
        self.false_not_found += citation["status"] == "not_found" != status


def posts(folder: Path = FOLDER) -> Iterator[Post]:
    """The posts of a folder."""
    for file in sorted(folder.glob("*.txt")):
        text = file.read_text(encoding="utf-8")
        heads = list(_HEAD.finditer(text))
        for head, following in zip(heads, [*heads[1:], None], strict=True):
            options = dict(part.strip().split("=", 1) for part in head["asked"].split("|") if "=" in part)
            body, gold = read_post(text[head.end() : following.start() if following else None])
            yield Post(f"{file.stem} {head['name'].strip()}", body, gold, options.get("game"), options.get("as_of"))


def read_post(marked_text: str) -> tuple[str, tuple[Gold, ...]]:
    """A text without annotations, and the annotations with their places."""
    pieces: list[str] = []
    gold: list[Gold] = []
    at = length = 0
    for match in _GOLD.finditer(marked_text):
        pieces += [marked_text[at : match.start()], match["surface"]]
        start = length + match.start() - at
        length, at = start + len(match["surface"]), match.end()
        gold += [Gold(start, length, status, match["now"], match["quote"]) for status in match["statuses"].split("+")]
    return "".join((*pieces, marked_text[at:])), tuple(gold)


def put_books(home: Path) -> Library:
    """A knowledge base of the books that the posts cite."""
    library = Library.open(home)
    library.add(sorted((FOLDER / "books").glob("*.txt")), game="ferry", authority="official")
    return library


def posts_figures(library: Library, posts: Sequence[Post]) -> Figures:
    """The outcome of some posts."""
    figures = Figures()
    for post in posts:
        figures.add(post, library.verify(post.text, game=post.game, as_of=post.as_of, lang="en")["citations"])
    return figures


def main() -> int:
    """Returns 0 if recall, precision and status are within the targets, and nothing is falsely verified or not found."""
    use_only_seed_digests()
    with tempfile.TemporaryDirectory(prefix="rulestone-wild-") as folder, put_books(Path(folder) / "home") as library:
        figures = posts_figures(library, list(posts()))
    print(f"{figures.posts} posts with {figures.gold} citations")
    counts = figures.of_citations
    print(f"found {counts.recall:.3f} · precision {counts.precision:.3f} · status right {figures.status_share:.3f}")
    print(f"false verified {figures.false_verified} · false not_found {figures.false_not_found}")
    within = min(counts.recall, counts.precision) >= 0.98 and figures.status_share >= 0.97
    return int(not within or bool(figures.false_verified or figures.false_not_found))


if __name__ == "__main__":
    sys.exit(main())
