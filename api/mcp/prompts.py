"""Prompts: how a judge's answer is made with the tools, in three languages. Texts lie in `data/`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from corpus.errors import InputError, NotFoundError

ARGUMENTS = {"question": True, "game": False}
"""What a prompt takes, and whether it needs it."""
_OF_GAME = {"en": " (game: {game})", "ja": "（ゲーム：{game}）", "zh": "（游戏：{game}）"}


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt in one language."""

    name: str
    lang: str
    title: str
    about: str
    text: str

    def filled(self, given: Mapping[str, str]) -> str:
        """It with a question. Raises InputError without one, and for what it does not take."""
        if unknown := [name for name in given if name not in ARGUMENTS]:
            raise InputError("{tool} takes {known}, not {unknown}", tool=self.name, known="question, game", unknown=unknown[0][:40])
        if not given.get("question"):
            raise InputError("{tool} needs {names}", tool=self.name, names="question")
        game = given.get("game")
        return self.text.format(question=given["question"], of_game=_OF_GAME[self.lang].format(game=game) if game else "")


@cache
def prompts() -> Mapping[str, Prompt]:
    """Every prompt by name."""
    return {made.name: made for made in map(_prompt, _OF_GAME)}


def prompt(name: str) -> Prompt:
    """A prompt. Raises NotFoundError."""
    if name not in prompts():
        raise NotFoundError("there is no prompt {name}; there are {known}", name=name[:40], known=", ".join(prompts()))
    return prompts()[name]


def _prompt(lang: str) -> Prompt:
    title, about, text = _data(f"judge_answer.{lang}.txt").split("\n", 2)
    return Prompt(f"judge_answer_{lang}", lang, title, about, text)


def instructions() -> str:
    """What a model is told of the server."""
    return _data("instructions.txt")


def _data(name: str) -> str:
    return files("api.mcp").joinpath("data", name).read_text(encoding="utf-8")
