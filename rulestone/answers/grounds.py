"""What waits for a curator, and what became of a curator's file."""

from typing import TYPE_CHECKING

from corpus.editions.rulings.grounds import proposals, weak
from corpus.languages import choose
from ontology.knowledge import Knowledge

if TYPE_CHECKING:
    from corpus import contract
    from corpus.store.home.manifest import JudgementsEntry

_WORDS = 120
"""Characters of a rule, or of a question, that are shown."""


def waiting(knowledge: Knowledge, below: float, game: str | None) -> "contract.WeakGrounds":
    """The proposals that are not sure, ruling by ruling."""
    rulings = weak(knowledge, below, game)
    every = [pair for ruling in rulings for pair in _pairs(ruling)]
    records = knowledge.by_iri({ground["rule"] for _, ground in every if ground})
    rows = [_row(ruling, ground, records.get(ground["rule"]) if ground else None) for ruling, ground in every]
    return {"total": len(rulings), "below": below, "grounds": rows}


def _pairs(ruling: "contract.Ruling") -> "list[tuple[contract.Ruling, contract.RestsOn | None]]":
    """A ruling with each rule that is proposed for it; with none where there is none."""
    proposed = list(proposals(ruling))
    return [(ruling, ground) for ground in proposed] if proposed else [(ruling, None)]


def _row(
    ruling: "contract.Ruling", ground: "contract.RestsOn | None", record: "contract.RuleRecord | None"
) -> "contract.WeakGround":
    texts = {lang: text["text"] for lang, text in record["texts"].items()} if record else {}
    return {
        "ruling": ruling["iri"],
        "rule": ground["rule"] if ground else None,
        "confidence": ground["confidence"] if ground else None,
        "question": _short(ruling["question"] or ruling["answer"]),
        "words": _short(texts or (record["digest"] if record else {})),
    }


def _short(texts: "dict[str, str]") -> str:
    lang = choose("en", texts)
    return " ".join(texts[lang].split())[:_WORDS] if lang else ""


def file(entry: "JudgementsEntry", status: str, path: str | None = None) -> "contract.JudgementFile":
    """A curator's file and what became of it."""
    return {"file": path or entry.name, "status": status, "judgements": entry.rows}
