"""Answers that prove themselves: a question is checked, then answered with words of rules, each at its place."""

from typing import TYPE_CHECKING

from corpus.editions.rulings.rulings import of_rule, with_changes
from corpus.languages import choose
from corpus.messages import message
from rulestone.answers.questions.differences import differences

if TYPE_CHECKING:
    from corpus.contract import AnswerClaim, Ask, Ruling
    from corpus.messages import Message
    from search.answer.answerer import Answered
    from search.answer.choose import Chosen
    from search.searcher import Request, Searcher

_RULINGS = 3
"""Rulings of one answer."""
_GLOSS = message("our own words, unofficial: the book is not loaded (rulestone add FILE)")


def ask(searcher: "Searcher", asked: "Request", as_of: str | None = None) -> "Ask":
    """The claims that answer a question, or why none is made."""
    from search.answer.answerer import Answerer

    answered = Answerer(searcher).answer(asked)
    return {
        "query": asked.query,
        "lang": answered.lang,
        "as_of": as_of,
        "abstained": answered.reason is not None,
        "reason": answered.reason.said(answered.lang) if answered.reason else None,
        "claims": [_claim(claim, answered) for claim in answered.claims],
        "differences": differences(searcher.knowledge, searcher.index, answered),
        "rulings": _rulings(searcher, answered),
    }


def _rulings(searcher: "Searcher", answered: "Answered") -> "list[Ruling]":
    """The newest rulings that rest on the rules of the claims, in whichever edition, but those that were withdrawn."""
    rules, knowledge = searcher.index.rules, searcher.knowledge
    groups = {int(rules.group[claim.shown.place]) for claim in answered.claims}
    every = (place for group in sorted(groups) for place in rules.members(group))
    rulings = [ruling for ruling in of_rule(knowledge, [rules[int(place)].iri for place in every]) if not ruling["withdrawn"]]
    return with_changes(knowledge, rulings[:_RULINGS])


def _claim(chosen: "Chosen", answered: "Answered") -> "AnswerClaim":
    record, lang = chosen.shown.record, answered.lang
    spoken = choose(lang, record["digest"])
    note = _note(chosen)
    return {
        "text": chosen.text,
        "lang": chosen.shown.lang,
        "gloss": record["digest"][spoken] if spoken else None,
        "rule": record["iri"],
        "ref": f"{record['game']}/{record['book']}:{record['edition']}:{record['locator']}",
        "game": record["game"],
        "book": record["book"],
        "edition": record["edition"],
        "number": record["number"],
        "heading": record["headings"].get(lang) or record["heading"],
        "role": chosen.role.value,
        "source": "rule" if chosen.shown.own else "digest",
        "current": record["current"],
        "superseded_by": record["superseded_by"],
        "authority": record["texts"][chosen.shown.lang]["authority"] if chosen.shown.own else None,
        "note": note.said(lang) if note else None,
        "quote": {"text": chosen.text, "start": chosen.start, "end": chosen.end},
    }


def _note(chosen: "Chosen") -> "Message | None":
    """What one must know before one relies on a claim."""
    later = chosen.shown.record["superseded_by"]
    if later:
        return message(
            "not current: {book} {edition} has come since", book=f"{later['game']}/{later['book']}", edition=later["edition"]
        )
    if not chosen.shown.record["current"]:
        return message("not current")
    return None if chosen.shown.own else _GLOSS
