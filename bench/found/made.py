"""Rulings made by the thousand, nested by card: no two ask the same, and none of them means anything."""

import json
import random
from pathlib import Path

_WHO = ("creature", "spell", "Leader", "Character", "stage", "trap", "weapon", "ally", "token", "Event")
_DOES = (
    "attacks",
    "is destroyed",
    "leaves the field",
    "is put into play",
    "is returned to hand",
    "loses power",
    "is drawn",
    "blocks",
)
_WHEN = ("during my own turn", "before damage is dealt", "while the stack is empty", "after the draw step", "in answer to a spell")
_CAN = (
    "can I activate",
    "do I have to use",
    "may my opponent answer",
    "does it cancel",
    "will it copy",
    "can I pay for",
    "must I reveal",
)
_SAID = ("Yes.", "No.", "Only once in a turn.", "It depends on who controls it.", "Not before it has resolved.")
_WHY = (
    "The effect has already left the field",
    "Its cost is paid first",
    "It is no longer in the same place",
    "Both players are asked in turn",
)
_NAMES = ("River", "Lantern", "Iron", "Silent", "Crimson", "Harbour", "Winter", "Hollow", "Salt", "Glass", "Thorn", "Ember")
_KINDS = ("Warden", "Drake", "Oracle", "Bridge", "Golem", "Raft", "Keeper", "Serpent", "Choir", "Anvil", "Gate", "Moth")


def write(file: Path, rulings: int, seed: int = 7) -> None:
    """A file of so many rulings, about three for each card."""
    chance = random.Random(seed)
    cards: dict[str, dict[str, object]] = {}
    for number in range(rulings):
        name = f"{chance.choice(_NAMES)} {chance.choice(_KINDS)} {number // 3 % 997}"
        card = cards.setdefault(f"SY-{number // 3:05}", {"name": name, "faq": []})
        answers = card["faq"]
        assert isinstance(answers, list)
        answers.append(
            {
                "id": 100_000 + number,
                "question": _question(chance, str(card["name"])),
                "answer": _answer(chance),
                "date": _day(chance),
            }
        )
    file.write_text(json.dumps(cards, ensure_ascii=False), encoding="utf-8")


def _question(chance: random.Random, card: str) -> str:
    who, other = chance.sample(_WHO, 2)
    return (
        f"If a {who} {chance.choice(_DOES)} {chance.choice(_WHEN)}, {chance.choice(_CAN)} the second ability of {card}"
        f" when the {other} {chance.choice(_DOES)} {chance.randint(2, 99)} points short?"
    )


def _answer(chance: random.Random) -> str:
    return f"{chance.choice(_SAID)} {chance.choice(_WHY)}, so the {chance.choice(_WHO)} {chance.choice(_DOES)} as usual."


def _day(chance: random.Random) -> str:
    return f"{chance.randint(2015, 2025)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
