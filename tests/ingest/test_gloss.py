"""Which gloss stands beside a rule of another edition: its numbers have moved, or it says something else."""

import pytest

from corpus.address import EditionKey
from corpus.digest import GLOSS_LANGUAGES, Digest, Gloss
from corpus.model import Node
from corpus.words.text import fold_hash
from ingest import merge as merging
from ingest.merge import MergedRule, wording
from tests.support.ferrymen import HUNDREDS_EN, parsed

OLD, NEW = (EditionKey("ferry", "cr", edition) for edition in ("2021-05-03", "2023-03-03"))
GOOSE = "100.1b The goose belongs to nobody, see rule 201.2."


def gloss(node: Node) -> Gloss:
    words = dict.fromkeys(GLOSS_LANGUAGES, f"gloss of {node.locator}")
    return Gloss(node.locator, node.kind.is_heading, words, {}, node.number, fold_hash(node.text), wording=wording(node))


def merged(text: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, MergedRule]:
    """The rules of a later edition, beside a digest of the earlier one."""
    old = parsed(HUNDREDS_EN, "hundreds").nodes
    digest = Digest(OLD, "en", tuple(gloss(node) for node in old if not node.kind.is_heading))
    monkeypatch.setattr(merging, "digests", lambda **_: (digest,))
    return merging.merge(NEW, [parsed(text, "hundreds")._replace(key=NEW)]).rules


def glossed(rules: dict[str, MergedRule], locator: str) -> tuple[str | None, str | None]:
    """The locators whose gloss a rule has, as its own and as one of another wording."""
    rule = rules[locator]
    return rule.gloss.locator if rule.gloss else None, rule.other.gloss.locator if rule.other else None


@pytest.mark.parametrize(
    ("old", "new", "locator", "expected"),
    [
        ("A ferry holds", "A ferry holds", "101.2", ("101.2", None)),
        ("see rules 100.1a and 201.1", "see rules 100.1b and 201.2", "101.2", ("101.2", None)),
        ("see rules 100.1a and 201.1", "see rule 100.1a", "101.2", (None, "101.2")),
        ("An overloaded ferry sinks", "An overloaded ferry floats", "101.2", (None, "101.2")),
        ("at most six tokens", "at most seven tokens", "101.1", (None, "101.1")),
        ("pays no toll. See rule 201.2.", "pays no toll. See rule 201.1.", "glossary/goose", ("glossary/goose", None)),
    ],
)
def test_a_gloss_is_of_the_words_and_not_of_the_numbers_cited(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str, locator: str, expected: tuple[str | None, str | None]
) -> None:
    assert old in HUNDREDS_EN
    assert glossed(merged(HUNDREDS_EN.replace(old, new), monkeypatch), locator) == expected


def test_a_rule_that_moved_keeps_its_gloss(monkeypatch: pytest.MonkeyPatch) -> None:
    moved = HUNDREDS_EN.replace(
        "100.1b The goose belongs to nobody, see rule 201.2.", "100.1c The goose belongs to nobody, see rule 201.1."
    )
    assert glossed(merged(moved, monkeypatch), "100.1c") == ("100.1b", None)


def test_rules_that_differ_only_in_references_are_matched_by_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both refer to a rule and say nothing more: neither takes a gloss that may be the other's."""
    twice = HUNDREDS_EN.replace(
        GOOSE, "100.1b The goose belongs to nobody, see rule 201.1.\n100.1c The goose belongs to nobody, see rule 101.1."
    )
    rules = merged(twice, monkeypatch)
    assert glossed(rules, "100.1b") == ("100.1b", None)
    assert glossed(rules, "100.1c") == (None, None)


def test_entries_of_a_glossary_that_say_the_same_keep_their_own_glosses() -> None:
    goose = next(node for node in parsed(HUNDREDS_EN, "hundreds").nodes if node.locator == "glossary/goose")
    duck, swan = (goose._replace(locator=f"glossary/{name.lower()}", headword=name) for name in ("Duck", "Swan"))
    known = merging.glosses("ferry", (Digest(OLD, "en", (gloss(goose), gloss(duck))),))
    beside = [known.gloss_of("en", node, {}) for node in (goose, duck, swan)]
    assert [gloss.locator if gloss else None for gloss in beside] == ["glossary/goose", "glossary/duck", None]


def test_the_headword_belongs_to_the_wording() -> None:
    nodes = {node.locator: node for node in parsed(HUNDREDS_EN, "hundreds").nodes}
    goose = nodes["glossary/goose"]
    assert wording(goose) != wording(goose._replace(headword="Duck"))
    assert wording(nodes["101.1"]) == ""
