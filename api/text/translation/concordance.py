"""`rulestone concordance` for people: how often what stands where, then each line with the other language below."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from api.text.rule import DOT
from api.text.wrap import cells, wrap

if TYPE_CHECKING:
    from corpus.contract import Beside, Concordance, ConcordanceLine

_USUAL, _FORMS = 110, 12  # columns; forms told


def pages(body: "Concordance", width: int | None) -> Iterator[str]:
    """The lines of a concordance's body."""
    rules = "1 rule" if body["rules"] == 1 else f"{body['rules']} rules"
    yield from wrap(f"{body['query']}{DOT}{body['total']} in {rules}", width)
    if not body["total"]:
        return
    told = [f"{form['form']} {form['count']}" for form in body["forms"][:_FORMS]]
    yield from wrap(f"forms: {', '.join(told)}{' …' if len(body['forms']) > _FORMS else ''}", width, rest="  ")
    stands = ""
    for line in body["lines"]:
        where = f"{line['game']}/{line['book']} {line['edition']}{DOT}{line['lang']}{DOT}{line['authority']}"
        if where != stands:
            stands = where
            yield from ["", where]
        yield from _line(line, body["lines"], width)


def _line(line: "ConcordanceLine", lines: "Sequence[ConcordanceLine]", width: int | None) -> Iterator[str]:
    lead = max(cells(place["locator"]) for place in lines)
    room = max(((width or _USUAL) - lead - 4 - cells(line["match"])) // 2, 8)
    before = line["before"]
    while cells(before) > room:
        before = before[1:]
    blank = " " * (room - cells(before))
    yield f"  {line['locator']:{lead}} {blank}{before}{line['match']}{line['after']}".rstrip()
    if line["beside"]:
        yield from wrap(_beside(line["beside"]), width, " " * (lead + 3), " " * (lead + 5))


def _beside(beside: "Beside") -> str:
    """The other language, its counterparts in brackets."""
    words, at = "", 0
    for start, end in sorted({(counterpart["start"], counterpart["end"]) for counterpart in beside["counterparts"]}):
        if start >= at:
            words, at = f"{words}{beside['text'][at:start]}[{beside['text'][start:end]}]", end
    return f"{beside['lang']}: {words}{beside['text'][at:]}"
