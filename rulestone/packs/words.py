"""The words of a game in one language: texts, glosses, titles, questions, and what is said of its concepts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from corpus.address import path_of
from corpus.languages import choose
from rulestone.packs.frame import Kept, counterparts
from search.index.passages import asked

if TYPE_CHECKING:
    from corpus.contract import Aside, RuleCitation, RuleRecord


def words(kept: Kept, lang: str) -> dict[str, Any]:
    """Columns beside those of `frame`; what few rules have is by place. Titles name a row of the table of all titles."""
    questions = asked(kept.searcher.knowledge)
    titles: dict[tuple[str, ...], int] = {}
    rows = [titles.setdefault(tuple(record["headings"].get(lang, ())), len(titles)) for record in kept.records]
    return {
        "titles": list(titles),
        "title": rows,
        "gloss": [record["digest"].get(lang, "") for record in kept.records],
        "example": _few(kept, lambda record: record["digest_example"].get(lang)),
        "other": _few(kept, lambda record: _other(record, lang)),
        "headword": _few(kept, lambda record: record["headwords"].get(lang)),
        "text": _few(kept, lambda record: _text(record, lang, kept)),
        "asked": _few(kept, lambda record: [said for tag, said in questions.get(record["iri"], ()) if tag == lang]),
        "differs": [comments.get(choose(lang, comments) or "", "") for *_, comments in counterparts(kept)],
    }


def _few(kept: Kept, of: Any) -> dict[int, Any]:  # noqa: ANN401
    """What is found of each rule that has it, by place."""
    values = ((place, of(record)) for place, record in enumerate(kept.records))
    return {place: value for place, value in values if value}


def _other(record: "RuleRecord", lang: str) -> list[str] | None:
    """The gloss of another wording, with its edition."""
    other = None if record["digest"] else record["digest_other"]
    return [other["texts"][lang], f"{other['book']} {other['edition']}"] if other and lang in other["texts"] else None


def _text(record: "RuleRecord", lang: str, kept: Kept) -> Mapping[str, Any] | None:
    """The book's own words, their authority, the rules cited at spans of them, and what stands beside them."""
    if lang not in record["texts"]:
        return None
    own = record["texts"][lang]
    cites = [_cite(cite) for cite in record["cites"] if cite["lang"] == lang and cite["target"] and "within" not in cite]
    beside = [("example", example) for example in record["examples"]] + [("note", note) for note in record["notes"]]
    return {
        "text": own["text"],
        "authority": own["authority"],
        "cites": cites,
        "asides": [_aside(kind, aside) for kind, aside in beside if aside["lang"] == lang],
    }


def _cite(citation: "RuleCitation") -> list[Any]:
    return [citation["start"], citation["end"], path_of(citation["target"] or "")]


def _aside(kind: str, aside: "Aside") -> list[str]:
    return [kind, aside["text"], aside["authority"]]
