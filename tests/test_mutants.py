"""The inputs of `make fuzz`: the same again from a seed, each one told where a property fails for it."""

from random import Random

import pytest

from tests.support.mutants import tried

SOUND = ("101.1 A ferry carries tokens.", "渡し船")
SCRAPS = ("\n", "101.1", "《")


def made(many: int) -> list[str]:
    texts: list[str] = []
    tried(lambda text, _: texts.append(text), SOUND, SCRAPS, many)
    return texts


@pytest.fixture(autouse=True)
def unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RULESTONE_INPUTS", "RULESTONE_SEED"):
        monkeypatch.delenv(name, raising=False)


def test_a_seed_gives_the_same_inputs_again_and_another_one_others(monkeypatch: pytest.MonkeyPatch) -> None:
    first = made(200)
    assert first == made(200)
    monkeypatch.setenv("RULESTONE_SEED", "1")
    assert first != made(200)


def test_a_failure_names_its_input() -> None:
    def short(text: str, _: Random) -> None:
        assert len(text) < 40

    with pytest.raises(AssertionError) as caught:
        tried(short, SOUND, SCRAPS, 500)
    [note] = [note for note in caught.value.__notes__ if note.startswith("input ")]
    assert " of seed 0: '" in note
