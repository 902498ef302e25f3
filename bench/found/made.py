"""Thousands of generated rulings, nested by card: no two have the same question, and none is meaningful."""

import json
import random
from pathlib import Path

_SUBJECTS = ("creature", "spell", "Leader", "Character", "stage", "trap", "weapon", "ally", "token", "Event")
_PREDICATES = (
    "attacks",
    "is destroyed",
    "leaves the field",
    "is put into play",
    "is returned to hand",
    "loses power",
    "is drawn",
    "blocks",
)
_TIMES = ("during my own turn", "before damage is dealt", "while the stack is empty", "after the draw step", "in answer to a spell")
_QUESTIONS = (
    "can I activate",
    "do I have to use",
    "may my opponent answer",
    "does it cancel",
    "will it copy",
    "can I pay for",
    "must I reveal",
)
_ANSWERS = ("Yes.", "No.", "Only once in a turn.", "It depends on who controls it.", "Not before it has resolved.")
_REASONS = (
    "The effect has already left the field",
    "Its cost is paid first",
    "It is no longer in the same place",
    "Both players are asked in turn",
)
_FIRST_NAMES = ("River", "Lantern", "Iron", "Silent", "Crimson", "Harbour", "Winter", "Hollow", "Salt", "Glass", "Thorn", "Ember")
_SECOND_NAMES = ("Warden", "Drake", "Oracle", "Bridge", "Golem", "Raft", "Keeper", "Serpent", "Choir", "Anvil", "Gate", "Moth")


def write(file: Path, rulings: int, seed: int = 7) -> None:
    """Writes a file of `rulings` rulings, about three for each card."""
    chance = random.Random(seed)
    cards: dict[str, dict[str, object]] = {}
    for number in range(rulings):
        name = f"{chance.choice(_FIRST_NAMES)} {chance.choice(_SECOND_NAMES)} {number // 3 % 997}"
        card = cards.setdefault(f"SY-{number // 3:05}", {"name": name, "faq": []})
        answers = card["faq"]
        assert isinstance(answers, list)
        answers.append(
            {
                "id": 100_000 + number,
                "question": _question(chance, str(card["name"])),
                "answer": _answer(chance),
                "date": _random_day(chance),
            }
        )
    file.write_text(json.dumps(cards, ensure_ascii=False), encoding="utf-8")


def _question(rng: random.Random, card: str) -> str:
    who, other = rng.sample(_SUBJECTS, 2)
    return (
        f"If a {who} {rng.choice(_PREDICATES)} {rng.choice(_TIMES)}, {rng.choice(_QUESTIONS)} the second ability of {card}"
        f" when the {other} {rng.choice(_PREDICATES)} {rng.randint(2, 99)} points short?"
    )


def _answer(rng: random.Random) -> str:
    return f"{rng.choice(_ANSWERS)} {rng.choice(_REASONS)}, so the {rng.choice(_SUBJECTS)} {rng.choice(_PREDICATES)} as usual."


def _random_day(rng: random.Random) -> str:
    return f"{rng.randint(2015, 2025)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
